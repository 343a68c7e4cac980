import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_bench_plays_at_tables_of_its_own_and_prints_one_line_of_json() -> None:
    ended = subprocess.run(
        [sys.executable, "bench/tables.py", "--tables", "2", "--seconds", "1", "--json"],
        cwd=ROOT,
        # Addresses at which nobody is: it must not want them.
        env=os.environ | {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none", "REDIS_URL": "redis://x:1"},
        capture_output=True,
        text=True,
        check=True,
        timeout=180,
    )
    [line] = ended.stdout.splitlines()
    figures = json.loads(line)
    assert (figures["tables"], figures["sockets"], figures["refused"]) == (2, 8, 0)
    assert figures["moves_per_s"] > 0
    assert 0 < figures["p50_ms"] <= figures["p99_ms"]

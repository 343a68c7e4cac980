import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_bench_loads_a_history_and_measures_whole_answers() -> None:
    ended = subprocess.run(
        [sys.executable, "bench/history.py", "--actions", "20000", "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    found = json.loads(ended.stdout.splitlines()[-1])
    assert found["actions"] >= 20000
    assert [what.split()[0] for what in found["ms"]] == ["fold"] * 2 + ["a"] * 5 + ["administration:"] * 3
    assert all(0 < one["median"] <= one["p95"] for one in found["ms"].values())

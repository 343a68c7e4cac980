import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def bench(*arguments: str) -> str:
    ended = subprocess.run(
        [sys.executable, "bench/rules.py", "--deals", "20", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return ended.stdout


def test_bench_prints_one_line_of_json() -> None:
    [line] = bench("--json").splitlines()
    figures = json.loads(line)
    assert sorted(figures) == ["deals_per_s", "moves_per_s", "peers"]
    assert figures["moves_per_s"] > figures["deals_per_s"] > 0


def test_bench_speaks_of_every_peer_installed_or_not() -> None:
    lines = bench().splitlines()
    assert [line.split(":")[0] for line in lines] == ["the rules", "openspiel_spades", "rlcard_bridge"]

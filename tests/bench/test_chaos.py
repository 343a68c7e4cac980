import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "bench"))

from chaos import holds  # noqa: E402

NOTHING_WRONG = {
    "acts_accepted": 100,
    "lost": 0,
    "doubled": 0,
    "gaps": 0,
    "stuck": 0,
    "not_green": [],
    "forfeits": [],
    "views_differing": [],
    "players_failed": [],
}


def chaos(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "bench/chaos.py", *arguments, "--json"],
        cwd=ROOT,
        # Addresses at which nobody is: it must not want them.
        env=os.environ | {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none", "REDIS_URL": "redis://x:1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_nothing_is_lost_while_the_servers_and_processes_are_killed():
    faults = "postgres,web,valkey,steward"
    ended = chaos("--tables", "3", "--seconds", "60", "--once", "--away", "1.5", "--faults", faults)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    found = json.loads(ended.stdout.splitlines()[-1])
    assert {name: found[name] for name in NOTHING_WRONG if name != "acts_accepted"} == {
        name: value for name, value in NOTHING_WRONG.items() if name != "acts_accepted"
    }
    # An answer may be lost on its way when the playing ends.
    assert 0 < found["acts_accepted"] <= found["acts_stored"]
    assert "postgres" in found["faults"]
    assert found["ok"] is True


@pytest.mark.parametrize(
    "wrong",
    [
        {"lost": 1},
        {"doubled": 1},
        {"gaps": 1},
        {"stuck": 1},
        {"not_green": ["valkey"]},
        {"forfeits": [("AAAAA", 7, "c", 3)]},
        {"views_differing": ["AAAAA"]},
        {"players_failed": ["KeyError"]},
        {"acts_accepted": 0},
    ],
)
def test_whatever_went_wrong_is_told(wrong):
    assert holds(NOTHING_WRONG)
    assert not holds(NOTHING_WRONG | wrong)

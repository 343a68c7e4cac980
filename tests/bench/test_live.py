import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "bench"))

from search import Step, highest  # noqa: E402
from wires import Tarneeb  # noqa: E402


def test_bench_plays_at_tables_of_its_own_and_prints_one_last_line_of_json() -> None:
    ended = subprocess.run(
        [sys.executable, "bench/live.py", "--tables", "2", "--tries", "1", "--no-peers", "--json"],
        cwd=ROOT,
        # Addresses at which nobody is: it must not want them.
        env=os.environ | {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none", "REDIS_URL": "redis://x:1"},
        capture_output=True,
        text=True,
        check=True,
        timeout=180,
    )
    [line] = ended.stdout.splitlines()
    found = json.loads(line)
    kind = {name: found[name] for name in ("server", "processes", "tables", "sockets", "durable", "peers")}
    assert kind == {
        "server": "daphne",
        "processes": 1,
        "tables": 2,
        "sockets": 8,
        "durable": True,
        "peers": {},
    }
    assert 0 < found["p50_ms"] <= found["p95_ms"] <= found["p99_ms"]
    assert found["most_done"] > 0
    assert [step["refused"] + step["lost"] + step["late"] for step in found["steps"]] == [0] * len(
        found["steps"]
    )
    assert sorted(found["usage"]) == [
        "PostgreSQL",
        "Valkey",
        "beat",
        "load generator",
        "steward",
        "web",
        "worker",
    ]
    assert found["usage"]["web"]["cpu_percent"] > 0
    goal = found["goals"]["moves_per_s of one Daphne process"]
    assert goal["met"] == (found["moves_per_s"] >= goal["goal"])
    assert goal["missed_by"] == max(0, round(goal["goal"] - found["moves_per_s"], 2))


def step(offered: float | None, done: float, p99_ms: float) -> Step:
    return Step(offered, done, p50_ms=1, p95_ms=2, p99_ms=p99_ms, refused=0, late=0, lost=0)


@pytest.mark.parametrize("holds", [40, 400, 1000, 1500, 2600])
def test_the_search_finds_the_highest_rate_that_holds(holds: float) -> None:
    def run(rate: float | None, warm: float, seconds: float) -> Step:
        if rate is None:
            return step(None, 1200, p99_ms=300)
        return step(rate, rate, p99_ms=20 if rate <= holds else 150)

    best, steps = highest(run, until=float("inf"), tries=40)
    assert best is not None
    assert 0.95 * holds <= best.rate <= holds
    assert len(steps) < 35


@pytest.mark.parametrize(
    ("done", "p99_ms", "holds"), [(99, 99.9, True), (99, 100.0, False), (96, 50, False), (0, 0.0, False)]
)
def test_a_rate_holds_if_it_is_done_and_in_time(done: float, p99_ms: float, holds: bool) -> None:
    assert step(100, done, p99_ms).holds is holds


class Heard:
    """Remembers what a socket told it."""

    def __init__(self) -> None:
        self.told: list[tuple[object, ...]] = []

    def opened(self, seat: int) -> None:
        self.told.append(("opened", seat))

    def saw(self, seat: int, version: int, legal: list[str]) -> None:
        self.told.append(("saw", seat, version, legal))

    def refused(self, seat: int, reason: str) -> None:
        self.told.append(("refused", reason))

    def over(self, seat: int) -> None:
        self.told.append(("over", seat))

    def lost(self, seat: int, reason: str) -> None:
        self.told.append(("lost", reason))


class Line:
    """Takes what a socket writes."""

    def __init__(self) -> None:
        self.written: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.written.append(data)


def frame(payload: bytes, first: int = 0x81) -> bytes:
    size = len(payload)
    return bytes((first, size)) + payload if size < 126 else bytes((first, 126)) + size.to_bytes(2) + payload


@pytest.mark.parametrize("piece", [1, 7, 10_000])
def test_the_generator_reads_frames_however_they_are_cut(piece: int) -> None:
    heard, line = Heard(), Line()
    socket = Tarneeb(heard, 2, b"GET")
    socket.connection_made(line)
    view = b'{"type":"table","version":17,"view":{"phase":"play","you":2,"hand":["AS"],"legal":["AS","KD"]'
    stream = b"".join(
        [
            b"HTTP/1.1 101 Switching\r\n\r\n",
            frame(view + b',"resign":[]},"id":"v16"}'),
            frame(b"now?", first=0x89),
            frame(b'{"type":"table","version":18,', first=0x01),
            frame(b'"view":{"phase":"over","legal":[]}}', first=0x80),
            frame(b'{"type":"refused","code":"stale"}'),
            frame((1012).to_bytes(2), first=0x88),
        ]
    )
    for at in range(0, len(stream), piece):
        socket.data_received(stream[at : at + piece])
    assert heard.told == [
        ("opened", 2),
        ("saw", 2, 17, ["AS", "KD"]),
        ("saw", 2, 18, []),
        ("over", 2),
        ("refused", "stale"),
        ("lost", "closed with 1012"),
    ]
    assert line.written == [b"GET", b"\x8a\x84\0\0\0\0now?"]

"""How many moves a second the live tables take, with everything real: sockets, server, durable commits.

    python bench/tables.py [--tables 40] [--seconds 20] [--json]

Starts a whole site of its own in a temporary directory (PostgreSQL with its usual durability, Valkey, one web
process, steward, worker), seats four players at each table, and lets every player act at random the moment
a view says that it is his turn: so there is always one act under way at each table. Counted is what happens
after a warm-up of two seconds. `p50_ms`, `p99_ms`: from an act to the frame that it made, at the socket of
who acted; every frame goes to four sockets. The players need processor time of the same machine.
"""

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import orjson
from websockets.asyncio.client import connect

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from tests.live import LiveSite

WARM_UP_SECONDS = 2.0
# No pause but the players' own; the longest matches there are.
PAUSES = {"TABLE_FIRST_DEAL_SECONDS": "1", "TABLE_DEAL_PAUSE_SECONDS": "0"}
MATCH = {"ruleset": "kotchina", "target": 31, "turn_seconds": 600, "visibility": "link"}
UNCAPPED = {"round_cap": None}


@dataclass
class Tally:
    """What the players saw. Times in seconds, of the acts answered once counting has begun."""

    counting: bool = False
    latencies: list[float] = field(default_factory=list)
    refused: int = 0
    over: set[str] = field(default_factory=set)

    def figures(self, tables: int, seconds: float) -> dict[str, float]:
        return {
            "tables": tables,
            "sockets": 4 * tables,
            "seconds": seconds,
            "moves_per_s": round(len(self.latencies) / seconds, 1),
            "p50_ms": round(1000 * percentile(self.latencies, 50), 1),
            "p99_ms": round(1000 * percentile(self.latencies, 99), 1),
            "refused": self.refused,
            "over": len(self.over),
        }


def percentile(values: Sequence[float], share: int) -> float:
    """The value below which that share (percent) of them lies; 0 where there are none."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, len(ranked) * share // 100)] if ranked else 0.0


class Player:
    """One seat: acts at random as soon as it is its turn."""

    def __init__(self, site: "LiveSite", code: str, session: str, tally: Tally) -> None:
        self._url, self._origin = site.socket(f"/ws/tables/{code}/"), site.url
        self._cookie = {"Cookie": f"sessionid={session}"}
        self._code, self._tally = code, tally
        self._chance = random.Random(session)
        self._asked: dict[str, float] = {}
        self._acted_on = -1

    async def play(self) -> None:
        """Play until the match is over or nobody wants to know any more."""
        async with connect(
            self._url,
            origin=self._origin,  # type: ignore[arg-type]
            additional_headers=self._cookie,
            compression=None,
            open_timeout=60,
            proxy=None,
        ) as socket:
            async for text in socket:
                frame = orjson.loads(text)
                self._note(frame)
                if act := self._act(frame):
                    self._asked[act["id"]] = perf_counter()
                    await socket.send(json.dumps(act))

    def _note(self, frame: dict[str, Any]) -> None:
        asked_at = self._asked.pop(frame.get("id", ""), None)
        if asked_at is not None and self._tally.counting:
            self._tally.refused += frame["type"] == "refused"
            self._tally.latencies.append(perf_counter() - asked_at)

    def _act(self, frame: dict[str, Any]) -> dict[str, Any] | None:
        """The act that a frame calls for, if any."""
        if frame["type"] != "table":
            return None
        view, version = frame["view"], frame["version"]
        if view["phase"] == "over":
            self._tally.over.add(self._code)
        if not view["legal"] or version <= self._acted_on:
            return None
        self._acted_on = version
        action = self._chance.choice(view["legal"])
        return {"type": "act", "action": action, "version": version, "id": f"v{version}"}


async def measure(site: "LiveSite", seated: dict[str, list[str]], seconds: float) -> dict[str, float]:
    """The figures of tables by code, each with the sessions of its four players."""
    tally = Tally()
    players = [Player(site, code, session, tally) for code, four in seated.items() for session in four]
    playing = [asyncio.create_task(player.play()) for player in players]
    await asyncio.sleep(WARM_UP_SECONDS + len(playing) / 100)
    tally.counting = True
    began = perf_counter()
    await asyncio.sleep(seconds)
    tally.counting = False
    elapsed = perf_counter() - began
    failed = [task.exception() for task in playing if task.done()]
    if failed:
        raise SystemExit(f"{len(failed)} players were cut off, the first by: {failed[0]!r}")
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    return tally.figures(len(seated), round(elapsed, 1))


def start_site(directory: Path, stack: ExitStack) -> "LiveSite":
    """A site of its own on an empty database, whatever the environment names; ends with the stack."""
    for name in ("DATABASE_URL", "REDIS_URL", "PAGES_AT_ONCE"):
        os.environ.pop(name, None)
    os.environ |= PAUSES | {"TARNEEB_VAR": str(directory), "DEMO": "0", "DEBUG": "1"}
    from tarneeb_site.up import prepare, servers

    stack.enter_context(servers(directory))
    prepare(debug=True)
    from tests.live import running_site

    return stack.enter_context(running_site(directory))


def seat_players(tables: int) -> dict[str, list[str]]:
    """So many tables at which four sit: the session keys of the four, by the table's code."""
    from django.test import Client
    from django.utils import timezone

    from games.services.tables import open_table, sit
    from tests.factories import make_users

    seated = {}
    for _ in range(tables):
        users, now = make_users(4), timezone.now()
        code = open_table(host=users[0], **MATCH, options=UNCAPPED, now=now).code
        seated[code] = []
        for seat, user in enumerate(users):
            sit(table_code=code, user=user, seat=seat, now=now)
            browser = Client()
            browser.force_login(user)
            seated[code].append(browser.cookies["sessionid"].value)
    return seated


def main() -> None:
    parser = argparse.ArgumentParser(description="Moves a second at live tables, over real sockets.")
    parser.add_argument("--tables", type=int, default=40, help="how many, with four sockets each")
    parser.add_argument("--seconds", type=float, default=20, help="how long to count")
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tarneeb-bench-")))
        with redirect_stdout(sys.stderr):
            site = start_site(directory, stack)
            seated = seat_players(arguments.tables)
        found = asyncio.run(measure(site, seated, arguments.seconds))
    if arguments.json:
        print(json.dumps(found))
        return
    print(f"{found['tables']} tables, {found['sockets']} sockets: {found['moves_per_s']:,.0f} moves/s")
    print(f"from an act to its frame: {found['p50_ms']} ms (median), {found['p99_ms']} ms (99 of 100)")


if __name__ == "__main__":
    main()

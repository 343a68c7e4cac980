"""Live tables while their site is being killed: what is lost, doubled, stuck, forfeited or shown wrong?

    python bench/chaos.py [--tables 200] [--seconds 360] [--faults web,steward,...] [--away 3] [--once] [--json]

Starts a whole site of its own (PostgreSQL with its usual durability, Valkey, two web processes, steward,
worker, beat), seats four players and a few spectators over real sockets, and then in turn: kills each part with
-9, lets it be away for some seconds, starts it again, and waits until every table has moved on. Meanwhile the
players lose and double frames, stop reading, vanish without closing and come again by a process of their choice;
a few strangers hang in half a handshake. At the end the events in PostgreSQL are held against what the players
were told, and their views against fresh ones. The exit status is 1 where something does not hold.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import ExitStack, redirect_stdout
from itertools import cycle
from pathlib import Path
from time import monotonic
from typing import Any

import psycopg

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

from chaos_clients import Player, Tally, half_handshakes, still  # noqa: E402
from chaos_site import TURN_SECONDS, WEBS, Site, seat_players  # noqa: E402

STUCK_SECONDS = 10.0
# How soon after one another the players come, and how long all of them may take to be there.
ARRIVAL_SECONDS, GATHERING_SECONDS = 0.01, 60.0
SETTLE_SECONDS = 20.0
# What a fault, and the end, may be expected to take.
RETURN_SECONDS, ROLLING_SECONDS, SETTLING = 6.0, 25.0, 5.0
SPECTATED = 20
# For so long a part is away: some longer than a turn, so that clocks would run out if nobody took care.
AWAY_SECONDS = {"webs": TURN_SECONDS + 3.0, "steward": TURN_SECONDS + 3.0, "postgres": 4.0}
AWAY_ELSE = 3.0
FAULTS = ("web", "web2", "steward", "worker", "valkey", "postgres", "webs", "rolling")
ROLLING = ("web", "web2", "steward", "worker", "beat")


# What must not happen, as it is counted.
WRONGS = ("lost", "doubled", "gaps", "forfeits", "stuck", "not_green", "views_differing", "players_failed")


class Chaos:
    """One run: the site, the players, and what was done to them."""

    def __init__(
        self, site: Site, tables: dict[str, list[tuple[int, str]]], away: float | None = None
    ) -> None:
        self.site, self.tally, self._away = site, Tally(), away
        self.faults: dict[str, dict[str, float]] = {}
        self.stuck = 0
        self.not_green: list[str] = []
        self.codes = list(tables)
        self.players = [
            Player(site.ports, code, user_id, session, self.tally)
            for code, four in tables.items()
            for user_id, session in four
        ]
        self.players += [Player(site.ports, code, None, "", self.tally) for code in self.codes[:SPECTATED]]

    async def run(self, names: Iterable[str], until: float) -> dict[str, Any]:
        """Do the faults in turn, as long as one more ends before `until`; what was counted."""
        playing = []
        for player in self.players:
            playing.append(asyncio.create_task(player.play()))
            await asyncio.sleep(ARRIVAL_SECONDS)
        strangers = half_handshakes(self.site.ports)
        await self._until_all_play()
        self.began = monotonic()
        # Who was not there yet when the cards came was not kept away by anything that was done here.
        self.began_at = self._rows("select now()")[0][0]
        for name in names:
            if monotonic() + self._expected(name) + SETTLING > until:
                break
            await self._do(name)
        differing = await self._settle()
        counted = await asyncio.to_thread(self._count)
        for task in playing:
            task.cancel()
        ended = await asyncio.gather(*playing, return_exceptions=True)
        failed = [repr(error) for error in ended if not isinstance(error, asyncio.CancelledError)]
        for stranger in strangers:
            stranger.close()
        return counted | {"views_differing": differing, "players_failed": failed}

    async def _until_all_play(self) -> None:
        """Wait for those for whom the clock or a bot played while they were not there yet."""
        absent = "select count(*) from games_table where true = any(sitting_in) or 0 < any(idle)"
        until = monotonic() + GATHERING_SECONDS
        await self._until_moved(patience=GATHERING_SECONDS)
        while (await asyncio.to_thread(self._rows, absent))[0][0] and monotonic() < until:
            await asyncio.sleep(0.5)

    async def _do(self, name: str) -> None:
        began = monotonic()
        say(f"{name}: away from {began - self.began:.0f} s on")
        if name == "rolling":
            for process in ROLLING:
                await asyncio.to_thread(self.site.restart, process)
        else:
            parts = WEBS if name == "webs" else (name,)
            for part in parts:
                self.site.kill(part)
            await asyncio.sleep(self._away_seconds(name))
            for part in parts:
                await asyncio.to_thread(self.site.start, part)
        back = monotonic()
        behind, took = await self._until_moved()
        self.stuck += behind
        if not await asyncio.to_thread(self.site.is_green_again):
            self.not_green.append(name)
        noted = self.faults.setdefault(name, {"times": 0, "away_s": 0.0, "longest_still_s": 0.0, "stuck": 0})
        noted["times"] += 1
        noted["away_s"] = round(max(noted["away_s"], back - began), 1)
        noted["longest_still_s"] = round(max(noted["longest_still_s"], took), 1)
        noted["stuck"] += behind
        say(f"{name}: back after {back - began:.1f} s, all tables moved within {took:.1f} s, stuck {behind}")

    def _expected(self, name: str) -> float:
        """How long, in seconds, a fault will take."""
        if done := self.faults.get(name):
            return done["away_s"] + done["longest_still_s"]
        return ROLLING_SECONDS if name == "rolling" else self._away_seconds(name) + RETURN_SECONDS

    def _away_seconds(self, name: str) -> float:
        return AWAY_SECONDS.get(name, AWAY_ELSE) if self._away is None else self._away

    async def _until_moved(self, patience: float = STUCK_SECONDS) -> tuple[int, float]:
        """How many tables did not move in time, and how long the last one that did took."""
        began = monotonic()
        before = await asyncio.to_thread(self._versions)
        took = 0.0
        while True:
            await asyncio.sleep(0.25)
            now = await asyncio.to_thread(self._versions)
            behind = [code for code in before if now[code] == before[code] and now[code] >= 0]
            elapsed = monotonic() - began
            if not behind:
                return 0, elapsed
            took = elapsed
            if elapsed > patience:
                say(f"stuck: {behind[:5]}")
                return len(behind), took

    def _versions(self) -> dict[str, int]:
        """The version of each table; -1 of one that is over."""
        rows = self._rows("select code, case phase when 'over' then -1 else version end from games_table")
        return dict(rows)

    def _rows(self, sql: str, arguments: Any = ()) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.site.database, connect_timeout=5) as connection:
            return connection.execute(sql, arguments).fetchall()

    async def _settle(self) -> list[str]:
        """The tables where somebody does not see, in the end, what a fresh socket is shown."""
        for player in self.players:
            player.playing = player.misbehaves = False
        self.stopped_at = self._rows("select now()")[0][0]
        until = monotonic() + SETTLE_SECONDS
        differing = list(self.players)
        while differing and monotonic() < until:
            await asyncio.sleep(1)
            checks = await asyncio.gather(*map(sees_what_is, differing), return_exceptions=True)
            differing = [player for player, ok in zip(differing, checks, strict=True) if ok is not True]
        # A wish still on its way when the playing stopped has been answered by now, too.
        return [player.code for player in differing]

    def _count(self) -> dict[str, Any]:
        events = self._rows(
            "select e.user_id, e.request_id, t.code, e.code from games_event e join games_table t "
            "on t.id = e.table_id where e.request_id is not null"
        )
        done = {(user_id, request_id): (table, code) for user_id, request_id, table, code in events}
        accepted = self.tally.accepted
        [(gaps,)] = self._rows(
            "select count(*) from (select t.id from games_table t left join games_event e on e.table_id = t.id "
            "group by t.id having count(e.version) <> t.version or max(e.version) <> t.version) g"
        )
        # Everybody wants to play all the time: whoever was played for was prevented.
        forfeits = self._rows(
            "select t.code, e.version, e.by, extract(epoch from e.at - %s)::int "
            "from games_event e join games_table t on t.id = e.table_id "
            "where e.kind = 'act' and e.by <> 'm' and e.at > %s and e.at < %s order by e.at",
            [self.began_at, self.began_at, self.stopped_at],
        )
        return {
            "acts_accepted": len(accepted),
            "acts_stored": len(events),
            "lost": sum(done.get(key) != act for key, act in accepted.items()),
            "doubled": len(events) - len(done),
            "gaps": gaps,
            "forfeits": forfeits,
            "stuck": self.stuck,
            "not_green": self.not_green,
        }


async def sees_what_is(player: Player) -> bool:
    """Whether what a player was last shown is what a socket that opens now is shown."""
    version, view = await player.fetched()
    return player.version == version and still(player.view) == still(view)


def holds(found: dict[str, Any]) -> bool:
    """Whether everything that must not happen did not."""
    return not any(found[name] for name in WRONGS) and bool(found["acts_accepted"])


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def chosen(text: str) -> list[str]:
    names = text.split(",")
    if unknown := [name for name in names if name not in FAULTS]:
        raise argparse.ArgumentTypeError(f"no such fault: {', '.join(unknown)}")
    return names


def shown(found: dict[str, Any], line: Callable[[str], None] = print) -> None:
    """The findings for people."""
    line(f"{found['tables']} tables, {found['sockets']} sockets, {found['seconds']} s")
    for name, fault in found["faults"].items():
        line(
            f"  {name}: {fault['times']} times, away {fault['away_s']} s, then the last table moved after "
            f"{fault['longest_still_s']} s, stuck {fault['stuck']}"
        )
    if found["not_done"]:
        line(f"  not done for want of time: {', '.join(found['not_done'])}")
    line("what the players did: " + ", ".join(f"{n} {name}" for name, n in sorted(found["did"].items())))
    line("how sockets ended: " + ", ".join(f"{n} × {name}" for name, n in sorted(found["closed"].items())))
    line("refused: " + (", ".join(f"{n} × {code}" for code, n in sorted(found["refused"].items())) or "none"))
    line(f"{found['acts_accepted']} acts accepted, {found['acts_stored']} stored")
    for name in ("lost", "doubled", "gaps", "stuck", "not_green"):
        line(f"{name}: {found[name]}")
    line(f"forfeits: {len(found['forfeits'])} {found['forfeits'][:5] or ''}")
    line(f"views that differ: {len(found['views_differing'])} {found['views_differing'][:5] or ''}")
    line("it holds" if found["ok"] else "IT DOES NOT HOLD")


def main() -> None:
    parser = argparse.ArgumentParser(description="Live tables while their site is being killed.")
    parser.add_argument("--tables", type=int, default=200, help="how many, with four sockets each")
    parser.add_argument("--seconds", type=float, default=360, help="bounds the whole run")
    parser.add_argument("--faults", type=chosen, default=list(FAULTS), help=f"of {','.join(FAULTS)}")
    parser.add_argument("--away", type=float, help="seconds that a part is away, where not each its own")
    parser.add_argument("--once", action="store_true", help="each fault once, not again and again")
    parser.add_argument("--json", action="store_true", help="one last line of JSON")
    arguments = parser.parse_args()
    began = monotonic()
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tarneeb-chaos-")))
        with redirect_stdout(sys.stderr):
            site = Site(directory, stack)
            tables = seat_players(arguments.tables)
        chaos = Chaos(site, tables, arguments.away)
        faults = arguments.faults if arguments.once else cycle(arguments.faults)
        found = asyncio.run(chaos.run(faults, began + arguments.seconds))
        found |= {
            "tables": len(tables),
            "sockets": len(chaos.players),
            "seconds": round(monotonic() - began),
            "faults": chaos.faults,
            "not_done": [name for name in arguments.faults if name not in chaos.faults],
            "did": dict(chaos.tally.counts),
            "refused": dict(chaos.tally.refused),
            "closed": dict(chaos.tally.closed),
            "tracebacks": site.errors(),
        }
        found["ok"] = holds(found)
    shown(found)
    if arguments.json:
        # Where much went wrong the first ones tell enough.
        print(
            json.dumps(
                found | {"forfeits": found["forfeits"][:20], "forfeits_counted": len(found["forfeits"])}
            )
        )
    sys.exit(0 if found["ok"] else 1)


if __name__ == "__main__":
    main()

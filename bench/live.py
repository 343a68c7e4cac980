"""How many moves a second the live tables take, with everything real: sockets, servers, durable commits.

    python bench/live.py [--tables 200] [--processes 1] [--no-peers] [--seconds 240] [--json]
    python bench/live.py --idle 10000 | --spectators 2000

Starts a whole site of its own in a temporary directory: PostgreSQL with its usual durability, Valkey, web
processes, steward, worker. Four sockets play at each table, each table at another place of its deal, at an
offered pace; a move counts from the moment
when it is sent until all four have the view that it made. Searched is the highest pace at which 99 of 100 moves
take less than 100 ms. Beside it, in the same run, boardgame.io and Colyseus with a like game. The load
generator needs processor time of the same machine. `--seconds` bounds the run, from its first line to its last.
"""

import argparse
import json
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from pathlib import Path
from time import monotonic
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT), str(HERE)]

import crowds  # noqa: E402
from peers import run as peers  # noqa: E402
from stack import (  # noqa: E402
    Load,
    LoadEnded,
    Stack,
    durability,
    memory_kib,
    rates,
    running_stack,
    seat_players,
    tree,
)

ONE_DAPHNE, MACHINE, SOCKET_KIB = 1000, 1280, 40
# Of the end of a run: to stop everything, and before it for measures that take longer than they were meant to.
STOP_SECONDS, SPARE_SECONDS = 8.0, 3.0


def measure(stack: Stack, tables: int, until: float, tries: int) -> dict[str, Any]:
    """The site's figures; ends before `until` (monotonic seconds)."""
    seated = seat_players(tables)
    with Load() as load:
        kib = connect(stack, load, seated)
        groups = stack.processes() | {"load generator": tree(load.pid)}
        found = rates(load, groups, until=until, tries=tries)
    return found | {"tables": tables, "sockets": 4 * tables, "kib_per_socket": kib}


def connect(stack: Stack, load: Load, seated: list[tuple[str, list[str]]]) -> float:
    """Open all sockets, a table's four at one process; by how many KiB each made the web processes grow."""
    places = [
        [
            ["127.0.0.1", stack.webs[number % len(stack.webs)], f"/ws/tables/{code}/", f"sessionid={key}", ""]
            for key in keys
        ]
        for number, (code, keys) in enumerate(seated)
    ]
    few = len(stack.webs)
    load.do(do="connect", brand="tarneeb", tables=places[:few])
    webs = [group for name, group in stack.processes().items() if name.startswith("web")]
    before = sum(map(memory_kib, webs))
    opened = load.do(do="connect", brand="tarneeb", tables=places[few:])
    if opened["lost"]:
        raise SystemExit(f"sockets were cut off: {opened['lost']}")
    return round((sum(map(memory_kib, webs)) - before) / max(1, 4 * (len(places) - few)), 1)


def goals(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What was aimed at, what came of it, and by how much it was missed (0: met)."""
    if found["moves_per_s"] is None:
        return {}
    rates = {f"ratio to {name}": peer.get("ratio") for name, peer in found["peers"].items()}
    is_one_daphne = found["server"] == "daphne" and found["processes"] == 1
    wanted: list[tuple[str, float, float | None]] = [
        *([("moves_per_s of one Daphne process", ONE_DAPHNE, found["moves_per_s"])] if is_one_daphne else []),
        ("moves_per_s of the machine", MACHINE, found["moves_per_s"]),
        ("ratio to boardgame.io in memory", 1.0, rates.get("ratio to boardgame.io in memory")),
        ("ratio to boardgame.io with PostgreSQL", 4.0, rates.get("ratio to boardgame.io with PostgreSQL")),
    ]
    told = {name: judged(goal, value, missed=goal - (value or 0)) for name, goal, value in wanted}
    kib = found["kib_per_socket"]
    if kib is None:
        return told
    return told | {"kib_per_socket": judged(SOCKET_KIB, kib, missed=kib - SOCKET_KIB)}


def judged(goal: float, value: float | None, *, missed: float) -> dict[str, Any]:
    if value is None:
        return {"goal": goal, "value": None, "met": None}
    return {"goal": goal, "value": value, "met": missed <= 0, "missed_by": round(max(0.0, missed), 2)}


class TimeUp(Exception):
    """The run has to end."""


@contextmanager
def bounded(seconds: float) -> Iterator[float]:
    """Until when measuring may go on (monotonic seconds); what goes on for longer is broken off."""

    def stop(*_: object) -> None:
        raise TimeUp

    until = monotonic() + seconds - STOP_SECONDS - SPARE_SECONDS
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, max(0.1, seconds - STOP_SECONDS))
    try:
        yield until
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def bench(arguments: argparse.Namespace) -> dict[str, Any]:
    """All figures of a run; `error` where it had to be broken off."""
    found: dict[str, Any] = dict.fromkeys(("moves_per_s", "p99_ms", "kib_per_socket", "durable"))
    found |= {"server": arguments.server, "processes": arguments.processes, "peers": {}}
    with ExitStack() as ending:
        until = ending.enter_context(bounded(arguments.seconds))
        try:
            run(arguments, until, found)
        except TimeUp:
            found["error"] = "the time was up: give --seconds more"
        except LoadEnded as error:
            found["error"] = str(error)
    found["load_average"] = round(os.getloadavg()[0], 2)
    return found | {"goals": goals(found)}


def run(arguments: argparse.Namespace, until: float, found: dict[str, Any]) -> None:
    """Start a site, measure it and the peers, and put into `found` what comes of it as it comes."""
    with ExitStack() as ending:
        packages = peers.Packages() if arguments.peers else None
        if packages is not None:
            ending.callback(packages.stop)
        directory = Path(ending.enter_context(tempfile.TemporaryDirectory(prefix="tarneeb-bench-")))
        kind = {"server": arguments.server, "processes": arguments.processes}
        began = monotonic()
        stack = ending.enter_context(running_stack(directory, **kind))
        found["seconds_to_start"] = round(monotonic() - began, 1)
        care = durability()
        found |= {"durable": set(care.values()) == {"on"}, "database": care}
        if arguments.idle:
            found["idle"] = crowds.idle(stack, arguments.idle, until)
            found["kib_per_socket"] = found["idle"]["kib_per_socket"]
        elif arguments.spectators:
            found["spectators"] = crowds.spectators(stack, arguments.spectators, until)
        else:
            installed = installed_peers(packages, until)
            share = 0.45 if isinstance(installed, Path) else 1
            own = monotonic() + (until - monotonic()) * share
            found |= measure(stack, arguments.tables, own, arguments.tries)
            # They run alone, as we did.
            stack.site.stop()
            if isinstance(installed, Path):
                tables, rate = arguments.tables, found["moves_per_s"]
                found["peers"] = peers.measured(
                    installed, tables, until=until, own=rate, tries=arguments.tries
                )
            else:
                found["peers"] = installed
        # All is measured: what ends now may end in peace.
        signal.setitimer(signal.ITIMER_REAL, 0)


def installed_peers(packages: "peers.Packages | None", until: float) -> Path | dict[str, Any]:
    """Where the peers are, or what to say of them."""
    if packages is None:
        return {}
    try:
        return packages.wait(until=monotonic() + (until - monotonic()) / 3)
    except peers.Missing as error:
        return {"error": {"error": str(error)}}


def say(found: dict[str, Any]) -> None:
    """The figures for people."""
    print(f"{found['server']}, {found['processes']} web; durable: {found['durable']}")
    if "error" in found:
        print(found["error"])
    for crowd in ("idle", "spectators"):
        for name, value in found.get(crowd, {}).items():
            print(f"  {name}: {value}")
    if found["moves_per_s"] is not None:
        say_rate(found)


def say_rate(found: dict[str, Any]) -> None:
    print(
        f"{found['tables']} tables, {found['sockets']} sockets: held {found['moves_per_s']:,.0f} moves/s; "
        f"p50 {found['p50_ms']}, p95 {found['p95_ms']}, p99 {found['p99_ms']} ms; "
        f"{found['kib_per_socket']} KiB a socket"
    )
    for name, used in found["usage"].items():
        print(f"  {name:16} {used['cpu_percent']:6.1f} % of a core {used['rss_mib']:8.1f} MiB")
    for name, peer in found["peers"].items():
        held, ratio = peer.get("moves_per_s"), peer.get("ratio")
        print(f"{name}: {peer['error'] if held is None else f'{held:,.0f} moves/s, ratio {ratio}'}")
    for name, goal in found["goals"].items():
        told = {True: "met", False: f"missed by {goal.get('missed_by')}", None: "not measured"}[goal["met"]]
        print(f"goal {goal['goal']:g} {name}: {goal['value']} ({told})")


def main() -> None:
    parser = argparse.ArgumentParser(description="Moves a second at live tables, over real sockets.")
    parser.add_argument("--tables", type=int, default=200, help="how many, with four sockets each")
    parser.add_argument("--server", choices=["daphne"], default="daphne")
    parser.add_argument("--processes", type=int, default=1, help="of the web server")
    parser.add_argument("--seconds", type=float, default=240, help="bounds the whole run")
    parser.add_argument("--tries", type=int, default=12, help="rates to try at most, for each server")
    parser.add_argument("--peers", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--idle", type=int, default=0, help="instead: so many sockets that only stay open")
    parser.add_argument("--spectators", type=int, default=0, help="instead: so many who watch one table")
    parser.add_argument("--json", action="store_true", help="one last line of JSON")
    arguments = parser.parse_args()
    # Whoever ends the run early finds nothing of it left running.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with redirect_stdout(sys.stderr):
        found = bench(arguments)
        say(found)
    if arguments.json:
        print(json.dumps(found))


if __name__ == "__main__":
    main()

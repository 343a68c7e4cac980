"""Two crowds: thousands of sockets that only stay open, and thousands who watch one table."""

from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from time import monotonic, sleep
from typing import Any

from search import step_of
from stack import Load, Meter, Stack, memory_kib, seat_players, sign_in, tree

# A server pings each socket every 20 seconds: who holds them for longer sees whether it does.
HOLD_SECONDS = 25.0
TABLES_WATCHED, TABLES_BESIDE = 1, 24
# Moves a second, at a table that is played more quickly than by people, and at all the others together.
WATCHED_RATE, OTHERS_RATE = 5.0, 100.0
PLAY_SECONDS = 15.0


def idle(stack: Stack, sockets: int, until: float) -> dict[str, Any]:
    """Sockets of signed-in players, four at each table: what they cost, and how many were lost."""
    seats = waiting_tables(sockets)
    places = [
        ["127.0.0.1", stack.webs[0], *seat, source] for seat, source in zip(seats, sources(), strict=False)
    ]
    with Load() as load:
        web = tree(stack.site.processes["web"].pid)
        load.do(do="hold", sockets=places[:40])
        before = memory_kib(web)
        opened = load.do(do="hold", sockets=places[40:])
        grown = memory_kib(web) - before
        sleep(2)
        meter = Meter({"web": web, "load generator": tree(load.pid)})
        held = max(0.0, min(HOLD_SECONDS, until - monotonic() - 1))
        sleep(held)
        usage, after = meter.read(), load.do(do="tell")
    return {
        "sockets": sockets,
        "opened": opened["opened"],
        "seconds_to_open": opened["seconds"],
        "held_seconds": round(held, 1),
        "dropped": sum(after["lost"].values()),
        "lost": after["lost"],
        "pings": after["pings"],
        "kib_per_socket": round(grown / max(1, sockets - 40), 1),
        "usage": usage,
    }


def waiting_tables(sockets: int) -> list[list[str]]:
    """The [path, cookie] of each seat at tables where four sit and nobody has dealt yet."""
    from django.utils import timezone

    from games.models import Ruleset, Seat, SeatKind, Table

    users, keys = sign_in(sockets)
    now = timezone.now()
    tables = Table.objects.bulk_create(
        [
            Table(
                code=f"Z{number:07d}",
                ruleset=Ruleset.KOTCHINA,
                secret=number.to_bytes(32),
                commitment=f"{number:064x}",
                created_at=now,
            )
            for number in range((sockets + 3) // 4)
        ],
        batch_size=1000,
    )
    Seat.objects.bulk_create(
        [
            Seat(table=tables[place // 4], number=place % 4, kind=SeatKind.PLAYER, user=user)
            for place, user in enumerate(users)
        ],
        batch_size=2000,
    )
    return [[f"/ws/tables/{tables[place // 4].code}/", f"sessionid={key}"] for place, key in enumerate(keys)]


def sources() -> Any:
    """Addresses of loopback to come from, so that ports suffice."""
    return cycle([f"127.0.0.{number}" for number in range(2, 12)])


def spectators(stack: Stack, watchers: int, until: float) -> dict[str, Any]:
    """How a table with a crowd around it plays, beside the same tables without it."""
    seated = seat_players(TABLES_WATCHED + TABLES_BESIDE)
    port = stack.webs[0]
    places = [
        [["127.0.0.1", port, f"/ws/tables/{code}/", f"sessionid={key}", ""] for key in keys]
        for code, keys in seated
    ]
    crowd = [
        ["127.0.0.1", port, f"/ws/tables/{seated[0][0]}/", "", source]
        for source in islice(sources(), watchers)
    ]
    with Load() as watched, Load() as others, Load() as crowding:
        watched.do(do="connect", brand="tarneeb", tables=places[:TABLES_WATCHED])
        others.do(do="connect", brand="tarneeb", tables=places[TABLES_WATCHED:])
        without = played(watched, others, until)
        opened = crowding.do(do="hold", sockets=crowd)
        meter = Meter({"web": tree(stack.site.processes["web"].pid)})
        before = crowding.do(do="tell")["frames"]
        within = played(watched, others, until)
        usage = meter.read()
        told = crowding.do(do="tell")
    return {
        "watchers": watchers,
        "opened": opened["opened"],
        "dropped": sum(told["lost"].values()),
        "frames_to_watchers": told["frames"] - before,
        "without": without,
        "with": within,
        "usage": usage,
    }


def played(watched: Load, others: Load, until: float) -> dict[str, Any]:
    """What players wait at the table that is watched and, at the same time, at the others."""
    seconds = max(1.0, min(PLAY_SECONDS, (until - monotonic()) / 2 - 3))
    with ThreadPoolExecutor(2) as both:
        asked = [
            (rate, both.submit(load.do, do="offer", rate=rate, warm=1.5, seconds=seconds))
            for load, rate in ((watched, WATCHED_RATE), (others, OTHERS_RATE))
        ]
        steps = [step_of(rate, answer.result(), {}).figures() for rate, answer in asked]
    return dict(zip(("the table", "others"), steps, strict=True))

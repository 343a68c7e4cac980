"""Tournaments of every size on a real site: entered, started, played out, corrected, shown."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter, sleep
from typing import Any

from rivals import best
from stack import sign_in

# Nobody plays here: results are put in. The steward must have nothing to deal meanwhile.
NEVER = str(30 * 24 * 3600)
GOAL_SECONDS = 0.25


@contextmanager
def timed(found: dict[str, float], name: str) -> Iterator[None]:
    began = perf_counter()
    yield
    found[name] = round(perf_counter() - began, 3)


def entered(pairs: int, **more: Any) -> Any:
    """A tournament in which so many pairs are, not started."""
    from datetime import timedelta

    from django.utils import timezone

    from tournaments.models import Entry, Member
    from tournaments.services import entry

    users, _ = sign_in(2 * pairs + 1)
    now = timezone.now()
    fields: dict[str, Any] = {
        "name": f"Bench {pairs}",
        "format": "single_elimination",
        "ruleset": "kotchina",
        "target": 31,
        "turn_seconds": 20,
        "round_cap": 50,
        "capacity": pairs,
        "starts_at": now + timedelta(days=1),
    }
    tournament = entry.create(organiser=users[-1], now=now, **(fields | more))
    entries = Entry.objects.bulk_create(
        [
            Entry(tournament=tournament, number=number, created_at=now, accepted_at=now)
            for number in range(1, pairs + 1)
        ],
        batch_size=1000,
    )
    Member.objects.bulk_create(
        [
            Member(tournament=tournament, entry=made, place=place, user=users[2 * at + place], active=True)
            for at, made in enumerate(entries)
            for place in (0, 1)
        ],
        batch_size=1000,
    )
    return tournament


# One short statement, as the live side's own: the processor is the worker's.
END_SQL = """
update games_table
   set phase = 'over', result_kind = 'target', winner = %(winner)s, advances = %(winner)s, score = %(score)s,
       ended_at = now(), due_at = null
 where id = any(%(tables)s)
"""


def end_tables(rows: list[Any]) -> None:
    """The matches at these tables are over: the side whose entrant has the lower number has won."""
    from django.db import connection

    with connection.cursor() as cursor:
        for winner, score in ((0, [31, 12]), (1, [12, 31])):
            if tables := [row.table_id for row in rows if _winner(row) == winner]:
                cursor.execute(END_SQL, {"winner": winner, "score": score, "tables": tables})


def _winner(row: Any) -> int:
    first, second = (int(side.removeprefix("e")) for side in row.sides)
    return 0 if first < second else 1


def waiting(tournament: Any) -> list[Any]:
    """The tables whose results are awaited."""
    return list(tournament.tables.filter(state="open").order_by("pk"))


def whole(pairs: int, format_: str) -> dict[str, Any]:
    """Seconds to enter, start and play out a tournament, results put in through the services.

    `started_s` is what the organiser waits for, when the first tables are open; `all_open_s` until all of them are.
    `page` is that of its bracket when all of the first round is in play, `tournament` the tournament at its end.
    """
    from django.utils import timezone

    from tournaments.services import results, rounds

    found: dict[str, Any] = {}
    with timed(found, "entered_s"):
        tournament = entered(pairs, format=format_)
    with timed(found, "started_s"):
        rounds.start(tournament_id=tournament.pk, actor=tournament.organiser, now=timezone.now())
    with timed(found, "all_open_s"):
        wait_until_all_are_open(tournament)
    found["all_open_s"] = round(found["started_s"] + found["all_open_s"], 3)
    shown = page(tournament)
    with timed(found, "played_out_s"):
        while rows := waiting(tournament):
            end_tables(rows)
            results.adjudicate(tournament_id=tournament.pk, now=timezone.now())
    tournament.refresh_from_db()
    assert tournament.state == "finished", tournament.state
    found["matches"] = tournament.log.count()
    return found | {"tournament": tournament, "page": shown}


def wait_until_all_are_open(tournament: Any, seconds: float = 120) -> None:
    """Returns once the worker has opened every table that may be."""
    from django.utils import timezone

    until = perf_counter() + seconds
    tournament.refresh_from_db()
    while tournament.due_at is not None and tournament.due_at <= timezone.now():
        assert perf_counter() < until, "the tables were not opened in time"
        sleep(0.05)
        tournament.refresh_from_db()


def correction(tournament: Any) -> dict[str, float]:
    """Seconds of the preview of a correction in the first round of a tournament that is over; of its whole page, with
    what is suggested for each later match; and of that page in a process that has not shown the tournament yet.
    """
    from django.test import Client

    from tournaments import course
    from tournaments.services import rulings

    first = next(item for item in tournament.log.order_by("number").values_list("item", flat=True))
    score = list(reversed(first["score"]))
    item = {"type": "correct", "pairing": first["pairing"], "kind": "target", "score": score}
    asked = {"type": "correct", "pairing": first["pairing"], "outcome": "target"}
    asked |= {"score_0": str(score[0]), "score_1": str(score[1])}
    address = f"{tournament.get_absolute_url()}decide/"
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(tournament.organiser)
    answer = client.get(address, asked)
    assert answer.status_code == 200, answer.status_code

    def unknown() -> None:
        course.forget()
        client.get(address, asked)

    found = {
        "page_of_an_unknown_s": best(unknown),
        "page_s": best(lambda: client.get(address, asked)),
        "preview_s": best(lambda: rulings.preview(tournament=tournament, item=item)),
    }
    return {name: round(seconds, 3) for name, seconds in found.items()}


def page(tournament: Any) -> dict[str, Any]:
    """Seconds in which the server makes the page with the bracket, and its size in KiB."""
    from django.test import Client

    client = Client(headers={"host": "127.0.0.1"})
    address = f"{tournament.get_absolute_url()}?tab=bracket"
    answer = client.get(address)
    assert answer.status_code == 200, answer.status_code
    size = len(b"".join(answer)) if answer.streaming else len(answer.content)
    return {"seconds": round(best(lambda: client.get(address)), 3), "kib": round(size / 1024)}


def finishing(tables: int) -> dict[str, Any]:
    """Tables that end within one second: how long after its end each result is in the log, and how long after
    the later of its two ends each table of the next round is open. Through the broker and a worker, as ever.
    """
    from django.utils import timezone

    from tournaments.services import rounds

    tournament = entered(2 * tables, name="Bench: all at once")
    rounds.start(tournament_id=tournament.pk, actor=tournament.organiser, now=timezone.now())
    rows = waiting(tournament)
    watch = Watch(tournament.pk, rows[-1].pk)
    watch.start()
    ended: dict[str, float] = {}
    with told() as match_ended:
        began = perf_counter()
        for place, row in enumerate(rows):
            sleep(max(0.0, began + place / len(rows) - perf_counter()))
            end_tables([row])
            ended[row.pairing] = perf_counter()
            match_ended(row.table_id)
        watch.wait(recorded=len(rows), opened=len(rows) // 2)
    recorded = [watch.recorded[pairing] - at for pairing, at in ended.items()]
    opened = []
    for pairing, at in watch.opened.items():
        number = int(pairing.partition(".")[2])
        feeders = (f"R1.{2 * number - 1}", f"R1.{2 * number}")
        opened.append(at - max(ended[feeder] for feeder in feeders))
    return {
        "tables": tables,
        "recorded_ms": percentiles(recorded),
        "next_open_ms": percentiles(opened),
    }


@contextmanager
def told() -> Iterator[Callable[[int], None]]:
    """Tells the worker of an end just as the process that plays the table does, on an event loop of its own."""
    from games.live.announce import Announcer

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    announcer = Announcer()

    def match_ended(table_id: int) -> None:
        loop.call_soon_threadsafe(announcer.match_ended, table_id)

    yield match_ended
    asyncio.run_coroutine_threadsafe(announcer.finish(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()


ITEMS_SQL = """
select number, item->>'pairing' from tournaments_logitem
 where tournament_id = %s and number >= %s order by number
"""
TABLES_SQL = (
    "select id, pairing from tournaments_pairingtable where tournament_id = %s and id > %s order by id"
)


class Watch(threading.Thread):
    """Looks every few milliseconds at what is committed: whose result is recorded, which tables are open."""

    def __init__(self, tournament: int, last_table: int) -> None:
        super().__init__(daemon=True)
        self._tournament, self._last_table, self._done = tournament, last_table, threading.Event()
        self.recorded: dict[str, float] = {}
        self.opened: dict[str, float] = {}

    def run(self) -> None:
        from django.db import connection

        # Only what is new is asked for: the processor is the site's.
        items, tables = 0, self._last_table
        while not self._done.is_set():
            with connection.cursor() as cursor:
                cursor.execute(ITEMS_SQL, [self._tournament, items])
                recorded = cursor.fetchall()
                cursor.execute(TABLES_SQL, [self._tournament, tables])
                opened = cursor.fetchall()
            now = perf_counter()
            for number, pairing in recorded:
                items = number + 1
                self.recorded.setdefault(pairing, now)
            for key, pairing in opened:
                tables = key
                self.opened.setdefault(pairing, now)
            sleep(0.01)
        connection.close()

    def wait(self, *, recorded: int, opened: int, seconds: float = 60) -> None:
        until = perf_counter() + seconds
        while (len(self.recorded) < recorded or len(self.opened) < opened) and perf_counter() < until:
            sleep(0.05)
        self._done.set()
        self.join()
        assert (len(self.recorded), len(self.opened)) == (recorded, opened), (
            "results were not recorded in time"
        )


def percentiles(seconds: list[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    return {
        f"p{share}": round(1000 * ordered[min(len(ordered) - 1, len(ordered) * share // 100)], 1)
        for share in (50, 95, 99)
    }

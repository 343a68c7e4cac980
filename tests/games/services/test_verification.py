"""History held against the rules: what is whole is silent, and each kind of fault is told."""

import json
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.db.models import QuerySet

from accounts.models import Rating, User
from games.models import Appearance, Deal, Event, EventKind, Phase, Seat, Table, Visibility
from games.services import pauses, playout, tables, votes
from games.services.histories import keep
from games.services.opening import seat_and_start
from games.services.verification import PORTION, Span, verify
from games.speeds import SPEEDS
from tests.factories import NOON, make_users
from tests.tampering import erase, rewrite

pytestmark = pytest.mark.django_db
QUICK = SPEEDS["fast"]


def played(seats: int = 0, by: str = "b", **more: object) -> Table:
    """A finished match of so many people and bots, by the services."""
    users = [*make_users(seats), *[None] * (4 - seats)]
    fields: dict[str, Any] = {
        "ruleset": "kotchina",
        "target": 31,
        "options": {},
        "visibility": Visibility.PUBLIC,
    }
    table = seat_and_start(users=users, speed=QUICK, now=NOON, **fields | more)
    playout.play_out_inside(
        table_id=table.pk, players=["cautious"], chance=Random(1).randrange, by=by, now=NOON
    )
    table.refresh_from_db()
    return table


def differences(table: Table) -> set[str]:
    (found,) = verify(Span(code=table.code))
    return {one.what for one in found.differences}


@pytest.mark.parametrize("ruleset", ["kotchina", "classic", "egyptian", "kings"])
def test_verify_is_silent_about_a_match_as_it_was_played(ruleset: str) -> None:
    assert differences(played(ruleset=ruleset)) == set()


def begun(*users: User | None) -> Table:
    """A match that has started, nothing dealt yet."""
    fields: dict[str, Any] = {
        "ruleset": "kotchina",
        "target": 31,
        "options": {},
        "visibility": Visibility.PUBLIC,
    }
    return seat_and_start(users=users, speed=QUICK, now=NOON, **fields)


def test_verify_is_silent_about_a_table_that_waits_and_one_that_was_closed() -> None:
    host, other = make_users(2)
    made: dict[str, Any] = {
        "ruleset": "kotchina",
        "target": 31,
        "turn_seconds": 20,
        "visibility": Visibility.PUBLIC,
    }
    table = tables.open_table(host=host, now=NOON, **made)
    tables.sit(table_code=table.code, user=other, seat=1, salt="ab", now=NOON)
    tables.leave(table_code=table.code, user=other, now=NOON)
    tables.sit(table_code=table.code, user=host, seat=2, now=NOON)
    assert differences(table) == set()
    tables.close_table(table_id=table.pk, now=NOON)
    assert differences(table) == set()


def test_verify_is_silent_about_a_match_that_was_resigned() -> None:
    users = make_users(2)
    table = begun(users[0], None, users[1], None)
    for user in users:
        votes.vote(table_code=table.code, user=user, on="resign", choice="yes", now=NOON)
    table.refresh_from_db()
    assert (table.phase, table.winner, differences(table)) == (Phase.OVER, 1, set())
    rewrite(me(table), winner=0)
    assert differences(table) == {"winner"}


def test_verify_is_silent_about_a_match_that_was_paused() -> None:
    table = begun(None, None, None, None)
    pauses.pause_tables([table.pk], NOON)
    assert differences(table) == set()
    pauses.resume_tables([table.pk], NOON)
    assert differences(table) == set()


def act(table: Table, place: int = 0) -> Event:
    return table.events.filter(kind=EventKind.ACT).order_by("version")[place]


def row(event: Event) -> QuerySet[Any]:
    return Event.objects.filter(pk=event.pk)


def last_deal(table: Table) -> QuerySet[Any]:
    return Deal.objects.filter(pk=table.deals.order_by("-index")[0].pk)


def me(table: Table) -> QuerySet[Any]:
    return Table.objects.filter(pk=table.pk)


FAULTS: dict[str, tuple[Callable[[Table], None], str]] = {
    "an action is gone": (lambda t: erase(row(act(t, 3))), "version"),
    "an action is another one": (lambda t: rewrite(row(act(t, 30)), code="XX"), "action"),
    "another seat acted": (lambda t: rewrite(row(act(t)), seat=((act(t).seat or 0) + 1) % 4), "turn"),
    "a bot is said to be a person": (lambda t: rewrite(row(act(t)), by="m"), "actor"),
    "nobody acted": (lambda t: rewrite(row(act(t)), by=""), "actor"),
    "a bot sat in for nobody": (lambda t: rewrite(row(act(t)), by="s"), "actor"),
    "a player of elsewhere acted": (lambda t: rewrite(row(act(t)), user=make_users(1)[0]), "player"),
    "a bot's seat got a bot sitting in": (
        lambda t: rewrite(row(act(t)), kind=EventKind.SUB, code="", by=""),
        "owner of the seat",
    ),
    "a match went on unpaused": (
        lambda t: rewrite(row(act(t)), kind=EventKind.RESUME, code="", by=""),
        "pause before",
    ),
    "something happened after the end": (
        lambda t: rewrite(row(act(t, -1 + 3)), kind=EventKind.CLOSE, code="", by=""),
        "event after the end",
    ),
    "the deck is another one": (
        lambda t: rewrite(last_deal(t), deck=" ".join(reversed(last_deal(t)[0].deck.split()))),
        "deck",
    ),
    "the deck is none": (lambda t: rewrite(last_deal(t), deck="AS AS"), "deal"),
    "a deal has no row": (lambda t: erase(last_deal(t)), "deal"),
    "another seat dealt": (
        lambda t: rewrite(last_deal(t), dealer=(last_deal(t)[0].dealer + 1) % 4),
        "dealer",
    ),
    "the tricks are others": (lambda t: rewrite(last_deal(t), tricks=[13, 0]), "tricks of the deal"),
    "the points are others": (lambda t: rewrite(last_deal(t), change=[1, 1]), "change of the deal"),
    "the contract is another one": (lambda t: rewrite(last_deal(t), contract=None), "contract of the deal"),
    "a deal never ended": (lambda t: rewrite(last_deal(t), finished=False), "end of the deal"),
    "the secret is another one": (lambda t: rewrite(me(t), secret=bytes(32)), "commitment"),
    "the promise is another one": (lambda t: rewrite(me(t), commitment="0" * 64), "commitment"),
    "the salt is another one": (lambda t: rewrite(me(t), salt="x"), "salt"),
    "a seat's salt is another one": (lambda t: rewrite(t.seats.filter(number=1), salt="ab"), "salt"),
    "the first dealer is another": (
        lambda t: rewrite(me(t), first_dealer=((t.first_dealer or 0) + 1) % 4),
        "first dealer",
    ),
    "the score is another one": (lambda t: rewrite(me(t), score=[31, 0]), "score"),
    "the winner is another": (lambda t: rewrite(me(t), winner=1 - (t.winner or 0)), "winner"),
    "another side goes through": (lambda t: rewrite(me(t), advances=1 - (t.advances or 0)), "advances"),
    "the result is of another kind": (lambda t: rewrite(me(t), result_kind="resigned"), "result kind"),
    "it counts other rounds": (lambda t: rewrite(me(t), counted=t.counted + 1), "counted"),
    "it is not over": (lambda t: rewrite(me(t), phase=Phase.PLAY), "phase"),
    "its end has no time": (lambda t: rewrite(me(t), ended_at=None), "end of the match"),
    "it began at another time": (
        lambda t: rewrite(me(t), started_at=NOON + timedelta(hours=1)),
        "start of the match",
    ),
    "its target is none": (lambda t: rewrite(me(t), target=7), "rules of the match"),
    "a seat that is none": (lambda t: rewrite(row(act(t)), seat=7), "event"),
    "its version is ahead": (lambda t: rewrite(me(t), version=t.version + 1), "version of the table"),
    "a bot still sits in": (lambda t: rewrite(me(t), sitting_in=[True] + [False] * 3), "bots sitting in"),
    "somebody else sits there": (
        lambda t: rewrite(t.seats.filter(number=0), kind="player", bot="", user=make_users(1)[0]),
        "seats",
    ),
}


def test_verify_tells_of_every_kind_of_fault() -> None:
    table = played()
    missed = {}
    for fault, (change, told) in FAULTS.items():
        mark = transaction.savepoint()
        change(table)
        found = differences(table)
        if told not in found:
            missed[fault] = found
        transaction.savepoint_rollback(mark)
    assert (missed, differences(table)) == ({}, set())


def test_verify_tells_who_may_act_for_a_player() -> None:
    table = played(seats=4, by="c", ruleset="classic")
    first = act(table)
    assert differences(table) == set()
    rewrite(row(first), by="s")
    assert differences(table) == {"actor"}
    rewrite(row(first), by="m", user=Seat.objects.get(table=table, number=first.seat or 0).user)
    assert differences(table) == set()


def told(*arguments: str) -> tuple[int, list[str]]:
    out = StringIO()
    try:
        call_command("verify", *arguments, stdout=out)
    except SystemExit as left:
        return int(str(left.code)), out.getvalue().splitlines()
    return 0, out.getvalue().splitlines()


def test_verify_command_names_the_table_and_the_version_and_fails() -> None:
    table = played()
    assert told() == (0, [f"1 tables, {table.version} events; 0 tables differ"])
    rewrite(me(table), counted=99)
    status, (line, _) = told("--table", table.code)
    assert (status, line) == (
        1,
        f"{table.code} v{table.version}: counted: expected {table.counted}, found 99",
    )
    status, lines = told("--json")
    assert (status, [json.loads(line) for line in lines]) == (
        1,
        [
            {
                "table": table.code,
                "events": table.version,
                "differences": [
                    {"version": table.version, "what": "counted", "expected": table.counted, "found": 99}
                ],
            },
            {
                "tables": 1,
                "events": table.version,
                "differing": 1,
                "tournaments": 0,
                "tournaments_differing": 0,
            },
        ],
    )
    assert told("--table", "NOSUCH")[0] == 1


@pytest.mark.parametrize(
    ("arguments", "tables_told"),
    [
        (["--from", "2026-03-01"], 1),
        (["--from", "2026-03-02"], 0),
        (["--to", "2026-03-01"], 1),
        (["--to", "2026-02-28"], 0),
    ],
)
def test_verify_command_looks_at_the_days_that_are_asked_for(arguments: list[str], tables_told: int) -> None:
    table = played()
    rewrite(me(table), created_at=NOON)
    assert told(*arguments)[1][-1].split()[0] == str(tables_told)


def test_verify_compares_the_rows_of_histories_with_the_match() -> None:
    table = played(seats=4, by="c")
    assert (keep([table.pk]), differences(table)) == (1, set())
    rows = Appearance.objects.filter(table=table)
    rewrite(rows.filter(seat=1), theirs=99, outcome="D")
    assert differences(table) == {"history 1 theirs", "history 1 outcome"}
    erase(rows.filter(seat=1))
    assert differences(table) == {"history"}


def test_verify_command_computes_ratings_anew_where_it_is_asked_to() -> None:
    table = played(seats=4, by="m", rated=True)
    assert told("--ratings")[1][-1] == "0 rows of ratings differ"
    assert Rating.objects.exists()
    without = told()
    rewrite(Rating.objects.filter(user=table.seats.all()[0].user), mu=99.0)
    status, lines = told("--ratings")
    assert (status, lines[-1].split(" ", 1)[1]) == (1, "rows of ratings differ")
    assert told() == without


def test_verify_reads_portion_after_portion() -> None:
    for _ in range(PORTION + 1):
        begun(None, None, None, None)
    assert [len(found.differences) for found in verify(Span())] == [0] * (PORTION + 1)

"""A start that opens more tables than one transaction does: play begins at once, the rest follows, each once."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import OperationalError, connection

from accounts.models import Notice
from games.models import Event, Seat, Table
from tests.games.services.races import at_once
from tests.tournaments.scenes import NOW, adjudicate, end, enter_pair, make_tournament, minutes, started
from tournaments.models import Tournament
from tournaments.services import pauses, rounds, sweeps, tables
from tournaments.tasks import go_on

pytestmark = pytest.mark.django_db(transaction=True)
PAIRS = 12


@pytest.fixture(autouse=True)
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "PORTION", 2)


def begun(**more: Any) -> Tournament:
    """Of twelve pairs four begin in the second round: four matches in the first, and none of the second yet."""
    return started(PAIRS, **more)


def opened(tournament: Tournament) -> list[str]:
    return list(tournament.tables.order_by("number").values_list("pairing", flat=True))


def move_on(tournament: Tournament, *, now: Any = NOW) -> bool:
    return rounds.go_on(tournament_id=tournament.pk, now=now)


def due(tournament: Tournament) -> bool:
    tournament.refresh_from_db()
    return bool(tournament.due_at and tournament.due_at <= NOW)


def test_start_opens_a_portion_and_the_next_runs_open_the_rest():
    tournament = begun()
    steps = [(len(opened(tournament)), due(tournament))]
    while move_on(tournament):
        steps.append((len(opened(tournament)), due(tournament)))
    assert steps == [(2, True), (4, False)]
    assert list(tournament.tables.order_by("pk").values_list("number", flat=True)) == [1, 2, 3, 4]


def test_sweep_opens_the_rest_where_no_message_arrived():
    tournament = begun()
    sweeps.attend(tournament_id=tournament.pk, now=NOW)
    assert (len(opened(tournament)), due(tournament)) == (4, False)


def test_match_that_ends_meanwhile_is_recorded_and_what_follows_waits_its_turn():
    tournament = begun()
    first = opened(tournament)[0]
    end(tournament, first)
    assert (adjudicate(tournament), len(opened(tournament))) == (1, 4)
    while move_on(tournament):
        pass
    assert max(Counter(opened(tournament)).values()) == 1
    assert len(opened(tournament)) == 5


def test_run_that_is_killed_in_the_middle_leaves_nothing_and_the_next_opens_each_once(
    monkeypatch: pytest.MonkeyPatch,
):
    tournament = begun()

    def killed(*args: Any, **more: Any) -> None:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(tables, "notify_each", killed)
        with pytest.raises(SystemExit):
            move_on(tournament)
    assert (len(opened(tournament)), due(tournament)) == (2, True)
    while move_on(tournament):
        pass
    assert sorted(Counter(opened(tournament)).values()) == [1, 1, 1, 1]


def test_workers_and_a_sweep_at_once_open_one_table_a_pairing():
    tournament = begun()
    at_once(
        *[lambda: go_on(tournament.pk)] * 3,
        lambda: sweeps.attend(tournament_id=tournament.pk, now=NOW),
        lambda: rounds.start(tournament_id=tournament.pk, actor=tournament.organiser, now=NOW),
    )
    while move_on(tournament):
        pass
    assert sorted(Counter(opened(tournament)).values()) == [1, 1, 1, 1]


def test_pause_between_two_portions_opens_nothing_until_it_goes_on():
    tournament = begun()
    official = {"tournament_id": tournament.pk, "actor": tournament.organiser}
    pauses.pause(**official, now=NOW)
    assert (move_on(tournament), len(opened(tournament))) == (False, 2)
    pauses.resume(**official, now=minutes(5))
    assert len(opened(tournament)) == 4


def test_pairs_that_wait_take_no_place_of_those_who_can_play():
    tournament = make_tournament()
    entries = [enter_pair(tournament) for _ in range(8)]
    other = make_tournament()
    # The first two matches of the draw wait: a player of each is at another tournament's table.
    order = {entry.pk: entry for entry in entries}
    started_elsewhere = [entry.members.get(place=0).user for entry in order.values()][:4]
    for one in (started_elsewhere[:2], started_elsewhere[2:]):
        enter_pair(other, *one)
    rounds.start(tournament_id=other.pk, actor=other.organiser, now=NOW)
    rounds.start(tournament_id=tournament.pk, actor=tournament.organiser, now=NOW)

    busy = {f"e{entry.number}" for entry in entries[:4]}
    plan = rounds.advance(tournament_id=tournament.pk, now=NOW)
    assert plan is not None
    able = [p.id for p in plan.pairings if p.status == "ready" and not busy.intersection(p.sides)]
    assert sorted(opened(tournament)) == sorted(able)


DIES_SQL = """
create function dies() returns trigger language plpgsql as $$
begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$;
create trigger dies before insert on accounts_notice for each statement execute function dies()
"""


@pytest.fixture
def dies() -> Iterator[None]:
    """Whoever tells somebody something loses the connection to the database on the spot."""
    with connection.cursor() as cursor:
        cursor.execute(DIES_SQL)
    yield
    connection.close()
    with connection.cursor() as cursor:
        cursor.execute("drop function dies() cascade")


def counted(tournament: Tournament) -> tuple[int, ...]:
    return (
        len(opened(tournament)),
        *(model.objects.count() for model in (Table, Seat, Event, Notice)),
    )


def test_a_worker_that_dies_while_tables_are_stored_leaves_nothing_and_the_next_opens_each_once(
    request: pytest.FixtureRequest,
):
    tournament = begun()
    before = counted(tournament)
    request.getfixturevalue("dies")
    with pytest.raises(OperationalError):
        move_on(tournament)
    # As the next task finds it: the connection is gone.
    connection.close()
    assert (counted(tournament), due(tournament)) == (before, True)
    with connection.cursor() as cursor:
        cursor.execute("drop trigger dies on accounts_notice")
    assert (move_on(tournament), move_on(tournament)) == (True, False)
    # Four are called to each of two more tables.
    assert counted(tournament) == (4, 4, 16, 20, before[4] + 8)
    assert set(Counter(opened(tournament)).values()) == {1}

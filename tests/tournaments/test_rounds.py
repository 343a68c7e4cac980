from datetime import timedelta
from functools import partial
from hashlib import sha256

import pytest
from django.utils.translation import override

from tests.factories import make_user
from tests.tournaments.scenes import (
    NOW,
    TONIGHT,
    adjudicate,
    awaited,
    end,
    enter_pair,
    lines,
    make_tournament,
    open_table,
    started,
)
from tournaments.models import Tournament
from tournaments.services import rounds, sweeps
from tournaments.services.advancing import LOOK_AGAIN
from tournaments.services.refusals import Refused

pytestmark = pytest.mark.django_db


def test_start_opens_a_table_for_every_ready_pairing_and_none_for_byes():
    tournament = started(5)

    assert awaited(tournament) == [("R1.2", 1), ("R2.2", 1)]
    assert [lines(tournament)[pairing][1:3] for pairing in ("R1.1", "R1.2", "R1.3", "R1.4")] == [
        ("done", "bye"),
        ("ready", None),
        ("done", "bye"),
        ("done", "bye"),
    ]


def test_partners_sit_opposite_side_0_on_seats_0_and_2():
    tournament = started(2)
    row = open_table(tournament, "R1.1")

    seats = [seat.user_id for seat in row.table.seats.order_by("number")]
    first, second = (
        list(tournament.entries.get(number=int(side[1:])).members.values_list("user", flat=True))
        for side in row.sides
    )

    assert seats == [first[0], second[0], first[1], second[1]]


@pytest.mark.parametrize(
    ("ruleset", "cap", "options"),
    [
        ("kotchina", 50, {}),
        ("kotchina", None, {"round_cap": None}),
        ("kotchina", 7, {"round_cap": 7}),
        ("classic", 50, {"round_cap": 50}),
        ("classic", None, {}),
        ("egyptian", 50, {"round_cap": 50}),
    ],
)
def test_tables_are_opened_with_the_tournaments_round_cap(ruleset: str, cap: int | None, options: dict):
    tournament = started(2, ruleset=ruleset, round_cap=cap, turn_seconds=15)

    table = open_table(tournament, "R1.1").table

    assert (table.ruleset, table.target, table.turn_seconds, table.options) == (ruleset, 31, 15, options)
    assert (table.title, table.back_url) == (tournament.name, tournament.get_absolute_url())


def test_tables_are_opened_with_the_tournaments_clocks_policy_and_delay():
    chosen = {"call_seconds": 30, "bank_seconds": 90, "absence": "clock", "watch_delay": -1}
    tournament = started(2, **chosen)

    table = open_table(tournament, "R1.1").table

    assert {name: getattr(table, name) for name in chosen} == chosen
    assert table.bank_ms == [90000] * 4


def test_seeds_follow_from_the_lot_as_anyone_can_compute():
    numbers = [1, 2, 3, 4]

    order = rounds.seed_order("abc", numbers)

    assert order == sorted(numbers, key=lambda n: sha256(f"abc|0|e{n}".encode()).hexdigest())
    assert order != rounds.seed_order("abd", numbers)


def test_two_tournaments_draw_different_lots():
    assert make_tournament(lot="").lot != make_tournament(lot="").lot


def test_starting_twice_changes_nothing():
    tournament = started(4)
    tables = list(tournament.tables.values_list("pk", flat=True))

    rounds.start(tournament_id=tournament.pk, actor=tournament.organiser, now=NOW + timedelta(minutes=1))

    again = Tournament.objects.get(pk=tournament.pk)
    assert again.started_at == NOW
    assert list(again.tables.values_list("pk", flat=True)) == tables


@pytest.mark.parametrize("pairs", [0, 1])
def test_organiser_cannot_start_with_fewer_than_two_pairs(pairs: int):
    tournament = make_tournament()
    for _ in range(pairs):
        enter_pair(tournament)

    with pytest.raises(Refused) as refused:
        rounds.start(tournament_id=tournament.pk, actor=tournament.organiser, now=NOW)

    tournament.refresh_from_db()
    assert (refused.value.code, tournament.state) == ("too-few-entries", "open")


def test_nobody_else_starts_or_calls_off():
    tournament, stranger = make_tournament(), make_user()
    enter_pair(tournament)
    enter_pair(tournament)

    for door in (rounds.start, rounds.cancel):
        with pytest.raises(Refused) as refused:
            door(tournament_id=tournament.pk, actor=stranger, now=NOW)
        assert refused.value.code == "not-organiser"


def test_administrator_may_start():
    tournament = make_tournament()
    enter_pair(tournament)
    enter_pair(tournament)

    rounds.start(tournament_id=tournament.pk, actor=make_user(is_superuser=True), now=NOW)

    assert awaited(tournament) == [("R1.1", 1)]


@pytest.mark.parametrize(
    ("pairs", "late", "outcome"),
    [
        (3, timedelta(seconds=-1), ("open", "")),
        (3, timedelta(0), ("running", "")),
        (2, timedelta(days=3), ("running", "")),
        (1, timedelta(0), ("cancelled", "too-few")),
        (0, timedelta(0), ("cancelled", "too-few")),
    ],
)
def test_due_tournament_starts_or_is_called_off(pairs: int, late: timedelta, outcome: tuple[str, str]):
    tournament = make_tournament()
    for _ in range(pairs):
        enter_pair(tournament)

    sweeps.sweep(now=TONIGHT + late)
    sweeps.sweep(now=TONIGHT + late)

    tournament.refresh_from_db()
    assert (tournament.state, tournament.cancel_reason) == outcome


def test_invitations_without_an_answer_lapse_at_the_start():
    tournament = started(2)

    assert tournament.members.filter(active=True).count() == 4


def test_calling_off_closes_the_tables_in_play():
    tournament = started(4)
    tables = [open_table(tournament, pairing).table for pairing in ("R1.1", "R1.2")]

    rounds.cancel(tournament_id=tournament.pk, actor=tournament.organiser, now=NOW)

    tournament.refresh_from_db()
    for table in tables:
        table.refresh_from_db()
    assert (tournament.state, tournament.cancel_reason) == ("cancelled", "organiser")
    assert [(table.phase, table.result_kind) for table in tables] == [("over", ""), ("over", "")]
    assert tournament.members.filter(active=True).count() == 0


def test_finished_tournament_cannot_be_called_off():
    tournament = started(2)
    end(tournament, "R1.1")
    adjudicate(tournament)

    with pytest.raises(Refused) as refused:
        rounds.cancel(tournament_id=tournament.pk, actor=tournament.organiser, now=NOW)

    assert refused.value.code == "already-over"


def test_ready_pairing_that_lost_its_table_gets_one_from_the_sweep():
    tournament = started(4)
    tournament.tables.filter(pairing="R1.2").delete()

    sweeps.sweep(now=NOW + LOOK_AGAIN)
    sweeps.sweep(now=NOW + LOOK_AGAIN)

    assert awaited(tournament) == [("R1.1", 1), ("R1.2", 1)]


GROUPS = {"format": "round_robin", "groups": 3}
THIRDS = [
    {"format": "round_robin", "settings": {"groups": 3}},
    {"format": "stages", "settings": {"stages": [GROUPS, {"format": "single_elimination", "qualify": 1}]}},
]


@pytest.mark.parametrize("chosen", THIRDS)
def test_groups_need_two_pairs_each(chosen: dict):
    tournament = make_tournament(**chosen)
    for _ in range(5):
        enter_pair(tournament)
    start = partial(rounds.start, tournament_id=tournament.pk, actor=tournament.organiser, now=NOW)

    with pytest.raises(Refused) as refused:
        start()
    enter_pair(tournament)
    start()

    assert refused.value.code == "too-few-for-groups"
    with override("en"):
        assert str(refused.value).startswith("3 groups need at least 6 pairs")
    assert len(awaited(tournament)) == 3


def test_start_by_itself_waits_for_pairs_enough_and_its_owner_is_told_once():
    tournament = make_tournament(**THIRDS[0])
    for _ in range(5):
        enter_pair(tournament)

    sweeps.sweep(now=TONIGHT)
    sweeps.sweep(now=TONIGHT + timedelta(minutes=1))
    tournament.refresh_from_db()
    held = tournament.state
    told = [notice.text_en.partition(" groups ")[0] for notice in tournament.organiser.notices.all()]
    tournament.settings = {"groups": 2}
    tournament.save(update_fields=["settings"])
    sweeps.sweep(now=TONIGHT + timedelta(minutes=2))

    tournament.refresh_from_db()
    assert (held, tournament.state) == ("ready", "running")
    assert told == ["\u2068Thursday night\u2069 has not started. 3"]

from datetime import datetime

import pytest

from accounts.models import Notice
from tests.factories import make_user
from tests.games.services.races import refused
from tests.tournaments.scenes import NOW, adjudicate, awaited, end, make_tournament, minutes, running
from tournaments.models import Act, Official, Tournament
from tournaments.services import schedule, sweeps
from tournaments.services.pace import wave

pytestmark = pytest.mark.django_db


def set_time(tournament: Tournament, key: str, at: datetime | None, now: datetime = NOW) -> None:
    schedule.set_round_time(
        tournament_id=tournament.pk, actor=tournament.organiser, key=key, starts_at=at, now=now
    )


def open_round(tournament: Tournament, key: str, now: datetime = NOW) -> None:
    schedule.open_round(tournament_id=tournament.pk, actor=tournament.organiser, key=key, now=now)


def test_at_a_free_pace_a_pairing_is_played_as_soon_as_both_sides_are_free():
    tournament = running(8)
    end(tournament, "R1.1")
    end(tournament, "R1.2")
    adjudicate(tournament)

    assert awaited(tournament) == [("R1.3", 1), ("R1.4", 1), ("R2.1", 1)]


def test_round_by_round_the_next_waits_for_the_whole_round_and_the_break():
    tournament = running(8, pace="rounds", break_minutes=10)
    for number in (1, 2, 3):
        end(tournament, f"R1.{number}")
    adjudicate(tournament)
    three_done = awaited(tournament)
    end(tournament, "R1.4")
    adjudicate(tournament)
    in_the_break = awaited(tournament)

    sweeps.sweep(now=minutes(9.9))
    before = awaited(tournament)
    sweeps.sweep(now=minutes(10))
    sweeps.sweep(now=minutes(10))

    assert (three_done, in_the_break, before) == ([("R1.4", 1)], [], [])
    assert awaited(tournament) == [("R2.1", 1), ("R2.2", 1)]
    assert tournament.rounds.get(key="R2").starts_at == minutes(10)


def test_the_sweep_looks_at_a_tournament_when_the_break_is_over():
    tournament = running(4, pace="rounds", break_minutes=1)
    for number in (1, 2):
        end(tournament, f"R1.{number}")
    adjudicate(tournament)

    tournament.refresh_from_db()
    assert tournament.due_at == minutes(1)


def test_round_by_round_without_a_break_the_organiser_opens_each_round():
    tournament = running(4, pace="rounds")
    organiser = tournament.organiser
    for number in (1, 2):
        end(tournament, f"R1.{number}")
    adjudicate(tournament)
    sweeps.sweep(now=minutes(600))
    waiting = awaited(tournament)

    open_round(tournament, "R2", minutes(601))
    open_round(tournament, "R2", minutes(602))

    assert waiting == []
    assert awaited(tournament) == [("R2.1", 1)]
    assert tournament.rounds.get(key="R2").opened_at == minutes(601)
    assert list(Act.objects.filter(kind="open-round").values_list("subject", "actor")) == [
        ("R2", organiser.pk)
    ]
    asked = Notice.objects.filter(user=organiser, key=f"tournament-{tournament.pk}-open-R2")
    assert asked.count() == 1


def test_byes_do_not_bring_a_later_round_forward():
    tournament = running(5, pace="rounds", break_minutes=0)

    assert awaited(tournament) == [("R1.2", 1)]


def test_an_hour_holds_in_every_pace():
    tournament = make_tournament()
    set_time(tournament, "R2", minutes(30))
    started = running(4)
    set_time(started, "R2", minutes(30))
    for number in (1, 2):
        end(started, f"R1.{number}")
    adjudicate(started)
    sweeps.sweep(now=minutes(29))
    before = awaited(started)
    sweeps.sweep(now=minutes(30))

    assert (before, awaited(started)) == ([], [("R2.1", 1)])
    assert tournament.rounds.get().starts_at == minutes(30)


def test_an_hour_that_is_taken_away_lets_the_round_begin():
    tournament = running(4)
    set_time(tournament, "R2", minutes(30))
    for number in (1, 2):
        end(tournament, f"R1.{number}")
    adjudicate(tournament)

    set_time(tournament, "R2", None)

    assert awaited(tournament) == [("R2.1", 1)]


def test_a_round_that_is_opened_before_its_hour_begins_at_once():
    tournament = running(4, pace="rounds")
    set_time(tournament, "R2", minutes(30))
    for number in (1, 2):
        end(tournament, f"R1.{number}")
    adjudicate(tournament)

    open_round(tournament, "R2")

    assert awaited(tournament) == [("R2.1", 1)]


@pytest.mark.parametrize("key", ["R9", "2:R1", "R2.1", "nonsense", ""])
def test_rounds_there_are_not_have_no_times(key: str):
    tournament = running(4)

    with refused("unknown-round"):
        set_time(tournament, key, minutes(30))
    with refused("unknown-round"):
        open_round(tournament, key)


def test_an_open_round_keeps_its_hour():
    tournament = running(4, pace="rounds")

    with refused("round-open"):
        set_time(tournament, "R1", minutes(30))


@pytest.mark.parametrize(
    ("role", "code"),
    [
        ("organiser", ""),
        ("referee", "not-your-role"),
        ("scorekeeper", "not-your-role"),
        ("viewer", "not-your-role"),
        (None, "not-organiser"),
    ],
)
def test_only_organisers_set_and_open_rounds(role: str | None, code: str):
    tournament, user = running(4, pace="rounds"), make_user()
    if role:
        Official.objects.create(tournament=tournament, user=user, role=role, since=NOW)

    def act() -> None:
        schedule.set_round_time(
            tournament_id=tournament.pk, actor=user, key="R2", starts_at=minutes(5), now=NOW
        )
        schedule.open_round(tournament_id=tournament.pk, actor=user, key="R2", now=NOW)

    if code:
        with refused(code):
            act()
    else:
        act()
    assert tournament.rounds.filter(key="R2", opened_at=NOW).exists() == (not code)


@pytest.mark.parametrize(
    ("ready", "next_ones"),
    [
        (["R2", "R1"], ["R1"]),
        (["R10", "R9"], ["R9"]),
        (["R3", "P3"], ["P3", "R3"]),
        (["W2", "W3", "L1", "L2"], ["L1", "W2"]),
        (["2:R2", "2:R1"], ["2:R1"]),
        ([], []),
    ],
)
def test_of_the_rounds_that_could_be_played_the_first_of_each_part_comes_next(
    ready: list[str], next_ones: list[str]
):
    assert wave(ready) == next_ones

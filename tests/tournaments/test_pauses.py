import pytest

from accounts.models import Notice
from games.models import Table
from tests.factories import make_user
from tests.games.services.races import refused
from tests.tournaments.scenes import (
    NOW,
    adjudicate,
    arrive,
    awaited,
    end,
    lines,
    minutes,
    open_table,
    running,
)
from tournaments.models import Act, Official, Tournament
from tournaments.services import pauses, results, schedule, sweeps

pytestmark = pytest.mark.django_db

CLOCKS = {"call_minutes": 2, "late_minutes": 5, "limit_minutes": 40}


def pause(tournament: Tournament, at: float = 1) -> Tournament:
    return pauses.pause(tournament_id=tournament.pk, actor=tournament.organiser, now=minutes(at))


def resume(tournament: Tournament, at: float = 61) -> Tournament:
    return pauses.resume(tournament_id=tournament.pk, actor=tournament.organiser, now=minutes(at))


def test_pause_stops_every_table_in_play_and_opens_none():
    tournament = running(4)
    end(tournament, "R1.1")
    row = open_table(tournament, "R1.2")
    pause(tournament)
    end(tournament, "R1.2")
    results.adjudicate(tournament_id=tournament.pk, now=minutes(2))

    assert Table.objects.get(pk=row.table_id).paused_at == minutes(1)
    assert (lines(tournament)["R2.1"][1], awaited(tournament)) == ("ready", [])

    resume(tournament)
    assert awaited(tournament) == [("R2.1", 1)]


def test_every_deadline_is_later_by_the_length_of_the_pause():
    tournament = running(4, holds_results=True, **CLOCKS)
    schedule.set_round_time(
        tournament_id=tournament.pk, actor=tournament.organiser, key="R2", starts_at=minutes(30), now=NOW
    )
    end(tournament, "R1.1")
    adjudicate(tournament)

    pause(tournament, 1)
    resume(tournament, 61)

    row = open_table(tournament, "R1.2")
    assert (row.call_at, row.late_at, row.limit_at) == (minutes(62), minutes(65), minutes(100))
    assert tournament.tables.get(pairing="R1.1").final_at == minutes(15 + 60)
    assert tournament.rounds.get(key="R2").starts_at == minutes(90)
    table = Table.objects.get(pk=row.table_id)
    assert (table.paused_at, table.due_at) == (None, minutes(66))


def test_nobody_is_late_during_a_pause():
    tournament = running(2, **CLOCKS)
    row = open_table(tournament, "R1.1")
    arrive(row.table, 0, 2)
    pause(tournament)
    sweeps.sweep(now=minutes(60))
    sweeps.sweep(now=minutes(600))
    paused = lines(tournament)["R1.1"][1]

    resume(tournament, 601)
    sweeps.sweep(now=minutes(604.9))
    early = lines(tournament)["R1.1"][1]
    sweeps.sweep(now=minutes(605))

    assert (paused, early) == ("ready", "ready")
    assert lines(tournament)["R1.1"][1:] == ("done", "forfeit", row.sides[0])


def test_pausing_and_resuming_twice_changes_nothing():
    tournament = running(2, **CLOCKS)
    pause(tournament, 1)
    pause(tournament, 5)
    resume(tournament, 11)
    resume(tournament, 20)

    assert open_table(tournament, "R1.1").late_at == minutes(15)
    acts = Act.objects.filter(tournament=tournament, kind__in=("pause", "resume"))
    began = minutes(1).isoformat()
    assert list(acts.values_list("kind", "before", "after")) == [
        ("pause", None, began),
        ("resume", began, {"seconds": 600}),
    ]


def test_match_that_ended_before_the_pause_counts_and_the_last_one_ends_the_tournament():
    tournament = running(2)
    end(tournament, "R1.1")

    paused = pause(tournament)

    assert (paused.state, paused.paused_at) == ("finished", None)
    with refused("not-running"):
        pause(tournament)


def test_paused_tournament_is_not_swept_for_nothing():
    tournament = running(2, **CLOCKS)
    pause(tournament)

    assert list(sweeps.to_look_at(minutes(10000))) == []


def test_players_at_the_tables_are_told_once():
    tournament = running(2)
    pause(tournament)
    pause(tournament)
    resume(tournament)

    row = open_table(tournament, "R1.1")
    for seat in row.table.seats.all():
        keys = Notice.objects.filter(user=seat.user, key__startswith=f"tournament-{tournament.pk}-")
        assert [key.split("-")[2] for key in keys.order_by("pk").values_list("key", flat=True)] == [
            "paused",
            "resumed",
        ]


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
def test_only_organisers_pause(role: str | None, code: str):
    tournament, user = running(2), make_user()
    if role:
        Official.objects.create(tournament=tournament, user=user, role=role, since=NOW)

    for door in (pauses.pause, pauses.resume):
        if code:
            with refused(code):
                door(tournament_id=tournament.pk, actor=user, now=minutes(1))
        else:
            door(tournament_id=tournament.pk, actor=user, now=minutes(1))
    assert Act.objects.filter(kind="pause").exists() == (not code)

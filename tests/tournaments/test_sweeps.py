import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.scenes import NOW, end, minutes, running
from tournaments.services import sweeps

pytestmark = pytest.mark.django_db


def cost_of_a_sweep(at: float) -> int:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        sweeps.sweep(now=minutes(at))
    return len(queries)


def test_tournaments_with_nothing_due_cost_a_sweep_nothing():
    running(2, late_minutes=30)
    one = cost_of_a_sweep(1)
    for _ in range(4):
        running(2, late_minutes=30)

    assert cost_of_a_sweep(1) == one
    assert list(sweeps.to_look_at(minutes(1))) == []


def test_only_what_is_due_is_looked_at():
    due = running(2, late_minutes=1)
    running(2, late_minutes=30)
    ended = running(2)
    end(ended, "R1.1")

    assert set(sweeps.to_look_at(minutes(1))) == {due, ended}


def test_every_running_tournament_is_looked_at_now_and_then():
    tournament = running(2)

    assert list(sweeps.to_look_at(minutes(1.9))) == []
    assert list(sweeps.to_look_at(minutes(2))) == [tournament]


def test_finished_tournament_is_never_due():
    tournament = running(2)
    end(tournament, "R1.1")
    sweeps.sweep(now=NOW)
    tournament.refresh_from_db()

    assert (tournament.state, tournament.due_at) == ("finished", None)

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from games.models import Heartbeat, Table
from tests.tournaments.scenes import arrive, awaited, end, lines, minutes, open_table, running
from tournaments.models import Act
from tournaments.services import sweeps

pytestmark = pytest.mark.django_db


def web(age_seconds: float) -> None:
    """A web process that was last heard of so long ago."""
    at = timezone.now() - timedelta(seconds=age_seconds)
    Heartbeat.objects.update_or_create(name="web:1", defaults={"at": at})


def sweep(at: datetime) -> None:
    sweeps.sweep(now=at)
    sweeps.sweep(now=at)


def sweep_until(first: float, last: float) -> None:
    """Sweeps one after the other, so near that none is taken for an outage."""
    for tenth in range(round(10 * first), round(10 * last) + 1):
        sweeps.sweep(now=minutes(tenth / 10))


def test_nobody_is_late_or_out_of_time_while_the_site_is_down():
    tournament = running(2, late_minutes=5, limit_minutes=6, limit_policy="now")
    row = open_table(tournament, "R1.1")
    arrive(row.table, 0, 2)
    web(0)
    sweep(minutes(1))
    web(30)
    sweep(minutes(30))
    sweep(minutes(60))

    assert (lines(tournament)["R1.1"][1], awaited(tournament)) == ("ready", [("R1.1", 1)])


def test_time_that_was_lost_is_given_back_with_a_moment_to_return():
    tournament = running(2, call_minutes=2, late_minutes=5, limit_minutes=40)
    web(0)
    sweep(minutes(1))
    web(600)
    sweep(minutes(31))
    web(0)
    sweep(minutes(61))

    row = open_table(tournament, "R1.1")
    assert (row.call_at, row.late_at, row.limit_at) == (minutes(62.5), minutes(65.5), minutes(100.5))
    assert Table.objects.get(pk=row.table_id).due_at == minutes(66.5)
    [act] = Act.objects.filter(kind="outage")
    assert act.after == {"seconds": 3600}


def test_after_the_outage_the_clock_goes_on():
    tournament = running(2, late_minutes=5)
    row = open_table(tournament, "R1.1")
    arrive(row.table, 0, 2)
    web(0)
    sweep(minutes(1))
    sweep(minutes(61))
    sweep_until(61.1, 65.4)
    early = lines(tournament)["R1.1"][1]
    sweep_until(65.5, 65.6)

    assert (early, lines(tournament)["R1.1"][1:]) == ("ready", ("done", "forfeit", row.sides[0]))


def test_results_are_recorded_even_while_no_page_is_served():
    tournament = running(2)
    web(0)
    sweep(minutes(1))
    web(30)
    end(tournament, "R1.1")
    sweep(minutes(2))

    tournament.refresh_from_db()
    assert tournament.state == "finished"


def test_site_whose_web_processes_are_gone_for_good_stays_unserved():
    tournament = running(2, late_minutes=5)
    web(0)
    sweep(minutes(1))
    Heartbeat.objects.filter(name="web:1").delete()
    sweep(minutes(90))

    assert lines(tournament)["R1.1"][1] == "ready"

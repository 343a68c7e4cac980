import pytest
from django.utils import timezone

from games.services import drain
from tests.tournaments.scenes import end, lines, started
from tournaments.services.results import adjudicate
from tournaments.services.sweeps import sweep

pytestmark = pytest.mark.django_db(transaction=True)


def test_results_are_recorded_while_the_site_drains_and_the_next_round_waits():
    tournament = started(4)
    for pairing in ("R1.1", "R1.2"):
        end(tournament, pairing)
    drain.begin(now=timezone.now())
    assert adjudicate(tournament_id=tournament.pk, now=timezone.now()) == 2
    sweep(now=timezone.now())
    assert lines(tournament)["R2.1"][1] == "ready"
    assert tournament.tables.filter(pairing="R2.1").count() == 0

    drain.undo()
    sweep(now=timezone.now())
    sweep(now=timezone.now())
    assert tournament.tables.filter(pairing="R2.1").count() == 1

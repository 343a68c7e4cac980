import pytest
from django.test import Client

from tests.factories import make_user
from tests.tournaments.scenes import adjudicate, end, make_tournament, started

pytestmark = pytest.mark.django_db
LISTS = ("tournament", "entry", "logitem", "pairingtable")


@pytest.fixture
def admin(client: Client) -> Client:
    client.force_login(make_user("Admin", is_staff=True, is_superuser=True))
    return client


@pytest.mark.parametrize("model", LISTS)
def test_rows_are_listed_and_found(admin: Client, model: str):
    tournament = started(2)
    end(tournament, "R1.1")
    adjudicate(tournament)

    address = f"/admin/tournaments/{model}/"
    found, missed = (
        admin.get(address, {"q": text}).context["cl"].result_count for text in ("Thursday", "Monday")
    )

    assert (found > 0, missed) == (True, 0)


def test_lot_can_be_neither_seen_nor_searched_before_the_start(admin: Client):
    tournament = make_tournament(lot="feed" * 8)
    address = "/admin/tournaments/tournament/"

    page = admin.get(f"{address}{tournament.pk}/change/").content.decode()
    probed = admin.get(address, {"lot__startswith": "f"})

    assert "feed" not in page
    assert probed.status_code == 400


def test_administration_changes_nothing(admin: Client):
    tournament = make_tournament()

    for door in ("add/", f"{tournament.pk}/delete/"):
        assert admin.post(f"/admin/tournaments/tournament/{door}").status_code == 403

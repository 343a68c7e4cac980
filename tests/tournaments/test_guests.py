"""Tournaments are for players with an account."""

import pytest
from django.test import Client

from accounts.models import User
from accounts.services import make_guest
from tests.factories import NOON, make_user
from tests.tournaments.scenes import make_tournament
from tournaments.models import Entry, Tournament
from tournaments.services import entry
from tournaments.services.refusals import Refused

pytestmark = pytest.mark.django_db


def a_guest() -> User:
    return make_guest(language="en", now=NOON)


@pytest.mark.parametrize(
    ("enters", "code"), [("guest", "guests-cannot-enter"), ("partner", "partner-is-guest")]
)
def test_guest_does_not_enter(enters: str, code: str) -> None:
    tournament, pair = make_tournament(), [a_guest(), make_user()]
    user, partner = pair if enters == "guest" else reversed(pair)
    with pytest.raises(Refused) as refused:
        entry.enter(tournament_id=tournament.pk, user=user, partner=partner, now=NOON)
    assert (refused.value.code, Entry.objects.count()) == (code, 0)


def test_page_offers_a_guest_an_account_in_place_of_the_form(client: Client) -> None:
    tournament = make_tournament()
    client.force_login(a_guest())
    page = client.get(tournament.get_absolute_url())
    assert page.context["page"].joining.kind == "guest"
    assert f'href="/accounts/keep/?next={tournament.get_absolute_url()}"'.encode() in page.content


def test_guest_who_wants_to_run_one_is_led_to_make_an_account(client: Client) -> None:
    client.force_login(a_guest())
    assert client.get("/tournaments/new/").url == "/accounts/keep/?next=%2Ftournaments%2Fnew%2F"
    assert not Tournament.objects.exists()

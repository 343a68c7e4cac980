import pytest
from django.test import Client

from games.models import Deal, Event
from games.rules.cards import CODES
from tests.factories import make_users
from tests.games.matches import make_match_in_play

pytestmark = pytest.mark.django_db


def test_an_error_page_with_debug_on_shows_no_card_of_a_table_in_play(client: Client, settings) -> None:
    settings.DEBUG = True
    users = make_users(4)
    table = make_match_in_play(users)
    # A fold that fails where the whole deal is at hand.
    Event.objects.filter(table=table, kind="act").order_by("-version").first().delete()
    Event.objects.filter(table=table, kind="act").order_by("-version").update(code="AS")
    client.force_login(users[0])
    client.raise_request_exception = False
    page = client.post(f"/tables/{table.code}/leave/")
    text = page.content.decode()
    assert (page.status_code, "IllegalAction" in text) == (500, True)
    secret = bytes(table.secret)
    assert [hint for hint in (secret.hex(), repr(secret)[2:-1], repr(secret)[2:12]) if hint in text] == []
    deck = Deal.objects.get(table=table).deck
    assert [cards for cards in (deck, deck[:20], ", ".join(CODES)) if cards in text] == []

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path
from django.utils.crypto import get_random_string

from games.models import Deal, Event
from games.rules.cards import CODES
from tests.factories import make_users
from tests.games.matches import make_match_in_play
from tests.tampering import triggers_off

pytestmark = pytest.mark.django_db


def test_an_error_page_with_debug_on_shows_no_card_of_a_table_in_play(client: Client, settings) -> None:
    settings.DEBUG = True
    users = make_users(4)
    table = make_match_in_play(users)
    # A fold that fails where the whole deal is at hand.
    with triggers_off():
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


def test_an_error_page_with_debug_on_shows_no_password_of_a_server(client: Client, settings) -> None:
    settings.DEBUG = True
    # Not written down here: the page quotes this source.
    valkeys, postgres = get_random_string(12), get_random_string(12)
    settings.REDIS_URL = settings.CELERY_BROKER_URL = f"redis://:{valkeys}@127.0.0.1:1/0"
    settings.DATABASE_URL = f"postgresql://tarneeb:{postgres}@127.0.0.1/tarneeb"
    settings.ROOT_URLCONF = "tests.tarneeb_site.test_reports"
    client.raise_request_exception = False
    text = client.get("/").content.decode()
    assert "CELERY_BROKER_URL" in text
    assert [password for password in (valkeys, postgres) if password in text] == []


def fails(request: HttpRequest) -> HttpResponse:
    raise ValueError


urlpatterns = [path("", fails)]

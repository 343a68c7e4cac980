"""A private tournament is there for who has its code; and a code cannot be guessed through."""

import pytest
from django.test import Client

from games import limits
from tests.factories import make_user
from tests.tournaments.scenes import NOW, make_tournament
from tournaments.models import Tournament
from tournaments.services import registration

pytestmark = pytest.mark.django_db
# Limits are lifted for this machine alone.
ELSEWHERE = "198.51.100.7"


@pytest.fixture(autouse=True)
def fresh_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "forms", limits.Buckets())


def hidden(**more) -> Tournament:
    return make_tournament(is_private=True, access="code", entry_code="Damas7", **more)


def browser(user=None) -> Client:
    client = Client(REMOTE_ADDR=ELSEWHERE)
    client.cookies["django_language"] = "en"
    if user is not None:
        client.force_login(user)
    return client


def status(client: Client, tournament: Tournament, query: str = "") -> int:
    return client.get(tournament.get_absolute_url() + query).status_code


def enter(client: Client, tournament: Tournament, code: str):
    fields = {"partner": make_user().username, "code": code}
    return client.post(tournament.get_absolute_url() + "enter/", fields)


@pytest.mark.parametrize("known", [False, True])
def test_code_in_the_link_opens_a_private_tournament_and_is_remembered(known: bool):
    tournament, other = hidden(), hidden()
    client = browser(make_user() if known else None)

    before = status(client, tournament)
    given = client.get(tournament.get_absolute_url() + "?tab=rules&code=dAMAS+٧")
    page = client.get(given.url)

    assert (before, given.status_code) == (404, 302)
    assert given.url == tournament.get_absolute_url() + "?tab=rules"
    assert (page.status_code, page.context["partner_form"]["code"].value()) == (200, "dAMAS ٧")
    assert status(client, tournament, "event/") == 200
    assert status(client, other) == 404


@pytest.mark.parametrize("query", ["?code=", "?code=damas8", "?tab=rules"])
def test_without_the_right_code_it_is_not_there(query: str):
    assert status(browser(), hidden(), query) == 404


@pytest.mark.parametrize(
    "changed", [{"state": "draft"}, {"access": "invited"}, {"access": "open"}, {"entry_code": ""}]
)
def test_code_opens_no_draft_and_no_tournament_without_a_code(changed: dict):
    tournament = hidden()
    Tournament.objects.filter(pk=tournament.pk).update(**changed)

    assert status(browser(), tournament, "?code=Damas7") == 404


def test_changed_code_closes_the_door_again():
    tournament, client = hidden(), browser()
    status(client, tournament, "?code=Damas7")

    Tournament.objects.filter(pk=tournament.pk).update(entry_code="Halab9")

    assert status(client, tournament) == 404


def test_who_has_the_code_can_enter_with_it():
    tournament, client = hidden(), browser(make_user())
    status(client, tournament, "?code=Damas7")

    assert (enter(client, tournament, "Damas7").status_code, tournament.entries.count()) == (302, 1)


def test_many_wrong_codes_and_the_right_one_is_not_looked_at_any_more():
    tournament, client = hidden(), browser(make_user())

    for number in range(int(limits.CODES.user.at_once)):
        status(client, tournament, f"?code=no{number}")

    assert status(client, tournament, "?code=Damas7") == 404
    assert status(browser(make_user()), tournament, "?code=Damas7") == 302


def test_an_address_has_few_guesses_and_right_ones_are_free():
    tournament = hidden()
    free = [status(browser(), tournament, "?code=Damas7") for _ in range(30)]

    for number in range(int(limits.CODES.address.at_once)):
        status(browser(), tournament, f"?code=no{number}")

    assert free == [302] * 30
    assert status(browser(), tournament, "?code=Damas7") == 404


def test_wrong_codes_on_entering_are_counted_too():
    tournament = make_tournament(access="code", entry_code="Damas7")
    client = browser(make_user())

    wrong = [enter(client, tournament, f"no{number}").status_code for number in range(6)]
    then = enter(client, tournament, "Damas7")

    assert (wrong, then.status_code, tournament.entries.count()) == ([400] * 6, 429, 0)
    assert "Wait a minute" in then.content.decode()


def test_desk_shows_the_link_with_the_code():
    tournament = hidden(draft=True)
    registration.publish(tournament_id=tournament.pk, actor=tournament.organiser, now=NOW)

    desk = browser(tournament.organiser).get(tournament.get_absolute_url() + "desk/").content.decode()
    link = f"http://testserver{tournament.get_absolute_url()}?code=Damas7"

    assert f'data-copy="{link}"' in desk
    assert status(browser(), tournament, "?code=Damas7") == 302

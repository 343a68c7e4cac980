"""A log that does not fit the settings any more: pages say so, and the settings can be put right."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from tests.factories import make_user
from tests.tournaments.scenes import NOW, end, lines, started
from tournaments.models import Tournament
from tournaments.services import making, results
from tournaments.services.refusals import Refused

pytestmark = pytest.mark.django_db
PAGES = ("", "?tab=standings", "organise/", "log/", "objections/", "calls/", "screen/", "files/standings.csv")


def in_the_second_round() -> Tournament:
    """A Swiss of three rounds, the first of them played and the second one published."""
    tournament = started(6, format="swiss", settings={"rounds": 3})
    for pairing in list(tournament.tables.filter(state="open").values_list("pairing", flat=True)):
        end(tournament, pairing)
    results.adjudicate(tournament_id=tournament.pk, now=NOW)
    tournament.refresh_from_db()
    return tournament


def change_settings(tournament: Tournament, settings: dict[str, Any]) -> None:
    asked = {"actor": tournament.organiser, "reason": "a slip", "now": NOW}
    making.edit(tournament_id=tournament.pk, changes={"settings": settings}, **asked)


def spoil(tournament: Tournament) -> dict[str, Any]:
    """Somebody in the database took a round away; the settings as they were."""
    kept = dict(tournament.settings)
    Tournament.objects.filter(pk=tournament.pk).update(settings=kept | {"rounds": 1})
    tournament.refresh_from_db()
    return kept


def statuses(tournament: Tournament, user: User | None) -> dict[str, int]:
    client = Client(headers={"accept-language": "en"})
    if user is not None:
        client.force_login(user)
    return {page: client.get(tournament.get_absolute_url() + page).status_code for page in PAGES}


def test_pages_of_what_cannot_be_read_say_so(caplog: pytest.LogCaptureFixture):
    tournament = in_the_second_round()
    assert set(statuses(tournament, tournament.organiser).values()) == {200}
    spoil(tournament)

    assert set(statuses(tournament, tournament.organiser).values()) == {503}
    client = Client()
    client.cookies["django_language"] = "en"
    words = client.get(tournament.get_absolute_url() + "?tab=standings").content.decode()
    assert "Nothing is lost" in words
    assert "of the log does not fit" not in words
    client.force_login(tournament.organiser)
    assert "of the log does not fit" in client.get(tournament.get_absolute_url()).content.decode()
    assert {record.levelname for record in caplog.records if "cannot be read" in record.message} == {"ERROR"}


def test_private_tournament_that_cannot_be_read_is_not_there_for_others():
    tournament = in_the_second_round()
    spoil(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(is_private=True)

    assert set(statuses(tournament, make_user()).values()) <= {302, 403, 404}


def test_settings_are_put_right():
    tournament = in_the_second_round()
    before = lines(tournament)
    kept = spoil(tournament)

    change_settings(tournament, kept)

    tournament.refresh_from_db()
    assert lines(tournament) == before


def test_settings_that_the_log_contradicts_are_refused():
    tournament = in_the_second_round()
    with pytest.raises(Refused) as refused:
        change_settings(tournament, tournament.settings | {"rounds": 1})
    assert refused.value.code == "pairings-would-change"

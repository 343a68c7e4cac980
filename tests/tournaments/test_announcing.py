"""Announcements: on the page, in everybody's notices, by who may make them."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import Notice
from tests.factories import make_user
from tests.tournaments.scenes import NOW, enter_pair, make_tournament
from tournaments.models import Tournament
from tournaments.services.announcing import announce
from tournaments.services.refusals import Refused

pytestmark = pytest.mark.django_db


def tournament_with(pairs: int) -> Tournament:
    tournament = make_tournament()
    for _ in range(pairs):
        enter_pair(tournament)
    return tournament


def test_announcement_reaches_everybody_once() -> None:
    tournament = tournament_with(2)
    made = [
        announce(tournament_id=tournament.pk, actor=tournament.organiser, text=" قهوة ", now=NOW)
        for _ in "ab"
    ]
    assert made[0] == made[1]
    told = Notice.objects.filter(key__startswith="announcement")
    assert (made[0].text, told.count()) == ("قهوة", 5)
    assert told.first().text_en == f"{tournament.name}: قهوة"
    assert [act.kind for act in tournament.acts.all()] == ["announce"]


def test_same_words_an_hour_later_are_news() -> None:
    tournament = tournament_with(2)
    for hours in (0, 1):
        announce(
            tournament_id=tournament.pk,
            actor=tournament.organiser,
            text="x",
            now=NOW + timedelta(hours=hours),
        )
    assert tournament.announcements.count() == 2


@pytest.mark.parametrize(("text", "code"), [("  ", "nothing-said"), ("x" * 1001, "too-long")])
def test_empty_and_endless_words_are_refused(text: str, code: str) -> None:
    tournament = tournament_with(2)
    with pytest.raises(Refused) as refusal:
        announce(tournament_id=tournament.pk, actor=tournament.organiser, text=text, now=NOW)
    assert refusal.value.code == code


@pytest.mark.parametrize("role", [None, "referee", "scorekeeper", "viewer"])
def test_announcing_is_the_organisers(role: str | None) -> None:
    tournament, user = tournament_with(2), make_user()
    if role:
        tournament.officials.create(user=user, role=role, since=NOW)
    with pytest.raises(Refused) as refusal:
        announce(tournament_id=tournament.pk, actor=user, text="x", now=NOW)
    assert refusal.value.code == ("not-your-role" if role else "not-organiser")


def test_page_announces_and_says_what_is_wrong(client: Client) -> None:
    tournament = tournament_with(2)
    path = f"/tournaments/{tournament.slug}/announce/"
    client.force_login(make_user())
    assert client.get(path).status_code == 404
    client.force_login(tournament.organiser)
    assert client.post(path, {"text": " "}).status_code == 400
    assert client.post(path, {"text": "<b>x</b>", "by_mail": "on"}).status_code == 302
    assert "&lt;b&gt;x&lt;/b&gt;" in client.get(path).content.decode()
    assert Notice.objects.filter(by_mail=True, key__startswith="announcement").count() == 5

"""The end of a tournament: certified, put away, printed."""

from datetime import timedelta

import pytest
from django.test import Client

from tests.factories import make_user
from tests.games.services.races import refused
from tests.tournaments.scenes import NOW, adjudicate, end, started
from tournaments.models import Tournament
from tournaments.services import certify, rulings

pytestmark = pytest.mark.django_db


def finished(pairs: int = 2, **more) -> Tournament:
    tournament = started(pairs, **more)
    while tournament.state == "running":
        for row in tournament.tables.filter(state="open"):
            end(tournament, row.pairing)
        adjudicate(tournament)
        tournament.refresh_from_db()
    return tournament


# The time to object to the last match is over.
LATER = NOW + timedelta(minutes=16)


def by(tournament: Tournament, door, **more) -> str:
    asked = {"now": LATER} | more
    return door(tournament_id=tournament.pk, actor=tournament.organiser, **asked).state


def page(tournament: Tournament, language: str = "en", query: str = "") -> tuple[int, str]:
    client = Client()
    client.cookies["django_language"] = language
    response = client.get(f"{tournament.get_absolute_url()}certificate/{query}")
    return response.status_code, response.content.decode()


def test_finished_tournament_is_certified_put_away_and_both_are_taken_back():
    tournament = finished()

    states = [
        by(tournament, door) for door in (certify.certify, certify.certify, certify.archive, certify.archive)
    ]
    tournament.refresh_from_db()
    signed = tournament.certified_at, tournament.certified_by
    states += [by(tournament, certify.unarchive), by(tournament, certify.uncertify, reason="a wrong score")]
    tournament.refresh_from_db()

    assert states == ["certified", "certified", "archived", "archived", "certified", "finished"]
    assert (signed, tournament.certified_at) == ((LATER, tournament.organiser), None)
    acts = tournament.acts.filter(kind="state").order_by("-number").values_list("after", "reason")
    assert list(acts)[:4] == [
        ("finished", "a wrong score"),
        ("certified", ""),
        ("archived", ""),
        ("certified", ""),
    ]


def test_certified_result_is_not_corrected_until_it_is_taken_back():
    tournament = finished()
    item = {"type": "correct", "pairing": "R1.1", "kind": "target", "score": [0, 31]}
    by(tournament, certify.certify)

    with refused("certified"):
        rulings.decide(tournament_id=tournament.pk, actor=tournament.organiser, item=item, now=NOW)
    by(tournament, certify.uncertify, reason="a wrong score")
    rulings.decide(tournament_id=tournament.pk, actor=tournament.organiser, item=item, now=NOW)
    tournament.refresh_from_db()
    assert tournament.state == "finished"


def test_running_tournament_and_one_with_open_results_or_objections_are_not_certified():
    running, tournament = started(4), finished()
    with refused("not-over"):
        by(running, certify.certify)

    tournament.tables.update(state="held")
    with refused("results-open"):
        by(tournament, certify.certify)
    tournament.tables.update(state="recorded")
    made = tournament.entries.get(number=1)
    objection = tournament.objections.create(
        pairing="R1.1", entry=made, made_by=made.members.get(place=0).user, made_at=NOW, text="The last deal."
    )
    with refused("objections-open"):
        by(tournament, certify.certify)
    objection.state = "withdrawn"
    objection.save()
    assert by(tournament, certify.certify) == "certified"


@pytest.mark.parametrize("door", [certify.certify, certify.archive])
def test_referee_and_strangers_do_not_certify(door):
    tournament, referee = finished(), make_user()
    tournament.officials.create(user=referee, role="referee", since=NOW)

    for user, code in ((make_user(), "not-organiser"), (referee, "not-your-role")):
        with refused(code):
            door(tournament_id=tournament.pk, actor=user, now=NOW)


@pytest.mark.parametrize("language", ["en", "ar"])
def test_certificate_speaks_both_languages_and_is_there_once_the_result_is_certified(language: str):
    tournament = finished(4, third_place=True)
    before = page(tournament, language)[0]
    by(tournament, certify.certify)

    status, html = page(tournament, language)

    champion = tournament.entries.get(pk=Tournament.objects.get(pk=tournament.pk).champion_id)
    assert (before, status, html.count('<main class="sheet">')) == (404, 200, 3)
    assert all(html.count(f"<bdi>{member.shown}</bdi>") == 1 for member in champion.members.all())
    assert [html.count(words) for words in (">Champions<", ">Second place<", ">Third place<")] == [1, 1, 1]
    assert [html.count(words) for words in (">الأبطال<", ">المركز الثاني<", ">المركز الثالث<")] == [1, 1, 1]
    assert page(tournament, language, "?place=2")[1].count('<main class="sheet">') == 1

"""A running tournament's doors over HTTP."""

from collections.abc import Iterator

import pytest
from django.utils import translation

from tests.factories import make_user
from tests.tournaments.scenes import NOW, adjudicate, end, lines, running
from tests.tournaments.test_doors import browser, path
from tournaments.models import Official, Tournament

pytestmark = pytest.mark.django_db
DOORS = ("pause", "resume", "accept-plan", "round/open", "round/time", "score")


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


def post(user: object, tournament: Tournament, door: str, **fields: str) -> int:
    return browser(user).post(path(tournament, f"{door}/"), fields).status_code


def reload(tournament: Tournament) -> Tournament:
    return Tournament.objects.get(pk=tournament.pk)


def test_both_sides_confirm_what_they_are_shown():
    tournament = running(4, holds_results=True)
    end(tournament, "R1.1", (-5, 32))
    adjudicate(tournament)
    row = tournament.tables.get(pairing="R1.1")

    for place, side in enumerate(row.sides):
        user = tournament.entries.get(number=int(side[1:])).members.get(place=0).user
        page = browser(user).get(path(tournament)).content.decode()
        assert 'value="-5:32"' in page
        own = (
            '<span class="score" dir="ltr">32</span>' if place else '<span class="score" dir="ltr">−5</span>'
        )
        assert page.index(own) < page.index("Is that right?")
        assert post(user, tournament, "confirm", pairing="R1.1", score="-5:32") == 302

    assert lines(tournament)["R1.1"][1:] == ("done", "target", row.sides[1])


@pytest.mark.parametrize("score", ["32:-5", "x", "1:2:3"])
def test_another_score_than_the_tables_confirms_nothing(score: str):
    tournament = running(2, holds_results=True)
    end(tournament, "R1.1", (-5, 32))
    adjudicate(tournament)
    user = tournament.entries.get(number=1).members.get(place=0).user

    assert post(user, tournament, "confirm", pairing="R1.1", score=score) == 400
    assert tournament.tables.get().confirmed == [False, False]


def test_organiser_pauses_and_goes_on():
    tournament = running(2)

    assert post(tournament.organiser, tournament, "pause", reason="Supper.") == 302
    paused = reload(tournament).paused_at
    assert post(tournament.organiser, tournament, "resume") == 302
    assert (paused is None, reload(tournament).paused_at) == (False, None)


def test_organiser_sets_an_hour_by_the_clocks_of_the_tournament_and_opens_a_round():
    tournament = running(4, time_zone="Asia/Damascus")
    organiser = tournament.organiser

    assert post(organiser, tournament, "round/time", round="R2", starts_at="٢٠٢٧-٠١-٠٥T20:30") == 302
    assert f"{tournament.rounds.get().starts_at:%Y-%m-%d %H:%M %Z}" == "2027-01-05 17:30 UTC"
    assert post(organiser, tournament, "round/time", round="R2", starts_at="tonight") == 400
    assert post(organiser, tournament, "round/open", round="R2") == 302
    assert tournament.rounds.get().opened_at is not None
    assert post(organiser, tournament, "accept-plan") == 400


@pytest.mark.parametrize(
    ("typed", "near"), [("2027-04-30T00:30", ["23:59", "01:00"]), ("9999-12-31T23:59", [])]
)
def test_hour_that_no_clock_shows_is_refused_with_those_that_are_near(typed: str, near: list[str]):
    tournament = running(4, time_zone="Africa/Cairo")
    answer = browser(tournament.organiser).post(
        path(tournament, "round/time/"), {"round": "R2", "starts_at": typed}
    )

    assert (answer.status_code, tournament.rounds.count()) == (400, 0)
    assert [hour for hour in ("23:59", "01:00") if hour in answer.content.decode()] == near


def test_scorekeeper_enters_a_result():
    tournament, scorer = running(4), make_user()
    Official.objects.create(tournament=tournament, user=scorer, role="scorekeeper", since=NOW)
    asked = {"pairing": "R1.1", "kind": "draw", "score": "٢٠:20", "last_gainer": "1"}

    assert post(scorer, tournament, "score", **(asked | {"last_gainer": ""})) == 400
    assert post(scorer, tournament, "score", **asked) == 302
    assert lines(tournament)["R1.1"][1:3] == ("done", "last-round")
    assert post(scorer, tournament, "pause") == 400


@pytest.mark.parametrize("door", DOORS)
def test_doors_of_officials_are_not_there_for_others(door: str):
    tournament = running(2)

    assert post(make_user(), tournament, door) == 404
    assert browser().post(path(tournament, f"{door}/")).status_code == 302
    assert reload(tournament).paused_at is None

"""Long lists of pairs: by how they stand, found by any spelling, a page at a time; on the desk and for everybody."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from tests.factories import make_user, make_users
from tests.tournaments.drawn import drawn
from tests.tournaments.scenes import NOW, enter_pair, make_tournament
from tournaments.models import Entry, Tournament
from tournaments.roll import Roll, Wanted, wanted_of
from tournaments.services import entry

pytestmark = pytest.mark.django_db


def field() -> Tournament:
    """Three places: e1 checked in, e2 with a free place, e3 not there; e4 waits, e5 is asked, e6 has left."""
    tournament = make_tournament(capacity=3, check_in_minutes=60)
    for _pair in range(4):
        enter_pair(tournament)
    asker, asked = make_users(2)
    entry.enter(tournament_id=tournament.pk, user=asker, partner=asked, now=NOW)
    gone = enter_pair(tournament)
    Entry.objects.filter(pk=gone.pk).update(withdrawn_at=NOW)
    tournament.members.filter(entry__number=2, place=1).update(user=None, name="زيـاد الحلبي", active=False)
    Entry.objects.filter(tournament=tournament, number=1).update(checked_in_at=NOW, name="نُسور أحمد")
    return tournament


def numbers(tournament: Tournament, **wanted: str) -> list[int]:
    return [row.entry.number for row in Roll(tournament, Wanted(**wanted)).found]


@pytest.mark.parametrize(
    ("show", "found"),
    [
        ("", [1, 2, 3, 4, 5, 6]),
        ("placed", [1, 2, 3]),
        ("here", [1]),
        ("away", [2, 3]),
        ("unclaimed", [2]),
        ("line", [4]),
        ("absent", []),
        ("pending", [5]),
        ("gone", [6]),
    ],
)
def test_pairs_are_listed_by_how_they_stand(show: str, found: list[int]):
    tournament = field()

    assert numbers(tournament, show=show) == found
    if show:
        assert Roll(tournament, Wanted()).counts[show] == len(found)


@pytest.mark.parametrize(
    ("words", "found"),
    [("نسور احمد", [1]), ("زياد", [2]), ("الحلبى", [2]), ("e3", [3]), ("٣", [3]), ("nobody", []), ("ً", [])],
)
def test_pair_is_found_by_any_spelling_of_team_and_player_and_by_its_number(words: str, found: list[int]):
    assert numbers(field(), words=words) == found


def test_query_that_makes_no_sense_asks_for_nothing():
    assert wanted_of({"show": "all", "q": " x " * 50, "page": "-1"}).show == ""
    assert Roll(field(), Wanted(page="x")).leaf.number == 1


def test_page_of_pairs_is_read_at_one_price():
    small, large = field(), make_tournament(capacity=70)
    for _pair in range(12):
        enter_pair(large)

    def asked(tournament: Tournament, a_page: int) -> int:
        with CaptureQueriesContext(connection) as caught:
            roll = Roll(tournament, Wanted(), a_page=a_page)
            assert [member.shown for row in roll.leaf for member in row.entry.members.all()]
        return len(caught)

    assert asked(small, 2) == asked(large, 10)


def browser(user: User | None) -> Client:
    client = Client()
    client.cookies["django_language"] = "en"
    if user:
        client.force_login(user)
    return client


@pytest.mark.parametrize(
    ("query", "seeds"),
    [("", range(1, 51)), ("&page=2", range(51, 61)), ("&q=e57", [57]), ("&page=9", range(51, 61))],
)
def test_entrants_of_a_large_field_come_a_page_at_a_time(query: str, seeds):
    tournament = drawn("single_elimination", 60)

    shown = browser(None).get(f"{tournament.get_absolute_url()}?tab=entrants{query}").context["page"].roll

    assert [row.entry.seed for row in shown.leaf] == list(seeds)


def test_overview_shows_the_first_pairs_and_leads_to_the_others():
    tournament = make_tournament(capacity=32)
    for _pair in range(22):
        enter_pair(tournament)

    page = browser(make_user()).get(tournament.get_absolute_url())

    assert len(page.context["page"].first_pairs.leaf) == 20
    assert b'<a href="?tab=entrants">All pairs</a>' in page.content


def test_desk_stays_where_it_was_after_an_act():
    tournament = field()
    client = browser(tournament.organiser)
    desk = tournament.get_absolute_url() + "desk/"

    answer = client.post(f"{desk}?q=e3&show=away", {"act": "check-in", "entry": "3"})

    assert answer.url == f"{reverse('tournament_desk', args=[tournament.slug])}?q=e3&show=away#pair-3"
    assert "is checked in." in client.get(answer.url).content.decode()
    assert tournament.entries.get(number=3).checked_in_at is not None


def test_who_is_out_of_the_places_has_no_place_on_the_page():
    tournament = field()
    waiting = tournament.entries.get(number=4).members.get(place=0).user
    placed = tournament.entries.get(number=3).members.get(place=1).user

    shown = [
        browser(user).get(tournament.get_absolute_url()).context["page"].mine for user in (placed, waiting)
    ]

    assert [one and one.number for one in shown] == [3, None]

"""The home page: the reader's next step, what is live, what comes."""

from datetime import timedelta

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.models import Phase
from tarneeb_site.home import home_of
from tests.factories import NOON, make_table, make_user, seat_user
from tournaments.models import State, Tournament

pytestmark = pytest.mark.django_db


def announce(name: str, **more: object) -> Tournament:
    fields = {"slug": name, "organiser": make_user(), "starts_at": NOON, "created_at": NOON}
    return Tournament.objects.create(name=name, **(fields | more))


def test_play_leads_to_quick_match(client: Client) -> None:
    seat_user(make_table(), 0, make_user())
    assert home_of(None).next_table is None
    assert '<a class="button brass play" href="/play/">' in client.get("/").content.decode()


def test_whoever_asks_whether_the_site_is_there_is_told(client: Client) -> None:
    assert client.head("/").status_code == 200


@pytest.mark.parametrize("name", ["sessionid", "csrftoken", "messages", "django_language", "lobby_ruleset"])
@pytest.mark.parametrize("path", ["/", "/tables/", "/accounts/login/"])
def test_a_cookie_of_any_content_breaks_no_page(client: Client, name: str, path: str) -> None:
    client.cookies[name] = "\0" + "a" * 31
    assert client.get(path).status_code == 200


def test_play_leads_back_to_the_own_match_first(client: Client) -> None:
    user = make_user()
    own = make_table(phase=Phase.PLAY)
    seat_user(own, 1, user)
    seat_user(make_table(), 0, make_user())
    client.force_login(user)
    assert home_of(user).next_table.table == own
    assert f'<a class="button brass play" href="/tables/{own.code}/">' in client.get("/").content.decode()


def test_table_by_link_only_is_not_shown() -> None:
    make_table(visibility="link")
    make_table(visibility="link", phase=Phase.PLAY)
    home = home_of(None)
    assert (home.waiting, home.playing) == ([], [])


def test_tournaments_stand_by_what_is_next() -> None:
    later = announce("later", starts_at=NOON + timedelta(hours=2))
    soon = announce("soon", starts_at=NOON + timedelta(hours=1))
    now = announce("now", state=State.RUNNING, started_at=NOON)
    announce("off", state=State.CANCELLED, cancel_reason="organiser")
    home = home_of(None)
    assert (home.running, home.upcoming) == ([now], [soon, later])


@pytest.mark.parametrize("rows", [1, 3])
def test_home_asks_the_database_as_often_for_three_rows_as_for_one(
    rows: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(rows):
        seat_user(make_table(), 0, make_user())
        seat_user(make_table(phase=Phase.PLAY), 0, make_user())
        announce(f"cup {number}")
    with django_assert_num_queries(8):
        home_of(None)

import re
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.history import ON_A_PROFILE
from games.models import Appearance
from tests.factories import NOON, make_table, make_user, make_users, seat_user
from tests.games.matches import make_match, make_match_in_play

pytestmark = pytest.mark.django_db


def profile(client: Client, user: User, **query: object) -> str:
    return client.get(f"/players/{user.username}/", query).content.decode()


def replays(page: str) -> list[str]:
    return re.findall(r'href="/matches/(\w+)/"', page)


def test_decomposed_spelling_of_a_name_leads_to_the_one_it_has(client: Client) -> None:
    make_user("أحمد")
    response = client.get("/players/" + quote("ا\N{ARABIC HAMZA ABOVE}حمد") + "/")

    assert (response.status_code, response["Location"]) == (302, f"/players/{quote('أحمد')}/")


@pytest.mark.parametrize("spelling", ["LAYLA", "layla", "ｌａｙｌａ"])
def test_case_and_width_of_a_name_do_not_matter(client: Client, spelling: str) -> None:
    make_user("Layla")
    response = client.get(f"/players/{quote(spelling)}/")

    assert (response.status_code, response["Location"]) == (302, "/players/Layla/")


@pytest.mark.parametrize("name", ["Nobody", "%00", "a%0Ab", "x" * 200])
def test_unknown_player_is_not_found(client: Client, name: str) -> None:
    assert client.get(f"/players/{name}/").status_code == 404


def test_matches_are_listed_newest_first_finished_ones_alone(client: Client) -> None:
    user = make_user()
    for day, code in enumerate(["OLD", "NEWER", "NEWEST"]):
        make_match([user, *make_users(3)], code=code, ended_at=NOON + timedelta(days=day))
    make_match(make_users(4), code="OTHERS")
    make_match_in_play([user, *make_users(3)], code="PLAYING", seed="2")
    seat_user(make_table(code="WAITING"), 0, user)

    assert replays(profile(client, user)) == ["NEWEST", "NEWER", "OLD"]


def test_scores_have_a_true_minus_and_are_isolated(client: Client) -> None:
    user = make_user()
    make_match([user, *make_users(3)])
    Appearance.objects.update(ours=-12)
    page = profile(client, user)

    assert '<span class="score" dir="ltr">\u221212</span>' in page
    assert ">-12<" not in page


def test_profile_shows_the_newest_and_leads_to_the_others(client: Client) -> None:
    user = make_user()
    for number in range(ON_A_PROFILE + 1):
        make_match(
            [user, *make_users(3)], code=f"M{number:02d}", ended_at=NOON + timedelta(hours=number), seed="1"
        )
    page = profile(client, user)
    older = re.search(r'href="([^"]*/matches/\?page=[^"]*)"', page)

    assert replays(page) == [f"M{number:02d}" for number in range(ON_A_PROFILE, 0, -1)]
    assert older is not None
    assert replays(client.get(older[1]).content.decode()) == ["M00"]


def test_a_guests_and_a_closed_accounts_matches_are_listed_to_nobody_else(client: Client) -> None:
    guest, closed = make_user(is_guest=True), make_user(closed_at=NOON)
    make_match([guest, closed, *make_users(2)])

    assert [replays(profile(client, user)) for user in (guest, closed)] == [[], []]


def test_profile_asks_the_same_number_of_queries_for_one_match_as_for_three(client: Client) -> None:
    user = make_user()
    client.force_login(user)
    profile(client, user)
    counts = []
    for _ in range(3):
        make_match([user, *make_users(3)])
        with CaptureQueriesContext(connection) as queries:
            profile(client, user)
        counts.append(len(queries))

    assert counts[0] == counts[2]
    assert counts[0] <= 14


def test_own_empty_profile_says_what_to_do(client: Client) -> None:
    user = make_user(language="en")
    client.force_login(user)

    assert "You have not finished a match yet." in profile(client, user)

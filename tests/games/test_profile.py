import re
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import Deal, Table
from games.pages import MATCHES_A_PAGE, Statistics, history, statistics
from tests.factories import NOON, make_table, make_user, make_users, seat_user
from tests.games.matches import make_match, make_match_in_play
from tests.tampering import erase, rewrite

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


def test_match_is_told_from_the_players_side() -> None:
    users = [make_user(name) for name in ("Anna", "Badr", "Clara", "Dana")]
    table = make_match(users)
    rewrite(Table.objects.filter(pk=table.pk), score=[31, -12], winner=0)
    told = {}
    for user in users:
        match = history(user).matches[0]
        opponents = [str(seat.user) for seat in match.opponents]
        told[str(user)] = (str(match.partner.user), opponents, match.ours, match.theirs, match.outcome)

    assert told == {
        "Anna": ("Clara", ["Badr", "Dana"], 31, -12, "won"),
        "Badr": ("Dana", ["Anna", "Clara"], -12, 31, "lost"),
        "Clara": ("Anna", ["Badr", "Dana"], 31, -12, "won"),
        "Dana": ("Badr", ["Anna", "Clara"], -12, 31, "lost"),
    }


@pytest.mark.parametrize(("kind", "outcome"), [("draw", "draw"), ("no-result", "no-result")])
def test_match_without_a_winner_says_why(kind: str, outcome: str) -> None:
    user = make_user()
    table = make_match([user, *make_users(3)])
    rewrite(Table.objects.filter(pk=table.pk), result_kind=kind, winner=None)

    assert history(user).matches[0].outcome == outcome


def test_scores_have_a_true_minus_and_are_isolated(client: Client) -> None:
    user = make_user()
    rewrite(Table.objects.filter(pk=make_match([user, *make_users(3)]).pk), score=[-12, 31], winner=1)
    page = profile(client, user)

    assert '<span class="score" dir="ltr">\u221212</span>' in page
    assert ">-12<" not in page


def test_statistics_count_matches_and_the_contracts_of_the_side() -> None:
    user = make_user()
    table = make_match([make_user(), user, *make_users(2)])
    rewrite(Table.objects.filter(pk=table.pk), winner=1)
    lost = make_match([user, *make_users(3)])
    rewrite(Table.objects.filter(pk=lost.pk), winner=1)
    erase(Deal.objects.all())
    changes = [(table, [0, 9]), (table, [7, -8]), (table, [-7, 8]), (table, None), (lost, [10, 0])]
    for index, (owner, change) in enumerate(changes):
        Deal.objects.create(
            table=owner, index=index, version=index, dealer=0, deck="", finished=True, change=change
        )

    # In the first match he sits on side 1: one contract made, one failed; in the other on side 0: one made.
    assert statistics(user) == Statistics(played=2, won=1, contracts=3, made=2)


def test_statistics_of_a_newcomer_are_zero() -> None:
    found = statistics(make_user())

    assert (found, found.won_percent, found.made_percent) == (Statistics(0, 0, 0, 0), 0, 0)


@pytest.mark.parametrize(
    ("page", "first"), [("1", "M20"), ("2", "M00"), ("99", "M00"), ("x", "M20"), ("", "M20")]
)
def test_history_has_pages(client: Client, page: str, first: str) -> None:
    user = make_user()
    for number in range(MATCHES_A_PAGE + 1):
        facts = {
            "phase": "over",
            "result_kind": "target",
            "winner": 0,
            "ended_at": NOON + timedelta(hours=number),
        }
        seat_user(make_table(code=f"M{number:02d}", **facts), 0, user)

    assert replays(profile(client, user, page=page))[0] == first


def test_profile_asks_the_same_number_of_queries_for_one_match_as_for_three(client: Client) -> None:
    user = make_user()
    client.force_login(user)
    counts = []
    for _ in range(3):
        make_match([user, *make_users(3)])
        with CaptureQueriesContext(connection) as queries:
            profile(client, user)
        counts.append(len(queries))

    assert counts[0] == counts[2]
    assert counts[0] <= 9


def test_own_empty_profile_says_what_to_do(client: Client) -> None:
    user = make_user(language="en")
    client.force_login(user)

    assert "You have not finished a match yet." in profile(client, user)

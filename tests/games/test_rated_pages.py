import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Attendance, Pair, Rating, Sanction, SeasonRating, User
from games import boards
from games.boards import Choice
from games.models import Visibility
from games.services.reliability import reliability_of
from games.strength import Strength, known_until, least, points, season_of
from tests.factories import make_table, make_user, make_users, seat_user
from tests.games.rated import played, rate

pytestmark = pytest.mark.django_db
NOW = timezone.now()
SEASON = season_of(NOW)


def rated(who: User | Pair, mu: float = 25, *, sigma: float = 2, matches: int = 30, **more) -> Rating:
    """A rating as a row, and the same as that of this season."""
    strength, last_at = Strength(mu, sigma), more.pop("last_at", NOW)
    whose = {"pair": who} if isinstance(who, Pair) else {"user": who}
    facts = {
        "mu": mu,
        "sigma": sigma,
        "points": points(strength),
        "least": least(strength),
        "matches": matches,
        "last_at": last_at,
    }
    what = {"ruleset": "kotchina", "speed": "all"} | more
    rating = Rating.objects.create(
        **whose, **what, **facts, known_until=known_until(strength, matches, last_at)
    )
    SeasonRating.objects.create(
        rating=rating, season=SEASON, is_pair="pair" in whose, gained=7, listed=matches >= 10, **what, **facts
    )
    return rating


def make_pair(first: User, second: User) -> Pair:
    return Pair.objects.create(first=first, second=second, made_at=NOW)


def names(choice: Choice, reader: User | None = None) -> list[str]:
    return [str(row.who) for row in boards.board(choice, 1, reader, NOW).rows]


@pytest.mark.parametrize("season", ["", SEASON])
def test_boards_list_by_what_is_certain_and_only_who_is_known(season):
    strong, sure, unsure, few, guest, closed, inactive = make_users(7)
    rated(strong, 30, sigma=5)
    rated(sure, 28, sigma=1)
    rated(guest, 40)
    rated(closed, 40)
    rated(inactive, 40)
    rated(make_user(), 40, ruleset="classic")
    rated(make_user(), 40, speed="fast")
    if not season:
        rated(unsure, 40, sigma=7)
        rated(few, 40, matches=9)
    User.objects.filter(pk=guest.pk).update(is_guest=True)
    User.objects.filter(pk=closed.pk).update(closed_at=NOW)
    User.objects.filter(pk=inactive.pk).update(is_active=False)

    assert names(Choice(season=season)) == [sure.username, strong.username]


def test_who_does_not_play_is_listed_no_more_once_nobody_knows():
    there, gone = make_users(2)
    rated(there, last_at=NOW - timedelta(days=600))
    rated(gone, last_at=NOW - timedelta(days=800))

    assert names(Choice()) == [there.username]
    [row] = boards.board(Choice(), 1, None, NOW).rows
    assert (row.points, row.margin) == (1500, 233)


def test_the_reader_finds_the_own_place_wherever_it_is(client: Client):
    users = make_users(60)
    for number, user in enumerate(users):
        rated(user, 30 - number / 10)
    equal = make_user()
    rated(equal, 30 - 55 / 10)

    page = boards.board(Choice(), 1, users[55], NOW)
    assert (len(page.rows), page.own and page.own.place, any(row.is_own for row in page.rows)) == (
        50,
        56,
        False,
    )
    assert boards.board(Choice(), 2, equal, NOW).own.place == 57
    assert boards.board(Choice(season=SEASON), 1, users[55], NOW).own.place == 56
    assert boards.board(Choice(), 1, make_user(), NOW).own is None
    User.objects.filter(pk=users[55].pk).update(language="en")
    client.force_login(users[55])
    assert "in place 56" in client.get("/ratings/", headers={"accept-language": "en"}).content.decode()


def test_pairs_have_boards_of_their_own_without_closed_accounts():
    one, two, three, closed = make_users(4)
    rated(make_pair(one, two), 28)
    rated(make_pair(two, three), 30)
    rated(make_pair(three, closed), 40)
    User.objects.filter(pk=closed.pk).update(closed_at=NOW)

    choice = Choice(kind="pairs")
    assert names(choice) == [f"{two} + {three}", f"{one} + {two}"]
    assert boards.board(choice, 1, one, NOW).own.place == 2
    assert names(Choice(kind="pairs", season=SEASON)) == names(choice)


@pytest.mark.parametrize("season", ["", SEASON])
def test_a_club_is_as_strong_as_its_four_best_however_its_name_is_spelled(season):
    for number in range(5):
        user = make_user()
        rated(user, 25 + number)
        User.objects.filter(pk=user.pk).update(
            club="النادي" if number else "النادى", club_key="key", country="SY"
        )
    for _ in range(3):
        user = make_user()
        rated(user, 40)
        User.objects.filter(pk=user.pk).update(club="Few", club_key="few", country="EG")

    found = boards.board(Choice(kind="clubs", season=season), 1, None, NOW).teams
    mean = round(sum(least(Strength(25 + number, 2)) for number in (1, 2, 3, 4)) / 4)
    assert [(team.name, team.least, team.members) for team in found] == [("النادي", mean, 5)]
    [country] = boards.board(Choice(kind="countries", season=season), 1, None, NOW).teams
    assert (country.least, country.members) == (mean, 5)


@pytest.mark.parametrize("kind", boards.KINDS)
@pytest.mark.parametrize("season", ["", SEASON])
def test_a_board_costs_the_same_whoever_is_listed(client: Client, kind, season):
    def cost() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert client.get(f"/ratings/?kind={kind}&season={season}").status_code == 200
        return len(asked)

    users = make_users(8)
    User.objects.update(club="x", club_key="x", country="SY")
    for user in users[:4]:
        rated(user)
    rated(make_pair(users[0], users[1]))
    first = cost()
    for user in users[4:]:
        rated(user)
    rated(make_pair(users[2], users[3]))
    assert cost() == first


@pytest.mark.parametrize(
    "query", ["kind=x&ruleset=y&speed=z&season=1-1&page=zz", "page=-4", "season=2026-9", "page=99999"]
)
def test_any_address_of_a_board_is_a_page(client: Client, query):
    assert client.get(f"/ratings/?{query}").status_code == 200


def test_the_board_uses_its_index():
    users = make_users(3)
    for user in users:
        rated(user)
    with connection.cursor() as cursor:
        cursor.execute("set local enable_seqscan = off")
        cursor.execute("set local enable_sort = off")
        rows = boards._ordered(Choice(), NOW)[:50]
        plan = rows.explain()
    assert "rating_players" in plan


def test_profile_shows_ratings_to_all_and_reliability_to_the_player_alone(client: Client):
    four = make_users(4)
    for number in range(3):
        played(four, ended_at=NOW - timedelta(days=number + 1), idle=[3, 0, 0, 0])
    rate(NOW)
    address = four[0].get_absolute_url()

    stranger = client.get(address, headers={"accept-language": "en"}).content.decode()
    shown = [Rating.objects.get(user=four[0], speed=speed).points for speed in ("all", "normal")]
    assert re.findall(r"<strong>(\d{4})</strong>", stranger) == [str(number) for number in shown]
    assert "plot-way" in stranger
    assert f"/pairs/{Pair.objects.get(first=four[0]).pk}/" in stranger
    assert "Reliability" not in stranger
    client.force_login(four[1])
    assert "42" not in re.findall(r'reliability-score">(\d+)', client.get(address).content.decode())
    client.force_login(four[0])
    own = client.get(address, headers={"accept-language": "en"}).content.decode()
    assert re.findall(r'reliability-score">(\d+)', own) == [str(reliability_of(four[0], NOW).score)]


def test_a_profile_costs_the_same_whatever_was_played(client: Client):
    four = make_users(4)

    def cost() -> int:
        with CaptureQueriesContext(connection) as asked:
            client.get(four[0].get_absolute_url())
        return len(asked)

    played(four, ended_at=NOW - timedelta(days=9))
    rate(NOW)
    cost()
    first = cost()
    for number in range(5):
        played([four[0], *make_users(3)], ended_at=NOW - timedelta(days=number), ruleset="classic")
    rate(NOW)
    assert cost() == first


def test_a_pair_has_a_page_and_closing_an_account_takes_it_away(client: Client):
    four = make_users(4)
    played(four, winner=0)
    rate(NOW)
    pair = Pair.objects.get(first=four[0])

    page = client.get(f"/pairs/{pair.pk}/").content.decode()
    assert [name in page for name in (four[0].username, four[2].username, "plot-way")] == [True] * 3
    User.objects.filter(pk=four[2].pk).update(closed_at=NOW)
    assert (client.get(f"/pairs/{pair.pk}/").status_code, client.get("/pairs/999999/").status_code) == (
        404,
        404,
    )


def test_ones_own_standing_is_for_oneself_and_takes_an_appeal(client: Client):
    user, other = make_user(language="en"), make_user()
    ban = Sanction.objects.create(
        user=user, scope="play", reason_ar="سبب", reason_en="Because", at=NOW, until=NOW + timedelta(hours=1)
    )
    Attendance.objects.create(user=user, table_number=1, table_code="ABC", conduct="left", at=NOW)
    assert client.get("/standing/").status_code == 302
    client.force_login(other)
    assert "Because" not in client.get("/standing/").content.decode()
    assert client.post(f"/standing/{ban.pk}/appeal/", {"text": "x"}).status_code == 404

    client.force_login(user)
    page = client.get("/standing/", headers={"accept-language": "en"}).content.decode()
    assert ("Because" in page, "ABC" in page, "left in the middle" in page) == (True, True, True)
    assert client.post(f"/standing/{ban.pk}/appeal/", {"text": "My line"}).status_code == 302
    ban.refresh_from_db()
    assert ban.appeal == "My line"
    again = client.post(f"/standing/{ban.pk}/appeal/", {"text": "x"}, follow=True)
    assert "My line" in again.content.decode()
    assert client.get(f"/standing/{ban.pk}/appeal/").status_code == 405


def test_a_table_for_the_reliable_turns_others_away(client: Client):
    host, steady, shaky = make_user(), make_user(), make_user(language="en")
    Attendance.objects.create(user=shaky, table_number=1, table_code="ABC", conduct="left", at=NOW)
    client.force_login(host)
    told = {
        "ruleset": "kotchina",
        "target": "31",
        "speed": "normal",
        "visibility": "public",
        "min_reliability": "85",
    }
    code = client.post("/tables/new/", told).url.split("/")[2]
    client.force_login(shaky)
    page = client.post(f"/tables/{code}/sit/", {"seat": "0"}, headers={"accept-language": "en"})
    assert (page.status_code, "Your reliability is lower" in page.content.decode()) == (400, True)
    client.force_login(steady)
    assert client.post(f"/tables/{code}/sit/", {"seat": "0"}).status_code == 302


DOORS = {
    "/play/": {"ruleset": "kotchina", "speed": "normal"},
    "/tables/new/": {"ruleset": "kotchina", "target": "31", "speed": "normal", "visibility": "public"},
    "sit": {"seat": "1"},
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(("language", "words"), [("en", "for 60 minutes: Because"), ("ar", "سبب واضح")])
def test_who_is_banned_is_told_why_at_every_door(client: Client, door, language, words):
    user = make_user(language=language)
    Sanction.objects.create(
        user=user,
        scope="play",
        reason_ar="سبب واضح",
        reason_en="Because",
        at=NOW,
        until=timezone.now() + timedelta(minutes=60) - timedelta(seconds=1),
    )
    client.force_login(user)
    address = f"/tables/{make_table(code='OPEN').code}/sit/" if door == "sit" else door

    answer = client.post(address, DOORS[door], headers={"accept-language": language})
    assert (answer.status_code, words in answer.content.decode()) == (400, True)


def test_a_ban_does_not_reach_a_match_in_play_nor_bots(client: Client):
    user = make_user()
    Sanction.objects.create(user=user, scope="play", reason_ar="س", reason_en="r", at=NOW)
    client.force_login(user)

    assert client.post("/play/bots/", {}).url.startswith("/tables/")


def test_who_is_banned_while_sitting_loses_the_seat_at_the_start(client: Client):
    users = make_users(4)
    table = make_table(code="WAIT", visibility=Visibility.PUBLIC)
    for number in range(3):
        seat_user(table, number, users[number])
    Sanction.objects.create(user=users[1], scope="play", reason_ar="س", reason_en="r", at=NOW)
    client.force_login(users[3])
    client.post("/tables/WAIT/sit/", {"seat": "3"})

    table.refresh_from_db()
    seats = [seat.user_id for seat in table.seats.order_by("number")]
    assert (table.phase, seats) == ("waiting", [users[0].pk, None, users[2].pk, users[3].pk])

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.models import Invitation, Phase, Seek, Table, Visibility
from games.pages import lobby
from tests.factories import NOON, make_table, make_user, make_users, seat_user
from tests.games.matches import make_match, make_match_in_play

pytestmark = pytest.mark.django_db
LOBBY = reverse("lobby")


def codes(response: object) -> list[str]:
    """The tables of a page in the order shown."""
    return re.findall(r'data-table="(\w+)"', response.content.decode())  # type: ignore[attr-defined]


def log_in(client: Client, user: User) -> None:
    client.force_login(user)


def test_lobby_lists_public_tables_that_wait_and_those_in_play(client: Client) -> None:
    make_table(code="OPEN")
    make_table(code="HIDDEN", visibility=Visibility.LINK)
    make_table(code="CLOSED", phase=Phase.OVER)
    make_match_in_play(make_users(4), code="PLAYED", seed="2")
    make_match(make_users(4), code="ENDED")

    assert codes(client.get(LOBBY)) == ["OPEN", "PLAYED"]


def test_own_tables_come_first_those_by_link_too(client: Client) -> None:
    user = make_user()
    make_table(code="OTHER")
    seat_user(make_table(code="SEATED", visibility=Visibility.LINK), 3, user)
    make_table(code="HOSTED", host=user)
    log_in(client, user)

    assert sorted(codes(client.get(LOBBY))[:2]) == ["HOSTED", "SEATED"]
    assert codes(client.get(LOBBY))[2:] == ["OTHER"]


def test_finished_and_closed_tables_are_nobodys_own() -> None:
    user = make_user()
    make_table(host=user, phase=Phase.OVER)
    make_match([user, *make_users(3)])

    assert lobby(user).mine == []


def test_filter_by_ruleset_stays_without_its_address(client: Client) -> None:
    make_table(code="KINGS", ruleset="kings")
    make_table(code="KOTCHINA")

    assert codes(client.get(LOBBY, {"ruleset": "kings"})) == ["KINGS"]
    assert codes(client.get(LOBBY)) == ["KINGS"]
    assert sorted(codes(client.get(LOBBY, {"ruleset": ""}))) == ["KINGS", "KOTCHINA"]
    assert sorted(codes(client.get(LOBBY))) == ["KINGS", "KOTCHINA"]


def test_unknown_ruleset_filters_nothing(client: Client) -> None:
    make_table(code="OPEN")

    assert codes(client.get(LOBBY, {"ruleset": "bridge"})) == ["OPEN"]


def test_list_alone_leaves_the_remembered_filter_as_it_is(client: Client) -> None:
    make_table(code="KINGS", ruleset="kings")
    make_table(code="KOTCHINA")
    client.get(LOBBY, {"ruleset": "kings"})

    fragment = client.get(LOBBY, {"part": "tables", "ruleset": "kotchina"})

    assert codes(fragment) == ["KOTCHINA"]
    assert "<html" not in fragment.content.decode()
    assert codes(client.get(LOBBY)) == ["KINGS"]


def test_empty_lobby_says_what_to_do(client: Client) -> None:
    client.cookies["django_language"] = "en"

    assert "Open a table: send the link to friends" in client.get(LOBBY).content.decode()


def play_url(client: Client) -> str:
    found = re.search(r'id="play-url" value="([^"]+)"', client.get(LOBBY).content.decode())
    assert found is not None
    return found[1]


def test_play_leads_to_what_is_most_urgent(client: Client) -> None:
    user = make_user()
    log_in(client, user)
    steps = []

    seat_user(make_table(code="OTHERS"), 0, make_user())
    steps.append(play_url(client))
    make_table(code="HOSTED", host=user)
    steps.append(play_url(client))
    make_match_in_play([user, None, None, None], code="MINE", seed="2")
    steps.append(play_url(client))

    assert steps == ["/play/", "/tables/HOSTED/", "/tables/MINE/"]


@pytest.fixture
def assorted() -> None:
    """A table of each kind, waiting, and one that is played."""
    make_table(code="FAST", call_seconds=10, turn_seconds=8, bank_seconds=30)
    make_table(code="SLOW", call_seconds=45, turn_seconds=30, bank_seconds=180, ruleset="kings")
    rated = make_table(code="RATED", turn_seconds=20, rated=True)
    for number, user in enumerate(make_users(2)):
        seat_user(rated, number, user)
    make_table(code="EGYPT", ruleset="egyptian", turn_seconds=8, call_seconds=10)
    make_match_in_play(make_users(4), code="PLAYED", seed="2")


@pytest.mark.parametrize(
    ("filters", "listed"),
    [
        ({}, ["EGYPT", "FAST", "PLAYED", "RATED", "SLOW"]),
        ({"ruleset": "kings"}, ["SLOW"]),
        ({"speed": "fast"}, ["FAST"]),
        ({"speed": "slow"}, ["SLOW"]),
        ({"speed": "normal"}, []),
        ({"speed": "custom"}, ["EGYPT", "PLAYED", "RATED"]),
        ({"rated": "1"}, ["RATED"]),
        ({"rated": "0"}, ["EGYPT", "FAST", "PLAYED", "SLOW"]),
        ({"free": "2"}, ["EGYPT", "FAST", "PLAYED", "RATED", "SLOW"]),
        ({"free": "3"}, ["EGYPT", "FAST", "PLAYED", "SLOW"]),
        ({"ruleset": "kotchina", "speed": "custom", "rated": "1"}, ["RATED"]),
        # Whatever else stands in an address filters nothing.
        (
            {"speed": "warp", "rated": "x", "free": "9", "more": "1"},
            ["EGYPT", "FAST", "PLAYED", "RATED", "SLOW"],
        ),
    ],
)
def test_filters_choose_and_stay(
    client: Client, assorted: None, filters: dict[str, str], listed: list[str]
) -> None:
    with_address = codes(client.get(LOBBY, {"ruleset": ""} | filters))
    without = codes(client.get(LOBBY))

    assert (sorted(with_address), sorted(without)) == (listed, listed)


def test_filters_are_kept_by_each_others_links(client: Client, assorted: None) -> None:
    page = client.get(LOBBY, {"ruleset": "kings", "speed": "slow", "free": "2"}).content.decode()

    assert 'href="?ruleset=classic&amp;speed=slow&amp;rated=&amp;free=2"' in page
    assert 'data-list="/tables/?part=tables&amp;ruleset=kings&amp;speed=slow&amp;rated=&amp;free=2"' in page


def test_own_tables_are_listed_whatever_the_filters(client: Client) -> None:
    user = make_user()
    seat_user(make_table(code="OWN", ruleset="classic"), 0, user)
    log_in(client, user)

    assert codes(client.get(LOBBY, {"ruleset": "kings", "rated": "1"})) == ["OWN"]


def test_a_table_that_waits_says_when_it_closes(client: Client) -> None:
    user = make_user()
    seat_user(make_table(due_at=NOON), 0, user)
    log_in(client, user)

    assert f'<time datetime="{NOON.isoformat()}" data-ago>' in client.get(LOBBY).content.decode()


def test_invitations_stand_above_the_tables_until_the_table_starts(client: Client) -> None:
    host, user = make_users(2)
    table = make_table(host=host)
    invitation = Invitation.objects.create(table=table, by=host, to=user, created_at=NOON)
    log_in(client, user)
    accept = f'action="/invitations/{invitation.pk}/accept/"'
    shown = [accept in client.get(path).content.decode() for path in (LOBBY, "/")]
    Table.objects.update(phase=Phase.DEAL)
    after = [accept in client.get(path).content.decode() for path in (LOBBY, "/")]

    assert (shown, after) == ([True, True], [False, False])


def test_lobby_says_how_many_look_for_a_match(client: Client) -> None:
    now = timezone.now()
    one, partner, other, gone = make_users(4)
    fields = {"ruleset": "kotchina", "speed": "fast", "created_at": now, "seen_at": now}
    Seek.objects.create(user=one, partner=partner, **fields)
    Seek.objects.create(user=other, **fields)
    Seek.objects.create(user=gone, **(fields | {"seen_at": now - timedelta(seconds=20)}))

    client.cookies["django_language"] = "en"
    assert "3 players look for a match right now" in client.get(LOBBY).content.decode()


def test_open_seats_offer_to_sit_where_one_may(client: Client) -> None:
    make_table(code="OPEN")
    seat = f'action="{reverse("table_sit", args=["OPEN"])}"'
    login = '/accounts/login/?next=/tables/OPEN/"'

    anonymous = client.get(LOBBY).content.decode()
    log_in(client, make_user())
    logged_in = client.get(LOBBY).content.decode()

    assert (anonymous.count(seat), anonymous.count(login)) == (0, 4)
    assert (logged_in.count(seat), logged_in.count(login)) == (4, 0)


@pytest.mark.parametrize("name", ["نسر12", "<b>7up"])
def test_names_are_isolated_and_escaped(client: Client, name: str) -> None:
    user = make_user("placeholder")
    User.objects.filter(pk=user.pk).update(username=name)
    seat_user(make_table(), 0, user)

    page = client.get(LOBBY).content.decode()

    assert f"<bdi>{name.replace('<', '&lt;').replace('>', '&gt;')}</bdi>" in page
    assert "<b>7up" not in page


def test_lobby_asks_the_same_number_of_queries_for_one_table_as_for_three(
    client: Client,
) -> None:
    user = make_user()
    log_in(client, user)
    counts = []
    for _ in range(3):
        seat_user(make_table(), 0, make_user())
        seat_user(make_table(host=user), 0, user)
        make_match_in_play(make_users(4), seed="2")
        counts.append(queries_of(client, LOBBY))

    assert counts[0] == counts[2]
    assert counts[0] <= 12


def queries_of(client: Client, url: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(url).status_code == 200
    return len(queries)


def test_table_made_by_a_tournament_shows_its_title(client: Client) -> None:
    Table.objects.filter(pk=make_match_in_play(make_users(4), seed="2").pk).update(title="بطولة رمضان")

    assert '<bdi class="lobby-title">بطولة رمضان</bdi>' in client.get(LOBBY).content.decode()

"""The list of live tables, and the way to wherever a player plays."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import WHOLE_DEAL, Deal, Event, EventKind, Phase, Table, Visibility
from games.spectating import SoFar, live_tables, table_of
from tests.factories import NOON, make_table, make_user, make_users, seat_user
from tests.games.matches import make_match, make_match_in_play

pytestmark = pytest.mark.django_db
WATCH = reverse("watch")


def codes(response: object) -> list[str]:
    """The tables of a page in the order shown."""
    return re.findall(r'data-table="(\w+)"', response.content.decode())  # type: ignore[attr-defined]


def in_play(code: str, **more: object) -> Table:
    """A table in play whose cards no other one has."""
    return make_table(code=code, phase=Phase.PLAY, **more)


def called(table: Table, *calls: tuple[int, str]) -> None:
    """A deal at a table, and what was said in it so far."""
    deal = Deal.objects.create(table=table, index=0, version=10, dealer=3, deck="")
    for number, (seat, code) in enumerate(calls, deal.version + 1):
        Event.objects.create(table=table, version=number, kind=EventKind.ACT, seat=seat, code=code, at=NOON)


def test_public_tables_in_play_are_listed_the_latest_first(client: Client) -> None:
    in_play("EARLY", started_at=NOON)
    in_play("LATE", started_at=NOON + timedelta(minutes=1))
    in_play("HIDDEN", visibility=Visibility.LINK)
    make_table(code="WAITS")
    make_match(make_users(4), code="ENDED")

    assert codes(client.get(WATCH)) == ["LATE", "EARLY"]


def test_a_reader_is_not_told_to_watch_a_table_where_he_sits(client: Client) -> None:
    user = make_user()
    seat_user(in_play("OWN"), 2, user)
    in_play("OTHER")
    client.force_login(user)

    assert codes(client.get(WATCH)) == ["OTHER"]


def test_the_list_is_filtered_by_ruleset(client: Client) -> None:
    in_play("KINGS", ruleset="kings")
    in_play("KOTCHINA")

    listed = [codes(client.get(f"{WATCH}?ruleset={ruleset}")) for ruleset in ("kings", "classic", "nonsense")]

    assert [sorted(found) for found in listed] == [["KINGS"], [], ["KINGS", "KOTCHINA"]]


def test_the_part_alone_is_the_list_and_nothing_else(client: Client) -> None:
    in_play("PART")
    part = client.get(f"{WATCH}?part=list")

    assert (codes(part), part.templates[0].name) == (["PART"], "games/watch_list.html")
    assert "<html" not in part.content.decode()


@pytest.mark.parametrize(
    ("calls", "contract"),
    [
        ([], None),
        ([(0, "p"), (1, "p")], None),
        ([(0, "b7"), (1, "p"), (2, "b9")], SoFar(2, 9)),
        ([(0, "b7"), (1, "b10"), (1, "tH"), (1, "AS"), (2, "TC")], SoFar(1, 10, "H")),
        ([(0, "b8S"), (1, "x")], SoFar(0, 8, "S", 2)),
        ([(0, "b8N"), (1, "x"), (2, "xx")], SoFar(0, 8, "N", 4)),
        ([(0, "b8S"), (1, "x"), (1, "b9D")], SoFar(1, 9, "D")),
    ],
)
def test_the_standing_bid_is_read_from_what_was_called(calls, contract) -> None:
    called(in_play("CALLED"), *calls)

    assert live_tables(None)[0].contract == contract


def test_the_contract_is_that_of_the_last_deal_and_none_between_deals() -> None:
    table = in_play("CALLED")
    called(table, (0, "b7"))
    assert live_tables(None)[0].contract == SoFar(0, 7)
    Deal.objects.create(table=table, index=1, version=50, dealer=0, deck="")
    assert live_tables(None)[0].contract is None
    Deal.objects.filter(table=table, index=1).delete()
    Table.objects.filter(pk=table.pk).update(phase=Phase.DEAL)
    assert live_tables(None)[0].contract is None


@pytest.mark.parametrize("delay", [10, WHOLE_DEAL])
def test_what_spectators_may_not_know_yet_is_not_listed(client: Client, delay) -> None:
    called(in_play("DELAY", watch_delay=delay, score=[27, -9], counted=3), (0, "b11"))
    texts = [client.get(WATCH).content.decode(), client.get(reverse("lobby")).content.decode()]

    assert [
        [word for word in (">27<", "−9", "b11", ">11 ", "rounds: 3") if word in text] for text in texts
    ] == [[], []]


def test_of_tables_with_the_same_cards_nothing_is_told_before_all_are_over(client: Client) -> None:
    in_play("ONE", commitment="same", score=[27, 0])
    other = in_play("OTHER", commitment="same", score=[5, 0])
    assert [row.is_delayed for row in live_tables(None)] == [True, True]
    Table.objects.filter(pk=other.pk).update(phase=Phase.OVER)
    assert [row.sides[0][1] for row in live_tables(None)] == [27]


def test_the_number_of_queries_does_not_grow_with_the_tables(client: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            client.get(WATCH)
        return len(captured)

    make_match_in_play(make_users(4), code="FIRST", seed="1")
    one = queries()
    for number in (2, 3):
        make_match_in_play(make_users(4), code=f"NEXT{number}", seed=str(number))
    assert (queries(), len(live_tables(None))) == (one, 3)


def test_following_leads_to_the_public_table_where_a_player_plays(client: Client) -> None:
    player = make_user("Salma")
    for code, more in (
        ("OLD", {"started_at": NOON}),
        ("NEW", {"started_at": NOON + timedelta(hours=1)}),
        ("LINK", {"started_at": NOON + timedelta(hours=2), "visibility": Visibility.LINK}),
    ):
        seat_user(in_play(code, **more), 1, player)
    seat_user(make_table(code="WAITS"), 1, player)
    found = client.get(reverse("follow", args=["salma"]))

    assert (found.status_code, found["Location"]) == (302, "/tables/NEW/?follow=Salma")
    assert client.get(reverse("follow", args=["Salma"]) + "?part=where").json() == {
        "table": "NEW",
        "address": "/tables/NEW/?follow=Salma",
    }


def test_who_plays_nowhere_in_public_is_waited_for(client: Client) -> None:
    player = make_user("Salma")
    seat_user(in_play("LINK", visibility=Visibility.LINK), 1, player)
    page = client.get(reverse("follow", args=["Salma"]))

    assert (page.status_code, 'data-follow="Salma"' in page.content.decode()) == (200, True)
    assert client.get(reverse("follow", args=["Salma"]) + "?part=where").json() == {
        "table": None,
        "address": None,
    }
    assert client.get(reverse("follow", args=["salma"]))["Location"] == reverse("follow", args=["Salma"])
    assert client.get(reverse("follow", args=["Nobody"])).status_code == 404
    assert table_of(player) is None


def test_a_profile_offers_to_follow_its_player_but_not_oneself(client: Client) -> None:
    player = make_user("Salma")
    address, link = reverse("player", args=["Salma"]), reverse("follow", args=["Salma"])
    assert link in client.get(address).content.decode()
    client.force_login(player)
    assert link not in client.get(address).content.decode()


def test_only_the_page_of_a_follower_follows(client: Client) -> None:
    in_play("TABLE")
    pages = [client.get(f"/tables/TABLE/{query}").content.decode() for query in ("", "?follow=Salma")]
    assert ["js/follow" in page for page in pages] == [False, True]

import json
import re
from datetime import timedelta

import pytest
from django.test import Client

from games.models import Deal, Event, Phase, Table
from games.queries import moments
from tests.factories import NOON, make_table, make_user, make_users
from tests.games.matches import make_match, make_match_in_play
from tests.tampering import erase, rewrite

pytestmark = pytest.mark.django_db


def data_of(page: str) -> dict[str, object]:
    found = re.search(r'<script id="replay-data" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


@pytest.fixture
def english(client: Client) -> Client:
    client.cookies["django_language"] = "en"
    return client


def test_replay_holds_every_deal_and_all_four_hands(english: Client) -> None:
    table = make_match([make_user("Layla"), None, make_user("Nour"), None], code="T1")
    data = data_of(english.get("/matches/T1/").content.decode())

    assert data["names"] == ["Layla", "Bot", "Nour", "Bot"]
    assert len(data["deals"]) == table.deals.count()
    assert [sorted(card for hand in deal["hands"] for card in hand) for deal in data["deals"]] == [
        sorted(deck.split()) for deck in table.deals.values_list("deck", flat=True)
    ]
    assert {step["ms"] for deal in data["deals"] for step in deal["steps"]} == {1200}
    assert {(step["seat"] % 2, step["by"]) for step in data["deals"][0]["steps"]} == {(0, "m"), (1, "b")}


def test_proof_is_shown_with_the_replay(english: Client) -> None:
    table = make_match(make_users(4), code="T1")
    page = english.get("/matches/T1/").content.decode()

    assert [value in page for value in (table.commitment, bytes(table.secret).hex(), table.salt)] == [
        True
    ] * 3


def test_names_cannot_break_out_of_the_data(english: Client) -> None:
    user = make_user()
    type(user).objects.filter(pk=user.pk).update(username="x<script>y")
    make_match([user, *make_users(3)], code="T1")
    page = english.get("/matches/T1/").content.decode()

    assert data_of(page)["names"][0] == "x<script>y"
    assert "x<script>" not in page


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        ({"result_kind": "target"}, "The target of 31 was reached."),
        ({"result_kind": "round-cap"}, "more points win."),
        ({"result_kind": "draw", "winner": None}, "with the sides level: a draw."),
        ({"result_kind": "no-result", "winner": None}, "closed without a result"),
    ],
)
def test_end_of_the_match_is_told_in_words(english: Client, facts: dict[str, object], sentence: str) -> None:
    table = make_match(make_users(4), code="T1")
    rewrite(type(table).objects.filter(pk=table.pk), **facts)

    assert sentence in english.get("/matches/T1/").content.decode()


def test_code_in_small_letters_leads_to_the_replay(english: Client) -> None:
    make_match(make_users(4), code="T1")

    assert english.get("/matches/t1/")["Location"] == "/matches/T1/"


@pytest.mark.parametrize("seed", ["1", "8"])
def test_replay_asks_the_same_number_of_queries_however_long_the_match(
    english: Client, seed: str, django_assert_num_queries: object
) -> None:
    make_match(make_users(4), code="T1", seed=seed)

    with django_assert_num_queries(8):
        english.get("/matches/T1/")


def test_reader_who_played_sits_at_the_bottom(english: Client) -> None:
    users = make_users(4)
    make_match(users, code="T1")
    english.force_login(users[2])

    assert 'data-bottom="2"' in english.get("/matches/T1/").content.decode()


def test_every_step_has_its_time(english: Client) -> None:
    make_match(make_users(4), code="T1")
    data = data_of(english.get("/matches/T1/").content.decode())
    acts = Event.objects.filter(table__code="T1", kind="act").order_by("version")

    assert [step["at"] for deal in data["deals"] for step in deal["steps"]] == [
        act.at.isoformat().replace("+00:00", "Z") for act in acts
    ]


def test_what_happened_beside_the_play_stands_where_it_happened(english: Client) -> None:
    table = make_table()
    told = (
        "sit",
        "start",
        "pause",
        "resume",
        "deal",
        "act",
        "sub",
        "act",
        "back",
        "deal",
        "last",
        "act",
        "close",
    )
    Event.objects.bulk_create(
        Event(table=table, version=version, kind=kind, seat=None, at=NOON + timedelta(seconds=version))
        for version, kind in enumerate(("leave", *told))
    )
    found = moments(table)

    assert [[(one["after"], one["kind"]) for one in deal.beside] for deal in found] == [
        [(0, "pause"), (0, "resume"), (1, "sub"), (2, "back")],
        [(0, "last"), (1, "close")],
    ]
    assert [len(deal.at) for deal in found] == [2, 1]


def stopped(**more: object) -> Table:
    """A match that was ended within its first deal."""
    table = make_match_in_play(make_users(4), code="T1", **more)
    Table.objects.filter(pk=table.pk).update(phase=Phase.OVER)
    return table


def test_a_tournaments_match_that_was_cut_short_can_be_looked_at(english: Client) -> None:
    table = stopped(title="Cup")
    page = english.get("/matches/T1/").content.decode()

    assert len(data_of(page)["deals"]) == 1
    assert "ended before its time" in page
    assert english.get(f"/tables/{table.code}/record/").status_code == 200


def test_a_tournaments_match_in_play_cannot_even_by_its_organisers(english: Client) -> None:
    make_match_in_play(make_users(4), code="T1", title="Cup")
    english.force_login(make_user(is_staff=True, is_superuser=True))

    answers = [english.get(url).status_code for url in ("/matches/T1/?deal=1&act=3", "/tables/T1/record/")]
    assert answers == [404, 404]


def test_a_tournaments_table_that_was_closed_before_a_deal_has_nothing_to_show(english: Client) -> None:
    stopped(title="Cup")
    erase(Deal.objects.all())

    assert english.get("/matches/T1/").status_code == 404


@pytest.mark.parametrize(
    ("asked", "leads_to"),
    [
        ("/tables/T1/?deal=3&act=17", "/matches/T1/?deal=3&act=17"),
        ("/tables/t1/?deal=3&act=17", "/matches/T1/?deal=3&act=17"),
        ("/matches/t1/?deal=3&act=17", "/matches/T1/?deal=3&act=17"),
        ("/matches/t1/?deal=3&act=<b>", "/matches/T1/?deal=3"),
    ],
)
def test_the_link_to_a_moment_leads_to_the_replay(english: Client, asked: str, leads_to: str) -> None:
    make_match(make_users(4), code="T1")

    assert english.get(asked)["Location"] == leads_to


def test_the_link_to_a_moment_of_a_match_in_play_leads_to_its_table(english: Client) -> None:
    make_match_in_play(make_users(4), code="T1")

    assert english.get("/tables/T1/?deal=1&act=3").status_code == 200


@pytest.mark.parametrize("reader", ["player", "other", "nobody"])
@pytest.mark.parametrize("door", ["/tables/T2/", "/matches/T1/"])
def test_the_four_players_alone_are_shown_the_way_to_the_referee(
    english: Client, reader: str, door: str
) -> None:
    users = make_users(5)
    make_match(users[:4], code="T1", call_url="/cup/call/")
    make_match_in_play(users[:4], code="T2", seed="2", call_url="/cup/call/")
    if reader != "nobody":
        english.force_login(users[0 if reader == "player" else 4])

    assert ("/cup/call/" in english.get(door).content.decode()) == (reader == "player")

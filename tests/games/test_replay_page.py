import json
import re

import pytest
from django.test import Client

from tests.factories import make_user, make_users
from tests.games.matches import make_match

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
    type(table).objects.filter(pk=table.pk).update(**facts)

    assert sentence in english.get("/matches/T1/").content.decode()


def test_code_in_small_letters_leads_to_the_replay(english: Client) -> None:
    make_match(make_users(4), code="T1")

    assert english.get("/matches/t1/")["Location"] == "/matches/T1/"


@pytest.mark.parametrize("seed", ["1", "8"])
def test_replay_asks_the_same_number_of_queries_however_long_the_match(
    english: Client, seed: str, django_assert_num_queries: object
) -> None:
    make_match(make_users(4), code="T1", seed=seed)

    with django_assert_num_queries(6):
        english.get("/matches/T1/")


def test_reader_who_played_sits_at_the_bottom(english: Client) -> None:
    users = make_users(4)
    make_match(users, code="T1")
    english.force_login(users[2])

    assert 'data-bottom="2"' in english.get("/matches/T1/").content.decode()

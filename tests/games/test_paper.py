import re

import pytest
from django.test import Client

from games.diagrams import Call, call_of, diagrams
from games.queries import record
from games.replays import Replay, replay_of
from tests.factories import make_user, make_users
from tests.games.matches import make_match, make_match_in_play

pytestmark = pytest.mark.django_db


@pytest.fixture
def english(client: Client) -> Client:
    client.cookies["django_language"] = "en"
    return client


def replay(ruleset: str = "egyptian") -> Replay:
    return replay_of(record(make_match(make_users(4), ruleset=ruleset, code="T1")))


@pytest.mark.parametrize(
    ("code", "call"),
    [
        ("p", Call("pass", "", "", "m")),
        ("b8", Call("bid", "8", "", "m")),
        ("b13N", Call("bid", "13", "N", "m")),
        ("x", Call("double", "", "", "m")),
        ("xx", Call("redouble", "", "", "m")),
        ("tH", Call("trump", "", "H", "m")),
        ("TD", Call("card", "10", "D", "m")),
    ],
)
def test_each_action_has_its_words(code: str, call: Call) -> None:
    assert call_of({"seat": 0, "code": code, "by": "m", "ms": None}) == call


@pytest.mark.parametrize("bottom", range(4))
def test_hands_lie_around_the_table_as_they_sat(bottom: int) -> None:
    for one, deal in zip(diagrams(drawn := replay(), bottom), drawn["deals"], strict=True):
        places = {hand.place: hand for hand in one.hands}

        assert [places[name].seat for name in ("bottom", "right", "top", "left")] == [
            (bottom + step) % 4 for step in range(4)
        ]
        assert [hand.seat for hand in one.hands if hand.is_dealer] == [deal["dealer"]]
        for hand in one.hands:
            cards = {
                ("T" if rank == "10" else rank) + held.suit for held in hand.holdings for rank in held.ranks
            }
            assert cards == set(deal["hands"][hand.seat])


def test_ranks_run_from_the_highest() -> None:
    for held in (held for one in diagrams(replay()) for hand in one.hands for held in hand.holdings):
        order = ["AKQJ".find(rank) if rank in "AKQJ" else 14 - int(rank) for rank in held.ranks]
        assert order == sorted(order)


@pytest.mark.parametrize("ruleset", ["kotchina", "kings"])
def test_calls_and_tricks_hold_every_action_in_its_column(ruleset: str) -> None:
    for one, deal in zip(diagrams(drawn := replay(ruleset)), drawn["deals"], strict=True):
        steps = deal["steps"]
        called = [(one.callers[i], call) for row in one.calls for i, call in enumerate(row) if call]
        played = sorted(
            (trick.number, one.players[i], call.text, call.suit)
            for trick in one.tricks
            for i, (call, _, _) in enumerate(trick.cards)
            if call
        )
        cards = [step for step in steps if call_of(step).kind == "card"]

        assert called == [
            (step["seat"], call_of(step)) for step in steps if call_of(step).kind not in ("card", "trump")
        ]
        assert played == sorted(
            (i // 4 + 1, step["seat"], call_of(step).text, call_of(step).suit) for i, step in enumerate(cards)
        )
        taken = [one.players[i] for trick in one.tricks for i, (_, _, won) in enumerate(trick.cards) if won]
        assert [sum(seat % 2 == side for seat in taken) for side in (0, 1)] == deal["tricks"]


def test_page_writes_out_every_card_without_a_script(english: Client) -> None:
    table = make_match([make_user("Layla"), None, *make_users(2)], code="T1")
    page = english.get("/matches/T1/print/").content.decode()

    assert page.count('class="deal-sheet"') == table.deals.count()
    assert page.count('class="diagram-rank"') == 52 * table.deals.count()
    assert page.count('aria-label="played by a bot"') == table.events.filter(by="b").count()


@pytest.mark.parametrize(("asked", "headings"), [("2", ["2"]), ("99", None), ("x", None)])
def test_one_deal_can_be_had_alone(english: Client, asked: str, headings: list[str] | None) -> None:
    table = make_match(make_users(4), code="T1")
    page = english.get("/matches/T1/print/", {"deal": asked}).content.decode()
    every = [str(number) for number in range(1, table.deals.count() + 1)]

    assert re.findall(r'id="deal-(\d+)"', page) == (headings or every)
    assert ("Score sheet" in page) == (headings is None)


def test_a_match_in_play_is_on_no_paper(english: Client) -> None:
    make_match_in_play(make_users(4), code="T1")

    assert english.get("/matches/T1/print/").status_code == 404


def test_replay_leads_to_the_paper_without_a_script(english: Client) -> None:
    make_match(make_users(4), code="T1")
    page = english.get("/matches/T1/").content.decode()
    noscript = re.search(r"<noscript>(.*?)</noscript>", page, re.DOTALL)

    assert noscript is not None
    assert 'href="/matches/T1/print/"' in noscript[1]

"""The match's part of the wire view, key by key."""

import json

import pytest

from games.rules.match import Match
from games.rules.ruleset import RULESETS, Options
from games.rules.seats import SEATS
from games.rules.views import public_part, seat_part, seat_view
from tests.games.rules.playing import A_SUIT_EACH, act_all, deck_dealing, match_in, play_deal

FULL_SUIT = [f"{rank}D" for rank in "23456789TJQKA"]


def test_public_part_before_the_first_deal() -> None:
    assert public_part(Match(RULESETS["kotchina"], dealer=3)) == {
        "phase": "deal",
        "turn": None,
        "dealer": 3,
        "deal": None,
        "calls": [],
        "contract": None,
        "trick": [],
        "last_trick": None,
        "tricks": [0, 0],
        "score": [0, 0],
        "changes": [],
        "counted": 0,
        "dead_run": 0,
        "result": None,
        "cards": [0, 0, 0, 0],
    }


def test_public_part_in_an_auction() -> None:
    match = act_all(match_in("kotchina", A_SUIT_EACH, dealer=3), "b7 p")
    assert public_part(match) == {
        "phase": "auction",
        "turn": 2,
        "dealer": 3,
        "deal": 0,
        "calls": [[0, "b7"], [1, "p"]],
        "contract": {"seat": 0, "bid": "b7", "trump": None, "doubled": 1},
        "trick": [],
        "last_trick": None,
        "tricks": [0, 0],
        "score": [0, 0],
        "changes": [],
        "counted": 0,
        "dead_run": 0,
        "result": None,
        "cards": [13, 13, 13, 13],
    }


def test_public_part_in_the_second_trick() -> None:
    match = act_all(match_in("kotchina", A_SUIT_EACH), "b7 p p p tD 2C 2D 2H 2S 3D 3H")
    assert public_part(match) == {
        "phase": "play",
        "turn": 0,
        "dealer": 0,
        "deal": 0,
        "calls": [[1, "b7"], [2, "p"], [3, "p"], [0, "p"]],
        "contract": {"seat": 1, "bid": "b7", "trump": "D", "doubled": 1},
        "trick": [[2, "3D"], [3, "3H"]],
        "last_trick": {"cards": [[1, "2C"], [2, "2D"], [3, "2H"], [0, "2S"]], "winner": 2},
        "tricks": [1, 0],
        "score": [0, 0],
        "changes": [],
        "counted": 0,
        "dead_run": 0,
        "result": None,
        "cards": [12, 12, 11, 11],
    }


def test_last_trick_keeps_its_winner_while_another_seat_is_winning_the_next() -> None:
    hands = {0: ["AS", "2H"], 1: ["3S", "AH"], 2: ["4S", "3H"], 3: ["5S", "4H"]}
    match = act_all(match_in("kotchina", deck_dealing(3, hands), dealer=3), "b7 p p p tC AS 3S 4S 5S 2H AH")
    assert public_part(match)["last_trick"] == {
        "cards": [[0, "AS"], [1, "3S"], [2, "4S"], [3, "5S"]],
        "winner": 0,
    }


def test_finished_deal_still_shows_its_calls_and_its_last_trick() -> None:
    match = act_all(match_in("kotchina", A_SUIT_EACH), "b7 p p p tD")
    while match.phase == "play":
        match.act(match.legal()[0])
    assert public_part(match) == {
        "phase": "deal",
        "turn": None,
        "dealer": 1,
        "deal": 0,
        "calls": [[1, "b7"], [2, "p"], [3, "p"], [0, "p"]],
        "contract": None,
        "trick": [],
        "last_trick": {"cards": [[2, "AD"], [3, "AH"], [0, "AS"], [1, "AC"]], "winner": 2},
        "tricks": [0, 0],
        "score": [13, -7],
        "changes": [[13, -7]],
        "counted": 1,
        "dead_run": 0,
        "result": None,
        "cards": [0, 0, 0, 0],
    }


def test_dead_deal_takes_the_hands_away() -> None:
    match = act_all(match_in("classic", A_SUIT_EACH), "p p p p")
    part = public_part(match)
    assert (part["phase"], part["dead_run"], part["cards"]) == ("deal", 1, [0, 0, 0, 0])
    assert [seat_part(match, seat) for seat in SEATS] == [{"hand": [], "legal": []}] * 4


def test_next_deal_clears_what_the_last_one_showed() -> None:
    match = act_all(match_in("classic", A_SUIT_EACH), "p p p p")
    match.start_deal(A_SUIT_EACH)
    part = public_part(match)
    assert (part["deal"], part["calls"], part["last_trick"]) == (1, [], None)


def test_result_of_a_finished_match() -> None:
    match = Match(RULESETS["kings"])
    match = play_deal(play_deal(match, 0, "b13", 13), 0, "b7", 7)
    part = public_part(match)
    assert (part["phase"], part["score"]) == ("over", [33, 0])
    assert part["result"] == {"kind": "target", "winner": 0, "advances": 0}


def test_seat_part_offers_only_in_turn() -> None:
    match = act_all(match_in("kotchina", A_SUIT_EACH), "b13")
    assert seat_part(match, 2) == {"hand": FULL_SUIT, "legal": ["p"]}
    assert seat_part(match, 1)["legal"] == []


@pytest.mark.parametrize(
    ("ruleset", "options", "changed"),
    [("kotchina", None, {}), ("egyptian", Options(redouble=True), {"redouble": True})],
)
def test_seat_view_is_both_parts_and_the_match_it_is(
    ruleset: str, options: Options | None, changed: dict[str, object]
) -> None:
    match = match_in(ruleset, A_SUIT_EACH, options=options)
    assert seat_view(match, 2) == {
        **public_part(match),
        "hand": FULL_SUIT,
        "legal": [],
        "ruleset": ruleset,
        "target": 31,
        "options": changed,
        "you": 2,
        "played": [],
    }


def test_seat_view_remembers_what_fell() -> None:
    match = act_all(match_in("kotchina", A_SUIT_EACH), "b7 p p p tD 2C 2D 2H 2S 3D 3H")
    assert seat_view(match, 0)["played"] == ["2C", "2D", "3D", "2H", "3H", "2S"]


def test_views_are_their_own_json() -> None:
    match = act_all(match_in("kotchina", A_SUIT_EACH), "b7 p p p tD 2C 2D 2H 2S 3D 3H")
    view = seat_view(match, 0)
    assert json.loads(json.dumps(view)) == view


def test_view_does_not_change_with_the_match() -> None:
    match = act_all(match_in("kotchina", A_SUIT_EACH), "b7 p p p tD 2C")
    view = json.dumps(public_part(match))
    shown = public_part(match)
    act_all(match, "2D 2H 2S 3D")
    assert json.dumps(shown) == view

"""One deal through the match's doors: phases, hands, tricks and every refusal."""

import pytest

from games.rules.actions import IllegalAction
from games.rules.cards import CODES
from games.rules.match import Match
from games.rules.ruleset import RULESETS
from games.rules.seats import SEATS
from tests.games.rules.playing import (
    A_SUIT_EACH,
    ANY_DECK,
    EVERY_CODE,
    act_all,
    deck_dealing,
    match_in,
    refusal,
    snapshot,
)

# Seat 0 deals; seat 1 declares. Seat 1 holds the clubs, seat 2 the diamonds, seat 3 the hearts, seat 0 the spades.
CLUBS_LEAD = "b7 p p p tS 2C"


def test_card_i_goes_to_the_seat_after_the_dealer_and_on() -> None:
    match = match_in("kotchina", list(range(52)), dealer=2)
    assert match.cards(3) == [CODES[card] for card in range(0, 52, 4)]
    assert match.cards(2) == [CODES[card] for card in range(3, 52, 4)]


@pytest.mark.parametrize("dealer", SEATS)
def test_player_after_the_dealer_speaks_first(dealer: int) -> None:
    assert match_in("kotchina", dealer=dealer).turn == (dealer + 1) % 4


def test_declarer_names_trump_and_leads() -> None:
    match = act_all(match_in("kotchina"), "p b7 p p p")
    assert (match.phase, match.turn, match.legal()) == ("trump", 2, ["tC", "tD", "tH", "tS"])
    match.act("tD")
    assert (match.phase, match.turn) == ("play", 2)
    assert match.contract == {"seat": 2, "bid": "b7", "trump": "D", "doubled": 1}


def test_egyptian_bid_brings_its_trump() -> None:
    match = act_all(match_in("egyptian"), "b7N")
    assert match.contract == {"seat": 1, "bid": "b7N", "trump": None, "doubled": 1}
    act_all(match, "x p p p")
    assert (match.phase, match.turn) == ("play", 1)
    assert match.contract == {"seat": 1, "bid": "b7N", "trump": "N", "doubled": 2}


def test_trick_goes_to_the_trump_and_its_winner_leads() -> None:
    match = act_all(match_in("kotchina", A_SUIT_EACH), f"{CLUBS_LEAD} 2D 2H 2S")
    assert (match.turn, match.tricks) == (0, [1, 0])
    assert match.shown_deal is not None
    assert (match.shown_deal.last_trick, match.shown_deal.trick) == (["2C", "2D", "2H", "2S"], [])


def test_thirteenth_trick_counts_for_its_winner() -> None:
    match = act_all(match_in("kotchina", A_SUIT_EACH), "b7 p p p tC")
    while match.phase == "play":
        match.act(match.legal()[0])
    assert (match.changes, match.score) == ([[0, 7]], [0, 7])
    assert match.finished_deal is not None
    assert match.finished_deal.tricks == [0, 13]


def test_all_thirteen_tricks_are_played_though_the_contract_is_made() -> None:
    match = act_all(match_in("kotchina", A_SUIT_EACH), "b7 p p p tC")
    for _ in range(4 * 12):
        match.act(match.legal()[0])
    assert (match.phase, match.tricks, len(match.cards(0))) == ("play", [0, 12], 1)


@pytest.mark.parametrize(
    ("ruleset", "acts", "code", "expected"),
    [
        ("kotchina", "b7 p p p", "AS", "wrong-phase"),
        ("kotchina", "b7 p p p", "b8", "wrong-phase"),
        ("kotchina", "b7 p p p", "b99", "wrong-phase"),
        ("kotchina", "b7 p p p", "p", "wrong-phase"),
        ("kotchina", "b7 p p p", "x", "wrong-phase"),
        ("kotchina", "b7 p p p", "tN", "malformed"),
        ("kotchina", "b7 p p p", "tX", "malformed"),
        ("kotchina", "b7 p p p tS", "tS", "wrong-phase"),
        ("kotchina", "b7 p p p tS", "p", "wrong-phase"),
        ("kotchina", "b7 p p p tS", "b13", "wrong-phase"),
        ("kotchina", "b7 p p p tS", "xx", "wrong-phase"),
        ("kotchina", "b7 p p p tS", "ZZ", "malformed"),
        ("kotchina", "b7 p p p tS", "ac", "malformed"),
        ("kotchina", "b7 p p p tS", "1C", "malformed"),
        ("kotchina", "b7 p p p tS", "10C", "malformed"),
        ("kotchina", "b7 p p p tS", "AC ", "malformed"),
        ("kotchina", "b7 p p p tS", "", "malformed"),
        ("kotchina", "b7 p p p tS", "2D", "card-not-held"),
        ("kotchina", "b7 p p p tS 2C 2D 2H 2S 3S", "2C", "card-not-held"),
        ("egyptian", "b7S p p p p", "tS", "wrong-phase"),
    ],
)
def test_act_is_refused_by_its_code(ruleset: str, acts: str, code: str, expected: str) -> None:
    assert refusal(act_all(match_in(ruleset, A_SUIT_EACH), acts), code) == expected


def test_trump_while_holding_the_led_suit_is_refused() -> None:
    """Seat 1 holds a king, a three and the ace of trumps, and seat 0 led their suit."""
    deal = deck_dealing(3, {0: ["9H"], 1: ["KH", "3H", "AS"]})
    match = act_all(match_in("kotchina", deal, dealer=3), "b7 p p p tS 9H")
    before = snapshot(match)
    with pytest.raises(IllegalAction) as refused:
        match.act("AS")
    assert refused.value.code == "must-follow-suit"
    assert refused.value.message == "seat 1 holds hearts and may not play AS"
    assert snapshot(match) == before
    assert {"KH", "3H"} <= set(match.legal())


def test_card_of_another_hand_is_not_held_though_it_would_not_follow_either() -> None:
    deal = deck_dealing(3, {0: ["9H"], 1: ["KH"], 2: ["AS"]})
    match = act_all(match_in("kotchina", deal, dealer=3), "b7 p p p tS 9H")
    assert refusal(match, "AS") == "card-not-held"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_everything_that_is_not_legal_is_refused_and_changes_nothing(ruleset: str) -> None:
    match = match_in(ruleset)
    step = 0
    while legal := match.legal():
        before = snapshot(match)
        for code in EVERY_CODE:
            assert (refusal(match, code) is None) == (code in legal), code
            if code not in legal:
                with pytest.raises(IllegalAction):
                    match.act(code)
        assert snapshot(match) == before
        match.act(legal[step * 7 % len(legal)])
        step += 1


def test_copy_goes_its_own_way() -> None:
    match = match_in("kotchina", ANY_DECK)
    while legal := match.legal():
        before, twin = snapshot(match), match.copy()
        assert snapshot(twin) == before
        twin.act(legal[-1])
        assert snapshot(match) == before
        match.act(legal[-1])
        assert snapshot(twin) == snapshot(match)


def test_nothing_can_be_done_before_the_first_deal() -> None:
    match = Match(RULESETS["kotchina"])
    assert (match.phase, match.turn, match.legal(), match.contract) == ("deal", None, [], None)
    assert refusal(match, "p") == "deal-over"

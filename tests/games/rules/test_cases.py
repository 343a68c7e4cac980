"""The worked cases of the rules (`cases.jsonl`), each through the public doors."""

import json
from pathlib import Path
from typing import Any

import pytest

from games.rules.cards import CARD, CODES, SUITS, by_suit
from games.rules.match import Match
from games.rules.players import timeout_action
from games.rules.ruleset import RULESETS, Ruleset
from games.rules.scoring import Result, outcome
from games.rules.seats import SEATS
from games.rules.tricks import playable, winner
from games.rules.views import SeatView, seat_view
from tests.games.rules.playing import (
    ANY_DECK,
    act_all,
    deck_dealing,
    finish_deal,
    match_in,
    play_deal,
    refusal,
)

Case = dict[str, Any]
CASES = [json.loads(line) for line in Path(__file__).with_name("cases.jsonl").read_text("utf-8").splitlines()]


def cases(kind: str) -> pytest.MarkDecorator:
    chosen = [case for case in CASES if case["kind"] == kind]
    return pytest.mark.parametrize("case", chosen, ids=[case["id"] for case in chosen])


def as_far_as(expect: Case, found: Case) -> Case:
    """Of what was found, as much as the case is about."""
    return {key: found[key] for key in expect}


def test_cases_are_all_here() -> None:
    assert [case["id"] for case in CASES] == [f"R{number:02d}" for number in range(1, 80)]


# ---- Scoring


@cases("scoring")
def test_scoring_case(case: Case) -> None:
    match = scored(case["ruleset"], case["given"])
    change = match.changes[0] if match.changes else match.score
    found = {"declarer": change[1], "defenders": change[0], "counted": match.counted == 1}
    assert found == case["expect"]


def scored(ruleset: str, given: Case) -> Match:
    """A match after its first deal, in which seat 1 declared if anybody did."""
    if given.get("all_pass"):
        return act_all(match_in(ruleset), ["p"] * 4)
    return play_deal(
        Match(RULESETS[ruleset]),
        1,
        f"b{given['bid']}{given.get('strain', '')}",
        given["declarer_tricks"],
        doubled=given.get("factor") == 2,
    )


# ---- Auction


@cases("auction")
def test_auction_case(case: Case) -> None:
    given, expect = case["given"], dict(case["expect"])
    match = Match(RULESETS[case["ruleset"]], dealer=given["dealer"])
    for calls in given.get("deals", []):
        match.start_deal(ANY_DECK)
        finish_deal(act_all(match, calls))
    if "calls" in given:
        match.start_deal(ANY_DECK)
        act_all(match, given["calls"])
    assert [code for code in expect.pop("accept", []) if refusal(match, code)] == []
    assert [code for code in expect.pop("reject", []) if not refusal(match, code)] == []
    assert as_far_as(expect, auction_facts(match)) == expect


def auction_facts(match: Match) -> Case:
    """What the auction cases speak about, in their words."""
    contract = match.contract or {"seat": None, "bid": None, "trump": None, "doubled": 1}
    trumps = match.legal() if match.phase == "trump" else [f"t{contract['trump']}"]
    return {
        "closed": match.phase != "auction",
        "dead": match.finished_deal is not None and match.finished_deal.contract is None,
        "declarer": contract["seat"],
        "contract": contract["bid"],
        "high": contract["bid"],
        "high_by": contract["seat"],
        "doubled": contract["doubled"] == 2,
        "turn": match.turn,
        "legal": match.legal(),
        "trump_choices": trumps,
        "leader": leader(match),
        "next_dealer": match.dealer,
        "dead_run": match.dead_run,
        "counted_rounds": match.counted,
        "table": "open" if match.result is None else {"no-result": "closed_no_result"}[match.result["kind"]],
    }


def leader(match: Match) -> int | None:
    begun = match.copy()
    if begun.phase == "trump":
        begun.act("tS")
    return begun.turn


# ---- Play


@cases("play")
def test_play_case(case: Case) -> None:
    expect = case["expect"]
    assert as_far_as(expect, play_facts(case["ruleset"], case["given"])) == expect


def play_facts(ruleset: str, given: Case) -> Case:
    """What the play cases speak about, in their words."""
    if "hand" in given:
        legal = playable(by_suit(CARD[code] for code in given["hand"]), SUITS.index(given["led"]))
        return {"legal": [code for code in given["hand"] if code in legal]}
    if "trick" in given:
        taker = winner([(seat, code) for seat, code in given["trick"]], given["trump"])
        return {"winner": taker, "next_leader": taker}
    if "deal" in given:
        return dealing_facts(match_in(ruleset, dealer=given["dealer"]))
    if "deck_ranks" in given:
        return {"deck_size": len(CODES), "ranks_high_to_low": [code[0] for code in CODES[:13]][::-1]}
    taken = given["tricks_so_far"]
    match = play_deal(Match(RULESETS[ruleset]), 0, f"b{given['bid']}", taken[0], stop_after=sum(taken))
    assert match.tricks == taken
    return {"hand_over": match.phase != "play", "tricks_left": len(match.cards(0))}


def dealing_facts(match: Match) -> Case:
    holder = {code: seat for seat in SEATS for code in match.cards(seat)}
    return {
        "first_card_to": holder[CODES[ANY_DECK[0]]],
        "last_card_to": holder[CODES[ANY_DECK[51]]],
        "cards_each": [len(match.cards(seat)) for seat in SEATS],
    }


# ---- The end of a match


@cases("match_end")
def test_match_end_case(case: Case) -> None:
    given, expect = case["given"], case["expect"]
    result, scores = end(RULESETS[case["ruleset"]], given)
    found = {"over": result is not None, "scores": scores, **in_words(result, given.get("tournament", False))}
    assert as_far_as(expect, found) == expect


def end(ruleset: Ruleset, given: Case) -> tuple[Result | None, list[int]]:
    scores = given["scores"]
    if "hand" not in given and "counted_rounds" not in given:  # totals that no play leads to
        return outcome(given["target"], ruleset.default_options, [scores], scores), scores
    match = played_to(ruleset, given)
    return match.result, match.score


def played_to(ruleset: Ruleset, given: Case) -> Match:
    """The match after its last counted round and the dead deals that followed."""
    hand = given.get("hand")
    before = list(given["scores"])
    if hand is None:
        hand = {"team": given.get("last_gainer", 0), "bid": 7, "declarer_tricks": 7}
        before[hand["team"]] -= 7
    counted_before = given.get("counted_rounds", 6) - 1
    match = Match.resume(
        ruleset,
        target=given.get("target", 31),
        options=ruleset.default_options,
        dealer=0,
        deals=counted_before,
        dead_run=0,
        score=before,
        changes=[[0, 0]] * counted_before,
    )
    match = play_deal(match, hand["team"], f"b{hand['bid']}", hand["declarer_tricks"])
    for _ in range(given.get("dead_run", 0)):
        match.start_deal(ANY_DECK)
        act_all(match, ["p"] * 4)
    return match


def in_words(result: Result | None, tournament: bool) -> Case:
    """A result in the words of the cases."""
    if result is None:
        return {}
    if result["kind"] == "no-result":
        return {"result": "no_result", "reason": "dead_table"}
    if result["kind"] == "draw" and tournament:
        return {"result": "qualify", "winner": result["advances"], "reason": "round_cap_tiebreak"}
    if result["kind"] == "draw":
        return {"result": "draw", "reason": "round_cap"}
    return {"result": "win", "winner": result["winner"], "reason": result["kind"].replace("-", "_")}


# ---- Time-outs


@cases("timeout")
def test_timeout_case(case: Case) -> None:
    assert timeout_action(timed_out(case["ruleset"], case["given"])) == case["expect"]["auto"]


def timed_out(ruleset: str, given: Case) -> SeatView:
    """What the seat whose time is up sees."""
    if given["phase"] == "bid":
        match = act_all(match_in(ruleset, dealer=given["dealer"]), given["calls"])
    elif given["phase"] == "trump":
        match = match_in(ruleset, deck_dealing(0, {1: given["hand"]}))
        act_all(match, ["b7", "p", "p", "p"])
    else:
        match = before_play(ruleset, given)
    assert match.turn is not None
    return seat_view(match, match.turn)


def before_play(ruleset: str, given: Case) -> Match:
    """Seat 1 leads the suit; seat 2 is to play, holding of that suit, of trumps and besides what the case names.

    The case names fewer than thirteen cards: high spades make up the hand, which change nothing.
    """
    hand = given["hand"]
    filling = [f"{rank}S" for rank in "AQJT98765" if f"{rank}S" not in hand][: 13 - len(hand)]
    lead = next(f"{rank}{given['led']}" for rank in "AK" if f"{rank}{given['led']}" not in hand)
    match = match_in(ruleset, deck_dealing(0, {1: [lead], 2: [*hand, *filling]}))
    return act_all(match, ["b7", "p", "p", "p", f"t{given['trump']}", lead])

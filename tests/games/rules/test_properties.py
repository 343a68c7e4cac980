"""What holds in every game, whatever is dealt, called and played."""

import json
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.cards import CARD, CODES, SUITS
from games.rules.match import Match
from games.rules.players import timeout_action
from games.rules.record import DealRecord, fold, write_record
from games.rules.ruleset import RULESETS, Options
from games.rules.seats import SEATS, side
from games.rules.shuffle import chance
from games.rules.tricks import winner
from games.rules.views import public_part, seat_part, seat_view
from tests.games.rules.playing import snapshot

rulesets = st.sampled_from(sorted(RULESETS))
seats = st.sampled_from(SEATS)
decks = st.permutations(range(52))
# One number for each act: the place of the code taken among those that are legal, counted round.
choices = st.lists(st.integers(0, 255), min_size=80, max_size=80)
options = st.sampled_from(
    [
        None,
        Options(redouble=True),
        Options(double_defenders=True),
        Options(redouble=True, double_defenders=True),
    ]
)
quickly = settings(max_examples=60, deadline=None)


def acts(match: Match, choices: list[int]) -> Iterator[tuple[int, str]]:
    """Plays on by `choices` to the end of the deal; each (seat, code) just before it is done."""
    number = 0
    while match.turn is not None:
        legal = match.legal()
        code = legal[choices[number % len(choices)] % len(legal)]
        number += 1
        yield match.turn, code
        match.act(code)


def dealt(ruleset: str, deck: list[int], dealer: int = 0, options: Options | None = None) -> Match:
    match = Match(RULESETS[ruleset], dealer=dealer, options=options if ruleset == "egyptian" else None)
    match.start_deal(deck)
    return match


def suit_played(code: str) -> str:
    return code[1] if code in CARD else ""


# ---- Cards and play


@quickly
@given(rulesets, decks, seats, choices)
def test_cards_are_never_lost_nor_doubled(
    ruleset: str, deck: list[int], dealer: int, choices: list[int]
) -> None:
    match = dealt(ruleset, deck, dealer)
    assert [len(match.cards(seat)) for seat in SEATS] == [13] * 4
    assert CODES[deck[51]] in match.cards(dealer)
    played: list[str] = []
    for _, code in acts(match, choices):
        assert sorted([*played, *(held for seat in SEATS for held in match.cards(seat))]) == sorted(CODES)
        played += [code] if code in CARD else []
    assert len(played) in (0, 52)
    assert (len(played) == 52) == (match.counted == 1)


@quickly
@given(rulesets, decks, choices)
def test_legal_is_the_led_suit_or_the_whole_hand(ruleset: str, deck: list[int], choices: list[int]) -> None:
    match = dealt(ruleset, deck)
    for seat, _ in acts(match, choices):
        legal = match.legal()
        assert legal
        if match.phase == "play":
            trick = public_part(match)["trick"]
            hand = match.cards(seat)
            led = [code for code in hand if trick and code[1] == str(trick[0][1])[1]]
            assert legal == (led or hand)


@quickly
@given(rulesets, decks, choices)
def test_seat_that_could_not_follow_never_plays_that_suit_again(
    ruleset: str, deck: list[int], choices: list[int]
) -> None:
    match = dealt(ruleset, deck)
    void: set[tuple[int, str]] = set()
    for seat, code in acts(match, choices):
        if match.phase == "play":
            trick = public_part(match)["trick"]
            led = str(trick[0][1])[1] if trick else code[1]
            assert (seat, code[1]) not in void
            if code[1] != led:
                void.add((seat, led))


@quickly
@given(rulesets, decks, choices)
def test_winner_takes_the_trick_and_leads_the_next(ruleset: str, deck: list[int], choices: list[int]) -> None:
    match = dealt(ruleset, deck)
    trick: list[tuple[int, str]] = []
    taken = [0, 0]
    for seat, code in acts(match, choices):
        if match.phase != "play":
            continue
        assert match.contract is not None
        if not trick and not sum(taken):
            assert seat == match.contract["seat"]
        trick.append((seat, code))
        if len(trick) == 4:
            taker = winner(trick, str(match.contract["trump"]))
            taken[side(taker)] += 1
            trick = [(taker, "next")]
        elif trick[0][1] == "next":
            assert seat == trick[0][0]
            trick = trick[1:]
            assert match.tricks == taken
    if match.counted:
        assert sum(taken) == 13
        assert match.finished_deal is not None
        assert match.finished_deal.tricks == taken


@given(st.permutations(sorted(CARD)), st.sampled_from([*SUITS, "N"]), st.permutations(sorted(CARD)))
def test_cards_off_the_led_suit_and_no_trumps_never_win(
    cards: list[str], trump: str, others: list[str]
) -> None:
    trick = list(enumerate(cards[:4]))
    led = cards[0][1]
    taker = winner(trick, trump)
    assert dict(trick)[taker][1] in (led, trump)
    if any(code[1] == trump for _, code in trick):
        assert dict(trick)[taker][1] == trump
    losers = iter([code for code in others if code[1] not in (led, trump) and code not in cards[:4]])
    changed = [(seat, code if code[1] in (led, trump) else next(losers)) for seat, code in trick]
    assert winner(changed, trump) == taker


# ---- Auction


@settings(max_examples=200, deadline=None)
@given(rulesets, decks, seats, choices, options)
def test_auction_keeps_its_bounds(
    ruleset: str, deck: list[int], dealer: int, choices: list[int], options: Options | None
) -> None:
    match = dealt(ruleset, deck, dealer, options)
    calls: list[tuple[int, str]] = []
    places = RULESETS[ruleset].bid_order
    passed: set[int] = set()
    for seat, code in acts(match, choices):
        if match.phase != "auction":
            break
        assert RULESETS[ruleset].pass_is_final is False or seat not in passed
        passed |= {seat} if code == "p" else set()
        no_bids = [call for _, call in calls] == ["p", "p", "p"]
        assert ("p" not in match.legal()) == (ruleset == "kings" and no_bids)
        calls.append((seat, code))
    bids = [places[code] for _, code in calls if code in places]
    assert all(low < high for low, high in pairwise(bids))
    assert len(calls) <= {"kotchina": 25, "classic": 9, "kings": 9, "egyptian": 144}[ruleset]
    if bids:
        contract = match.contract
        assert contract is not None
        bidder, bid = [(seat, code) for seat, code in calls if code in places][-1]
        assert (contract["seat"], contract["bid"], match.turn) == (bidder, bid, bidder)
    else:
        assert ruleset != "kings"
        assert [code for _, code in calls] == ["p"] * 4


@quickly
@given(decks, choices, options)
def test_egyptian_double_is_for_the_opponents_of_an_undoubled_bid(
    deck: list[int], choices: list[int], options: Options | None
) -> None:
    match = dealt("egyptian", deck, 0, options)
    for seat, _ in acts(match, choices):
        if match.phase != "auction":
            break
        contract, legal = match.contract, match.legal()
        theirs = contract is not None and side(contract["seat"]) != side(seat)
        ours = contract is not None and not theirs
        assert ("x" in legal) == (theirs and contract is not None and contract["doubled"] == 1)
        redoubles = bool(options and options.redouble)
        assert ("xx" in legal) == (redoubles and ours and contract is not None and contract["doubled"] == 2)


# ---- Matches


def whole_match(ruleset: str, seed: int) -> tuple[Match, list[DealRecord], int]:
    """A match of random acts, its deals and its first dealer."""
    draw = chance(seed.to_bytes(8, "big"), ruleset)
    first = draw(4)
    match = Match(RULESETS[ruleset], target=31, dealer=first)
    deals = []
    while match.result is None and match.counted < 60:
        deck = sorted(range(52), key=lambda _: draw(1 << 30))
        match.start_deal(deck)
        actions = []
        while legal := match.legal():
            # Passing more often than not lets whole deals and matches die.
            code = "p" if legal[0] == "p" and draw(100) < 88 else legal[draw(len(legal))]
            match.act(code)
            actions.append(code)
        deals.append(DealRecord(deck, actions))
    return match, deals, first


@settings(max_examples=60, deadline=None)
@given(rulesets, st.integers(0, 1 << 32))
def test_match_adds_up(ruleset: str, seed: int) -> None:
    match, deals, first = whole_match(ruleset, seed)
    assert match.score == [
        sum(change[0] for change in match.changes),
        sum(change[1] for change in match.changes),
    ]
    assert all(sorted([a > 0, b > 0]) == [False, True] for a, b in match.changes)
    counted = [deal for deal in deals if len(deal.actions) > 4]
    assert (match.deals, match.counted) == (len(deals), len(counted))
    moves = match.counted if ruleset in ("classic", "egyptian") else match.deals
    assert match.dealer == (first + moves) % 4
    assert match.dead_run <= 8
    assert ruleset != "kings" or match.deals == match.counted
    assert ruleset != "kotchina" or match.counted <= 50
    before_last = (
        [match.score[side] - match.changes[-1][side] for side in (0, 1)] if match.changes else [0, 0]
    )
    assert max(before_last) < 31
    if match.result is not None and match.result["kind"] == "no-result":
        assert match.dead_run == 8


@settings(max_examples=40, deadline=None)
@given(rulesets, st.integers(0, 1 << 32))
def test_record_rebuilds_the_match_after_every_deal(ruleset: str, seed: int) -> None:
    match, deals, first = whole_match(ruleset, seed)
    record = write_record(
        match.ruleset,
        target=31,
        options=match.options,
        dealer=first,
        players=["A", "B", "C", "D"],
        deals=deals,
        result=match.result,
        score=match.score,
    )
    assert snapshot(fold(json.loads(json.dumps(record)))) == snapshot(match)


@quickly
@given(rulesets, decks, choices)
def test_saving_and_restoring_at_any_act_changes_nothing(
    ruleset: str, deck: list[int], choices: list[int]
) -> None:
    match = dealt(ruleset, deck)
    done: list[str] = []
    for _, code in acts(match, choices):
        if len(done) % 9 == 0:
            again = dealt(ruleset, deck)
            for act in done:
                again.act(act)
            assert snapshot(again) == snapshot(match)
        done.append(code)


# ---- The same game, seen otherwise


def renamed(code: str, suits: dict[str, str]) -> str:
    if code in CARD:
        return code[0] + suits[code[1]]
    return "t" + suits[code[1]] if code[0] == "t" else code


@quickly
@given(st.sampled_from(["kotchina", "classic", "kings"]), decks, choices, st.permutations(SUITS))
def test_renaming_the_suits_changes_no_winner_and_no_score(
    ruleset: str, deck: list[int], choices: list[int], names: list[str]
) -> None:
    suits = dict(zip(SUITS, names, strict=True))
    match = dealt(ruleset, deck)
    twin = dealt(ruleset, [CARD[renamed(CODES[card], suits)] for card in deck])
    for _, code in acts(match, choices):
        assert (twin.turn, twin.tricks) == (match.turn, match.tricks)
        twin.act(renamed(code, suits))
    assert (twin.changes, twin.dealer) == (match.changes, match.dealer)


@quickly
@given(rulesets, decks, choices, st.integers(1, 3))
def test_turning_the_table_turns_everything(
    ruleset: str, deck: list[int], choices: list[int], turned: int
) -> None:
    match = dealt(ruleset, deck)
    twin = dealt(ruleset, deck, turned)
    for seat, code in acts(match, choices):
        assert twin.turn == (seat + turned) % 4
        twin.act(code)
    swapped = [change[::-1] if turned % 2 else change for change in match.changes]
    assert (twin.changes, twin.dealer) == (swapped, (match.dealer + turned) % 4)


# ---- What is seen


@quickly
@given(rulesets, decks, choices, seats, st.randoms(use_true_random=False))
def test_view_does_not_depend_on_how_hidden_cards_lie(
    ruleset: str, deck: list[int], choices: list[int], seat: int, shuffler: object
) -> None:
    match = dealt(ruleset, deck)
    mine = [place for place in range(52) if (1 + place) % 4 == seat]
    hidden = [place for place in range(52) if place not in mine]
    moved = dict(zip(hidden, sorted(hidden, key=lambda _: shuffler.random()), strict=True))  # type: ignore[attr-defined]
    twin = dealt(ruleset, [deck[moved.get(place, place)] for place in range(52)])
    for turn, code in acts(match, choices):
        assert seat_view(twin, seat) == seat_view(match, seat)
        if match.phase == "play" and turn != seat:
            break
        twin.act(code)


@quickly
@given(rulesets, decks, choices)
def test_no_view_holds_a_card_that_its_seat_has_not_seen(
    ruleset: str, deck: list[int], choices: list[int]
) -> None:
    match = dealt(ruleset, deck)
    played: set[str] = set()
    for _, code in acts(match, choices):
        for seat in SEATS:
            assert cards_in(seat_view(match, seat)) <= played | set(match.cards(seat))
        assert cards_in(public_part(match)) <= played
        played |= {code} & CARD.keys()


def cards_in(value: object) -> set[str]:
    """Every card code anywhere in `value`."""
    if isinstance(value, dict):
        return set().union(*map(cards_in, value.values()))
    if isinstance(value, list):
        return set().union(*map(cards_in, value))
    return {value} & CARD.keys() if isinstance(value, str) else set()


@quickly
@given(rulesets, decks, choices)
def test_only_the_seat_in_turn_is_offered_anything(ruleset: str, deck: list[int], choices: list[int]) -> None:
    match = dealt(ruleset, deck)
    for turn, _ in acts(match, choices):
        offered = [seat_part(match, seat)["legal"] for seat in SEATS]
        assert offered == [match.legal() if seat == turn else [] for seat in SEATS]


# ---- Time-outs


@quickly
@given(rulesets, decks, choices)
def test_time_out_acts_legally_and_always_the_same(ruleset: str, deck: list[int], choices: list[int]) -> None:
    match = dealt(ruleset, deck)
    for seat, _ in acts(match, choices):
        view = seat_view(match, seat)
        assert timeout_action(view) in view["legal"]
        assert timeout_action(view) == timeout_action(json.loads(json.dumps(view)))


def timed_out_match(ruleset: str, by: str, decks: Callable[[int], list[int]]) -> Match:
    match = Match(RULESETS[ruleset])
    while match.result is None:
        match.start_deal(decks(match.deals))
        while match.turn is not None:
            match.act(timeout_action(seat_view(match, match.turn)), by)
    return match


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(["kotchina", "classic", "egyptian"]), decks)
def test_table_that_only_times_out_dies_after_eight_deals(ruleset: str, deck: list[int]) -> None:
    match = timed_out_match(ruleset, "c", lambda _: deck)
    assert (match.deals, match.counted, match.result and match.result["kind"]) == (8, 0, "no-result")


@pytest.mark.parametrize(("by", "deals", "kind"), [("c", 1, "no-result"), ("s", 1, "no-result")])
def test_kings_table_that_only_times_out_dies_after_one_deal(by: str, deals: int, kind: str) -> None:
    match = timed_out_match("kings", by, lambda _: list(range(52)))
    assert (match.deals, match.counted, match.result and match.result["kind"]) == (deals, 0, kind)

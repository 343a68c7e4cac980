"""Auctions, every one of them: explored state by state, with counts that can be worked out by hand."""

from functools import cache
from math import comb

import pytest

from games.rules.actions import IllegalAction
from games.rules.auction import Auction
from games.rules.ruleset import RULESETS

FIRST = 1


def explore(ruleset: str, *, redouble: bool = False) -> tuple[int, int, int]:
    """How many auctions there are, and the calls of the shortest and of the longest."""

    @cache
    def below(state: tuple[int, ...]) -> tuple[int, int, int]:
        auction = auctions[state]
        if auction.closed:
            return 1, 0, 0
        branches = [below(remember(after(auction, call))) for call in auction.legal()]
        return (
            sum(count for count, _, _ in branches),
            1 + min(shortest for _, shortest, _ in branches),
            1 + max(longest for _, _, longest in branches),
        )

    def remember(auction: Auction) -> tuple[int, ...]:
        state = (
            auction.high,
            auction.declarer,
            auction.turn,
            auction.doubled,
            auction.silence,
            auction.passed,
            auction.closed,
        )
        auctions[state] = auction
        return state

    auctions: dict[tuple[int, ...], Auction] = {}
    return below(remember(Auction(RULESETS[ruleset], FIRST, redouble=redouble)))


def after(auction: Auction, call: str) -> Auction:
    twin = auction.copy()
    twin.call(call)
    return twin


def called(ruleset: str, calls: str, *, redouble: bool = False) -> Auction:
    auction = Auction(RULESETS[ruleset], FIRST, redouble=redouble)
    for call in calls.split():
        auction.call(call)
    return auction


# Before the first bid 0 to 3 passes; between two bids the silent calls that do not close; then the closing ones.
KOTCHINA_AUCTIONS = 1 + sum(comb(7, bids) * 4 * 3 ** (bids - 1) for bids in range(1, 8))
# A gap is one of: nothing, p, x, pp, xp, ppp, ppx, xpp. The last four calls: pppp, ppxp, xppp.
EGYPTIAN_AUCTIONS = 1 + sum(comb(35, bids) * 4 * 8 ** (bids - 1) * 3 for bids in range(1, 36))
# With redoubles also: x xx, x xx p; and at the end x xx p p, p p x xx, x p p xx.
REDOUBLED_AUCTIONS = 1 + sum(comb(35, bids) * 4 * 10 ** (bids - 1) * 6 for bids in range(1, 36))


@pytest.mark.parametrize(
    ("ruleset", "redouble", "count", "shortest", "longest"),
    [
        ("kotchina", False, KOTCHINA_AUCTIONS, 4, 25),
        ("classic", False, 1703, 1, 9),
        ("kings", False, 1702, 1, 9),
        ("egyptian", False, EGYPTIAN_AUCTIONS, 4, 144),
        ("egyptian", True, REDOUBLED_AUCTIONS, 4, 144),
    ],
    ids=["kotchina", "classic", "kings", "egyptian", "egyptian with redoubles"],
)
def test_auctions_are_as_many_and_as_long_as_can_be_worked_out(
    ruleset: str, redouble: bool, count: int, shortest: int, longest: int
) -> None:
    assert explore(ruleset, redouble=redouble) == (count, shortest, longest)


@pytest.mark.parametrize(
    ("ruleset", "calls", "legal"),
    [
        ("kotchina", "", "p b7 b8 b9 b10 b11 b12 b13"),
        ("kotchina", "b12", "p b13"),
        ("kotchina", "b13 p p", "p"),
        ("classic", "p p p", "p b7 b8 b9 b10 b11 b12 b13"),
        ("kings", "p p p", "b7 b8 b9 b10 b11 b12 b13"),
        ("kings", "b7 p p", "p b8 b9 b10 b11 b12 b13"),
        ("egyptian", "b13H", "p x b13S b13N"),
        ("egyptian", "b13S x", "p b13N"),
        ("egyptian", "b13N p", "p"),
        ("egyptian", "b13N x p p", "p"),
    ],
)
def test_legal_calls_come_in_order(ruleset: str, calls: str, legal: str) -> None:
    assert called(ruleset, calls).legal() == legal.split()


@pytest.mark.parametrize(
    ("calls", "legal"),
    [
        ("b13N x", "p xx"),
        ("b13N x p", "p"),
        ("b13N x p p", "p xx"),
        ("b13N x xx", "p"),
        ("b13S x", "p xx b13N"),
    ],
)
def test_redouble_is_the_bidding_sides_where_it_is_an_option(calls: str, legal: str) -> None:
    assert called("egyptian", calls, redouble=True).legal() == legal.split()


@pytest.mark.parametrize(
    ("ruleset", "calls", "declarer", "bid", "doubled"),
    [
        ("kotchina", "p p p p", -1, None, 1),
        ("kotchina", "p p p b7 p p b8 p p p", 3, "b8", 1),
        ("classic", "p p p b7", 0, "b7", 1),
        ("classic", "b7 p b8 p b9 p", 1, "b9", 1),
        ("classic", "b7 b13", 2, "b13", 1),
        ("kings", "b13", 1, "b13", 1),
        ("egyptian", "p p p b7C p p p b7N p p p p", 0, "b7N", 1),
        ("egyptian", "b7C x b7D p p p p", 3, "b7D", 1),
        ("egyptian", "b7C p p x p", 1, "b7C", 2),
    ],
)
def test_auction_closes_with_its_contract(
    ruleset: str, calls: str, declarer: int, bid: str | None, doubled: int
) -> None:
    auction = called(ruleset, calls)
    assert (auction.closed, auction.declarer, auction.bid, auction.doubled) == (True, declarer, bid, doubled)


@pytest.mark.parametrize(
    ("ruleset", "calls", "call", "code"),
    [
        ("kotchina", "b9", "b9", "bid-too-low"),
        ("kotchina", "b9", "b7", "bid-too-low"),
        ("kotchina", "", "b6", "bid-out-of-range"),
        ("kotchina", "", "b14", "bid-out-of-range"),
        ("kotchina", "", "b0", "bid-out-of-range"),
        ("kotchina", "", "b07", "bid-out-of-range"),
        ("kotchina", "", "b7S", "bid-out-of-range"),
        ("kotchina", "", "b6S", "bid-out-of-range"),
        ("egyptian", "", "b7", "bid-out-of-range"),
        ("egyptian", "b7H", "b7D", "bid-too-low"),
        ("kotchina", "b7", "x", "double-not-allowed"),
        ("egyptian", "", "x", "double-not-allowed"),
        ("egyptian", "b7H p", "x", "double-not-allowed"),
        ("egyptian", "b7H x p", "x", "double-not-allowed"),
        ("egyptian", "b7H x", "xx", "double-not-allowed"),
        ("kings", "p p p", "p", "pass-not-allowed"),
        ("kotchina", "", "tS", "wrong-phase"),
        ("egyptian", "", "tS", "wrong-phase"),
        ("kotchina", "", "AS", "wrong-phase"),
        ("kotchina", "", "tN", "malformed"),
        ("kotchina", "", "P", "malformed"),
        ("kotchina", "", "b", "malformed"),
        ("kotchina", "", "b7s", "malformed"),
        ("kotchina", "", "b7\n", "malformed"),
        ("kotchina", "", "b٧", "malformed"),
        ("kotchina", "", "10S", "malformed"),
        ("kotchina", "", "", "malformed"),
    ],
)
def test_illegal_call_is_refused_by_its_code_and_changes_nothing(
    ruleset: str, calls: str, call: str, code: str
) -> None:
    auction = called(ruleset, calls)
    legal, before = auction.legal(), list(auction.calls)
    with pytest.raises(IllegalAction) as refused:
        auction.call(call)
    assert (refused.value.code, auction.legal(), auction.calls) == (code, legal, before)

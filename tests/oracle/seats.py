"""Players with habits, so that what is rare among sensible ones is common among these."""

from collections.abc import Callable

from tests.oracle.chance import Chance
from tests.oracle.engine import Deal
from tests.oracle.rules import SUITS, kind_of, number_of, rank_of, suit_of

Habit = Callable[[Chance, Deal, list[str]], str]


def bids_in(legal: list[str]) -> list[str]:
    return [code for code in legal if kind_of(code) == "bid"]


def lowest_or_pass(legal: list[str]) -> str:
    """Pass; the lowest bid where passing is not allowed."""
    return "p" if "p" in legal else legal[0]


def passes(chance: Chance, deal: Deal, legal: list[str]) -> str:
    return lowest_or_pass(legal)


def dozes(chance: Chance, deal: Deal, legal: list[str]) -> str:
    bids = bids_in(legal)
    return chance.pick(bids) if bids and chance.one_in(16) else lowest_or_pass(legal)


def creeps(chance: Chance, deal: Deal, legal: list[str]) -> str:
    bids = bids_in(legal)
    return bids[0] if bids and chance.one_in(2) else lowest_or_pass(legal)


def opens(chance: Chance, deal: Deal, legal: list[str]) -> str:
    return creeps(chance, deal, legal) if deal.declarer() is None else lowest_or_pass(legal)


def overbids(chance: Chance, deal: Deal, legal: list[str]) -> str:
    bids = bids_in(legal)
    return chance.pick(bids) if bids else lowest_or_pass(legal)


def slams(chance: Chance, deal: Deal, legal: list[str]) -> str:
    bids = [bid for bid in bids_in(legal) if number_of(bid) == 13]
    return chance.pick(bids) if bids else lowest_or_pass(legal)


def doubles(chance: Chance, deal: Deal, legal: list[str]) -> str:
    for double in ("xx", "x"):
        if double in legal and not chance.one_in(4):
            return double
    return creeps(chance, deal, legal)


def waits(chance: Chance, deal: Deal, legal: list[str]) -> str:
    """The least raise at the last moment before the auction closes: the longest auction there is."""
    bids = bids_in(legal)
    silent = len(deal.auction.since_the_bid())
    last_moment = 2 if deal.ruleset == "kotchina" and deal.declarer() else 3
    if deal.ruleset in ("classic", "kings"):
        last_moment = 3 - len(deal.auction.out())
    if bids and silent >= last_moment:
        return bids[0]
    return legal[1] if legal[1:2] in (["x"], ["xx"]) else lowest_or_pass(legal)


def says_anything(chance: Chance, deal: Deal, legal: list[str]) -> str:
    return chance.pick(legal)


def names_trump(chance: Chance, deal: Deal, legal: list[str]) -> str:
    if chance.one_in(5):
        return chance.pick(legal)
    hand = [suit_of(card) for card in deal.hands[deal.leader]]
    return "t" + max(SUITS, key=hand.count)


def plays_any(chance: Chance, deal: Deal, legal: list[str]) -> str:
    return chance.pick(legal)


def plays_high(chance: Chance, deal: Deal, legal: list[str]) -> str:
    return max(legal, key=lambda card: (suit_of(card) == deal.trump, rank_of(card)))


def plays_low(chance: Chance, deal: Deal, legal: list[str]) -> str:
    return min(legal, key=lambda card: (suit_of(card) == deal.trump, rank_of(card)))


PLAYS: list[Habit] = [plays_any, plays_any, plays_high, plays_low]
CALLS: list[Habit] = [dozes, creeps, creeps, overbids, slams, doubles, waits, says_anything]

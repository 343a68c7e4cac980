"""Players that come with the house: each sees what its seat sees, and answers with one legal code."""

from collections.abc import Callable, Mapping
from typing import Final

from games.rules.cards import CARD, RANKS, SUITS
from games.rules.cautious import cautious
from games.rules.views import SeatView

Player = Callable[[SeatView, Callable[[int], int]], str]


def random(view: SeatView, chance: Callable[[int], int]) -> str:
    """Any legal code, each as likely; `chance(n)` gives a number in [0, n)."""
    return view["legal"][chance(len(view["legal"]))]


def timeout(view: SeatView, chance: Callable[[int], int]) -> str:
    """What the table does for a seat whose time is up; nothing is left to chance."""
    return timeout_action(view)


def timeout_action(view: SeatView) -> str:
    """What a seat does when its time is up: pass (or bid the least it must), longest suit, weakest card."""
    legal = view["legal"]
    if view["phase"] == "trump":
        return "t" + _longest_suit(view["hand"])
    if view["phase"] == "play":
        trump = view["contract"]["trump"] if view["contract"] else None
        return min(legal, key=lambda code: (code[1] == trump, RANKS.index(code[0]), CARD[code]))
    return legal[0]


def _longest_suit(hand: list[str]) -> str:
    """The suit with most cards; of equals the one with the higher cards, read from the top; then S H D C."""

    def strength(suit: str) -> tuple[int, list[int], int]:
        ranks = sorted((RANKS.index(code[0]) for code in hand if code[1] == suit), reverse=True)
        return len(ranks), ranks, SUITS.index(suit)

    return max(SUITS, key=strength)


PLAYERS: Final[Mapping[str, Player]] = {"random": random, "cautious": cautious, "timeout": timeout}

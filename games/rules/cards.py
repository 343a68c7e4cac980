"""The 52 cards as integers, hands as bit sets, and the two-letter codes both are written in.

Card `i` is `suit * 13 + rank`: suits C D H S from 0, ranks 2 … A from 0.
Bit `i` of a hand says whether it holds card `i`.
"""

from collections.abc import Iterable, Sequence
from typing import Final

SUITS: Final = "CDHS"
RANKS: Final = "23456789TJQKA"
SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")

DECK: Final = tuple(range(52))
CODES: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARD: Final = {code: card for card, code in enumerate(CODES)}
SUIT: Final = {code: card // 13 for card, code in enumerate(CODES)}
RANK: Final = {code: card % 13 for card, code in enumerate(CODES)}
FULL: Final = (1 << 52) - 1
SUIT_MASKS: Final = tuple(0x1FFF << 13 * suit for suit in range(4))

_WHOLE: Final = frozenset(DECK)


def codes(hand: int) -> list[str]:
    """The cards of `hand`, ordered by suit C D H S and rank ascending."""
    return [code for card, code in enumerate(CODES) if hand >> card & 1]


def hand_of(cards: Iterable[str]) -> int:
    """The bit set that holds `cards`, given by code. Raises: KeyError for what is no card."""
    hand = 0
    for code in cards:
        hand |= 1 << CARD[code]
    return hand


def by_suit(cards: Iterable[int]) -> list[list[str]]:
    """The codes of `cards` in four lists, suits C D H S, rank ascending."""
    suits: list[list[str]] = [[], [], [], []]
    for card in sorted(cards):
        suits[card // 13].append(CODES[card])
    return suits


def is_whole_deck(cards: Sequence[int]) -> bool:
    """Whether `cards` are the 52 cards, each once, in any order."""
    return len(cards) == 52 and set(cards) == _WHOLE

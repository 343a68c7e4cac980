"""The 52 cards as integers, hands as bit sets, and the two-letter codes both are written in.

Card `i` is `suit * 13 + rank`: suits C D H S from 0, ranks 2 … A from 0.
Bit `i` of a hand says whether it holds card `i`.
"""

from collections.abc import Iterable, Sequence
from typing import Final

SUITS: Final = "CDHS"
RANKS: Final = "23456789TJQKA"
SUIT_NAMES: Final = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}

DECK: Final = tuple(range(52))
CODES: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARD: Final = {code: card for card, code in enumerate(CODES)}
BIT: Final = {code: 1 << card for card, code in enumerate(CODES)}
FULL: Final = (1 << 52) - 1
_WHOLE: Final = frozenset(DECK)

SUIT_MASKS: Final = tuple(0x1FFF << 13 * suit for suit in range(4))
CLUBS, DIAMONDS, HEARTS, SPADES = SUIT_MASKS
SUIT_OF_BIT: Final = {1 << card: SUIT_MASKS[card // 13] for card in DECK}


def _every_holding() -> dict[int, tuple[str, ...]]:
    held: dict[int, tuple[str, ...]] = {0: ()}
    for suit in range(4):
        holdings: list[tuple[int, tuple[str, ...]]] = [(0, ())]
        for card in range(13 * suit, 13 * suit + 13):
            holdings += [(bits | 1 << card, (*codes, CODES[card])) for bits, codes in holdings]
        held.update(holdings)
    return held


# Every holding within one suit (bits in place, as in a hand) with its codes: reading a hand is four look-ups.
HELD: Final = _every_holding()


def codes(hand: int) -> list[str]:
    """The cards of `hand`, ordered by suit C D H S and rank ascending."""
    return [*HELD[hand & CLUBS], *HELD[hand & DIAMONDS], *HELD[hand & HEARTS], *HELD[hand & SPADES]]


def hand_of(cards: Iterable[str]) -> int:
    """The bit set that holds `cards`, given by code. Raises: KeyError for what is no card."""
    hand = 0
    for code in cards:
        hand |= BIT[code]
    return hand


def is_whole_deck(cards: Sequence[int]) -> bool:
    """Whether `cards` are the 52 cards, each once, in any order."""
    return len(cards) == 52 and set(cards) == _WHOLE

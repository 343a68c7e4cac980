"""Tricks: what may be played, and what beats what."""

from collections.abc import Mapping, Sequence
from typing import Final

from games.rules.cards import BIT, DECK, SUIT_MASKS, SUIT_OF_BIT, SUITS


def playable(hand: int, led: int) -> int:
    """The cards of `hand` that may be played on a trick whose suit mask is `led` (0 when leading).

    Nobody is ever forced to trump or to go above a trump: whoever cannot follow may play anything.
    """
    return hand & led or hand


def _beaters(trump_mask: int) -> dict[int, int]:
    beaters = {}
    for card in DECK:
        bit = 1 << card
        suit = SUIT_OF_BIT[bit]
        higher = suit & -(bit << 1)
        beaters[bit] = higher if suit == trump_mask else higher | trump_mask
    return beaters


# For each trump (`N`: none), each card's bit with the cards that take the trick from it while it is winning.
BEATERS: Final[Mapping[str, Mapping[int, int]]] = {
    "N": _beaters(0),
    **{suit: _beaters(SUIT_MASKS[place]) for place, suit in enumerate(SUITS)},
}


def winner(trick: Sequence[tuple[int, str]], trump: str) -> int:
    """The seat that wins `trick`, (seat, card) in the order played, under `trump` (C D H S or N)."""
    beaters = BEATERS[trump]
    seat, code = trick[0]
    beating = beaters[BIT[code]]
    for other, code in trick[1:]:
        if BIT[code] & beating:
            seat, beating = other, beaters[BIT[code]]
    return seat

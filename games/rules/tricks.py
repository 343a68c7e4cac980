"""Tricks: what may be played, and what beats what."""

from collections.abc import Mapping, Sequence
from typing import Final

from games.rules.cards import CARD, RANK, SUIT, SUITS

A_LEAD: Final = -1
STRONGEST_PLAIN: Final = 12

# For each trump (N: none), how strong each card is: any trump above any other card. Only trumps and cards of
# the led suit can take a trick at all.
STRENGTH: Final[Mapping[str, Mapping[str, int]]] = {
    trump: {code: RANK[code] + (STRONGEST_PLAIN + 1 if code[1] == trump else 0) for code in CARD}
    for trump in (*SUITS, "N")
}


def playable(hand: Sequence[Sequence[str]], led: int) -> list[str]:
    """What may be played from `hand` (codes by suit C D H S) to a trick of suit `led` (from 0, or A_LEAD).

    Nobody is ever forced to trump or to go above a trump: whoever cannot follow may play anything.
    """
    if led >= 0 and hand[led]:
        return [*hand[led]]
    clubs, diamonds, hearts, spades = hand
    return [*clubs, *diamonds, *hearts, *spades]


def takes(code: str, best: str, trump: str) -> bool:
    """Whether `code` takes the trick that `best` is winning."""
    strength = STRENGTH[trump]
    return (SUIT[code] == SUIT[best] or code[1] == trump) and strength[code] > strength[best]


def winner(trick: Sequence[tuple[int, str]], trump: str) -> int:
    """The seat that wins `trick`, (seat, card) in the order played, under `trump` (C D H S or N)."""
    seat, best = trick[0]
    for other, code in trick[1:]:
        if takes(code, best, trump):
            seat, best = other, code
    return seat

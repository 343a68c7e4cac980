"""Seats 0 … 3 in turn order. `seat + 1` sits to the right, which is the way everything goes round."""

from typing import Final

SEATS: Final = (0, 1, 2, 3)
NEXT: Final = (1, 2, 3, 0)


def partner(seat: int) -> int:
    """The seat opposite."""
    return seat ^ 2


def side(seat: int) -> int:
    """0 for seats 0 and 2, 1 for seats 1 and 3."""
    return seat & 1

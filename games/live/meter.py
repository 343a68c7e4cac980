"""What one process counts of its live tables: plain numbers, added to on the event loop, read when somebody asks.

No locks and no library on the hot path: a move costs two additions and a search among a dozen numbers.
"""

from bisect import bisect_left
from collections import Counter
from typing import Final

# Seconds, the upper edge of each step; what took longer counts in the last one.
STEPS: Final = (0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2, 0.5, 1.0, 5.0)


class Meter:
    """Sockets that are open, moves from frame to commit, and frames that were refused, by code."""

    __slots__ = ("refused", "seconds", "sockets", "steps")

    def __init__(self) -> None:
        self.sockets = 0
        self.steps = [0] * (len(STEPS) + 1)
        self.seconds = 0.0
        # Keys are codes of docs/protocol.md, never anything that a browser sent.
        self.refused: Counter[str] = Counter()

    @property
    def moves(self) -> int:
        """How many moves were stored."""
        return sum(self.steps)

    def moved(self, seconds: float) -> None:
        """A player's move is stored, so long after its frame came."""
        self.steps[bisect_left(STEPS, seconds)] += 1
        self.seconds += seconds


METER: Final = Meter()

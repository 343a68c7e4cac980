"""What an organiser fixes before the first pairing: one frozen value, of which a format reads its part."""

from dataclasses import dataclass, field
from typing import Literal

Tiebreak = Literal[
    "head_to_head",
    "score_difference",
    "wins",
    "buchholz",
    "median_buchholz",
    "sonneborn_berger",
    "last_round",
    "lot",
]


@dataclass(frozen=True, slots=True)
class Points:
    """Tournament points for what can happen in a pairing."""

    win: int = 2
    draw: int = 1
    loss: int = 0
    bye: int = 2
    forfeit: int = 0


@dataclass(frozen=True, slots=True)
class Settings:
    """`forbidden` holds pairs of entrant ids that should not meet where it can be avoided."""

    format: str = "single_elimination"
    third_place: bool = False
    best_of: Literal[1, 3, 5] = 1
    forbidden: frozenset[frozenset[str]] = frozenset()
    points: Points = field(default_factory=Points)
    tiebreaks: tuple[Tiebreak, ...] | None = None

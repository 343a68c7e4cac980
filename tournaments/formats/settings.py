"""What an organiser fixes before the first pairing: one frozen value, of which a format reads its part."""

from dataclasses import dataclass, field
from typing import Literal

from tournaments.formats.fixed import Fixed

Tiebreak = Literal[
    "head_to_head",
    "score_difference",
    "wins",
    "buchholz",
    "median_buchholz",
    "sonneborn_berger",
    "last_round",
    "lot",
    "match_points",
    "deals_won",
    "contracts_made",
    "play_off",
]


@dataclass(frozen=True, slots=True)
class Points(Fixed):
    """Tournament points for what can happen in a pairing."""

    win: int = 2
    draw: int = 1
    loss: int = 0
    bye: int = 2
    forfeit: int = 0


@dataclass(frozen=True, slots=True)
class Settings(Fixed):
    """`forbidden` holds pairs of entrant ids that should not meet where it can be avoided.

    `reset`: whether the undefeated finalist of a double elimination must lose twice. `rounds` None: as many as
    the field asks for. `seed` fixes what is drawn: lots, and the order of equals in a pairing. `qualify`: how
    many come into a later stage, of each group where the stage before has groups; None in a first stage.
    """

    format: str = "single_elimination"
    third_place: bool = False
    reset: bool = True
    groups: int = 1
    double: bool = False
    rounds: int | None = None
    seed: int = 0
    stages: tuple["Settings", ...] = ()
    qualify: int | None = None
    best_of: Literal[1, 3, 5] = 1
    forbidden: frozenset[frozenset[str]] = frozenset()
    points: Points = field(default_factory=Points)
    tiebreaks: tuple[Tiebreak, ...] | None = None

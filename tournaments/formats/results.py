"""The frozen inputs and outputs of every format: what a log may say, and what a plan says of a pairing."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tournaments.formats.entrants import Entrant
from tournaments.formats.fixed import Fixed

Code = Literal[
    "malformed",
    "unknown-pairing",
    "not-ready",
    "already-done",
    "unknown-entrant",
    "not-allowed",
    "nothing-to-undo",
]
Kind = Literal["target", "round-cap", "draw", "no-result"]
Status = Literal["waiting", "ready", "done", "void"]
DecidedBy = Literal[
    "target", "round-cap", "last-round", "draw", "bye", "walkover", "forfeit", "double-forfeit", "ruling"
]
Score = tuple[int, int]
Sides = tuple[str | None, str | None]


class PlanError(Exception):
    """A document or a log item that is refused. `item` is its place in the log, from 0, where known."""

    def __init__(self, code: Code, message: str, item: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.item = item


@dataclass(frozen=True, slots=True)
class Result(Fixed):
    """One match played at a table. Points by side; `last_gainer`: who gained in the last counted round.

    `deals` and `contracts`, where told: counted rounds won, and contracts made, by side.

    Raises:
        PlanError: `malformed`, where kind, score and last gainer contradict each other.
    """

    pairing: str
    kind: Kind
    score: Score | None = None
    last_gainer: int | None = None
    sides: tuple[str, str] | None = None
    deals: Score | None = None
    contracts: Score | None = None

    def __post_init__(self) -> None:
        if self.kind == "no-result":
            return
        if self.score is None:
            raise PlanError("malformed", f"a result of kind {self.kind} needs a score")
        level = self.score[0] == self.score[1]
        if self.kind == "draw":
            self._check_draw(level)
        elif level:
            raise PlanError("malformed", f"a result of kind {self.kind} cannot be level: {list(self.score)}")

    def _check_draw(self, level: bool) -> None:
        if not level:
            raise PlanError("malformed", f"a draw has a level score, not {list(self.score or ())}")
        if self.last_gainer not in (0, 1):
            raise PlanError("malformed", "a draw names its last_gainer, 0 or 1")


@dataclass(frozen=True, slots=True)
class Forfeit(Fixed):
    """A side, or both, gave the pairing up or did not come."""

    pairing: str
    side: Literal[0, 1, "both"]
    sides: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Rule(Fixed):
    """A referee decides the pairing."""

    pairing: str
    winner: Literal[0, 1]
    reason: str = ""
    sides: tuple[str, str] | None = None


Fact = Result | Forfeit | Rule


@dataclass(frozen=True, slots=True)
class Withdraw:
    """The entrant leaves: pairings not yet done become walkovers, results stand."""

    entrant: str


@dataclass(frozen=True, slots=True)
class Disqualify:
    """The entrant is sent away: as a withdrawal; some formats also turn its results into forfeits."""

    entrant: str


@dataclass(frozen=True, slots=True)
class Reenter:
    """One who left comes back."""

    entrant: str


@dataclass(frozen=True, slots=True)
class Enter:
    """A late entry."""

    entrant: Entrant


@dataclass(frozen=True, slots=True)
class Round(Fixed):
    """A round as published. `bye` is the entrant who rests."""

    round: int
    pairings: tuple[tuple[str, str], ...]
    bye: str | None = None


@dataclass(frozen=True, slots=True)
class Adjust:
    """Points given to an entrant, or taken: what makes up for a wrong that no pairing can mend."""

    entrant: str
    points: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PlayOff:
    """Two entrants who are level play once more for their order; the pairing counts for nothing else."""

    entrants: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Correct(Fixed):
    """What a pairing's record should have said. `later` names later pairings that stand or are replayed.

    `match` counts from 1 and says which match of a best-of is corrected; None means the one that decided it.
    """

    fact: Fact
    later: Mapping[str, Literal["stand", "replay"]] = field(default_factory=dict)
    match: int | None = None

    @property
    def pairing(self) -> str:
        """The pairing corrected."""
        return self.fact.pairing


@dataclass(frozen=True, slots=True)
class Undo:
    """Takes back the newest correction not yet undone."""


Item = (
    Result
    | Forfeit
    | Rule
    | Withdraw
    | Disqualify
    | Reenter
    | Enter
    | Round
    | Adjust
    | PlayOff
    | Correct
    | Undo
)


@dataclass(frozen=True, slots=True)
class Pairing(Fixed):
    """One line of a plan. `winner` is an entrant's id; `score` is points, or matches won in a best-of.

    Two pairings are equal when their printed lines are; `won` (matches by side), `dead_tables` and `recorded` (how
    many facts count here, dead tables too) are extra.
    """

    id: str
    round: int
    sides: Sides
    status: Status
    winner: str | None = None
    decided_by: DecidedBy | None = None
    score: Score | None = None
    won: Score = field(default=(0, 0), compare=False)
    dead_tables: int = field(default=0, compare=False)
    recorded: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Standing(Fixed):
    """One entrant's place. `tiebreaks`: values in the order they count; `still_in`: can still play.

    `group`: the group the rank is in, from 1; None where there is but one.
    """

    entrant: str
    rank: int
    points: int = 0
    tiebreaks: Mapping[str, float] = field(default_factory=dict)
    still_in: bool = True
    group: int | None = None

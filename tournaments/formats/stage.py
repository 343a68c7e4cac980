"""One stage of a tournament in stages, under its number."""

from dataclasses import dataclass, field, replace

from tournaments.formats.protocol import Format, Later
from tournaments.formats.results import Item, Pairing, PlanError


@dataclass(slots=True)
class Stage:
    """`seats`: who qualified for it, best first. `lines`: its pairings under their full names, as last asked."""

    number: int
    format: Format
    seats: tuple[str, ...]
    lines: dict[str, tuple[Pairing, Pairing]] = field(default_factory=dict)

    def apply(self, item: Item) -> None:
        """An item as the stage itself knows it; a refusal says which stage it was."""
        try:
            self.format.apply(item)
        except PlanError as error:
            raise PlanError(error.code, f"stage {self.number}: {error.message}") from error

    def has(self, entrant: str) -> bool:
        """Whether they take part: they qualified, or a correction let them stand."""
        return any(standing.entrant == entrant for standing in self.format.standings())

    def choose(self, later: Later) -> None:
        """What a correction in an earlier stage says of pairings here, by their names here."""
        try:
            self.format.choose(later)
        except PlanError as error:
            raise PlanError(error.code, f"stage {self.number}: {error.message}") from error

    def begun(self) -> bool:
        """Whether anything was recorded here, or follows from somebody's leaving."""
        return any(
            pairing.decided_by not in (None, "bye") or pairing.dead_tables or any(pairing.won)
            for pairing in self.format.pairings()
        )

    def pairings(self) -> list[Pairing]:
        """Its pairings with the stage's number in front."""
        return [self._line(pairing) for pairing in self.format.pairings()]

    def _line(self, pairing: Pairing) -> Pairing:
        known = self.lines.get(pairing.id)
        if known is None or known[0] is not pairing:
            known = pairing, replace(pairing, id=f"{self.number}:{pairing.id}")
            self.lines[pairing.id] = known
        return known[1]


@dataclass(frozen=True, slots=True)
class Left:
    """One who left. `stage`: the last they were in; `inside`: whether they left it while it was played."""

    stage: int
    inside: bool
    disqualified: bool

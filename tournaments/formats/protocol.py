"""What a format must offer."""

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from tournaments.formats.entrants import Entrant
from tournaments.formats.results import Item, Pairing, Standing

Later = Mapping[str, Literal["stand", "replay"]]


class Format(Protocol):
    """What a format must offer. Pairings keep their order; new ones come behind."""

    def apply(self, item: Item) -> None:
        """Takes a log item whole, or raises PlanError and changes nothing."""

    def pairings(self) -> tuple[Pairing, ...]:
        """All pairings as they stand."""

    def standings(self) -> tuple[Standing, ...]:
        """All entrants, best first."""

    def finished(self) -> bool:
        """Whether nothing is left to be played. Asked after every item: cheap."""

    def reseat(self, entrants: Sequence[Entrant]) -> None:
        """In a later stage, after a correction in an earlier one: others, or the same in another order, best first.

        Facts belong to a pairing and its two sides: those whose sides went away do not count, and count again
        when they come back; so `reseat(old)` after `reseat(new)` restores the identical plan. Rounds of a Swiss
        are never remade: newcomers are paired from the next, who no longer qualifies is not paired any more.
        """

    def choose(self, later: Later) -> None:
        """In a later stage: what a correction in an earlier one says of pairings here, or PlanError and nothing.

        It comes before the `reseat` that follows from the correction. `apply(Undo())` takes it back, in its
        turn with the corrections made here.
        """

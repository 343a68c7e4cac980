"""What single and double elimination have in common: one bracket, its seats by the seeding."""

from collections.abc import Sequence

from tournaments.formats.bracket import FirstRound, Node
from tournaments.formats.entrants import Entrant, in_seed_order
from tournaments.formats.knockout import Knockout
from tournaments.formats.protocol import Later
from tournaments.formats.results import Item, Pairing
from tournaments.formats.seats import hold, seated
from tournaments.formats.seeding import first_round
from tournaments.formats.settings import Settings


class Elimination:
    """The format behind `plan`, but for the bracket's shape and its ranks.

    With no entrant or one there is nothing to play.
    """

    one_road = False

    def __init__(self, settings: Settings, entrants: Sequence[Entrant]) -> None:
        self._settings = settings
        self._seeded = _ids(entrants)
        self._nodes = self.bracket(self._drawn())
        self._knockout = Knockout(self._nodes, self._seeded, settings.best_of, one_road=self.one_road)

    def bracket(self, first: FirstRound) -> tuple[Node, ...]:
        """All pairings over this first round, every feeder before what it feeds."""
        raise NotImplementedError

    def apply(self, item: Item) -> None:
        """Takes a log item whole, or raises PlanError and changes nothing."""
        self._knockout.apply(item)

    def pairings(self) -> tuple[Pairing, ...]:
        """All pairings, in the bracket's order."""
        return self._knockout.pairings()

    def finished(self) -> bool:
        """Whether every pairing is done, or nobody can reach it."""
        return self._knockout.finished()

    def reseat(self, entrants: Sequence[Entrant]) -> None:
        """Others, or the same in another order. What a correction let stand keeps its seats."""
        self._seeded = _ids(entrants)
        first = self._drawn()
        stands = self._knockout.standing(self.bracket(first))
        if stands:
            first = hold(first, stands, self._seeded)
            self._seeded = sorted(seated(first), key=[*self._seeded, *seated(first)].index)
        self._nodes = self.bracket(first)
        self._knockout.reseat(self._nodes, self._seeded)

    def choose(self, later: Later) -> None:
        """What a correction in an earlier stage says of pairings here."""
        self._knockout.choose(later)

    def _drawn(self) -> FirstRound:
        return first_round(self._seeded, self._settings.forbidden) if len(self._seeded) > 1 else []


def _ids(entrants: Sequence[Entrant]) -> list[str]:
    return [entrant.id for entrant in in_seed_order(entrants)]

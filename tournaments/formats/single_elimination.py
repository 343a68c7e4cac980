"""Single elimination: one defeat and you are out, but for the third place."""

from collections.abc import Sequence

from tournaments.formats.bracket import single_elimination
from tournaments.formats.entrants import Entrant, in_seed_order
from tournaments.formats.knockout import Knockout
from tournaments.formats.results import Item, Pairing, Standing
from tournaments.formats.seeding import first_round
from tournaments.formats.settings import Settings
from tournaments.formats.standings import OPEN, elimination_standings


class SingleElimination:
    """The format behind `plan`. With no entrant or one there is nothing to play."""

    def __init__(self, settings: Settings, entrants: Sequence[Entrant]) -> None:
        self._seeded = [entrant.id for entrant in in_seed_order(entrants)]
        pairs = first_round(self._seeded, settings.forbidden) if len(self._seeded) > 1 else []
        self._nodes = single_elimination(pairs, settings.third_place)
        self._knockout = Knockout(self._nodes, self._seeded, settings.best_of)

    def apply(self, item: Item) -> None:
        """Takes a log item whole, or raises PlanError and changes nothing."""
        self._knockout.apply(item)

    def pairings(self) -> tuple[Pairing, ...]:
        """All pairings, round by round; the final, then `P3`."""
        return self._knockout.pairings()

    def standings(self) -> tuple[Standing, ...]:
        """All entrants, by where they went out."""
        return elimination_standings(self._seeded, self._nodes, self.pairings(), self._knockout.gone)

    def finished(self) -> bool:
        """Whether every pairing is done, or nobody can reach it."""
        return not any(pairing.status in OPEN for pairing in self.pairings())

"""Single elimination: one defeat and you are out, but for the third place."""

from tournaments.formats.bracket import FirstRound, Node, single_elimination
from tournaments.formats.elimination import Elimination
from tournaments.formats.results import Standing
from tournaments.formats.standings import elimination_standings


class SingleElimination(Elimination):
    """The format behind `plan`: round by round, the final, then `P3`."""

    def bracket(self, first: FirstRound) -> tuple[Node, ...]:
        """All rounds over this first one."""
        return single_elimination(first, self._settings.third_place)

    def standings(self) -> tuple[Standing, ...]:
        """All entrants, by where they went out."""
        return elimination_standings(self._seeded, self._nodes, self.pairings(), self._knockout.gone)

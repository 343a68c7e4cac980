"""Double elimination: two defeats and you are out."""

from tournaments.formats.bracket import FirstRound, Node
from tournaments.formats.double_bracket import double_elimination
from tournaments.formats.elimination import Elimination
from tournaments.formats.results import Standing
from tournaments.formats.standings import elimination_standings


class DoubleElimination(Elimination):
    """The format behind `plan`: all of W, all of L, `GF1`, `GF2`."""

    one_road = True

    def bracket(self, first: FirstRound) -> tuple[Node, ...]:
        """Both sides of the bracket over this first round, and the grand final."""
        return double_elimination(first, self._settings.reset)

    def standings(self) -> tuple[Standing, ...]:
        """All entrants, by where they went out."""
        return elimination_standings(self._seeded, self._nodes, self.pairings(), self._knockout.gone)

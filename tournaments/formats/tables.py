"""Standings by points and an ordered list of tie-breaks."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from tournaments.formats.results import Standing
from tournaments.formats.settings import Tiebreak
from tournaments.formats.tiebreaks import Term, Tiebreaks, Value


class Table:
    """A field in order: more points first, then the greater value of each tie-break in turn.

    Nothing else orders. Who is equal in everything shares a rank and stands in seed order.
    """

    def __init__(
        self, values: Tiebreaks, seeded: Sequence[str], listed: Sequence[Tiebreak], gone: Collection[str]
    ) -> None:
        """
        Args:
            values: where the numbers come from.
            seeded: the field's entrants, best seed first.
            listed: the tie-breaks, in the order they count.
            gone: who has left; they are level with nobody when it comes to who beat whom.
        """
        self._values = values
        self._listed = listed
        self._gone = gone
        self._rivals: dict[str, Collection[str]] = {}
        self._keys: dict[str, list[float]] = {entrant: [values.points(entrant)] for entrant in seeded}
        for tiebreak in listed:
            self._add(tiebreak)

    @property
    def order(self) -> list[str]:
        """The entrants, best first."""
        return sorted(self._keys, key=lambda entrant: [-value for value in self._keys[entrant]])

    def __contains__(self, entrant: str) -> bool:
        return entrant in self._keys

    def points(self, entrant: str) -> int:
        """The entrant's tournament points."""
        return self._values.points(entrant)

    def standings(self, group: int | None = None) -> list[Standing]:
        """All entrants, best first, each with its rank and the values that make it."""
        standings: list[Standing] = []
        above: list[float] | None = None
        rank = 0
        for place, entrant in enumerate(self.order, 1):
            rank, above = (rank, above) if self._keys[entrant] == above else (place, self._keys[entrant])
            standings.append(self._standing(entrant, rank, group))
        return standings

    def terms(self, tiebreak: Value, entrant: str) -> Sequence[Term]:
        """What adds up to the entrant's value."""
        return self._values.terms(tiebreak, entrant, self._rivals.get(entrant, ()))

    def _standing(self, entrant: str, rank: int, group: int | None) -> Standing:
        points, *values = self._keys[entrant]
        tiebreaks: dict[str, float] = dict(zip(self._listed, values, strict=True))
        return Standing(entrant, rank, int(points), tiebreaks, entrant not in self._gone, group)

    def _add(self, tiebreak: Tiebreak) -> None:
        if tiebreak == "head_to_head":
            self._find_rivals()
        for entrant, key in self._keys.items():
            key.append(self._values.value(tiebreak, entrant, self._rivals.get(entrant, ())))

    def _find_rivals(self) -> None:
        """Who is level so far, and has not left."""
        level: dict[tuple[float, ...], set[str]] = defaultdict(set)
        for entrant, key in self._keys.items():
            if entrant not in self._gone:
                level[tuple(key)].add(entrant)
        self._rivals = {entrant: rivals for rivals in level.values() for entrant in rivals}


def group_tables(tables: Iterable[Table]) -> tuple[Standing, ...]:
    """The standings of several groups together: by rank, then by group. A single one has no number."""
    found = list(tables)
    if len(found) == 1:
        return tuple(found[0].standings())
    standings = [standing for number, table in enumerate(found, 1) for standing in table.standings(number)]
    return tuple(sorted(standings, key=lambda standing: (standing.rank, standing.group)))

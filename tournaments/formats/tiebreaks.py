"""Tie-breaks, each a sum of terms: what the standings order by is what a page can show adding up."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Literal, NamedTuple

from tournaments.formats.records import Record
from tournaments.formats.results import Pairing
from tournaments.formats.settings import Tiebreak

Value = Literal["points"] | Tiebreak
ROUND_ROBIN: tuple[Tiebreak, ...] = ("head_to_head", "score_difference", "wins", "lot")
SWISS: tuple[Tiebreak, ...] = ("buchholz", "sonneborn_berger", "score_difference", "lot")


class Term(NamedTuple):
    """One term of a value: from which opponent, in which pairing.

    Without an opponent it comes from a bye; without a pairing from the lot, or from points given or taken.
    """

    opponent: str | None
    pairing: str | None
    number: float


class Game(NamedTuple):
    """A pairing that is done, from one side of it."""

    record: Record
    side: int
    opponent: str | None


class Tiebreaks:
    """The values of a field in which all meet on the same terms: a Swiss, or one group of a round robin."""

    def __init__(self, records: Iterable[Record], adjusted: Mapping[str, int], seed: int) -> None:
        self._games: dict[str, list[Game]] = {}
        self._play_offs: dict[str, list[Game]] = {}
        self._adjusted = adjusted
        self._seed = seed
        done = [record for record in records if record.line.status == "done"]
        self._points = total_points(done, adjusted)
        for record in done:
            self._count(record)

    def _count(self, record: Record) -> None:
        line = record.line
        games = self._play_offs if is_play_off(line) else self._games
        for side, entrant in enumerate(line.sides):
            if entrant is not None:
                games.setdefault(entrant, []).append(Game(record, side, line.sides[1 - side]))

    def points(self, entrant: str) -> int:
        """The tournament points, those given or taken included."""
        return self._points.get(entrant, 0)

    def value(self, tiebreak: Value, entrant: str, rivals: Collection[str] = ()) -> float:
        """The sum of the terms; a whole number where it is one."""
        return whole(sum([number for _, _, number in self.terms(tiebreak, entrant, rivals)]))

    def terms(self, tiebreak: Value, entrant: str, rivals: Collection[str] = ()) -> Sequence[Term]:
        """What adds up to the value.

        Args:
            tiebreak: which value.
            entrant: whose.
            rivals: for `head_to_head`, those with whom the entrant is level so far.
        """
        if tiebreak == "head_to_head":
            return [term for term in self._scored(entrant) if term.opponent in rivals]
        if tiebreak == "lot":
            return [Term(None, None, lot(self._seed, entrant))]
        if tiebreak == "points":
            given = self._adjusted.get(entrant, 0)
            return [*self._scored(entrant), *([Term(None, None, given)] if given else [])]
        return _TERMS[tiebreak](self, entrant)

    def _scored(self, entrant: str) -> list[Term]:
        return [
            Term(opponent, record.line.id, record.points[side])
            for record, side, opponent in self._games.get(entrant, ())
        ]

    def _met(self, entrant: str) -> list[Game]:
        """Opponents at a table: neither byes nor forfeits."""
        return [game for game in self._games.get(entrant, ()) if game.record.met]

    def _strengths(self, entrant: str) -> list[Term]:
        points = self._points
        return [
            Term(opponent, record.line.id, points[opponent])
            for record, _, opponent in self._games.get(entrant, ())
            if record.met and opponent is not None
        ]

    def buchholz(self, entrant: str) -> Sequence[Term]:
        """The points of the opponents met."""
        return self._strengths(entrant)

    def median_buchholz(self, entrant: str) -> Sequence[Term]:
        """The same without the strongest and the weakest; of two or fewer nothing is left."""
        strengths = self._strengths(entrant)
        order = sorted(range(len(strengths)), key=lambda n: strengths[n].number)
        return [strengths[n] for n in sorted(order[1:-1])]

    def sonneborn_berger(self, entrant: str) -> Sequence[Term]:
        """The points of those beaten, and half of those drawn with."""
        return [
            term if game.record.line.winner == entrant else term._replace(number=whole(term.number / 2))
            for game, term in zip(self._met(entrant), self._strengths(entrant), strict=True)
            if game.record.line.winner in (entrant, None)
        ]

    def score_difference(self, entrant: str) -> Sequence[Term]:
        """Own less the other's, by the scores printed."""
        return [
            Term(opponent, record.line.id, record.line.score[side] - record.line.score[1 - side])
            for record, side, opponent in self._games.get(entrant, ())
            if record.line.score is not None
        ]

    def wins(self, entrant: str) -> Sequence[Term]:
        """Pairings won, however."""
        return _won(self._games.get(entrant, ()), entrant)

    def play_off(self, entrant: str) -> Sequence[Term]:
        """Play-offs won."""
        return _won(self._play_offs.get(entrant, ()), entrant)

    def match_points(self, entrant: str) -> Sequence[Term]:
        """Single matches won."""
        return self._gathered(entrant, lambda record: record.line.won)

    def deals_won(self, entrant: str) -> Sequence[Term]:
        """Counted rounds won."""
        return self._gathered(entrant, lambda record: record.deals)

    def contracts_made(self, entrant: str) -> Sequence[Term]:
        """Contracts made."""
        return self._gathered(entrant, lambda record: record.contracts)

    def last_round(self, entrant: str) -> Sequence[Term]:
        """Drawn matches whose last counted round the entrant gained."""
        return self._gathered(entrant, lambda record: record.last_gained)

    def _gathered(self, entrant: str, read: Callable[[Record], tuple[int, int]]) -> Sequence[Term]:
        found = [(game, read(game.record)[game.side]) for game in self._met(entrant)]
        return [Term(game.opponent, game.record.line.id, number) for game, number in found if number]


def total_points(records: Iterable[Record], adjusted: Mapping[str, int]) -> dict[str, int]:
    """Tournament points by entrant, those given or taken included; who has none may be missing."""
    points = dict(adjusted)
    for record in records:
        if not is_play_off(record.line):
            for entrant, gained in zip(record.line.sides, record.points, strict=True):
                if entrant is not None:
                    points[entrant] = points.get(entrant, 0) + gained
    return points


def is_play_off(line: Pairing) -> bool:
    """Whether the pairing is for the order of two alone."""
    return line.id.startswith("PO")


def lot(seed: int, entrant: str) -> int:
    """What is drawn for an entrant: a number of up to nine digits, the greater the better."""
    return int.from_bytes(sha256(f"{seed}|lot|{entrant}".encode()).digest()[:8]) % 1_000_000_000


def whole(number: float) -> float:
    """2.0 as 2; 2.5 as it is."""
    return int(number) if number == int(number) else number


def _won(games: Iterable[Game], entrant: str) -> list[Term]:
    return [
        Term(opponent, record.line.id, 1) for record, _, opponent in games if record.line.winner == entrant
    ]


_TERMS: Mapping[str, Callable[[Tiebreaks, str], Sequence[Term]]] = {
    "buchholz": Tiebreaks.buchholz,
    "median_buchholz": Tiebreaks.median_buchholz,
    "sonneborn_berger": Tiebreaks.sonneborn_berger,
    "score_difference": Tiebreaks.score_difference,
    "wins": Tiebreaks.wins,
    "play_off": Tiebreaks.play_off,
    "match_points": Tiebreaks.match_points,
    "deals_won": Tiebreaks.deals_won,
    "contracts_made": Tiebreaks.contracts_made,
    "last_round": Tiebreaks.last_round,
}

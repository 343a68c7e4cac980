"""Tie-breaks, each a sum of terms: what the standings order by is what a page can show adding up."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
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
        self._games: dict[str, list[Game]] = defaultdict(list)
        self._play_offs: dict[str, list[Game]] = defaultdict(list)
        self._adjusted = adjusted
        self._seed = seed
        done = [record for record in records if record.line.status == "done"]
        self._points = total_points(done, adjusted)
        for record in done:
            self._count(record)

    def _count(self, record: Record) -> None:
        line = record.line
        games = self._play_offs if is_play_off(line) else self._games
        first, second = line.sides
        if first is not None:
            games[first].append(Game(record, 0, second))
        if second is not None:
            games[second].append(Game(record, 1, first))

    def points(self, entrant: str) -> int:
        """The tournament points, those given or taken included."""
        return self._points.get(entrant, 0)

    def value(self, tiebreak: Value, entrant: str, rivals: Collection[str] = ()) -> float:
        """The sum of the terms; a whole number where it is one."""
        if tiebreak == "lot":
            return lot(self._seed, entrant)
        if tiebreak == "points":
            return self.points(entrant)
        return whole(sum([number for _, number in self._counted(tiebreak, entrant, rivals)]))

    def terms(self, tiebreak: Value, entrant: str, rivals: Collection[str] = ()) -> list[Term]:
        """What adds up to the value.

        Args:
            tiebreak: which value.
            entrant: whose.
            rivals: for `head_to_head`, those with whom the entrant is level so far.
        """
        if tiebreak == "lot":
            return [Term(None, None, lot(self._seed, entrant))]
        found = [
            Term(game.opponent, game.record.line.id, whole(number))
            for game, number in self._counted(tiebreak, entrant, rivals)
        ]
        given = self._adjusted.get(entrant, 0) if tiebreak == "points" else 0
        return [*found, Term(None, None, given)] if given else found

    def _counted(self, tiebreak: Value, entrant: str, rivals: Collection[str]) -> list[tuple[Game, float]]:
        """The pairings that count for a value, each with what it adds."""
        if tiebreak == "median_buchholz":
            return _without_extremes(self._counted("buchholz", entrant, rivals))
        games = (self._play_offs if tiebreak == "play_off" else self._games).get(entrant, ())
        if tiebreak == "head_to_head":
            return [(game, game.record.points[game.side]) for game in games if game.opponent in rivals]
        rule, points = _RULES[tiebreak], self._points
        return [(game, number) for game in games if (number := rule(game, points)) is not None]


def total_points(records: Iterable[Record], adjusted: Mapping[str, int]) -> dict[str, int]:
    """Tournament points by entrant, those given or taken included; who has none may be missing."""
    points = defaultdict(int, adjusted)
    for record in records:
        if not is_play_off(record.line):
            (first, second), (gained, conceded) = record.line.sides, record.points
            if first is not None:
                points[first] += gained
            if second is not None:
                points[second] += conceded
    return dict(points)


def is_play_off(line: Pairing) -> bool:
    """Whether the pairing is for the order of two alone."""
    return line.id.startswith("PO")


def lot(seed: int, entrant: str) -> int:
    """What is drawn for an entrant: a number of up to nine digits, the greater the better."""
    return int.from_bytes(sha256(f"{seed}|lot|{entrant}".encode()).digest()[:8]) % 1_000_000_000


def whole(number: float) -> float:
    """2.0 as 2; 2.5 as it is."""
    return int(number) if number == int(number) else number


def _without_extremes(strengths: list[tuple[Game, float]]) -> list[tuple[Game, float]]:
    """All but the strongest opponent and the weakest; of two or fewer nothing is left."""
    order = sorted(range(len(strengths)), key=lambda place: strengths[place][1])
    return [strengths[place] for place in sorted(order[1:-1])]


# What one pairing adds to a value; None where it does not count for it.


def _gained(game: Game, points: Mapping[str, int]) -> float | None:
    return game.record.points[game.side]


def _strength(game: Game, points: Mapping[str, int]) -> float | None:
    if not game.record.met or game.opponent is None:
        return None
    return points[game.opponent]


def _strength_by_result(game: Game, points: Mapping[str, int]) -> float | None:
    if not game.record.met or game.opponent is None:
        return None
    if game.record.line.winner is None:
        return points[game.opponent] / 2
    return None if game.record.line.winner == game.opponent else points[game.opponent]


def _margin(game: Game, points: Mapping[str, int]) -> float | None:
    score = game.record.line.score
    return None if score is None else score[game.side] - score[1 - game.side]


def _win(game: Game, points: Mapping[str, int]) -> float | None:
    line = game.record.line
    return 1 if line.winner == line.sides[game.side] else None


def _single_matches(game: Game, points: Mapping[str, int]) -> float | None:
    return game.record.line.won[game.side] if game.record.met else None


def _deals(game: Game, points: Mapping[str, int]) -> float | None:
    return game.record.deals[game.side] if game.record.met else None


def _contracts(game: Game, points: Mapping[str, int]) -> float | None:
    return game.record.contracts[game.side] if game.record.met else None


def _last_rounds(game: Game, points: Mapping[str, int]) -> float | None:
    return game.record.last_gained[game.side] or None


_RULES: Mapping[str, Callable[[Game, Mapping[str, int]], float | None]] = {
    "points": _gained,
    "buchholz": _strength,
    "sonneborn_berger": _strength_by_result,
    "score_difference": _margin,
    "wins": _win,
    "play_off": _win,
    "match_points": _single_matches,
    "deals_won": _deals,
    "contracts_made": _contracts,
    "last_round": _last_rounds,
}

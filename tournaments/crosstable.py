"""Who met whom: a round robin as a square of results, a Swiss as a line of rounds for each entrant."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.functional import Promise

from tournaments.cards import entries_of
from tournaments.course import Course
from tournaments.formats.names import read_name
from tournaments.formats.results import Pairing, Standing
from tournaments.models import Entry, Format, Tournament
from tournaments.points import points_pair
from tournaments.words import REASONS, group_name

# A larger field is read round by round.
MOST = 40
MOST_SWISS = 200


@dataclass(frozen=True, slots=True)
class Cell:
    """A meeting from one side. `outcome`: won, lost, drawn, open; `opponent`: the other's place, in a Swiss.

    `floated`: there, 1 where it was paired up with a pair of more points, -1 where down.
    """

    pairing: str
    round: str
    outcome: str
    text: str | Promise
    opponent: int | None = None
    floated: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """One entrant's meetings; None in the column of itself, and of a round it was not in."""

    place: int
    entry: Entry
    points: int
    cells: tuple[tuple[Cell, ...] | None, ...]
    mine: bool


@dataclass(frozen=True, slots=True)
class Square:
    """A group. `heads`: what stands over the columns: places, or rounds."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]


def squares(tournament: Tournament, course: Course, stage: int, mine: str | None) -> list[Square]:
    """The tables of a stage, group by group; none where the field is too large to be read so."""
    standings = [standing for standing in course.standings(stage) if course.scored(stage)]
    by_group: dict[int, list[Standing]] = {}
    for standing in standings:
        by_group.setdefault(standing.group or 0, []).append(standing)
    is_swiss = course.format(stage) == Format.SWISS
    if max(map(len, by_group.values()), default=0) > (MOST_SWISS if is_swiss else MOST):
        return []
    entries = entries_of(tournament, {standing.entrant for standing in standings})
    draw = _swiss if is_swiss else _square
    return [draw(group, by_group[group], course, stage, entries, mine) for group in sorted(by_group)]


def _square(
    group: int,
    standings: Sequence[Standing],
    course: Course,
    stage: int,
    entries: dict[str, Entry],
    mine: str | None,
) -> Square:
    met: dict[tuple[str | None, str | None], list[Pairing]] = {}
    for pairing in _played_in(course, stage):
        for side in (0, 1):
            met.setdefault((pairing.sides[side], pairing.sides[1 - side]), []).append(pairing)
    rows = [
        Row(
            place,
            entries[standing.entrant],
            standing.points,
            tuple(
                None
                if other.entrant == standing.entrant
                else tuple(
                    _cell(course, p, standing.entrant) for p in met.get((standing.entrant, other.entrant), ())
                )
                for other in standings
            ),
            standing.entrant == mine,
        )
        for place, standing in enumerate(standings, 1)
    ]
    heads = tuple(str(place) for place in range(1, len(standings) + 1))
    return Square(group_name(group) if group else "", heads, tuple(rows))


def _swiss(
    _group: int,
    standings: Sequence[Standing],
    course: Course,
    stage: int,
    entries: dict[str, Entry],
    mine: str | None,
) -> Square:
    rounds = sorted({pairing.round for pairing in _played_in(course, stage)})
    places = {standing.entrant: place for place, standing in enumerate(standings, 1)}
    floated = {round_: course.floated(stage, round_) for round_ in rounds}
    met: dict[str, dict[int, list[Cell]]] = {}
    for pairing in _played_in(course, stage):
        for side, entrant in enumerate(pairing.sides):
            if entrant is not None:
                other = places.get(pairing.sides[1 - side] or "")
                floats = {} if other is None else floated[pairing.round]
                cell = replace(_cell(course, pairing, entrant, other), floated=floats.get(entrant, 0))
                met.setdefault(entrant, {}).setdefault(pairing.round, []).append(cell)
    rows = [
        Row(
            place,
            entries[standing.entrant],
            standing.points,
            tuple(
                tuple(met[standing.entrant][round_]) if round_ in met.get(standing.entrant, {}) else None
                for round_ in rounds
            ),
            standing.entrant == mine,
        )
        for place, standing in enumerate(standings, 1)
    ]
    return Square("", tuple(str(round_) for round_ in rounds), tuple(rows))


def _played_in(course: Course, stage: int) -> list[Pairing]:
    names = ((pairing, read_name(pairing.id)) for pairing in course.plan.pairings)
    return [pairing for pairing, name in names if name.stage == stage and name.part == "R"]


def _cell(course: Course, pairing: Pairing, entrant: str, opponent: int | None = None) -> Cell:
    side = pairing.sides.index(entrant)
    name = course.names.pairing(pairing.id)
    if pairing.status != "done":
        so_far = points_pair(pairing.won[side], pairing.won[1 - side]) if any(pairing.won) else ""
        return Cell(pairing.id, name, "open", so_far, opponent)
    outcome = "won" if pairing.winner == entrant else "drawn" if pairing.decided_by == "draw" else "lost"
    if pairing.score is None:
        return Cell(pairing.id, name, outcome, REASONS.get(pairing.decided_by or "", ""), opponent)
    return Cell(
        pairing.id, name, outcome, points_pair(pairing.score[side], pairing.score[1 - side]), opponent
    )

"""Who comes into the next stage, and where the others stand who did not."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from tournaments.formats.results import Standing


def qualified(standings: Sequence[Standing], count: int, left: Collection[str]) -> tuple[str, ...]:
    """The first `count` of each group who have not left, by place, then by group."""
    groups: dict[int, list[str]] = defaultdict(list)
    for standing in standings:
        if standing.entrant not in left:
            groups[standing.group or 1].append(standing.entrant)
    placed = [
        (place, group, entrant)
        for group, entrants in groups.items()
        for place, entrant in enumerate(entrants[:count])
    ]
    return tuple(entrant for _, _, entrant in sorted(placed))


def over_all(stages: Iterable[Sequence[Standing]]) -> tuple[Standing, ...]:
    """One table: the last stage as it is, behind it who stands in earlier ones only, by their place there.

    Equals share a rank, those of several groups too. Who is behind is out.

    Args:
        stages: the standings of every stage, the latest first.
    """
    table: list[Standing] = []
    for number, standings in enumerate(stages):
        listed = {standing.entrant for standing in table}
        others = [standing for standing in standings if standing.entrant not in listed]
        table += others if number == 0 else _behind(others, len(table))
    return tuple(table)


def _behind(standings: Sequence[Standing], ahead: int) -> Iterable[Standing]:
    """Nobody here is first, even if nobody at all came further."""
    placed = sorted(standings, key=lambda standing: (standing.rank, standing.group or 1))
    for _, equals in groupby(placed, key=lambda standing: standing.rank):
        shared = list(equals)
        yield from (
            replace(standing, rank=max(ahead + 1, 2), still_in=False, group=None) for standing in shared
        )
        ahead += len(shared)

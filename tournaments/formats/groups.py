"""Into which group each entrant of a round robin comes."""

from collections.abc import Iterator, Sequence, Set

Forbidden = Set[frozenset[str]]


def draw_groups(seeded: Sequence[str], count: int, forbidden: Forbidden = frozenset()) -> list[list[str]]:
    """The groups, each best seed first: seeds go forth and back over the groups, so that all are as strong.

    Those who should not meet are parted by exchanges between near seeds, as long as an exchange helps.

    Args:
        seeded: entrant ids, best first.
        count: how many groups; with more groups than entrants some stay empty.
        forbidden: pairs that should not be in one group.
    """
    group_of = {entrant: _serpentine(place, count) for place, entrant in enumerate(seeded)}
    if count > 1:
        _part(group_of, seeded, forbidden)
    return [[entrant for entrant in seeded if group_of[entrant] == number] for number in range(count)]


def _serpentine(place: int, count: int) -> int:
    row, column = divmod(place, count)
    return column if row % 2 == 0 else count - 1 - column


def _part(group_of: dict[str, int], seeded: Sequence[str], forbidden: Forbidden) -> None:
    foes: dict[str, set[str]] = {entrant: set() for entrant in seeded}
    for pair in forbidden:
        for entrant in pair & foes.keys():
            foes[entrant] |= (pair & foes.keys()) - {entrant}
    while (better := next(_better(group_of, seeded, foes), None)) is not None:
        first, second = better
        group_of[first], group_of[second] = group_of[second], group_of[first]


def _better(
    group_of: dict[str, int], seeded: Sequence[str], foes: dict[str, set[str]]
) -> Iterator[tuple[str, str]]:
    """Exchanges that leave fewer forbidden meetings: the worst seed that has one moves first, and not far."""
    for place in reversed(range(len(seeded))):
        entrant = seeded[place]
        if not _meets(group_of, foes, entrant, group_of[entrant]):
            continue
        for other in sorted(seeded, key=lambda other: abs(seeded.index(other) - place)):
            if group_of[other] != group_of[entrant] and _gain(group_of, foes, entrant, other) > 0:
                yield entrant, other


def _gain(group_of: dict[str, int], foes: dict[str, set[str]], first: str, second: str) -> int:
    """By how many forbidden meetings an exchange leaves fewer."""
    here, there = group_of[first], group_of[second]
    now = _meets(group_of, foes, first, here) + _meets(group_of, foes, second, there)
    then = _meets(group_of, foes, first, there) + _meets(group_of, foes, second, here)
    return now - then + 2 * (second in foes[first])


def _meets(group_of: dict[str, int], foes: dict[str, set[str]], entrant: str, group: int) -> int:
    return sum(group_of[foe] == group for foe in foes[entrant])

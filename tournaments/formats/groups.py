"""Into which group each entrant of a round robin comes."""

from collections.abc import Mapping, Sequence, Set

Forbidden = Set[frozenset[str]]
Foes = Mapping[str, Set[str]]
Exchanges = tuple[tuple[str, str], ...]
MANY = 400


def draw_groups(seeded: Sequence[str], count: int, forbidden: Forbidden = frozenset()) -> list[list[str]]:
    """The groups, each best seed first: seeds go forth and back over the groups, so that all are as strong.

    Those who should not meet are parted by exchanges between near seeds, as long as one or two in turn help.

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
    exchanges: Exchanges | None = ()
    while exchanges is not None:
        for first, second in exchanges:
            _exchange(group_of, first, second)
        exchanges = _fewer(group_of, seeded, foes, 0) or _two_in_turn(group_of, seeded, foes)


def _fewer(group_of: dict[str, int], seeded: Sequence[str], foes: Foes, gain: int) -> Exchanges | None:
    """An exchange that leaves fewer forbidden meetings by more than that."""
    for first, second in _candidates(group_of, seeded, foes):
        if _gain(group_of, foes, first, second) > gain:
            return ((first, second),)
    return None


def _two_in_turn(group_of: dict[str, int], seeded: Sequence[str], foes: Foes) -> Exchanges | None:
    """Two exchanges that leave fewer together, where no single one does. Not looked for among very many."""
    candidates = _candidates(group_of, seeded, foes)
    for first, second in candidates if len(candidates) <= MANY else ():
        gain = _gain(group_of, foes, first, second)
        _exchange(group_of, first, second)
        then = _fewer(group_of, seeded, foes, -gain)
        _exchange(group_of, first, second)
        if then is not None:
            return ((first, second), *then)
    return None


def _exchange(group_of: dict[str, int], first: str, second: str) -> None:
    group_of[first], group_of[second] = group_of[second], group_of[first]


def _candidates(group_of: dict[str, int], seeded: Sequence[str], foes: Foes) -> list[tuple[str, str]]:
    """Who has a forbidden meeting, worst seed first, with everybody of another group, near seeds first."""
    places = {entrant: place for place, entrant in enumerate(seeded)}
    clashing = [entrant for entrant in seeded if _meets(group_of, foes, entrant, group_of[entrant])]
    return [
        (entrant, other)
        for entrant in reversed(clashing)
        for other in sorted(seeded, key=lambda other: abs(places[other] - places[entrant]))
        if group_of[other] != group_of[entrant]
    ]


def _gain(group_of: dict[str, int], foes: Foes, first: str, second: str) -> int:
    """By how many forbidden meetings an exchange leaves fewer."""
    here, there = group_of[first], group_of[second]
    now = _meets(group_of, foes, first, here) + _meets(group_of, foes, second, there)
    then = _meets(group_of, foes, first, there) + _meets(group_of, foes, second, here)
    return now - then + 2 * (second in foes[first])


def _meets(group_of: dict[str, int], foes: Foes, entrant: str, group: int) -> int:
    return sum(group_of[foe] == group for foe in foes[entrant])

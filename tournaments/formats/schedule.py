"""Who meets whom when, where everybody meets everybody: the circle method, in the order of the Berger tables."""

from collections.abc import Sequence
from typing import NamedTuple

Meeting = tuple[str, str]


def berger(count: int) -> list[list[tuple[int, int]]]:
    """The rounds of a single round robin, as numbers from 0; the side that is first is so as often as not.

    These are the tables of the FIDE Handbook (C.05, annex 1). With an odd count the one who would meet the
    last number rests.
    """
    size = count + count % 2
    rounds = [_round(size, number) for number in range(size - 1)]
    return [[pair for pair in pairs if max(pair) < count] for pairs in rounds]


def _round(size: int, number: int) -> list[tuple[int, int]]:
    turning = size - 1
    at = number * (size // 2) % turning
    fixed = (at, turning) if number % 2 == 0 else (turning, at)
    others = [((at + step) % turning, (at - step) % turning) for step in range(1, size // 2)]
    return [fixed, *others]


class Listed(NamedTuple):
    """A meeting with its place: round and number within it, both from 1."""

    round: int
    number: int
    sides: Meeting


class Schedule:
    """The rounds of one group; in a double round robin the second leg follows with the sides exchanged."""

    def __init__(self, members: Sequence[str], double: bool) -> None:
        self.members = list(members)
        first = [[(members[a], members[b]) for a, b in pairs] for pairs in berger(len(members))]
        self._legs = 2 if double else 1
        second = [[(b, a) for a, b in pairs] for pairs in first] if double else []
        self._rounds: list[list[Meeting]] = [*first, *second]
        self._leg_of = [*[0] * len(first), *[1] * len(second)]

    def listed(self) -> list[Listed]:
        """All meetings, round by round."""
        return [
            Listed(number, place, sides)
            for number, pairs in enumerate(self._rounds, 1)
            for place, sides in enumerate(pairs, 1)
        ]

    def admit(self, newcomer: str) -> list[Listed]:
        """The meetings a late entry adds, one with every member a leg.

        They fall into rounds in which the member rests, the last of that round; for whom there is none, a
        further round is added.
        """
        added: list[Listed] = []
        for leg in range(self._legs):
            places = self._free_places(leg)
            order = sorted(self.members, key=lambda member: places.get(member, len(self._rounds)))
            for turn, member in enumerate(order):
                sides = (member, newcomer) if (turn + leg) % 2 == 0 else (newcomer, member)
                added.append(self._add(places.get(member), leg, sides))
        self.members.append(newcomer)
        return added

    def _add(self, place: int | None, leg: int, sides: Meeting) -> Listed:
        if place is None:
            place = len(self._rounds)
            self._rounds.append([])
            self._leg_of.append(leg)
        self._rounds[place].append(sides)
        return Listed(place + 1, len(self._rounds[place]), sides)

    def _free_places(self, leg: int) -> dict[str, int]:
        """For as many members as possible a round of the leg in which they rest, each another one."""
        rounds = [place for place, of in enumerate(self._leg_of) if of == leg]
        resting = {place: self._resting(place) for place in rounds}
        taken: dict[int, str] = {}
        for member in self.members:
            _seat(member, resting, taken, set())
        return {member: place for place, member in taken.items()}

    def _resting(self, place: int) -> list[str]:
        playing = {member for pair in self._rounds[place] for member in pair}
        return [member for member in self.members if member not in playing]


def _seat(member: str, resting: dict[int, list[str]], taken: dict[int, str], tried: set[int]) -> bool:
    """Finds the member a round, moving others where that helps."""
    for place, members in resting.items():
        if member not in members or place in tried:
            continue
        tried.add(place)
        if place not in taken or _seat(taken[place], resting, taken, tried):
            taken[place] = member
            return True
    return False

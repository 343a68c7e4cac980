"""A round of a Swiss: who rests, and who meets whom. Pure matching; what happened before comes in as contenders."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import combinations
from math import gcd
from typing import NamedTuple

from tournaments.formats.matching import Pair, cheapest
from tournaments.formats.score_groups import brackets, parts

SMALL = 128  # A field of this size is matched with all its possible pairs.
DENSE = 512  # So is one of this size, where a sparse graph leaves a forbidden pair.
NEAR = 3
FAR = 64
PRIME = 2_147_483_647


class Meeting(NamedTuple):
    """What two have had with each other: how often, when last, and whether they ever came to the table."""

    times: int
    last: int
    played: bool


@dataclass(frozen=True, slots=True)
class Contender:
    """One who is to be paired.

    `met`: earlier opponents. `byes`: rounds in which they rested. `unplayed_win`: points from an opponent who
    did not come. `floated`: 1 up, -1 down in the round before, else 0. `lot`: parts what is otherwise equal.
    """

    id: str
    points: int
    met: Mapping[str, Meeting]
    byes: tuple[int, ...] = ()
    unplayed_win: bool = False
    floated: int = 0
    lot: int = 0


class Draw(NamedTuple):
    """A round: pairs, better standing first, in the order of the standings; who rests; how many meet again."""

    pairs: list[tuple[str, str]]
    bye: str | None
    rematches: int


Foes = Mapping[str, Set[str]]


def draw_round(contenders: Sequence[Contender], foes: Foes) -> Draw:
    """The round of these contenders.

    Nobody meets an earlier opponent if any matching avoids it; else as few as possible do, those whose meeting
    is longest ago. After that count, in this order: forbidden pairs, differences in points, who floats the
    same way twice running, and how near each is to the opponent half a score group below.

    Args:
        contenders: who is to be paired, best standing first.
        foes: by entrant, whom they should not meet where it can be avoided.
    """
    if len(contenders) % 2 == 0:
        return _paired(contenders, foes, None)
    best: Draw | None = None
    for resting in bye_candidates(contenders):
        draw = _paired([other for other in contenders if other is not resting], foes, resting.id)
        if best is None or draw.rematches < best.rematches:
            best = draw
        if not draw.rematches:
            break
    assert best is not None
    return best


def bye_candidates(contenders: Sequence[Contender]) -> list[Contender]:
    """Who may rest, first choice first: the lowest who has had neither a bye nor points without play.

    If there are none of those: the lowest who has had no bye; then who has had fewest, longest ago.
    """
    lowest_first = contenders[::-1]
    unrested = [contender for contender in lowest_first if not contender.byes]
    if unrested:
        return [contender for contender in unrested if not contender.unplayed_win] or unrested
    fewest = min(len(contender.byes) for contender in lowest_first)
    rested = [contender for contender in lowest_first if len(contender.byes) == fewest]
    return sorted(rested, key=lambda contender: contender.byes[-1])


def _paired(contenders: Sequence[Contender], foes: Foes, bye: str | None) -> Draw:
    field = _Field(contenders, foes)
    pairs = sorted(pair for part in field.parts for pair in field.pair(part))
    again = sum(contenders[b].id in contenders[a].met for a, b in pairs)
    return Draw([(contenders[a].id, contenders[b].id) for a, b in pairs], bye, again)


class _Field:
    """An even field in order, with what each pair of it costs."""

    def __init__(self, contenders: Sequence[Contender], foes: Foes) -> None:
        self._contenders = contenders
        self._foes = foes
        self._scores = _scores([contender.points for contender in contenders])
        groups = brackets(self._scores)
        self._bracket_of = [group for group in groups for _ in range(group.start, group.end)]
        self._most_met = max((len(contender.met) for contender in contenders), default=0)
        self.parts = parts(groups, max(SMALL, 2 * self._reach))

    @property
    def _reach(self) -> int:
        """In so many neighbours everybody finds an opponent not met: more than half of them are (Dirac)."""
        return 2 * self._most_met + 2

    def pair(self, part: Sequence[int]) -> list[Pair]:
        """The part's places in pairs: sparse graphs first, where they are good enough."""
        if len(part) > max(SMALL, self._reach):
            for candidates in (self._near, self._far):
                pairs = self._match(part, self._unmet(part, candidates(part)))
                if 2 * len(pairs) == len(part) and not self._clashes(pairs):
                    return pairs
            if 2 * len(pairs) == len(part) > DENSE:
                return pairs
        return self._match(part, list(combinations(range(len(part)), 2)))

    def _match(self, part: Sequence[int], candidates: Sequence[Pair]) -> list[Pair]:
        found = cheapest(len(part), candidates, self._costs(part, candidates))
        return [(part[a], part[b]) for a, b in found]

    def _clashes(self, pairs: Iterable[Pair]) -> bool:
        contenders = self._contenders
        return any(contenders[b].id in self._foes.get(contenders[a].id, ()) for a, b in pairs)

    # Which pairs are looked at: numbers within the part, the lower first

    def _near(self, part: Sequence[int]) -> list[set[int]]:
        """By each number, the next ones and those about half a score group below."""
        at = {place: number for number, place in enumerate(part)}
        found = []
        for number, place in enumerate(part):
            near = set(range(number + 1, min(number + 1 + NEAR, len(part))))
            group = self._bracket_of[place]
            if place < group.start + group.half:
                ideal = place + group.half
                opposite = range(max(ideal - NEAR, place + 1), min(ideal + NEAR + 1, group.end))
                near.update([at[other] for other in opposite if other in at])
            found.append(near)
        return found

    def _far(self, part: Sequence[int]) -> list[set[int]]:
        far, count = 2 * self._reach, len(part)
        return [
            near.union(range(number + 1, min(number + 1 + far, count)))
            for number, near in enumerate(self._near(part))
        ]

    def _unmet(self, part: Sequence[int], others: Sequence[Iterable[int]]) -> list[Pair]:
        """Each number with these others, but for earlier opponents."""
        field = [self._contenders[place] for place in part]
        ids = [contender.id for contender in field]
        return [(a, b) for a, near in enumerate(others) for b in near if ids[b] not in field[a].met]

    # What a pair costs

    def _costs(self, part: Sequence[int], pairs: Sequence[Pair]) -> list[Sequence[int]]:
        """Of all these pairs each cost in turn, the most important first."""
        field = [self._contenders[place] for place in part]
        scores = [self._scores[place] for place in part]
        up, down = [one.floated > 0 for one in field], [one.floated < 0 for one in field]
        lots = [contender.lot for contender in field]
        apart = [min(scores[a] - scores[b], FAR) for a, b in pairs]
        return [
            *self._again(field, pairs),
            self._forbidden(field, pairs),
            [gap * gap for gap in apart],
            [down[a] + up[b] if gap else 0 for (a, b), gap in zip(pairs, apart, strict=True)],
            self._aslant(part, pairs),
            [lots[a] * lots[b] % PRIME & 0xFFFFFF for a, b in pairs],
        ]

    def _again(self, field: Sequence[Contender], pairs: Sequence[Pair]) -> tuple[list[int], list[int]]:
        """Meeting again, and how lately. One rematch played costs more than all that never came to a table."""
        again, last = [0] * len(pairs), [0] * len(pairs)
        played = len(self._contenders) // 2 + 1
        for at, (a, b) in enumerate(pairs):
            before = field[a].met.get(field[b].id)
            if before is not None:
                again[at] = played if before.played else 1
                last[at] = (before.times - 1) * self._most_met + before.last
        return again, last

    def _forbidden(self, field: Sequence[Contender], pairs: Sequence[Pair]) -> list[int]:
        if not self._foes:
            return [0] * len(pairs)
        ids = [contender.id for contender in field]
        foes = [self._foes.get(id_, ()) for id_ in ids]
        return [int(ids[b] in foes[a]) for a, b in pairs]

    def _aslant(self, part: Sequence[int], pairs: Sequence[Pair]) -> list[int]:
        """How far from the ideal opponent, squared; outside the own group the nearest is the best."""
        groups = [self._bracket_of[place] for place in part]
        halves, ends = [group.half for group in groups], [group.end for group in groups]
        below = [part[b] - part[a] for a, b in pairs]
        far = [
            abs(gap - halves[a]) if part[b] < ends[a] else gap
            for (a, b), gap in zip(pairs, below, strict=True)
        ]
        return [min(gap, FAR) ** 2 for gap in far]


def _scores(points: Sequence[int]) -> list[int]:
    """Points in the smallest steps there are, from the last upwards."""
    step = gcd(*(score - points[-1] for score in points)) or 1 if points else 1
    return [(score - points[-1]) // step for score in points]

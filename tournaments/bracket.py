"""An elimination as its page draws it: a column a round, a card a pairing.

A large one is drawn in parts, each the way to one pairing, its root: a map that is entered where one looks. Its first
column leads further down, the trail back up.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tournaments.cards import Card, Cards
from tournaments.course import OPEN, Course
from tournaments.feeding import above, below, full, round_of
from tournaments.formats.names import Name, read_name
from tournaments.formats.results import Pairing
from tournaments.models import Format
from tournaments.words import part_name

# As many pairings stand in the first column of a part at most; with two columns a round in the losers' bracket.
TALLEST = {"R": 32, "W": 32, "L": 16}
# So many rounds further on is the root of the part that shows a root in its first column.
STEP = 5
# With more columns than this a bracket is printed round by round.
DEEP = 6
PARTS = {Format.SINGLE_ELIMINATION: ("R",), Format.DOUBLE_ELIMINATION: ("W", "L")}


@dataclass(frozen=True, slots=True)
class Column:
    """One round, its cards from top to bottom; None where nobody can ever stand.

    `straight`: each pairing leads to the one beside it, not two to one.
    """

    key: str
    name: str
    cards: tuple[Card | None, ...]
    current: bool
    straight: bool

    @property
    def round(self) -> int:
        """The number of the round within its bracket."""
        return read_name(self.key).round


@dataclass(frozen=True, slots=True)
class Spot:
    """A link to another part of the bracket: to the way to the pairing `root`."""

    root: str
    name: str


@dataclass(frozen=True, slots=True)
class Tree:
    """A part of a bracket. `trail`: the way back to the whole; `before`, `after`: the parts above and below it."""

    key: str
    name: str
    columns: tuple[Column, ...]
    trail: tuple[Spot, ...]
    before: str
    after: str

    @property
    def is_deep(self) -> bool:
        """Whether it is too wide to be printed as a tree."""
        return len(self.columns) > DEEP

    @property
    def is_part(self) -> bool:
        """Whether it is not the whole bracket."""
        return len(self.trail) > 1 or any(card and card.zoom for card in self.columns[0].cards)


@dataclass(frozen=True, slots=True)
class Bracket:
    """One elimination: one tree or two, and the matches beside them: grand finals, the third place."""

    trees: tuple[Tree, ...]
    finals: tuple[Card, ...]

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of its first tree."""
        return self.trees[0].columns if self.trees else ()


def bracket(cards: Cards, stage: int, *, root: str = "", whole: bool = False) -> Bracket:
    """The bracket of a stage (0: of a tournament without stages).

    Args:
        cards: makes the cards; reads what is needed.
        stage: which one.
        root: the pairing to whose way a tree is narrowed; what is no root of this stage is passed over.
        whole: everything at once, however large; for paper.
    """
    course = cards.course
    drawn = [
        _Part(course, stage, part, _root(cards, stage, part, root, whole), whole)
        for part in PARTS.get(Format(course.format(stage)), ())
        if course.names.last(stage, part)
    ]
    finals = [pairing for pairing in course.plan.pairings if _is_beside(read_name(pairing.id), stage)]
    cards.read([*(pairing for part in drawn for pairing in part.pairings()), *finals])
    return Bracket(tuple(part.tree(cards) for part in drawn), tuple(cards.card(final) for final in finals))


def locate(course: Course, pairing: str) -> str:
    """The root of the part in which a pairing of a tree is best seen; empty where it is the whole."""
    name = read_name(pairing)
    if name.part not in TALLEST or name.number is None:
        return ""
    for _step in range(STEP - 1):
        if name.round >= course.names.last(name.stage, name.part):
            break
        name = _up(name)
    return full(name.stage, name.part, name.round, name.number or 1)


def _is_beside(name: Name, stage: int) -> bool:
    return name.stage == stage and name.part in ("GF", "P")


def _root(cards: Cards, stage: int, part: str, asked: str, whole: bool) -> Name:
    """The root that was asked for; else the part in which the reader stands, or where it is being played."""
    course = cards.course
    final = read_name(full(stage, part, course.names.last(stage, part), 1))
    if whole:
        return final
    if asked in course.by_id:
        name = read_name(asked)
        if (name.stage, name.part) == (stage, part):
            return name
    looked_at = _looked_at(cards, stage, part)
    if looked_at is None or looked_at.round >= min(round_ for round_, _ in _rounds(final, part)):
        return final
    return read_name(locate(course, full(stage, part, looked_at.round, looked_at.number or 1)))


def _looked_at(cards: Cards, stage: int, part: str) -> Name | None:
    """The pairing that a reader who asks for nothing wants to see: the latest of his own, or the first in play."""
    course, own = cards.course, cards.followed or cards.mine
    mine = [read_name(pairing.id) for pairing in course.of_entrant.get(own or "", ())]
    here = [name for name in mine if (name.stage, name.part) == (stage, part)]
    if here:
        return max(here, key=lambda name: name.round)
    for round_ in range(1, course.names.last(stage, part) + 1):
        key = round_of(stage, part, round_)
        first = next((pairing for pairing in course.rounds.get(key, ()) if pairing.status in OPEN), None)
        if first is not None:
            return read_name(first.id)
    return None


def _rounds(root: Name, part: str, *, whole: bool = False) -> list[tuple[int, list[int]]]:
    """The rounds of the way to a root, the earliest first, each with the numbers of its pairings."""
    level = [root.number or 1]
    found = [(root.round, level)]
    for round_ in range(root.round - 1, 0, -1):
        level = [
            number for behind in level for number in below(Name(root.stage, 0, part, round_ + 1, behind))
        ]
        if len(level) > TALLEST[part] and not whole:
            break
        found.insert(0, (round_, level))
    return found


def _up(name: Name) -> Name:
    return Name(name.stage, 0, name.part, name.round + 1, above(name))


class _Part:
    """One tree, before its cards are read."""

    def __init__(self, course: Course, stage: int, part: str, root: Name, whole: bool) -> None:
        self._course = course
        self._stage = stage
        self._part = part
        self._root = root
        self._rounds = _rounds(root, part, whole=whole)

    def pairings(self) -> Iterator[Pairing]:
        """All pairings that there are in it."""
        for round_, numbers in self._rounds:
            yield from (pairing for number in numbers if (pairing := self._pairing(round_, number)))

    def tree(self, cards: Cards) -> Tree:
        """The tree, with cards that were read."""
        return Tree(
            f"{self._stage}{self._part}",
            part_name(self._part),
            tuple(self._columns(cards)),
            tuple(self._trail()),
            self._beside(-1),
            self._beside(1),
        )

    def _columns(self, cards: Cards) -> Iterator[Column]:
        current = self._current()
        for place, (round_, numbers) in enumerate(self._rounds):
            found = [self._pairing(round_, number) for number in numbers]
            zoom = place == 0 and round_ > 1
            key = self._key(round_)
            follows = self._rounds[place + 1][1] if place + 1 < len(self._rounds) else []
            yield Column(
                key,
                self._course.names.round(key),
                tuple(cards.card(pairing, zoom=zoom) if pairing else None for pairing in found),
                round_ == current,
                len(follows) == len(numbers),
            )

    def _trail(self) -> Iterator[Spot]:
        """The roots from the whole down to this one."""
        last = self._course.names.last(self._stage, self._part)
        chain, name = [self._root], self._root
        while name.round < last:
            for _step in range(STEP):
                name = _up(name) if name.round < last else name
            chain.append(name)
        for name in reversed(chain):
            id_ = full(name.stage, name.part, name.round, name.number or 1)
            yield Spot(id_, part_name(self._part) if name.round == last else self._course.names.pairing(id_))

    def _beside(self, step: int) -> str:
        """The root next to this one in its round; empty where there is none."""
        id_ = full(self._stage, self._part, self._root.round, (self._root.number or 1) + step)
        return id_ if id_ in self._course.by_id else ""

    def _current(self) -> int:
        """The first round in which something is still to be played; 0 when nothing is."""
        last = self._course.names.last(self._stage, self._part)
        for round_ in range(1, last + 1):
            if any(pairing.status in OPEN for pairing in self._course.rounds.get(self._key(round_), ())):
                return round_
        return 0

    def _key(self, round_: int) -> str:
        return round_of(self._stage, self._part, round_)

    def _pairing(self, round_: int, number: int) -> Pairing | None:
        return self._course.by_id.get(full(self._stage, self._part, round_, number))

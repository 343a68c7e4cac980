"""The pairings of one round as a list: how a round robin and a Swiss are read, and an elimination without a drawing."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from tournaments.cards import Card, Cards
from tournaments.course import OPEN, Course
from tournaments.formats.names import read_name
from tournaments.formats.results import Pairing
from tournaments.words import group_name

A_PAGE = 64


@dataclass(frozen=True, slots=True)
class RoundLink:
    """A round one may look at. `current`: it is the one being played."""

    key: str
    name: str
    done: int
    total: int
    current: bool
    shown: bool


@dataclass(frozen=True, slots=True)
class Block:
    """Pairings under one heading: a group's, or all."""

    group: int
    name: str
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class RoundPage:
    """One round, a page of it. `key` is empty where there are no pairings."""

    key: str
    name: str
    links: tuple[RoundLink, ...]
    blocks: tuple[Block, ...]
    page: int
    pages: int

    @property
    def before(self) -> int:
        """The number of the page before; 0 on the first."""
        return self.page - 1

    @property
    def after(self) -> int:
        """The number of the page after; 0 on the last."""
        return self.page + 1 if self.page < self.pages else 0


def round_page(cards: Cards, stage: int, *, key: str = "", page: int = 1) -> RoundPage:
    """A round of a stage: the one asked for, else the one being played; the reader's own pairings come first."""
    course = cards.course
    current = course.current(stage)
    keys = [known for known in course.rounds if read_name(known).stage == stage]
    shown = key if key in keys else current
    pairings = _own_first(course.rounds.get(shown, []), cards.followed or cards.mine)
    pages = max(1, -(-len(pairings) // A_PAGE))
    page = min(max(page, 1), pages)
    listed = pairings[(page - 1) * A_PAGE : page * A_PAGE]
    cards.read(listed)
    links = tuple(_link(course, known, current, shown) for known in keys)
    return RoundPage(
        shown, course.names.round(shown) if shown else "", links, _blocks(cards, listed), page, pages
    )


def _own_first(pairings: Sequence[Pairing], own: str | None) -> list[Pairing]:
    by_group = sorted(pairings, key=lambda pairing: read_name(pairing.id).group)
    return sorted(by_group, key=lambda pairing: own is None or own not in pairing.sides)


def _blocks(cards: Cards, pairings: Sequence[Pairing]) -> tuple[Block, ...]:
    groups = groupby(pairings, key=lambda pairing: read_name(pairing.id).group)
    return tuple(
        Block(group, group_name(group) if group else "", tuple(cards.card(pairing) for pairing in listed))
        for group, listed in groups
    )


def _link(course: Course, key: str, current: str, shown: str) -> RoundLink:
    pairings = course.rounds[key]
    done = sum(pairing.status not in OPEN for pairing in pairings)
    running = key == current and done < len(pairings)
    return RoundLink(key, course.names.round(key), done, len(pairings), running, key == shown)

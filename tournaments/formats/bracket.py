"""The shape of an elimination: which pairing feeds which. Who stands where is `knockout`'s business."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Literal

from tournaments.formats.fixed import Fixed


class Empty(Enum):
    """Why no entrant stands on a side."""

    UNKNOWN = "not known yet"
    BYE = "nobody was to come"
    OUT = "somebody was to come, and is out"


Takes = Literal["winner", "loser", "first again", "second again"]


@dataclass(frozen=True, slots=True)
class Feeder(Fixed):
    """A side that comes out of another pairing.

    `first again`, `second again`: that side of it once more, if its second side won.
    """

    pairing: str
    takes: Takes


Source = str | Empty | Feeder
FirstRound = Sequence[tuple[str | None, str | None]]


@dataclass(frozen=True, slots=True)
class Node(Fixed):
    """A pairing before anybody played. `out_rank` is the rank shared by those who go out here."""

    id: str
    round: int
    sources: tuple[Source, Source]
    out_rank: int


def single_elimination(first: FirstRound, third_place: bool) -> tuple[Node, ...]:
    """All pairings, every feeder before what it feeds; the final is last, or last but `P3`.

    Args:
        first: the first round from top to bottom (`seeding.first_round`); its length is a power of two.
        third_place: whether the losers of the semi-finals meet; without semi-finals there is nobody to.
    """
    nodes = winners(first, "R")
    last = nodes[-1].round if nodes else 0
    if third_place and last > 1:
        nodes.append(Node("P3", last, _meeting("R", last - 1, 1, "loser"), 4))
    return tuple(nodes)


def winners(first: FirstRound, name: str) -> list[Node]:
    """The rounds of those who have not lost, down to one pairing. Who goes out in a pairing shares its rank."""
    nodes = [Node(f"{name}1.{n}", 1, _seated(pair), len(first) + 1) for n, pair in enumerate(first, 1)]
    count, round_ = len(first), 1
    while count > 1:
        count, round_ = count // 2, round_ + 1
        nodes += [
            Node(f"{name}{round_}.{n}", round_, _meeting(name, round_ - 1, n, "winner"), count + 1)
            for n in range(1, count + 1)
        ]
    return nodes


def _seated(pair: tuple[str | None, str | None]) -> tuple[Source, Source]:
    return pair[0] or Empty.BYE, pair[1] or Empty.BYE


def _meeting(name: str, round_: int, n: int, takes: Takes) -> tuple[Feeder, Feeder]:
    return Feeder(f"{name}{round_}.{2 * n - 1}", takes), Feeder(f"{name}{round_}.{2 * n}", takes)

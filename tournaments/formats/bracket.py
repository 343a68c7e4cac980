"""The shape of an elimination: which pairing feeds which. Who stands where is `knockout`'s business."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Literal


class Empty(Enum):
    """Why no entrant stands on a side."""

    UNKNOWN = "not known yet"
    BYE = "nobody was to come"
    OUT = "somebody was to come, and is out"


@dataclass(frozen=True, slots=True)
class Feeder:
    """A side that comes out of another pairing."""

    pairing: str
    takes: Literal["winner", "loser"]


Source = str | Empty | Feeder


@dataclass(frozen=True, slots=True)
class Node:
    """A pairing before anybody played. `out_rank` is the rank shared by those who go out here."""

    id: str
    round: int
    sources: tuple[Source, Source]
    out_rank: int


def single_elimination(first: Sequence[tuple[str, str | None]], third_place: bool) -> tuple[Node, ...]:
    """All pairings, every feeder before what it feeds; the final is last, or last but `P3`.

    Args:
        first: the first round from top to bottom (`seeding.first_round`); its length is a power of two.
        third_place: whether the losers of the semi-finals meet; without semi-finals there is nobody to.
    """
    nodes = [
        Node(f"R1.{n}", 1, (better, Empty.BYE if worse is None else worse), len(first) + 1)
        for n, (better, worse) in enumerate(first, 1)
    ]
    count, round_ = len(first), 1
    while count > 1:
        count, round_ = count // 2, round_ + 1
        nodes += [
            Node(f"R{round_}.{n}", round_, _meeting(round_ - 1, n, "winner"), count + 1)
            for n in range(1, count + 1)
        ]
    if third_place and round_ > 1:
        nodes.append(Node("P3", round_, _meeting(round_ - 1, 1, "loser"), 4))
    return tuple(nodes)


def _meeting(round_: int, n: int, takes: Literal["winner", "loser"]) -> tuple[Feeder, Feeder]:
    return Feeder(f"R{round_}.{2 * n - 1}", takes), Feeder(f"R{round_}.{2 * n}", takes)

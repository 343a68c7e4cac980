"""A Swiss field in order, cut into score groups of even size, and these into parts that are matched apart."""

from collections.abc import Sequence
from typing import NamedTuple

PART = 1024


class Bracket(NamedTuple):
    """Places `start` to `end` of the order, an even number of them.

    The upper half is to meet the lower: each the one `half` places below.
    """

    start: int
    end: int

    @property
    def half(self) -> int:
        """How far below the ideal opponent stands."""
        return (self.end - self.start) // 2


def brackets(points: Sequence[int]) -> list[Bracket]:
    """The score groups of an even field, best first. The last of an odd group floats down and meets the next's best.

    Args:
        points: of each place, best first.
    """
    found: list[Bracket] = []
    start = end = 0
    while start < len(points):
        end = _end_of_group(points, end)
        size = (end - start) // 2 * 2
        if size and points[start] != points[start + 1]:
            found.append(Bracket(start, start + 2))
            start, size = start + 2, size - 2
        if size:
            found.append(Bracket(start, start + size))
            start += size
    return found


def parts(groups: Sequence[Bracket], smallest: int) -> list[list[int]]:
    """The places in parts that are large enough to be paired well, and small enough to be paired fast.

    A part is some whole score groups, or a strip of a very large one: some of its upper half with the same of
    its lower.

    Args:
        groups: score groups.
        smallest: fewer places than that are no part of their own, if there are others.
    """
    found: list[list[int]] = [[]]
    for group in groups:
        if len(found[-1]) + group.end - group.start > PART:
            found.append([])
        if group.end - group.start <= PART:
            found[-1] += range(group.start, group.end)
        else:
            found[-1:] = [found[-1], *_strips(group), []]
    return _merged([part for part in found if part], smallest)


def _end_of_group(points: Sequence[int], start: int) -> int:
    end = start
    while end < len(points) and points[end] == points[start]:
        end += 1
    return end


def _strips(group: Bracket) -> list[list[int]]:
    width = PART // 2
    uppers = [
        range(start, min(start + width, group.start + group.half))
        for start in range(group.start, group.start + group.half, width)
    ]
    return [[*upper, *(place + group.half for place in upper)] for upper in uppers]


def _merged(found: list[list[int]], smallest: int) -> list[list[int]]:
    """Parts that are too small go with the next, or at the end with the one before."""
    merged: list[list[int]] = []
    waiting: list[int] = []
    for part in found:
        waiting = [*waiting, *part]
        if len(waiting) >= smallest:
            merged.append(sorted(waiting))
            waiting = []
    if waiting:
        merged[-1:] = [sorted([*(merged[-1] if merged else []), *waiting])]
    return merged

"""Chance from a seed: the same on every machine and in every version of Python."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """A stream of numbers from SHA-256 of the seed and a counter."""

    def __init__(self, seed: str) -> None:
        self.numbers = numbers_from(seed)

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        return next(self.numbers) % n

    def one_in(self, n: int) -> bool:
        return self.below(n) == 0

    def pick(self, choices: Sequence[T]) -> T:
        return choices[self.below(len(choices))]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        rest = list(things)
        return [rest.pop(self.below(len(rest))) for _ in things]


def numbers_from(seed: str) -> Iterator[int]:
    block = 0
    while True:
        digest = hashlib.sha256(f"{seed}|{block}".encode()).digest()
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1

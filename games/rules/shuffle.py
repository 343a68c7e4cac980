"""Dealing that anyone can check afterwards: all from a committed secret and a public salt."""

import hashlib
import hmac
from collections.abc import Callable, Iterator

from games.rules.cards import DECK

_RANGE = 1 << 32


def commitment(secret: bytes) -> str:
    """What is shown before the match: the hex SHA-256 of the secret."""
    return hashlib.sha256(secret).hexdigest()


def first_dealer(secret: bytes, salt: str) -> int:
    """The seat that deals first."""
    return _digest(secret, f"tarneeb-dealer/1|{salt}")[0] % 4


def deck(secret: bytes, salt: str, index: int) -> list[int]:
    """The 52 cards of deal `index` (from 0, dead deals included), in dealt order."""
    cards = list(DECK)
    draw = chance(secret, f"tarneeb-deal/1|{salt}|{index}")
    for i in range(51, 0, -1):
        j = draw(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def chance(secret: bytes, label: str) -> Callable[[int], int]:
    """A source of even numbers: each call with `n` gives the next one in [0, n). The same on every machine.

    Its bytes are HMAC-SHA256(secret, label|0), label|1, … taken four at a time, big-endian; what would
    favour low numbers is skipped.
    """
    numbers = _numbers(secret, label)

    def draw(n: int) -> int:
        limit = _RANGE - _RANGE % n
        for number in numbers:
            if number < limit:
                return number % n
        raise AssertionError("the numbers never end")

    return draw


def _numbers(secret: bytes, label: str) -> Iterator[int]:
    block = 0
    while True:
        digest = _digest(secret, f"{label}|{block}")
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def _digest(secret: bytes, text: str) -> bytes:
    return hmac.new(secret, text.encode(), hashlib.sha256).digest()

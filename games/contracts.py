"""A contract as one small number, seen from one player: who declared, how many tricks, which trump, made or not.

Numbers are kept with every player's part in a match, so that a search for contracts and the statistics about them
are questions about lists of numbers.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, Final, NamedTuple

from games.rules.ruleset import STRAINS, bid_number
from games.rules.seats import partner, side

ME, PARTNER, OPPONENTS = 0, 1, 2
WHO: Final = (ME, PARTNER, OPPONENTS)
LEVELS: Final = range(7, 14)


class Kind(NamedTuple):
    """What is told of a contract. `who`: ME, PARTNER or OPPONENTS; `trump`: C D H S, or N without one."""

    who: int
    level: int
    trump: str
    made: bool


def number_of(kind: Kind) -> int:
    """The number of a contract."""
    place = kind.who * len(LEVELS) + kind.level - LEVELS.start
    return (place * len(STRAINS) + STRAINS.index(kind.trump)) * 2 + kind.made


def kind_of(number: int) -> Kind:
    """The contract of a number."""
    rest, made = divmod(number, 2)
    rest, trump = divmod(rest, len(STRAINS))
    who, level = divmod(rest, len(LEVELS))
    return Kind(who, level + LEVELS.start, STRAINS[trump], bool(made))


def numbers(
    who: int | None = None, level: int | None = None, trump: str = "", made: bool | None = None
) -> list[int]:
    """The numbers of all contracts of these qualities; what is not given does not matter."""
    return [number_of(kind) for kind in _kinds() if kind.fits(who, level, trump, made)]


def _kinds() -> Iterator["_Asked"]:
    for who, level, trump, made in product(WHO, LEVELS, STRAINS, (False, True)):
        yield _Asked(who, level, trump, made)


class _Asked(Kind):
    """One of the numbers that there are."""

    def fits(self, who: int | None, level: int | None, trump: str, made: bool | None) -> bool:
        return (
            who in (None, self.who)
            and level in (None, self.level)
            and trump in ("", self.trump)
            and made in (None, self.made)
        )


def kept(contract: Mapping[str, Any], tricks: list[int], change: list[int], seat: int) -> tuple[int, int]:
    """The number of a counted deal's contract as `seat` sees it, and how far its side came above the bid."""
    declarer, level = contract["seat"], bid_number(contract["bid"])
    kind = Kind(_who(declarer, seat), level, contract["trump"], change[side(declarer)] > 0)
    return number_of(kind), tricks[side(declarer)] - level


def _who(declarer: int, seat: int) -> int:
    if declarer == seat:
        return ME
    return PARTNER if declarer == partner(seat) else OPPONENTS

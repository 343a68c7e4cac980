"""Where the sides of an elimination's pairing come from: for the words in an empty place, and for drawing it."""

from typing import Literal, NamedTuple

from tournaments.formats.double_bracket import crossed
from tournaments.formats.names import Name, read_name
from tournaments.words import Names

SIDES = (0, 1)


class Feed(NamedTuple):
    """The pairing whose winner, or loser, comes to a side."""

    pairing: str
    takes: Literal["winner", "loser"]


def feeds(pairing: str, names: Names) -> tuple[Feed | None, Feed | None]:
    """Of an elimination's pairing, what comes to each side; None where it was seated, or cannot be told."""
    name = read_name(pairing)
    first, second = (_feed(name, side, names) for side in SIDES)
    return first, second


def _feed(name: Name, side: int, names: Names) -> Feed | None:
    number = name.number or 1
    match name.part:
        case "R" | "W" if name.round > 1:
            return Feed(full(name.stage, name.part, name.round - 1, 2 * number - 1 + side), "winner")
        case "P":
            return Feed(full(name.stage, "R", names.last(name.stage, "R") - 1, side + 1), "loser")
        case "L":
            return _lower_feed(name, number, side, names)
        case "GF" if name.round == 1:
            return _final_feed(name, side, names)
    return None


def _lower_feed(name: Name, number: int, side: int, names: Names) -> Feed:
    if name.round == 1:
        return Feed(full(name.stage, "W", 1, 2 * number - 1 + side), "loser")
    if name.round % 2:
        return Feed(full(name.stage, "L", name.round - 1, 2 * number - 1 + side), "winner")
    if side == 1:
        return Feed(full(name.stage, "L", name.round - 1, number), "winner")
    dropping = name.round // 2 + 1
    loser = crossed(dropping, number, names.last(name.stage, "W"))
    return Feed(full(name.stage, "W", dropping, loser), "loser")


def _final_feed(name: Name, side: int, names: Names) -> Feed:
    upper, lower = (names.last(name.stage, part) for part in "WL")
    if side == 0:
        return Feed(full(name.stage, "W", upper, 1), "winner")
    if not lower:
        return Feed(full(name.stage, "W", upper, 1), "loser")
    return Feed(full(name.stage, "L", lower, 1), "winner")


def full(stage: int, part: str, round_: int, number: int) -> str:
    """A pairing's name in the file."""
    name = f"{part}{round_}.{number}"
    return f"{stage}:{name}" if stage else name


def round_of(stage: int, part: str, round_: int) -> str:
    """A round's name in the file."""
    return f"{stage}:{part}{round_}" if stage else f"{part}{round_}"


def below(root: Name) -> list[int]:
    """The numbers of the pairings, in the round before, that are drawn behind this one."""
    number = root.number or 1
    if root.part == "L" and root.round % 2 == 0:
        return [number]
    return [2 * number - 1, 2 * number]


def above(name: Name) -> int:
    """The number of the pairing, in the round after, that this one is drawn in front of."""
    number = name.number or 1
    return number if name.part == "L" and name.round % 2 else (number + 1) // 2

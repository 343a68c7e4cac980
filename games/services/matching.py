"""Who plays with whom: wishes go in, tables come out. Pure: the time and chance come in as arguments."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

SEATS = 4
Chance = Callable[[int], int]


class Wish(NamedTuple):
    """One player, or two partners, who want a match now. `bots`: whether bots may fill the seats."""

    id: int
    users: tuple[int, ...]
    since: datetime
    bots: bool = False
    rating: float | None = None


class Found(NamedTuple):
    """A table that has come together: its wishes, and the ids of its players by seat (None: a bot)."""

    wishes: tuple[int, ...]
    seats: tuple[int | None, ...]


Closeness = Callable[[Wish, Wish], float]
# Of whom one does not want to meet the other, by their ids.
Foes = frozenset[frozenset[int]]


def closeness(one: Wish, other: Wish) -> float:
    """How far two wishes are apart in strength, 0 where either has no rating: then only the wait counts."""
    if one.rating is None or other.rating is None:
        return 0.0
    return abs(one.rating - other.rating)


def find_matches(
    wishes: Sequence[Wish],
    *,
    now: datetime,
    bots_after: timedelta,
    chance: Chance,
    apart: Closeness = closeness,
    foes: Foes = frozenset(),
    foes_after: timedelta = timedelta(0),
) -> list[Found]:
    """The tables that these wishes make, whoever waits longest first; partners sit opposite each other.

    `foes` come together only where the first of a table has waited for `foes_after` and no others are there;
    never where bots fill.

    `chance(n)` is a number below n: it says which of those who came alone play together. Bots take seats only
    beside people who all agreed to it, and once the first of them has waited for `bots_after`.
    """
    waiting = sorted(wishes, key=lambda wish: (wish.since, wish.id))
    found = []
    while group := (
        _full(waiting, waiting, apart, foes)
        or (foes and _full(waiting, _since(waiting, now - foes_after), apart, frozenset()))
        or _with_bots(waiting, now - bots_after, apart, foes)
    ):
        found.append(Found(tuple(wish.id for wish in group), _seated(group, chance)))
        waiting = [wish for wish in waiting if wish not in group]
    return found


def _full(waiting: Sequence[Wish], first_ones: Sequence[Wish], apart: Closeness, foes: Foes) -> list[Wish]:
    groups = ([first, *_companions(first, waiting, apart, foes)] for first in first_ones)
    return next((group for group in groups if _people(group) == SEATS), [])


def _since(waiting: Sequence[Wish], since: datetime) -> list[Wish]:
    return [wish for wish in waiting if wish.since <= since]


def _with_bots(waiting: Sequence[Wish], since: datetime, apart: Closeness, foes: Foes) -> list[Wish]:
    willing = [wish for wish in waiting if wish.bots]
    first = next((wish for wish in willing if wish.since <= since), None)
    return [first, *_companions(first, willing, apart, foes)] if first else []


def _companions(first: Wish, waiting: Sequence[Wish], apart: Closeness, foes: Foes) -> list[Wish]:
    """The others who fill most seats beside the first; of those the closest, then those who wait longest."""
    others = sorted((wish for wish in waiting if wish is not first), key=lambda wish: apart(first, wish))
    others = _at_peace(first, others, foes)
    places = {wish.id: place for place, wish in enumerate(others)}
    alone = [wish for wish in others if len(wish.users) == 1]
    pairs = [wish for wish in others if len(wish.users) == 2]
    free = SEATS - len(first.users)
    choices = [
        alone[:singles] + pairs[:couples]
        for couples in (0, 1)
        for singles in range(free - 2 * couples + 1)
        if singles <= len(alone) and couples <= len(pairs)
    ]
    return min(
        choices,
        key=lambda choice: (
            -_people(choice),
            sum(apart(first, wish) * len(wish.users) for wish in choice),
            sorted(places[wish.id] for wish in choice),
        ),
    )


def _at_peace(first: Wish, others: list[Wish], foes: Foes) -> list[Wish]:
    """Those of the others, the nearest first, none of whom is a foe of the first or of one before."""
    if not foes:
        return others
    kept = [first]
    for wish in others:
        if not any(
            frozenset((one, other)) in foes for held in kept for one in held.users for other in wish.users
        ):
            kept.append(wish)
    return kept[1:]


def _people(group: Sequence[Wish]) -> int:
    return sum(len(wish.users) for wish in group)


def _seated(group: Sequence[Wish], chance: Chance) -> tuple[int | None, ...]:
    alone: list[int | None] = [wish.users[0] for wish in group if len(wish.users) == 1]
    alone += [None] * (SEATS - _people(group))
    for last in range(len(alone) - 1, 0, -1):
        other = chance(last + 1)
        alone[last], alone[other] = alone[other], alone[last]
    sides = [wish.users for wish in group if len(wish.users) == 2]
    sides += [tuple(alone[number : number + 2]) for number in range(0, len(alone), 2)]  # type: ignore[misc]
    (one, its_partner), (other_one, other_partner) = sides
    return one, other_one, its_partner, other_partner

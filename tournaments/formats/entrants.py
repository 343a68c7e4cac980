"""Who takes part, and in which order they are seeded."""

from collections.abc import Iterable
from dataclasses import dataclass

from tournaments.formats.fixed import Fixed


@dataclass(frozen=True, slots=True)
class Entrant(Fixed):
    """One entry: a pair of partners under one id. Seed 1 is the best; None stands behind all seeds."""

    id: str
    name: str = ""
    seed: int | None = None


def in_seed_order(entrants: Iterable[Entrant]) -> tuple[Entrant, ...]:
    """The entrants, best seed first; those without a seed last, in the order they came."""
    return tuple(sorted(entrants, key=lambda entrant: (entrant.seed is None, entrant.seed or 0)))

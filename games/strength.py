"""How strong players are, as numbers. Pure: ratings and times go in, ratings come out.

The method is Plackett-Luce of `openskill`: a strength is a mean and how uncertain it is, and a side is as strong as
its two together. docs/ratings.md says it in words; all of its numbers stand here.
"""

import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from openskill.models import PlackettLuce

MU: Final = 25.0
SIGMA: Final = 25.0 / 3
# The chance in one match, and how much strength itself may change from one match to the next.
BETA: Final = 25.0 / 6
TAU: Final = 25.0 / 300

# What is shown: 1500 to begin with, 333 of them uncertain.
CENTRE: Final = 1500
SCALE: Final = 40.0
# Boards go by what is certain: so many uncertainties below the rating.
CAUTION: Final = 2.0

# What a day without a match adds to the square of the uncertainty.
IDLE_DAY: Final = 0.05
# Known well enough, for boards and for seeds: at most so uncertain, after so many matches.
KNOWN_SIGMA: Final = 6.2
KNOWN_MATCHES: Final = 10

ALL: Final = "all"
SEASON_MATCHES: Final = 10

_MODEL = PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, tau=TAU)


class Strength(NamedTuple):
    """A mean and its uncertainty, in the method's own units."""

    mu: float = MU
    sigma: float = SIGMA


Side = Sequence[Strength]


def after_match(sides: tuple[Side, Side], winner: int | None) -> tuple[list[Strength], list[Strength]]:
    """The strengths of both sides after a match between them; `winner` None: a draw."""
    teams = [[_MODEL.rating(mu=one.mu, sigma=one.sigma) for one in side] for side in sides]
    ranks = [1.0, 1.0] if winner is None else [1.0 + (winner != side) for side in (0, 1)]
    first, second = _MODEL.rate(teams, ranks=ranks)
    return [Strength(one.mu, one.sigma) for one in first], [Strength(one.mu, one.sigma) for one in second]


def rested(strength: Strength, idle: timedelta) -> Strength:
    """A strength after a time without a match: as strong, less certain, never less than somebody new."""
    days = max(0.0, idle.total_seconds() / 86400)
    return strength._replace(
        sigma=max(strength.sigma, min(SIGMA, math.sqrt(strength.sigma**2 + IDLE_DAY * days)))
    )


def points(strength: Strength) -> int:
    """The number that is shown."""
    return round(CENTRE + SCALE * (strength.mu - MU))


def margin(strength: Strength) -> int:
    """How uncertain the shown number is: in two of three cases the true one is not farther off."""
    return round(SCALE * strength.sigma)


def least(strength: Strength) -> int:
    """What boards go by: what a player has shown for all but certain."""
    return round(CENTRE + SCALE * (strength.mu - CAUTION * strength.sigma - MU))


def known_until(strength: Strength, matches: int, last_at: datetime) -> datetime | None:
    """Until when a rating is known well enough if no match follows; None: it is not."""
    if matches < KNOWN_MATCHES or strength.sigma > KNOWN_SIGMA:
        return None
    return last_at + timedelta(days=(KNOWN_SIGMA**2 - strength.sigma**2) / IDLE_DAY)


def season_of(at: datetime) -> str:
    """The season of a moment, a quarter of a year in UTC: `2026-4`."""
    at = at.astimezone(UTC)
    return f"{at.year}-{(at.month + 2) // 3}"


def season_start(season: str) -> datetime:
    """When a season begins."""
    year, quarter = map(int, season.split("-"))
    return datetime(year, 3 * quarter - 2, 1, tzinfo=UTC)

"""Reads of ratings: the numbers of many players at once."""

from collections.abc import Collection, Sequence
from datetime import datetime
from statistics import fmean

from accounts.models import Rating
from games.models import Seek
from games.strength import ALL


def points_of(
    user_ids: Collection[int], ruleset: str, speed: str, *, known_at: datetime | None = None
) -> dict[int, int]:
    """By user the rating in a ruleset at a speed, else in all its speeds; whoever has neither is left out.

    `known_at`: only ratings that are known well enough at that time.
    """
    found = Rating.objects.filter(user__in=user_ids, ruleset=ruleset, speed__in=(speed, ALL))
    if known_at is not None:
        found = found.filter(known_until__gt=known_at)
    rows = sorted(found.values_list("speed", "user", "points"), key=lambda row: row[0] != ALL)
    return {user_id: points for _, user_id, points in rows}


def wish_strengths(alike: Sequence[Seek]) -> list[float | None]:
    """How strong the people of each of these wishes for the same match are, of partners the mean; None: not known.

    Nothing is asked where all of them fit at one table.
    """
    people = [[pk for pk in (wish.user_id, wish.partner_id) if pk is not None] for wish in alike]
    if sum(map(len, people)) <= 4:
        return [None] * len(alike)
    points = points_of({pk for both in people for pk in both}, alike[0].ruleset, alike[0].speed)
    known = [[points[pk] for pk in both if pk in points] for both in people]
    return [fmean(found) if found else None for found in known]

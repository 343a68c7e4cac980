"""A tournament as its form shows it, and the times of a further one like it."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from tournaments.models import Tournament
from tournaments.services.making import CHANGEABLE

LOCAL = "%Y-%m-%dT%H:%M"
TIMES = ("starts_at", "registration_opens_at", "registration_closes_at")
# What was played so recently is played every week; anything older once a year.
WEEKLY = timedelta(days=60)


def initial_of(tournament: Tournament) -> dict[str, Any]:
    """What the form shows of a tournament; times by the clocks of its zone."""
    known = {name: getattr(tournament, name) for name in CHANGEABLE if name != "settings"}
    zone = ZoneInfo(tournament.time_zone)
    for name in TIMES:
        if known[name] is not None:
            known[name] = known[name].astimezone(zone).strftime(LOCAL)
    start = tournament.starts_at.astimezone(zone)
    known["later"] = (
        str(start.fold) if start.replace(fold=0).utcoffset() != start.replace(fold=1).utcoffset() else ""
    )
    known["round_cap"] = tournament.round_cap or 0
    known["starts_itself"] = "1" if tournament.starts_itself else "0"
    return known


def moved(origin: Tournament, now: datetime) -> dict[str, Any]:
    """The times of a tournament like another one: the same weekday and hour there, the next week or year to come."""
    zone = ZoneInfo(origin.time_zone)
    step = timedelta(days=7 if now - origin.starts_at < WEEKLY else 364)
    # By the clocks on the wall, which may be put forward or back meanwhile.
    start = origin.starts_at.astimezone(zone).replace(tzinfo=None)
    shift = timedelta()
    while start + shift <= now.astimezone(zone).replace(tzinfo=None):
        shift += step
    found: dict[str, Any] = {"later": ""}
    for name in TIMES:
        at = getattr(origin, name)
        found[name] = (at.astimezone(zone).replace(tzinfo=None) + shift).strftime(LOCAL) if at else None
    return found

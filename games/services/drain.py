"""Draining: before the site is stopped on purpose, no new match starts and those in play go on to their end.

Kept as a row in PostgreSQL, for every process to see; whoever starts the site anew ends it.
"""

from collections.abc import Iterable
from datetime import datetime
from functools import partial

from django.db import transaction

from games.live.announce import ring_item, tell
from games.models import Heartbeat, Phase, Table
from games.services.refusals import Refused

NAME = "drain"
# The pages that say so, or lack what cannot be done.
TOPICS = ("lobby", "play")


def begin(*, now: datetime) -> datetime:
    """Start nothing new from now on; since when that is so."""
    with transaction.atomic(durable=True):
        row, _ = Heartbeat.objects.get_or_create(name=NAME, defaults={"at": now})
        _ring(TOPICS)
    return row.at


def undo() -> bool:
    """Start new matches again; whether there was anything to undo."""
    with transaction.atomic(durable=True):
        deleted, _ = Heartbeat.objects.filter(name=NAME).delete()
        _ring(TOPICS)
    return bool(deleted)


def since() -> datetime | None:
    """Since when nothing new is started; None where the site goes on as ever."""
    return Heartbeat.objects.filter(name=NAME).values_list("at", flat=True).first()


def in_play() -> int:
    """How many matches are being played."""
    return Table.objects.exclude(phase__in=(Phase.WAITING, Phase.OVER)).count()


def require_open() -> None:
    """Raises: Refused `draining` where nothing new may start."""
    if since() is not None:
        raise Refused("draining")


def _ring(topics: Iterable[str]) -> None:
    transaction.on_commit(partial(tell, *map(ring_item, topics)), robust=True)

"""A break for everybody: the clocks of tables stand still, nothing is played, and it goes on where it stopped.

Talk and votes go on meanwhile. What is left of the running time is kept on the row: `paused_ms`.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from django.db.models import QuerySet
from django.db.models.expressions import RawSQL

from games.models import EventKind, Table
from games.services.moving import IN_PLAY, hold, move

# Whoever was about to act when the break began finds the way back to the table.
LEAST_AFTERWARDS: Final = timedelta(seconds=10)


def pause_tables(table_ids: Collection[int], now: datetime) -> list[int]:
    """Inside an open transaction: pause tables in play; the ids of those that were not paused before."""
    found = hold(table_ids).filter(phase__in=IN_PLAY, paused_at=None)
    left = RawSQL("greatest(0, ceil(extract(epoch from due_at - %s) * 1000))", [now])
    return move(_ids(found), EventKind.PAUSE, now, paused_at=now, paused_ms=left, due_at=None)


def resume_tables(table_ids: Collection[int], now: datetime) -> list[int]:
    """Inside an open transaction: let paused tables go on; the ids of those that were paused.

    Whatever is awaited there gets the time that was left, but at least ten seconds.
    """
    found = hold(table_ids).filter(paused_at__isnull=False)
    due_at = RawSQL("%s + greatest(%s, paused_ms * interval '1 ms')", [now, LEAST_AFTERWARDS])
    return move(_ids(found), EventKind.RESUME, now, paused_at=None, paused_ms=None, due_at=due_at)


def _ids(tables: QuerySet[Table]) -> list[int]:
    return list(tables.values_list("pk", flat=True))

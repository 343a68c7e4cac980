"""Inside an open transaction: the same step at many tables at once, each one event of its own."""

from collections.abc import Collection
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet

from games.live.announce import Item, ring_item, table_item, tell
from games.models import Event, EventKind, Phase, Seat, Table

IN_PLAY = frozenset({Phase.DEAL, Phase.AUCTION, Phase.TRUMP, Phase.PLAY})


def hold(table_ids: Collection[int]) -> QuerySet[Table]:
    """These tables, their rows held until the end of the transaction; in one order everywhere."""
    tables = Table.objects.filter(pk__in=table_ids).order_by("pk")
    # Evaluated on its own: a condition could be judged by a row that another transaction was just changing.
    list(tables.select_for_update().values_list("pk"))
    return tables


def move(table_ids: Collection[int], kind: EventKind, now: datetime, **changes: Any) -> list[int]:
    """One event at each of these tables, whose rows are held; their ids. Told once it is committed."""
    if not table_ids:
        return []
    Table.objects.filter(pk__in=table_ids).update(version=F("version") + 1, **changes)
    moved = list(Table.objects.filter(pk__in=table_ids).order_by("pk").values_list("pk", "version"))
    Event.objects.bulk_create(
        [Event(table_id=table_id, version=version, kind=kind, at=now) for table_id, version in moved]
    )
    tell_all([table_item(table_id, version) for table_id, version in moved])
    return [table_id for table_id, _ in moved]


def close_all(table_ids: Collection[int], now: datetime) -> list[int]:
    """Close these tables, whose rows are held, without a result; the ids of those that were not over yet."""
    asked = Table.objects.filter(pk__in=table_ids).exclude(phase=Phase.OVER)
    open_ids = list(asked.values_list("pk", flat=True))
    Seat.objects.filter(table__in=open_ids, engaged=True).update(engaged=False)
    over = {"phase": Phase.OVER, "due_at": None, "ended_at": now, "paused_at": None, "paused_ms": None}
    closed = move(open_ids, EventKind.CLOSE, now, **over)
    if closed:
        tell_all([ring_item("lobby")])
    return closed


def tell_all(items: list[Item]) -> None:
    """Once the transaction is committed, announce all of this at once."""
    transaction.on_commit(partial(tell, *items), robust=True)

"""What is stored of tables, held against the rules: every difference, table by table.

A table's events are folded again from the first one, and each fact that its rows state is compared with what the
events make of it. Nothing is written; a portion of tables is read at a time, as it stood at one moment.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from django.db import connection, transaction
from django.db.models import Q, QuerySet

from games.models import Deal, Event, Seat, Table
from games.services.histories import differing
from games.services.refolding import Difference, Refolding

PORTION = 20
EVENTS_AT_ONCE = 2000


@dataclass(frozen=True, slots=True)
class Span:
    """Which tables: those at which something could happen from `since` on and before `until`; or one by its code."""

    since: datetime | None = None
    until: datetime | None = None
    code: str = ""

    def tables(self) -> QuerySet[Table]:
        """The tables of the span, in the order of their ids."""
        found = Table.objects.order_by("pk")
        if self.code:
            found = found.filter(code=self.code)
        if self.since is not None:
            found = found.filter(Q(ended_at__gte=self.since) | Q(ended_at=None))
        if self.until is not None:
            found = found.filter(created_at__lt=self.until)
        return found


@dataclass(frozen=True, slots=True)
class Found:
    """One table that was looked at, and what does not hold there."""

    code: str
    events: int
    differences: Sequence[Difference]

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "table": self.code,
            "events": self.events,
            "differences": [asdict(d) for d in self.differences],
        }


def verify(span: Span) -> Iterator[Found]:
    """Every table of the span, one after the other. Memory holds a portion of tables and one table's events."""
    last = 0
    while True:
        with one_moment():
            tables = list(span.tables().filter(pk__gt=last)[:PORTION])
            found = list(_verify_portion(tables))
        yield from found
        if len(tables) < PORTION:
            return
        last = tables[-1].pk


def _verify_portion(tables: Sequence[Table]) -> Iterator[Found]:
    ids = [table.pk for table in tables]
    seats = _by_table(Seat.objects.filter(table__in=ids).order_by("table_id", "number"))
    deals = _by_table(Deal.objects.filter(table__in=ids).order_by("table_id", "index"))
    events = Event.objects.filter(table__in=ids).order_by("table_id", "version")
    streamed = groupby(events.iterator(chunk_size=EVENTS_AT_ONCE), lambda event: event.table_id)
    waiting, histories = next(streamed, None), differing(ids)
    for table in tables:
        refolding = Refolding(table, seats.get(table.pk, []), deals.get(table.pk, []))
        if waiting is not None and waiting[0] == table.pk:
            for event in waiting[1]:
                refolding.take(event)
            waiting = next(streamed, None)
        kept = [Difference(table.version, *one) for one in histories.get(table.pk, ())]
        yield Found(table.code, refolding.events, [*refolding.finish(), *kept])


def _by_table(rows: QuerySet[Any]) -> dict[int, list[Any]]:
    return {table_id: list(group) for table_id, group in groupby(rows, lambda row: row.table_id)}


@contextmanager
def one_moment() -> Iterator[None]:
    """Inside, all reads see the same moment: a table that is in play moves on meanwhile."""
    is_nested = connection.in_atomic_block
    with transaction.atomic():
        if not is_nested:
            with connection.cursor() as cursor:
                cursor.execute("set transaction isolation level repeatable read, read only")
        yield

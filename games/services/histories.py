"""Keeps each player's part in every finished match as a row of its own, so that histories can be searched.

The rows follow from the matches: writing them twice changes nothing, and what a lost message left out is found by
the sweep. `manage.py history` makes all of them anew.
"""

import logging
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Final

from django.db.models import Exists, OuterRef, Prefetch, QuerySet

from accounts.names import search_key
from games.contracts import kept
from games.models import Appearance, Deal, Outcome, Phase, ResultKind, Seat, Table, Visibility
from games.rules.seats import partner, side
from games.speeds import speed_of

log = logging.getLogger(__name__)
LOOKED_BACK: Final = timedelta(days=2)
TOGETHER: Final = 200
_FACTS: Final = [
    field.attname for field in Appearance._meta.concrete_fields if field.name not in ("id", "table", "seat")
]

# Whether cards may be seen depends on other tables, and on when somebody looked.
_COMPUTED: Final = [name for name in _FACTS if name != "open"]


def keep(table_ids: Collection[int]) -> int:
    """Write the rows of these tables anew, of those whose matches are over with a result; how many tables."""
    tables = list(_finished().filter(pk__in=table_ids).prefetch_related("seats", _counted_deals()))
    rows = [row for table in tables for row in _readable(table)]
    Appearance.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["table", "seat"], update_fields=_FACTS
    )
    open_up(Appearance.objects.filter(table__commitment__in={table.commitment for table in tables}))
    return len(tables)


def open_up(rows: QuerySet[Appearance]) -> int:
    """Of these rows, show the cards of those whose cards are in play nowhere any more; how many."""
    in_play = Table.objects.filter(commitment=OuterRef("table__commitment")).exclude(phase=Phase.OVER)
    return rows.filter(~Exists(in_play), open=False).update(open=True)


def sweep(now: datetime) -> int:
    """Write what is missing of the last two days, and show the cards that may be seen by now; how many tables."""
    since = now - LOOKED_BACK
    open_up(Appearance.objects.filter(ended_at__gte=since))
    return complete(since=since)


def complete(since: datetime | None = None) -> int:
    """Write what is missing of all matches, or of those that ended `since`; how many tables."""
    missing = _finished().filter(
        ~Exists(Appearance.objects.filter(table=OuterRef("pk"))),
        Exists(Seat.objects.filter(table=OuterRef("pk"), user__isnull=False)),
    )
    return _keep_all(missing if since is None else missing.filter(ended_at__gte=since))


def rebuild() -> int:
    """Write the rows of all matches anew; how many tables."""
    return _keep_all(_finished())


def differing(table_ids: Collection[int]) -> dict[int, list[tuple[str, Any, Any]]]:
    """Of these tables those whose rows are not what `keep` would write: what, as expected and as found.

    A match that has no row yet is none of them: the sweep comes to it.
    """
    stored: dict[int, dict[int, Appearance]] = {}
    for row in Appearance.objects.filter(table__in=table_ids).order_by("table_id", "seat"):
        stored.setdefault(row.table_id, {})[row.seat] = row
    tables = _finished().filter(pk__in=stored).prefetch_related("seats", _counted_deals())
    found = {table.pk: list(_compared(_readable(table), stored[table.pk])) for table in tables}
    return {pk: differences for pk, differences in found.items() if differences}


def _compared(expected: list[Appearance], stored: dict[int, Appearance]) -> Iterator[tuple[str, Any, Any]]:
    seats = [row.seat for row in expected]
    if seats != list(stored):
        yield "history", seats, list(stored)
    for row in expected:
        for name in _COMPUTED if row.seat in stored else ():
            there, ours = getattr(stored[row.seat], name), getattr(row, name)
            if there != ours:
                yield f"history {row.seat} {name}", ours, there


def _keep_all(tables: QuerySet[Table]) -> int:
    ids = iter(list(tables.order_by("ended_at", "pk").values_list("pk", flat=True)))
    return sum(keep(portion) for portion in _portions(ids))


def _portions(ids: Iterator[int]) -> Iterator[list[int]]:
    while portion := list(islice(ids, TOGETHER)):
        yield portion


def _finished() -> QuerySet[Table]:
    return Table.objects.filter(phase=Phase.OVER, ended_at__isnull=False).exclude(result_kind="")


def _counted_deals() -> "Prefetch[str, QuerySet[Deal], str]":
    counted = Deal.objects.filter(finished=True, change__isnull=False, contract__isnull=False)
    columns = ("table", "index", "contract", "tricks", "change")
    return Prefetch("deals", counted.order_by("table_id", "index").only(*columns), to_attr="counted_deals")


def _readable(table: Table) -> list[Appearance]:
    """The rows of a match; none where its facts cannot be read, which must not keep others from theirs."""
    try:
        return _rows(table)
    except (KeyError, IndexError, TypeError, ValueError):
        log.exception("the facts of table %s cannot be read", table.code)
        return []


def _rows(table: Table) -> list[Appearance]:
    seats = sorted(table.seats.all(), key=lambda seat: seat.number)
    users = [seat.user_id for seat in seats]
    facts = _facts_of(table)
    return [_row(table, user, number, users, facts) for number, user in enumerate(users) if user is not None]


def _facts_of(table: Table) -> dict[str, Any]:
    call = table.call_seconds or table.turn_seconds
    return {
        "ended_at": table.ended_at,
        "ruleset": table.ruleset,
        "speed": speed_of(call, table.turn_seconds, table.bank_seconds),
        "rated": table.rated,
        "public": table.visibility == Visibility.PUBLIC,
        "title_key": search_key(table.title)[:160],
    }


def _row(table: Table, user: int, seat: int, users: list[int | None], facts: dict[str, Any]) -> Appearance:
    contracts = [
        kept(deal.contract, deal.tricks, deal.change, seat)
        for deal in getattr(table, "counted_deals")  # noqa: B009
    ]
    return Appearance(
        table=table,
        seat=seat,
        user_id=user,
        partner_id=users[partner(seat)],
        right_id=users[(seat + 1) % 4],
        left_id=users[(seat + 3) % 4],
        outcome=outcome_for(table, side(seat)),
        ours=table.score[side(seat)],
        theirs=table.score[1 - side(seat)],
        contracts=[number for number, _ in contracts],
        margins=[margin for _, margin in contracts],
        **facts,
    )


def outcome_for(table: Table, own_side: int) -> Outcome:
    """How a finished match ended for a side."""
    if table.winner is not None:
        return Outcome.WON if table.winner == own_side else Outcome.LOST
    return Outcome.DRAW if table.result_kind == ResultKind.DRAW else Outcome.NO_RESULT

"""Finished tables, recorded once each, and the tournament moved on by them.

A result is provisional until both sides or an official have confirmed it, or the time to object has passed
without an objection that is still open. Where the tournament holds its results, none is recorded before.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from accounts.notices import notify_each
from accounts.text import isolate
from games.models import Phase
from games.queries import Played, played
from games.services.ratings import overrule
from tournaments.formats.results import Pairing, PlanError
from tournaments.models import (
    LogItem,
    Objection,
    ObjectionState,
    PairingTable,
    State,
    TableState,
    Tournament,
)
from tournaments.services.advancing import advance_tournament
from tournaments.services.awaited import is_awaited
from tournaments.services.book import Book
from tournaments.services.log import locked
from tournaments.services.tables import not_taken
from tournaments.services.telling import side_users, tell_officials, to_be_confirmed
from tournaments.services.verdicts import result_item

log = logging.getLogger(__name__)

# Of the advisory locks of the database those of workers that record results, one a tournament.
ADJUDICATOR = 7_284_116
ENDED = Q(state=TableState.OPEN, table__phase=Phase.OVER)
# The same in one plain statement: it is asked for every match that ends, and most of them were taken already.
ENDED_SQL = """
select distinct played.tournament_id from tournaments_pairingtable played
  join games_table on games_table.id = played.table_id
  join tournaments_tournament on tournaments_tournament.id = played.tournament_id
 where played.state = 'open' and games_table.phase = 'over' and tournaments_tournament.state = 'running'
   and {which}
"""
ENDED_AT_SQL = ENDED_SQL.format(which="played.table_id = any(%s)")
ENDED_IN_SQL = ENDED_SQL.format(which="played.tournament_id = %s limit 1")


@transaction.atomic(durable=True)
def adjudicate(*, tournament_id: int, now: datetime) -> int:
    """How many results were recorded: those of every finished table that was not. The tournament moves on.

    A second run finds nothing; one that was killed left nothing behind.
    """
    tournament = locked(tournament_id)
    if tournament.state != State.RUNNING:
        return 0
    book = Book(tournament)
    recorded = record_finished(tournament, now, book=book)
    advance_tournament(tournament, now, book=book)
    return recorded


def adjudicate_tables(*, table_ids: Sequence[int], now: datetime) -> int:
    """How many finished tables were taken because these ended; 0 where they are of no tournament, or taken already.

    Where another worker is at it nothing is done, and nobody waits: that one looks again once it is through.
    """
    found = _fetch(ENDED_AT_SQL, list(table_ids))
    return sum(_adjudicate_all(tournament_id, now) for (tournament_id,) in found)


def _adjudicate_all(tournament_id: int | None, now: datetime) -> int:
    taken = 0
    while tournament_id is not None:
        more = adjudicate_alone(tournament_id=tournament_id, now=now)
        taken += more
        # What ended meanwhile was left to this worker by the others; none is sent away any more.
        tournament_id = _first(ENDED_IN_SQL, tournament_id) if more else None
    return taken


@transaction.atomic(durable=True)
def adjudicate_alone(*, tournament_id: int, now: datetime) -> int:
    """How many finished tables were taken, as by `adjudicate`; 0 where another worker is just doing it."""
    if not _first("select pg_try_advisory_xact_lock(%s, %s)", ADJUDICATOR, tournament_id % 2**31):
        return 0
    tournament = locked(tournament_id)
    rows = _waiting(tournament) if tournament.state == State.RUNNING else []
    ended = [row for row in rows if row.state == TableState.OPEN]
    if not ended:
        return 0
    book = Book(tournament)
    _record_waiting(tournament, rows, now, book)
    advance_tournament(tournament, now, book=book)
    return sum(row.state != TableState.OPEN for row in ended)


def _first(sql: str, *values: Any) -> Any:
    """The first value that the statement gives; None without one."""
    found = _fetch(sql, *values)
    return found[0][0] if found else None


def _fetch(sql: str, *values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def record_finished(tournament: Tournament, now: datetime, *, book: Book | None = None) -> int:
    """Into the locked tournament's log goes the result of every finished table that a pairing waits for.

    How many were recorded. Those that are to be confirmed first are held until then. `book`: the tournament's
    log, where it was read in this transaction already.
    """
    return _record_waiting(tournament, _waiting(tournament), now, book)


def _record_waiting(
    tournament: Tournament, rows: list[PairingTable], now: datetime, book: Book | None
) -> int:
    if tournament.holds_results:
        _hold(tournament, [row for row in rows if row.state == TableState.OPEN], now)
        rows = settled_rows(rows, disputed(rows), now)
    return record(book or Book(tournament), rows, now) if rows else 0


def record(book: Book, rows: Sequence[PairingTable], now: datetime) -> int:
    """The results of these finished tables, in the log where their pairings wait for them; how many are."""
    figures = played([row.table_id for row in rows])
    # Each table is for a pairing of its own, and no result undoes what another pairing waits for.
    pairings: dict[str, Pairing] = book.pairings
    items: list[LogItem] = []
    for row in rows:
        pairing = pairings.get(row.pairing)
        if pairing is None or not is_awaited(row, pairing):
            row.state = TableState.VOID
            continue
        item = _item(book.tournament, row, pairing, figures, now)
        if item is None:
            continue
        items.append(book.draft(item, actor=None, now=now, table=row.table))
        row.state = TableState.RECORDED
    LogItem.objects.bulk_create(items)
    final_at = Coalesce("final_at", Value(now + objection_time(book.tournament)))
    _in_state(rows, TableState.RECORDED).update(state=TableState.RECORDED, final_at=final_at)
    _in_state(rows, TableState.VOID).update(state=TableState.VOID)
    overrule(not_taken([row for row in rows if row.state == TableState.VOID], pairings), now=now)
    return len(items)


def _in_state(rows: Iterable[PairingTable], state: TableState) -> QuerySet[PairingTable]:
    """Those of the rows that have been put into this state, to be stored so."""
    return PairingTable.objects.filter(pk__in=[row.pk for row in rows if row.state == state])


def _item(
    tournament: Tournament, row: PairingTable, pairing: Pairing, figures: Mapping[int, Played], now: datetime
) -> dict[str, Any] | None:
    """The log item of a finished table; None where its facts contradict each other: its officials are told."""
    try:
        return result_item(row, pairing, figures)
    except PlanError as error:
        log.error("table %s cannot be recorded: %s", row.table_id, error.message)
    said = {"tournament": isolate(tournament.name), "table": isolate(row.table.code)}

    def say() -> str:
        return _("%(tournament)s: the result of table %(table)s contradicts itself. Enter it by hand.") % said

    tell_officials(tournament, "score", f"table-{row.pk}-contradicts", say, now, by_mail=True)
    return None


def _waiting(tournament: Tournament) -> list[PairingTable]:
    """The finished tables that are not recorded, in the order of their ends."""
    which = ENDED | Q(state=TableState.HELD)
    rows = tournament.tables.filter(which).select_related("table").order_by("table__ended_at", "pk")
    found = list(rows)
    for row in found:
        row.tournament = tournament
    return found


def _hold(tournament: Tournament, rows: Sequence[PairingTable], now: datetime) -> None:
    """The results of these tables wait to be confirmed, and their players are asked to."""
    final_at = now + objection_time(tournament)
    for row in rows:
        row.state, row.final_at = TableState.HELD, final_at
    held = PairingTable.objects.filter(pk__in=[row.pk for row in rows])
    held.update(state=TableState.HELD, final_at=final_at)
    seated = side_users(rows)
    asked = [to_be_confirmed(tournament, row, seated[row.pk]) for row in rows]
    notify_each([telling for tellings in asked for telling in tellings], now=now)


def objection_time(tournament: Tournament) -> timedelta:
    """For how long a result may be objected to."""
    return timedelta(minutes=tournament.objection_minutes)


def settled_rows(rows: Iterable[PairingTable], disputed: set[int], now: datetime) -> list[PairingTable]:
    """The tables whose results nothing speaks against: confirmed by both, or the time to object has passed."""
    return [row for row in rows if standing(row, row.pk in disputed, now) != "provisional"]


def disputed(rows: Iterable[PairingTable]) -> set[int]:
    """Of these tables those that somebody objects to and nobody has ruled on yet."""
    asked = Objection.objects.filter(table__in=[row.pk for row in rows], state=ObjectionState.OPEN)
    return {pk for pk in asked.values_list("table", flat=True) if pk is not None}


def standing(row: PairingTable, is_disputed: bool, now: datetime) -> str:
    """How firm the result of a played table is: "provisional", "confirmed" or "final"."""
    if is_disputed:
        return "provisional"
    if row.final_at is not None and row.final_at <= now:
        return "final"
    return "confirmed" if all(row.confirmed) else "provisional"

"""Finished tables, recorded once each, and the bracket moved on by them."""

import logging
from collections.abc import Callable
from datetime import datetime
from typing import Any, cast

from django.db import transaction

from games.models import Phase, ResultKind, Table
from games.services import drain
from tournaments.formats.adjudicate import Outcome
from tournaments.formats.adjudicate import adjudicate as adjudicate_outcome
from tournaments.formats.event import print_item
from tournaments.formats.results import Kind, Pairing
from tournaments.models import PairingTable, State, TableState, Tournament
from tournaments.queries import due, plan_of, tournament_of_table, with_ended_tables
from tournaments.services.log import append, locked
from tournaments.services.rounds import advance_tournament, start_due, unsettled
from tournaments.services.tables import is_awaited

log = logging.getLogger(__name__)


@transaction.atomic(durable=True)
def adjudicate(*, tournament_id: int, now: datetime) -> int:
    """How many results were recorded: those of every finished table that was not. The bracket moves on.

    A second run finds nothing; one that was killed left nothing behind.
    """
    tournament = locked(tournament_id)
    if tournament.state != State.RUNNING:
        return 0
    recorded = record_finished(tournament, now)
    advance_tournament(tournament, now)
    return recorded


def adjudicate_table(*, table_id: int, now: datetime) -> int:
    """How many results were recorded because this table ended; 0 for a table of no tournament."""
    tournament = tournament_of_table(table_id)
    return adjudicate(tournament_id=tournament.pk, now=now) if tournament else 0


def record_finished(tournament: Tournament, now: datetime) -> int:
    """Into the locked tournament's log goes the result of every finished table that a pairing waits for."""
    ended = tournament.tables.filter(state=TableState.OPEN, table__phase=Phase.OVER)
    rows = list(ended.select_related("table").order_by("table__ended_at", "pk"))
    if not rows:
        return 0
    pairings = {pairing.id: pairing for pairing in plan_of(tournament).pairings}
    return sum(_record(tournament, row, pairings.get(row.pairing), now) for row in rows)


def _record(tournament: Tournament, row: PairingTable, pairing: Pairing | None, now: datetime) -> bool:
    awaited = pairing is not None and is_awaited(row, pairing)
    row.state = TableState.RECORDED if awaited else TableState.VOID
    row.save(update_fields=["state"])
    if pairing is not None and awaited:
        append(tournament, result_item(row, pairing), actor=None, now=now, table=row.table)
    return awaited


def result_item(row: PairingTable, pairing: Pairing) -> dict[str, Any]:
    """The log item that a finished table means for its pairing.

    Raises: PlanError `malformed` where the table's facts contradict each other.
    """
    if row.table.result_kind == ResultKind.RESIGNED and row.table.winner is not None:
        return {"type": "forfeit", "pairing": pairing.id, "side": 1 - row.table.winner}
    first, second = row.sides
    verdict = adjudicate_outcome(
        outcome(row.table), pairing=pairing.id, sides=(first, second), dead_tables=pairing.dead_tables
    )
    return print_item(verdict.item)


def outcome(table: Table) -> Outcome:
    """A finished table's facts. One that was closed unplayed is a dead table too: nobody was there."""
    kind = cast(Kind, table.result_kind or ResultKind.NO_RESULT.value)
    return Outcome(kind, (table.score[0], table.score[1]), table.winner, table.advances)


def sweep(*, now: datetime) -> None:
    """Does whatever is due and was not done: starts, finished tables, ready pairings without a table.

    Each tournament in its own transactions, so that the trouble of one does not hold up the others.
    """
    for tournament in due(now):
        _guarded(start_due, tournament, now)
    for tournament in with_ended_tables():
        _guarded(adjudicate, tournament, now)
    for tournament in Tournament.objects.filter(state=State.RUNNING).order_by("pk"):
        _guarded(_catch_up, tournament, now)


def _catch_up(*, tournament_id: int, now: datetime) -> None:
    if drain.since() is None and unsettled(Tournament.objects.get(pk=tournament_id)):
        adjudicate(tournament_id=tournament_id, now=now)


def _guarded(door: Callable[..., object], tournament: Tournament, now: datetime) -> None:
    try:
        door(tournament_id=tournament.pk, now=now)
    except Exception:
        log.exception("the sweep failed for tournament %s", tournament.pk)

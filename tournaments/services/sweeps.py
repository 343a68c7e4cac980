"""What nobody told: starts, finished tables, deadlines. Only tournaments with something due are looked at."""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from tournaments.formats.results import PlanError
from tournaments.models import State, Tournament
from tournaments.queries import due, with_ended_tables
from tournaments.services.advancing import advance_tournament, hold_back
from tournaments.services.book import Book
from tournaments.services.late import forfeit_short_handed, keep_late_clocks
from tournaments.services.limits import keep_limits
from tournaments.services.log import locked
from tournaments.services.results import record_finished
from tournaments.services.rounds import start_due
from tournaments.services.served import is_served

log = logging.getLogger(__name__)


def sweep(*, now: datetime) -> None:
    """Does whatever is due and was not done: starts, finished tables, deadlines, ready pairings without a table.

    Each tournament in its own transactions, so that the trouble of one does not hold up the others. While nobody
    serves the site no deadline passes.
    """
    served = is_served(now=now)
    _each(start_due, due(now), now)
    looked_at = to_look_at(now) if served else with_ended_tables()
    _each(attend if served else record_only, looked_at, now)


def to_look_at(now: datetime) -> QuerySet[Tournament]:
    """Running tournaments with a deadline that has passed, or a finished table that is not recorded."""
    passed = Q(state=State.RUNNING) & (Q(due_at__lte=now) | Q(due_at=None, paused_at=None))
    return Tournament.objects.filter(passed | Q(pk__in=with_ended_tables().values("pk"))).order_by("pk")


@transaction.atomic(durable=True)
def attend(*, tournament_id: int, now: datetime) -> None:
    """Everything that is due in a running tournament, done at once. A second run finds nothing."""
    tournament = locked(tournament_id)
    if tournament.state != State.RUNNING:
        return
    try:
        book = Book(tournament)
    except PlanError:
        log.exception("the log of tournament %s cannot be folded", tournament_id)
        hold_back(tournament, now)
        return
    record_finished(tournament, now, book=book)
    if tournament.paused_at is None:
        keep_late_clocks(book, now)
        forfeit_short_handed(book, now)
        if keep_limits(tournament, now):
            record_finished(tournament, now, book=book)
    advance_tournament(tournament, now, book=book)


@transaction.atomic(durable=True)
def record_only(*, tournament_id: int, now: datetime) -> None:
    """The results of finished tables, recorded; deadlines stand still while nobody can come to a table."""
    tournament = locked(tournament_id)
    if tournament.state == State.RUNNING:
        book = Book(tournament)
        record_finished(tournament, now, book=book)
        advance_tournament(tournament, now, book=book)


def _each(
    door: Callable[..., object], tournaments: Iterable[Tournament] | QuerySet[Tournament], now: datetime
) -> None:
    for tournament in list(tournaments):
        try:
            door(tournament_id=tournament.pk, now=now)
        except Exception:
            log.exception("the sweep failed for tournament %s", tournament.pk)

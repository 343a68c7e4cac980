"""Everything stands still, and goes on with the time that was left: tables, calls, limits, rounds, objections."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from accounts.models import User
from games.models import Seat
from games.services.pauses import pause_tables, resume_tables
from tournaments.live import ring_after_commit
from tournaments.models import PairingTable, State, TableState, Tournament
from tournaments.services.actions import check
from tournaments.services.advancing import advance_tournament
from tournaments.services.book import Book
from tournaments.services.log import locked, record_act
from tournaments.services.permissions import require
from tournaments.services.refusals import Refused
from tournaments.services.results import record_finished
from tournaments.services.telling import tell_paused

DEADLINES = ("call_at", "late_at", "limit_at", "final_at")


@transaction.atomic(durable=True)
def pause(*, tournament_id: int, actor: User, reason: str = "", now: datetime) -> Tournament:
    """The tournament, paused: no table is opened, those in play stand still. Pausing it again changes nothing.

    Raises: Refused `not-organiser`, `not-your-role`, `not-running`.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "pause")
    if tournament.state != State.RUNNING:
        raise Refused("not-running")
    if tournament.paused_at is not None:
        return tournament
    book = Book(tournament)
    # What ended a moment ago counts; if it was the last match of all there is nothing left to pause.
    record_finished(tournament, now, book=book)
    if book.plan.finished:
        advance_tournament(tournament, now, book=book)
        return tournament
    check(actor, tournament, "pause", now=now)
    pause_tables(_in_play(tournament), now)
    tournament.paused_at = now
    tournament.save(update_fields=["paused_at"])
    record_act(
        tournament, "pause", actor=actor, now=now, after=now.isoformat(), reason=reason, is_public=True
    )
    advance_tournament(tournament, now, book=book)
    tell_paused(tournament, _players(tournament), resumed=False, now=now)
    return tournament


@transaction.atomic(durable=True)
def resume(*, tournament_id: int, actor: User, now: datetime) -> Tournament:
    """The tournament, going on: every deadline later by the length of the pause. One not paused is as it was.

    Raises: Refused `not-organiser`, `not-your-role`, `not-running`.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "pause")
    if tournament.state != State.RUNNING:
        raise Refused("not-running")
    if tournament.paused_at is None:
        return tournament
    check(actor, tournament, "resume", now=now)
    since = tournament.paused_at
    shift_deadlines(tournament, since, now - since)
    tournament.paused_at = None
    tournament.save(update_fields=["paused_at"])
    resume_tables(_in_play(tournament), now)
    record_act(
        tournament,
        "resume",
        actor=actor,
        now=now,
        before=since.isoformat(),
        after={"seconds": round((now - since).total_seconds())},
        is_public=True,
    )
    book = Book(tournament)
    record_finished(tournament, now, book=book)
    advance_tournament(tournament, now, book=book)
    tell_paused(tournament, _players(tournament), resumed=True, now=now)
    ring_after_commit(tournament)
    return tournament


def shift_deadlines(tournament: Tournament, since: datetime, by: timedelta) -> None:
    """Every deadline of the locked tournament that had not passed by `since` is so much later."""
    rows = PairingTable.objects.filter(tournament=tournament).exclude(state=TableState.VOID)
    for name in DEADLINES:
        rows.filter(**{f"{name}__gt": since}).update(**{name: F(name) + by})
    to_come = tournament.rounds.filter(opened_at=None, starts_at__gt=since)
    to_come.update(starts_at=F("starts_at") + by)


def _in_play(tournament: Tournament) -> list[int]:
    return list(tournament.tables.filter(state=TableState.OPEN).values_list("table", flat=True))


def _players(tournament: Tournament) -> list[User]:
    """Who sits at a table of the tournament now."""
    seats = Seat.objects.filter(table__in=_in_play(tournament), user__isnull=False).select_related("user")
    return [seat.user for seat in seats if seat.user is not None]

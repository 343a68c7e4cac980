"""Starting a tournament, and calling it off."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.notices import notify
from accounts.text import isolate
from tournaments.field import FEWEST, candidates, counting, fewest, groups_of, in_seed_order, seeded
from tournaments.field import lot_order as seed_order
from tournaments.formats.plan import Plan
from tournaments.live import ring_after_commit
from tournaments.models import CancelReason, Seeding, State, Tournament
from tournaments.services.actions import check
from tournaments.services.advancing import PLAYED, advance_tournament
from tournaments.services.awaited import open_rows
from tournaments.services.entry import accepted_entries
from tournaments.services.log import locked, record_act
from tournaments.services.permissions import require
from tournaments.services.places import tell_called_off, tell_left_out
from tournaments.services.refusals import Refused
from tournaments.services.registration import close
from tournaments.services.seeding import fixed_settings, number
from tournaments.services.tables import void_all

__all__ = ["PLAYED", "advance", "advance_tournament", "cancel", "seed_order", "start", "start_due"]

TO_START = (State.OPEN, State.READY)
OVER = (State.FINISHED, State.CERTIFIED, State.ARCHIVED, State.CANCELLED)


@transaction.atomic(durable=True)
def start(*, tournament_id: int, actor: User, now: datetime) -> Tournament:
    """The tournament, started by its organiser: seeds fixed, tables open. Starting it twice changes nothing.

    Registration is closed by it, where it is still open.
    Raises: Refused `not-organiser`, `not-your-role`, `not-open` where it was called off, `too-few-entries`,
    `too-few-here`, `too-few-for-groups`.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "start")
    if tournament.started_at is not None and tournament.state != State.CANCELLED:
        return tournament
    if tournament.state not in TO_START:
        raise Refused("not-open")
    check(actor, tournament, "start", now=now)
    _close(tournament, actor, now)
    pairs = _pairs(tournament)
    if pairs < FEWEST:
        raise Refused("too-few-entries" if counting(tournament).count() < FEWEST else "too-few-here")
    if pairs < fewest(tournament):
        raise too_few_for_groups(tournament, pairs)
    return start_tournament(tournament, now, actor=actor)


@transaction.atomic(durable=True)
def start_due(*, tournament_id: int, now: datetime) -> Tournament:
    """The tournament, started if its hour has come, or called off where fewer than two pairs are there.

    Where they are too few for its groups it waits, and its owner is told: fewer groups, or more pairs, start it.
    """
    tournament = locked(tournament_id)
    if tournament.state not in TO_START or tournament.starts_at > now or not tournament.starts_itself:
        return tournament
    _close(tournament, None, now)
    pairs = _pairs(tournament)
    if pairs < FEWEST:
        return cancel_tournament(tournament, CancelReason.TOO_FEW, now)
    if pairs < fewest(tournament):
        _tell_that_it_is_held(tournament, pairs, now)
        return tournament
    return start_tournament(tournament, now)


def _pairs(tournament: Tournament) -> int:
    """How many pairs have a place."""
    return min(candidates(tournament).count(), tournament.capacity)


def too_few_for_groups(tournament: Tournament, pairs: int) -> Refused:
    """Why so many pairs cannot be drawn into the groups, and what to change."""
    groups = groups_of(tournament)
    return Refused("too-few-for-groups", groups=groups, fewest=fewest(tournament), pairs=pairs)


def _tell_that_it_is_held(tournament: Tournament, pairs: int, now: datetime) -> None:
    def say() -> str:
        said = _("%(name)s has not started. %(why)s It then starts by itself.")
        why = str(too_few_for_groups(tournament, pairs))
        return said % {"name": isolate(tournament.name), "why": why}

    due = tournament.starts_at.isoformat()
    key = f"start-held-{tournament.pk}-{due}-{groups_of(tournament)}-{pairs}"
    notify([tournament.organiser], key, say, url=tournament.get_absolute_url(), by_mail=True, now=now)


def _close(tournament: Tournament, actor: User | None, now: datetime) -> None:
    if tournament.state == State.OPEN:
        close(tournament, actor, now)


@transaction.atomic(durable=True)
def cancel(*, tournament_id: int, actor: User, reason: str = "", now: datetime) -> Tournament:
    """The tournament, called off by its organiser; its tables in play are closed. Everybody in it is told.

    Raises: Refused `not-organiser`, `not-your-role`, `already-over`.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "cancel")
    if tournament.state in OVER:
        raise Refused("already-over")
    check(actor, tournament, "cancel", now=now)
    return cancel_tournament(tournament, CancelReason.ORGANISER, now, actor=actor, why=reason)


@transaction.atomic(durable=True)
def advance(*, tournament_id: int, now: datetime) -> Plan | None:
    """The plan of a started tournament, its tables opened and closed to fit; None before the start."""
    tournament = locked(tournament_id)
    return advance_tournament(tournament, now) if tournament.state in PLAYED else None


@transaction.atomic(durable=True)
def go_on(*, tournament_id: int, now: datetime) -> bool:
    """Whether a running tournament that has something due was moved on: the next of its tables are open.

    It calls for the next portion itself. A second run, when all is open, finds nothing due.
    """
    tournament = locked(tournament_id)
    is_due = tournament.due_at is not None and tournament.due_at <= now
    if tournament.state != State.RUNNING or not is_due:
        return False
    advance_tournament(tournament, now)
    return True


def start_tournament(tournament: Tournament, now: datetime, *, actor: User | None = None) -> Tournament:
    """The locked tournament that is ready, of two or more entries, running; invitations not answered lapse."""
    # Only where ratings decide is anything asked of the players.
    by_rating = tournament.seeding == Seeding.RATING
    order = seeded(tournament) if by_rating else in_seed_order(tournament, accepted_entries(tournament))
    number(tournament, order)
    tournament.settings = fixed_settings(tournament, order)
    tell_left_out(tournament, now)
    tournament.members.filter(entry__seed__isnull=True).update(active=False)
    tournament.members.filter(place=2, active=False, entry__seed__isnull=False).delete()
    tournament.state, tournament.started_at = State.RUNNING, now
    tournament.save(update_fields=["state", "started_at", "settings"])
    before = {"state": str(State.READY)}
    record_act(tournament, "start", actor=actor, now=now, before=before, after=len(order), is_public=True)
    advance_tournament(tournament, now)
    return tournament


def cancel_tournament(
    tournament: Tournament,
    reason: CancelReason,
    now: datetime,
    *,
    actor: User | None = None,
    why: str = "",
) -> Tournament:
    """The locked tournament, called off: its tables close, its players are free and told so."""
    void_all(open_rows(tournament), now)
    tell_called_off(tournament, reason, now)
    tournament.members.update(active=False)
    before = tournament.state
    tournament.state, tournament.cancel_reason, tournament.finished_at = State.CANCELLED, reason, now
    tournament.paused_at = tournament.due_at = tournament.differs_since = None
    tournament.save(
        update_fields=["state", "cancel_reason", "finished_at", "paused_at", "due_at", "differs_since"]
    )
    after = str(State.CANCELLED)
    record_act(
        tournament, "state", actor=actor, now=now, before=before, after=after, reason=why, is_public=True
    )
    ring_after_commit(tournament)
    return tournament

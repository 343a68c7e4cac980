"""Check-in: a pair says that it is there; an official may say it for them, or that they are not."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.notices import notify
from accounts.text import isolate
from tournaments.deadlines import (
    check_in_ends_at,
    check_in_opens_at,
    has_check_in,
    is_checking_in,
    last_call_at,
)
from tournaments.field import candidates, complete, counting
from tournaments.live import ring_after_commit
from tournaments.models import Entry, Member, State, Tournament
from tournaments.services.actions import check
from tournaments.services.entry import check_not_started, living_entry
from tournaments.services.log import locked, record_act
from tournaments.services.permissions import require
from tournaments.services.places import moving_up
from tournaments.services.refusals import Refused


@transaction.atomic(durable=True)
def check_in(*, tournament_id: int, user: User, now: datetime) -> Entry:
    """The user's entry, checked in by one of its people. Where none is needed nothing changes.

    Raises: Tournament.DoesNotExist; Refused `not-entered`, `check-in-later`, `check-in-over`.
    """
    tournament = locked(tournament_id)
    entry = living_entry(tournament, user)
    if entry is None or not entry.accepted_at:
        raise Refused("not-entered")
    if not has_check_in(tournament) or entry.checked_in_at:
        return entry
    if not is_checking_in(tournament, now):
        raise Refused("check-in-later" if tournament.state == State.OPEN else "check-in-over")
    return _mark(tournament, entry, now)


@transaction.atomic(durable=True)
def check_in_for(*, tournament_id: int, entry_number: int, actor: User, now: datetime) -> Entry:
    """The entry, checked in by an official; once registration is over it is brought back, while there is room.

    Raises: Entry.DoesNotExist; Refused `not-organiser`, `not-your-role`, `already-started`, `not-entered`,
    `incomplete`, `full`.
    """
    tournament, entry = _for_official(tournament_id, entry_number, actor)
    if entry.checked_in_at:
        return entry
    if tournament.state == State.READY:
        if not complete(tournament.entries.filter(pk=entry.pk)).exists():
            raise Refused("incomplete")
        if candidates(tournament).count() >= tournament.capacity:
            raise Refused("full")
    check(actor, tournament, "check-in", {"entrant": entry.ident}, now=now)
    record_act(tournament, "check-in", actor=actor, now=now, subject=entry.ident, after=now.isoformat())
    return _mark(tournament, entry, now)


@transaction.atomic(durable=True)
def check_out(*, tournament_id: int, entry_number: int, actor: User, now: datetime) -> Entry:
    """The entry, marked as not there by an official; once registration is over whoever waits moves up.

    Raises: as `check_in_for`, but for `full`.
    """
    tournament, entry = _for_official(tournament_id, entry_number, actor)
    if entry.checked_in_at is None:
        return entry
    check(actor, tournament, "check-out", {"entrant": entry.ident}, now=now)
    before = entry.checked_in_at.isoformat()
    with moving_up(tournament, now):
        entry.checked_in_at = entry.seed = None
        entry.save(update_fields=["checked_in_at", "seed"])
    record_act(tournament, "check-out", actor=actor, now=now, subject=entry.ident, before=before)
    ring_after_commit(tournament)
    return entry


def remind(tournament: Tournament, now: datetime) -> None:
    """Inside the transaction that locked it: who is not checked in hears that one can, and once more near the end."""
    if not is_checking_in(tournament, now) or now >= check_in_ends_at(tournament):
        return
    opened, last = check_in_opens_at(tournament), last_call_at(tournament)
    due = last if last is not None and last <= now else opened
    kind = "check-in-opens" if due == opened else "check-in-ends"
    if tournament.acts.filter(kind=kind, subject=due.isoformat()).exists():
        return
    record_act(tournament, kind, actor=None, now=now, subject=due.isoformat(), is_public=True)
    _tell(tournament, kind, due, now)
    ring_after_commit(tournament)


def _tell(tournament: Tournament, kind: str, due: datetime, now: datetime) -> None:
    minutes = max(1, round((check_in_ends_at(tournament) - now).total_seconds() / 60))

    def say() -> str:
        said = (
            _("Check-in for %(name)s is open. Say that you are there; one of a pair is enough.")
            if kind == "check-in-opens"
            else _(
                "Your pair is not checked in for %(name)s: minutes left: %(minutes)s. Then the place is lost."
            )
        )
        return said % {"name": isolate(tournament.name), "minutes": minutes}

    key = f"{kind}-{tournament.pk}-{due.isoformat()}"
    entries = counting(tournament).filter(checked_in_at=None)
    notify(members_of(entries), key, say, url=tournament.get_absolute_url(), by_mail=True, now=now)


def members_of(entries: Iterable[Entry]) -> list[User]:
    """Everybody with an account who is in with one of the entries."""
    members = Member.objects.filter(entry__in=entries, active=True, user__isnull=False)
    return [member.user for member in members.select_related("user") if member.user]


def _for_official(tournament_id: int, entry_number: int, actor: User) -> tuple[Tournament, Entry]:
    tournament = locked(tournament_id)
    require(tournament, actor, "check-in")
    check_not_started(tournament)
    entry = tournament.entries.get(number=entry_number)
    if entry.withdrawn_at or not entry.accepted_at:
        raise Refused("not-entered")
    return tournament, entry


def _mark(tournament: Tournament, entry: Entry, now: datetime) -> Entry:
    entry.checked_in_at = now
    entry.save(update_fields=["checked_in_at"])
    ring_after_commit(tournament)
    return entry

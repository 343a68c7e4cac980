"""From draft to ready: announcing a tournament, opening and closing its registration, by hand or by the clock."""

import logging
from collections.abc import Collection, Iterator
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.notices import notify
from accounts.text import isolate
from tournaments.deadlines import check_in_opens_at, has_check_in, opens_at, ready_at
from tournaments.field import candidates, complete, counting
from tournaments.live import ring_after_commit
from tournaments.models import Entry, State, Tournament, drawn_lot
from tournaments.services.actions import check
from tournaments.services.check_in import remind
from tournaments.services.importing import tell_entered
from tournaments.services.log import locked, record_act
from tournaments.services.permissions import require
from tournaments.services.places import people, tell_moved
from tournaments.services.refusals import Refused

log = logging.getLogger(__name__)


@transaction.atomic(durable=True)
def publish(*, tournament_id: int, actor: User, now: datetime) -> Tournament:
    """The draft, for everybody to see; registration opens at its hour, or at once. Doing it twice changes nothing.

    Raises: Refused `not-organiser`, `not-your-role`, `start-passed`.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "settings")
    if tournament.state != State.DRAFT:
        return tournament
    if tournament.starts_at <= now:
        raise Refused("start-passed")
    check(actor, tournament, "publish", now=now)
    _to(tournament, State.PUBLISHED, actor, now)
    opens = opens_at(tournament)
    if opens is None or opens <= now:
        _to(tournament, State.OPEN, None, now)
    tell_entered(tournament, now)
    return tournament


@transaction.atomic(durable=True)
def open_registration(*, tournament_id: int, actor: User, now: datetime) -> Tournament:
    """The announced tournament, taking entries from now on. Doing it twice changes nothing.

    Raises: Refused `not-organiser`, `not-your-role`, `not-published`.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "entries")
    if tournament.state == State.OPEN:
        return tournament
    if tournament.state != State.PUBLISHED:
        raise Refused("not-published")
    check(actor, tournament, "open", now=now)
    tournament.registration_opens_at = now
    tournament.save(update_fields=["registration_opens_at"])
    return _to(tournament, State.OPEN, actor, now)


@transaction.atomic(durable=True)
def close_registration(*, tournament_id: int, actor: User, now: datetime) -> Tournament:
    """The tournament, its field fixed before the hour. Doing it twice changes nothing.

    Raises: Refused `not-organiser`, `not-your-role`, `not-open`.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "entries")
    if tournament.state == State.READY:
        return tournament
    if tournament.state != State.OPEN:
        raise Refused("not-open")
    check(actor, tournament, "close", now=now)
    return close(tournament, actor, now)


@transaction.atomic(durable=True)
def reopen_registration(*, tournament_id: int, actor: User, now: datetime) -> Tournament:
    """The tournament, taking entries again; the lot that was shown is drawn anew.

    Raises: Refused `not-organiser`, `not-your-role`, `not-ready-state`, `deadline-passed`.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "entries")
    if tournament.state == State.OPEN:
        return tournament
    if tournament.state != State.READY:
        raise Refused("not-ready-state")
    if ready_at(tournament) <= now:
        raise Refused("deadline-passed")
    check(actor, tournament, "reopen", now=now)
    tournament.entries.update(seed=None)
    if not _has_checked(tournament, now):
        tournament.entries.update(checked_in_at=None)
    tournament.lot = drawn_lot()
    tournament.save(update_fields=["lot"])
    return _to(tournament, State.OPEN, actor, now)


@transaction.atomic(durable=True)
def keep_time(*, tournament_id: int, now: datetime) -> Tournament:
    """The tournament, as the clock wants it before its start. Running it again changes nothing."""
    tournament = locked(tournament_id)
    opens = opens_at(tournament)
    if tournament.state == State.PUBLISHED and (opens is None or opens <= now):
        _to(tournament, State.OPEN, None, now)
    if tournament.state == State.OPEN:
        remind(tournament, now)
    if tournament.state == State.OPEN and ready_at(tournament) <= now:
        close(tournament, None, now)
    if tournament.state == State.READY and tournament.starts_at <= now and not tournament.starts_itself:
        _tell_that_it_waits(tournament, now)
    return tournament


def close(tournament: Tournament, actor: User | None, now: datetime) -> Tournament:
    """The locked, open tournament, ready: who is there keeps the place, or takes that of one who is not.

    Where nobody had to check in, or nobody could yet, everybody counts as there.
    """
    before = _numbers(tournament)
    entered = counting(tournament)
    there = complete(entered)
    if not _has_checked(tournament, now):
        tournament.entries.filter(pk__in=there.values("pk"), checked_in_at=None).update(checked_in_at=now)
    tournament.entries.filter(pk__in=entered.values("pk")).exclude(pk__in=there.values("pk")).update(
        checked_in_at=None
    )
    _to(tournament, State.READY, actor, now)
    after = _numbers(tournament)
    # Nearly always nobody has moved: thousands are compared by their numbers alone.
    for entry in _entries(tournament, set(after) - set(before)):
        tell_moved(tournament, entry, up=True, now=now)
    for entry in _entries(tournament, set(before) - set(after)):
        _tell_that_it_is_lost(tournament, entry, now)
    return tournament


def _numbers(tournament: Tournament) -> list[int]:
    """The numbers of the entries that have a place."""
    return list(candidates(tournament).values_list("number", flat=True)[: tournament.capacity])


def _entries(tournament: Tournament, numbers: Collection[int]) -> list[Entry]:
    return list(counting(tournament).filter(number__in=numbers)) if numbers else []


def sweep(*, now: datetime) -> None:
    """Does what the clocks of tournaments before their start ask for, each in a transaction of its own."""
    for tournament in _due(now):
        try:
            keep_time(tournament_id=tournament.pk, now=now)
        except Exception:
            log.exception("the sweep failed for the registration of tournament %s", tournament.pk)


def _due(now: datetime) -> Iterator[Tournament]:
    """Tournaments about which there may be something to do; found without a lock."""
    opening = Q(state=State.PUBLISHED) & (Q(registration_opens_at=None) | Q(registration_opens_at__lte=now))
    waiting = Q(state=State.READY, starts_itself=False, starts_at__lte=now)
    found = Tournament.objects.filter(opening | waiting | Q(state=State.OPEN))
    for tournament in found.order_by("starts_at", "pk"):
        checks = has_check_in(tournament) and check_in_opens_at(tournament) <= now
        if tournament.state != State.OPEN or checks or ready_at(tournament) <= now:
            yield tournament


def _has_checked(tournament: Tournament, now: datetime) -> bool:
    """Whether pairs have to check in, and could."""
    return has_check_in(tournament) and check_in_opens_at(tournament) <= now


def _to(tournament: Tournament, state: State, actor: User | None, now: datetime) -> Tournament:
    before, tournament.state = tournament.state, state
    tournament.save(update_fields=["state"])
    record_act(tournament, "state", actor=actor, now=now, before=before, after=str(state), is_public=True)
    ring_after_commit(tournament)
    return tournament


def _tell_that_it_is_lost(tournament: Tournament, entry: Entry, now: datetime) -> None:
    def say() -> str:
        said = _("Your pair was not checked in for %(name)s in time and lost its place. Ask the organiser.")
        return said % {"name": isolate(tournament.name)}

    key = f"place-lost-{tournament.pk}-{entry.ident}-{now.isoformat()}"
    notify(people(entry), key, say, url=tournament.get_absolute_url(), by_mail=True, now=now)


def _tell_that_it_waits(tournament: Tournament, now: datetime) -> None:
    def say() -> str:
        return _("%(name)s waits for you to start it.") % {"name": isolate(tournament.name)}

    due = tournament.starts_at.isoformat()
    if tournament.acts.filter(kind="start-due", subject=due).exists():
        return
    record_act(tournament, "start-due", actor=None, now=now, subject=due)
    key = f"start-due-{tournament.pk}-{due}"
    url = tournament.get_absolute_url()
    notify([tournament.organiser], key, say, url=url, by_mail=True, now=now)

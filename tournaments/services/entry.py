"""Entering a tournament in pairs: enter, accept, decline, withdraw before the start."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from accounts.names import search_key
from accounts.queries import may_ask
from tournaments.deadlines import NOT_STARTED, is_checking_in, is_entering
from tournaments.field import placed
from tournaments.live import ring_after_commit
from tournaments.models import Entry, Member, State, Tournament
from tournaments.queries import WAITING, pair_name
from tournaments.services.actions import check
from tournaments.services.conditions import check_access, check_pair, check_player
from tournaments.services.creation import create as create
from tournaments.services.invitations import (
    drop_answers,
    invite_third,
    tell_answer,
    tell_asked,
    tell_third_left,
)
from tournaments.services.log import locked, record_act
from tournaments.services.permissions import require
from tournaments.services.places import moving_up
from tournaments.services.refusals import Refused


@transaction.atomic(durable=True)
def enter(
    *,
    tournament_id: int,
    user: User,
    partner: User,
    name: str = "",
    club: str = "",
    third: User | None = None,
    code: str = "",
    now: datetime,
) -> Entry:
    """The pair's entry, waiting for the partner's word; accepted at once where the partner had asked first.

    `name` is the team's, `third` a substitute, who is asked too; `code` what opens a tournament by code.
    Raises: Refused `guests-cannot-enter`, `partner-is-guest`, `not-open`, `own-partner`, `already-entered`,
    `partner-entered`, `not-invitable`, `name-taken`, `no-substitutes`; or as `conditions.check_access`, `check_player`.
    """
    if user.is_guest or partner.is_guest:
        raise Refused("guests-cannot-enter" if user.is_guest else "partner-is-guest")
    tournament = locked(tournament_id)
    _check_open(tournament, now)
    if partner.pk == user.pk:
        raise Refused("own-partner")
    asked = _invitations(tournament, user).filter(members__user=partner, members__place=0).first()
    if asked is not None:
        return _accept(tournament, asked, user, now)
    check_access(tournament, (user, partner), code)
    check_player(tournament, user, now=now)
    check_name(tournament, name)
    entry = _invite(tournament, user, partner, name, club, now)
    if third is not None:
        invite_third(tournament, entry, user, third, now)
    return entry


@transaction.atomic(durable=True)
def accept(*, tournament_id: int, entry_number: int, user: User, now: datetime) -> Entry:
    """The entry, accepted by who was asked; whatever else waits for one of the two lapses.

    Where all places are taken the pair is on the waiting list; see `field.place_in_line`. While check-in runs
    the pair is checked in by it.
    Raises: Entry.DoesNotExist where this user was not asked;
    Refused `not-open`, `lapsed`, `already-entered`, or as `conditions.check_pair`.
    """
    tournament = locked(tournament_id)
    entry = _asked(tournament, entry_number, user)
    if entry.members.filter(place=2, user=user).exists():
        return _accept_as_third(tournament, entry, user, now)
    if entry.accepted_at:
        return entry
    _check_open(tournament, now)
    _check_waiting(entry)
    return _accept(tournament, entry, user, now)


@transaction.atomic(durable=True)
def decline(*, tournament_id: int, entry_number: int, user: User, now: datetime) -> Entry:
    """The entry, declined by who was asked; who asked may ask somebody else.

    Raises: Entry.DoesNotExist where this user was not asked; Refused `not-open`, `accepted`.
    """
    tournament = locked(tournament_id)
    entry = _asked(tournament, entry_number, user)
    third = entry.members.filter(place=2, user=user).first()
    if third is not None:
        if third.active:
            raise Refused("accepted")
        third.delete()
        tell_third_left(tournament, entry, user, now)
        ring_after_commit(tournament)
        return entry
    if tournament.state not in (State.OPEN, State.READY):
        raise Refused("not-open")
    if entry.accepted_at:
        raise Refused("accepted")
    _decline([entry], now)
    tell_answer(tournament, entry, user, now)
    ring_after_commit(tournament)
    return entry


@transaction.atomic(durable=True)
def remove(*, tournament_id: int, entry_number: int, actor: User, reason: str = "", now: datetime) -> Entry:
    """The entry, taken out by an official before the start.

    Raises: Entry.DoesNotExist; Refused `not-organiser`, `not-your-role`, `already-started`, `not-entered`.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "entries")
    check_not_started(tournament)
    entry = tournament.entries.get(number=entry_number)
    if entry.withdrawn_at or entry.declined_at:
        raise Refused("not-entered")
    check(actor, tournament, "remove", {"entrant": entry.ident}, now=now)
    withdraw_entry(tournament, entry, now)
    record_act(
        tournament,
        "remove",
        actor=actor,
        now=now,
        subject=entry.ident,
        before=pair_name(entry),
        reason=reason,
    )
    return entry


def withdraw_entry(tournament: Tournament, entry: Entry, now: datetime) -> Entry:
    """The entry, out of the locked tournament, and its players free. Before the start whoever waits moves up."""
    with moving_up(tournament, now):
        entry.withdrawn_at = entry.withdrawn_at or now
        if tournament.started_at is None:
            entry.seed = None
        entry.save(update_fields=["withdrawn_at", "seed"])
        # A third player who had not answered is not asked any more.
        entry.members.filter(place=2, active=False).delete()
        entry.members.update(active=False)
    ring_after_commit(tournament)
    return entry


def living_entry(tournament: Tournament, user: User) -> Entry | None:
    """The entry this user belongs to: made by him or accepted, and not withdrawn."""
    return tournament.entries.filter(members__user=user, members__active=True).first()


def accepted_entries(tournament: Tournament) -> list[Entry]:
    """The entries that have a place, in the order they were accepted."""
    return placed(tournament)


def new_entry(
    tournament: Tournament,
    now: datetime,
    *,
    name: str = "",
    club: str = "",
    accepted_at: datetime | None = None,
) -> Entry:
    """An entry of the locked tournament under the next number; its members are still to be made."""
    number = tournament.entries.count() + 1
    checked = (
        now if accepted_at and (is_checking_in(tournament, now) or tournament.state == State.READY) else None
    )
    return tournament.entries.create(
        number=number, name=name, club=club, created_at=now, accepted_at=accepted_at, checked_in_at=checked
    )


def check_not_started(tournament: Tournament) -> None:
    """Raises: Refused `already-started`."""
    if tournament.state not in NOT_STARTED:
        raise Refused("already-started")


def check_name(tournament: Tournament, name: str, *, but_for: Entry | None = None) -> None:
    """A team's name is free again once its pair has withdrawn. Raises: Refused `name-taken`."""
    if not name:
        return
    living = tournament.entries.filter(withdrawn_at=None, declined_at=None).exclude(name="")
    if but_for is not None:
        living = living.exclude(pk=but_for.pk)
    if search_key(name) in {search_key(taken) for taken in living.values_list("name", flat=True)}:
        raise Refused("name-taken")


def _invite(tournament: Tournament, user: User, partner: User, name: str, club: str, now: datetime) -> Entry:
    _check_free(tournament, user, partner)
    entry = new_entry(tournament, now, name=name, club=club)
    Member.objects.bulk_create(
        Member(tournament=tournament, entry=entry, place=place, user=who, active=place == 0)
        for place, who in enumerate((user, partner))
    )
    tell_asked(tournament, entry, user, partner, now)
    ring_after_commit(tournament)
    return entry


def _accept(tournament: Tournament, entry: Entry, user: User, now: datetime) -> Entry:
    own = living_entry(tournament, user)
    if own is not None and own.accepted_at:
        raise Refused("already-entered")
    check_pair(tournament, entry, user, now)
    if own is not None:
        withdraw_entry(tournament, own, now)
    entry.accepted_at = now
    if is_checking_in(tournament, now):
        entry.checked_in_at = now
    entry.save(update_fields=["accepted_at", "checked_in_at"])
    entry.members.filter(place__lt=2, user__isnull=False).update(active=True)
    for player in (user, entry.members.get(place=0).user):
        if player is not None:
            _free(tournament, player, entry, now)
    tell_answer(tournament, entry, user, now)
    ring_after_commit(tournament)
    return entry


def _accept_as_third(tournament: Tournament, entry: Entry, user: User, now: datetime) -> Entry:
    member = entry.members.get(place=2, user=user)
    if member.active:
        return entry
    if tournament.state not in (State.OPEN, State.READY):
        raise Refused("not-open")
    _check_waiting(entry)
    own = living_entry(tournament, user)
    if own is not None and own.accepted_at:
        raise Refused("already-entered")
    check_player(tournament, user, now=now)
    if own is not None:
        withdraw_entry(tournament, own, now)
    member.active = True
    member.save(update_fields=["active"])
    _free(tournament, user, entry, now)
    ring_after_commit(tournament)
    return entry


def _free(tournament: Tournament, player: User, entry: Entry, now: datetime) -> None:
    """Whatever else this player was asked in the tournament lapses."""
    lapsed = list(_invitations(tournament, player).exclude(pk=entry.pk))
    _decline(lapsed, now)
    for asked in lapsed:
        tell_answer(tournament, asked, player, now)
    drop_answers(tournament, player)


def _decline(entries: Iterable[Entry], now: datetime) -> None:
    for entry in entries:
        entry.declined_at = entry.declined_at or now
        entry.save(update_fields=["declined_at"])
        entry.members.filter(place=2, active=False).delete()
        entry.members.update(active=False)


def _asked(tournament: Tournament, entry_number: int, user: User) -> Entry:
    return tournament.entries.get(number=entry_number, members__user=user, members__place__in=(1, 2))


def _invitations(tournament: Tournament, user: User) -> QuerySet[Entry]:
    waiting = tournament.entries.filter(WAITING)
    return waiting.filter(pk__in=Member.objects.filter(user=user, place=1).values("entry"))


def _check_open(tournament: Tournament, now: datetime) -> None:
    if not is_entering(tournament, now):
        raise Refused("not-yet-open" if tournament.state == State.PUBLISHED else "not-open")


def _check_waiting(entry: Entry) -> None:
    if entry.withdrawn_at or entry.declined_at:
        raise Refused("lapsed")


def _check_free(tournament: Tournament, user: User, partner: User) -> None:
    if living_entry(tournament, user):
        raise Refused("already-entered")
    theirs = living_entry(tournament, partner)
    if theirs is not None and theirs.accepted_at:
        raise Refused("partner-entered")
    if not may_ask(user, partner):
        raise Refused("not-invitable")

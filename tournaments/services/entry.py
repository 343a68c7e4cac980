"""Making a tournament, and entering it in pairs: enter, accept, decline, withdraw before the start."""

from collections.abc import Iterable
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from accounts.models import User
from games.models import Absence
from tournaments.live import ring_after_commit
from tournaments.models import Entry, Member, State, Tournament
from tournaments.services.log import check_organiser, locked
from tournaments.services.refusals import Refused
from tournaments.slugs import candidates


@transaction.atomic(durable=True)
def create(
    *,
    organiser: User,
    name: str,
    format: str,  # noqa: A002 - the word of the tournament file
    ruleset: str,
    target: int,
    turn_seconds: int,
    round_cap: int | None,
    capacity: int,
    starts_at: datetime,
    third_place: bool = False,
    call_seconds: int | None = None,
    bank_seconds: int = 0,
    absence: str = Absence.BOT,
    watch_delay: int = 0,
    lot: str = "",
    now: datetime,
) -> Tournament:
    """A new tournament, open for registration. `capacity` counts pairs; `round_cap` None means no cap.

    `lot` fixes the order of the seeds beforehand, for rehearsals; otherwise chance draws it.
    Raises: Refused `guests-cannot-organise`.
    """
    if organiser.is_guest:
        raise Refused("guests-cannot-organise")
    tournament = Tournament(
        organiser=organiser,
        name=name,
        format=format,
        settings={"third_place": True} if third_place else {},
        ruleset=ruleset,
        target=target,
        turn_seconds=turn_seconds,
        call_seconds=call_seconds,
        bank_seconds=bank_seconds,
        absence=absence,
        watch_delay=watch_delay,
        round_cap=round_cap,
        capacity=capacity,
        starts_at=starts_at,
        created_at=now,
    )
    tournament.lot = lot or tournament.lot
    return _saved_under_a_free_slug(tournament)


def _saved_under_a_free_slug(tournament: Tournament) -> Tournament:
    slugs = candidates(tournament.name)
    while True:
        tournament.slug = next(slug for slug in slugs if not Tournament.objects.filter(slug=slug).exists())
        try:
            with transaction.atomic():
                tournament.save()
        except IntegrityError:
            if not Tournament.objects.filter(slug=tournament.slug).exists():
                raise
        else:
            return tournament


@transaction.atomic(durable=True)
def enter(*, tournament_id: int, user: User, partner: User, now: datetime) -> Entry:
    """The pair's entry, waiting for the partner's word; accepted at once where the partner had asked first.

    Raises: Refused `guests-cannot-enter`, `partner-is-guest`, `not-open`, `own-partner`, `already-entered`,
    `partner-entered`, `full`.
    """
    if user.is_guest or partner.is_guest:
        raise Refused("guests-cannot-enter" if user.is_guest else "partner-is-guest")
    tournament = locked(tournament_id)
    _check_open(tournament)
    if partner.pk == user.pk:
        raise Refused("own-partner")
    asked = _invitations(tournament, user).filter(members__user=partner, members__place=0).first()
    return _accept(tournament, asked, user, now) if asked else _invite(tournament, user, partner, now)


@transaction.atomic(durable=True)
def accept(*, tournament_id: int, entry_number: int, user: User, now: datetime) -> Entry:
    """The entry, accepted by the partner who was asked; whatever else waits for one of the two lapses.

    Raises: Entry.DoesNotExist where this user was not asked;
    Refused `not-open`, `lapsed`, `already-entered`, `full`.
    """
    tournament = locked(tournament_id)
    entry = _asked(tournament, entry_number, user)
    if entry.accepted_at:
        return entry
    _check_open(tournament)
    _check_waiting(entry)
    return _accept(tournament, entry, user, now)


@transaction.atomic(durable=True)
def decline(*, tournament_id: int, entry_number: int, user: User, now: datetime) -> Entry:
    """The entry, declined by the partner who was asked; who asked may ask somebody else.

    Raises: Entry.DoesNotExist where this user was not asked; Refused `not-open`, `accepted`.
    """
    tournament = locked(tournament_id)
    entry = _asked(tournament, entry_number, user)
    _check_open(tournament)
    if entry.accepted_at:
        raise Refused("accepted")
    _decline([entry], now)
    ring_after_commit(tournament)
    return entry


def check_in(*, tournament_id: int, user: User) -> Entry:
    """The entry this user is in with. Nobody loses a place here for not checking in, so nothing is stored.

    Raises: Tournament.DoesNotExist; Refused `not-entered`.
    """
    entry = living_entry(Tournament.objects.get(pk=tournament_id), user)
    if entry is None:
        raise Refused("not-entered")
    return entry


@transaction.atomic(durable=True)
def remove(*, tournament_id: int, entry_number: int, actor: User, now: datetime) -> Entry:
    """The entry, taken out by the organiser before the start.

    Raises: Entry.DoesNotExist; Refused `not-organiser`, `not-open`, `not-entered`.
    """
    tournament = locked(tournament_id)
    check_organiser(tournament, actor)
    _check_open(tournament)
    entry = tournament.entries.get(number=entry_number)
    if entry.withdrawn_at or entry.declined_at:
        raise Refused("not-entered")
    return withdraw_entry(tournament, entry, now)


def withdraw_entry(tournament: Tournament, entry: Entry, now: datetime) -> Entry:
    """The entry, out of the locked tournament, and its players free. Before the start that is all."""
    entry.withdrawn_at = entry.withdrawn_at or now
    entry.save(update_fields=["withdrawn_at"])
    entry.members.update(active=False)
    ring_after_commit(tournament)
    return entry


def living_entry(tournament: Tournament, user: User) -> Entry | None:
    """The entry this user belongs to: made by him or accepted, and not withdrawn."""
    return tournament.entries.filter(members__user=user, members__active=True).first()


def accepted_entries(tournament: Tournament) -> list[Entry]:
    """The entries that count, in the order they were accepted."""
    counting = tournament.entries.filter(accepted_at__isnull=False, withdrawn_at__isnull=True)
    return list(counting.order_by("accepted_at", "number"))


def _invite(tournament: Tournament, user: User, partner: User, now: datetime) -> Entry:
    _check_free(tournament, user, partner)
    _check_room(tournament)
    entry = tournament.entries.create(number=tournament.entries.count() + 1, created_at=now)
    Member.objects.bulk_create(
        Member(tournament=tournament, entry=entry, place=place, user=who, active=place == 0)
        for place, who in enumerate((user, partner))
    )
    ring_after_commit(tournament)
    return entry


def _accept(tournament: Tournament, entry: Entry, user: User, now: datetime) -> Entry:
    own = living_entry(tournament, user)
    if own is not None and own.accepted_at:
        raise Refused("already-entered")
    _check_room(tournament)
    if own is not None:
        withdraw_entry(tournament, own, now)
    entry.accepted_at = now
    entry.save(update_fields=["accepted_at"])
    entry.members.update(active=True)
    _decline(_invitations(tournament, user), now)
    _decline(_invitations(tournament, entry.members.get(place=0).user), now)
    ring_after_commit(tournament)
    return entry


def _decline(entries: Iterable[Entry], now: datetime) -> None:
    for entry in entries:
        entry.declined_at = entry.declined_at or now
        entry.save(update_fields=["declined_at"])
        entry.members.update(active=False)


def _asked(tournament: Tournament, entry_number: int, user: User) -> Entry:
    return tournament.entries.get(number=entry_number, members__user=user, members__place=1)


def _invitations(tournament: Tournament, user: User) -> QuerySet[Entry]:
    waiting = tournament.entries.filter(
        accepted_at__isnull=True, declined_at__isnull=True, withdrawn_at__isnull=True
    )
    return waiting.filter(pk__in=Member.objects.filter(user=user, place=1).values("entry"))


def _check_open(tournament: Tournament) -> None:
    if tournament.state != State.OPEN:
        raise Refused("not-open")


def _check_waiting(entry: Entry) -> None:
    if entry.withdrawn_at or entry.declined_at:
        raise Refused("lapsed")


def _check_room(tournament: Tournament) -> None:
    if len(accepted_entries(tournament)) >= tournament.capacity:
        raise Refused("full")


def _check_free(tournament: Tournament, user: User, partner: User) -> None:
    if living_entry(tournament, user):
        raise Refused("already-entered")
    theirs = living_entry(tournament, partner)
    if theirs is not None and theirs.accepted_at:
        raise Refused("partner-entered")

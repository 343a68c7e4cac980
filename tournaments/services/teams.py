"""What belongs to a pair: its name and club, its rating, its third player, and which two of them play."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.notices import notify
from accounts.text import isolate
from games.models import Phase
from tournaments.deadlines import NOT_STARTED
from tournaments.live import ring_after_commit
from tournaments.models import Entry, Member, State, TableState, Tournament
from tournaments.services.actions import check
from tournaments.services.entry import check_name, check_not_started, living_entry
from tournaments.services.invitations import THIRD, invite_third, tell_third_left
from tournaments.services.log import locked, record_act
from tournaments.services.permissions import may, require
from tournaments.services.places import people
from tournaments.services.refusals import Refused

BEFORE_THE_START = (State.OPEN, State.READY)


@transaction.atomic(durable=True)
def describe(*, tournament_id: int, user: User, name: str, club: str, now: datetime) -> Entry:
    """The user's entry under another team name and club, before the start.

    Raises: Refused `not-entered`, `already-started`, `name-taken`.
    """
    tournament, entry = _own(tournament_id, user)
    check_not_started(tournament)
    check_name(tournament, name, but_for=entry)
    entry.name, entry.club = name, club
    entry.save(update_fields=["name", "club"])
    ring_after_commit(tournament)
    return entry


@transaction.atomic(durable=True)
def rate(*, tournament_id: int, entry_number: int, actor: User, rating: int | None, now: datetime) -> Entry:
    """The entry with the rating an official knows it has, for the conditions and the seeds.

    Raises: Entry.DoesNotExist; Refused `not-organiser`, `not-your-role`, `already-started`.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "entries")
    check_not_started(tournament)
    entry = tournament.entries.get(number=entry_number)
    check(actor, tournament, "rate", {"entrant": entry.ident}, now=now)
    before, entry.rating = entry.rating, rating
    if before != rating:
        entry.save(update_fields=["rating"])
        record_act(
            tournament, "rating", actor=actor, now=now, subject=entry.ident, before=before, after=rating
        )
        ring_after_commit(tournament)
    return entry


@transaction.atomic(durable=True)
def ask_third(*, tournament_id: int, user: User, third: User, now: datetime) -> Member:
    """The third player of the user's pair, asked to be a substitute.

    Raises: Refused `not-entered`, `not-open`, or as `invitations.invite_third`.
    """
    tournament, entry = _own(tournament_id, user)
    if tournament.state not in BEFORE_THE_START:
        raise Refused("not-open")
    return invite_third(tournament, entry, user, third, now)


@transaction.atomic(durable=True)
def drop_third(*, tournament_id: int, user: User, now: datetime) -> Entry:
    """The user's entry without its third player: taken back by the pair, or left by the third alone.

    Raises: Refused `not-entered`, `third-plays`.
    """
    tournament, entry = _own(tournament_id, user)
    third = entry.members.filter(place=THIRD).select_related("user").first()
    if third is None:
        return entry
    if third.plays:
        raise Refused("third-plays")
    third.delete()
    if third.user_id == user.pk:
        tell_third_left(tournament, entry, user, now)
    ring_after_commit(tournament)
    return entry


@transaction.atomic(durable=True)
def substitute(
    *, tournament_id: int, entry_number: int, user: User, rests: int, reason: str = "", now: datetime
) -> Entry:
    """The entry, of whose three players the one at place `rests` (0 to 2) does not play; by one of them or an official.

    Before a match only: not while their table is in play.
    Raises: Entry.DoesNotExist; Refused `not-entered`, `not-your-role`, `not-organiser`, `no-third`, `already-over`,
    `table-open`.
    """
    tournament = locked(tournament_id)
    entry = tournament.entries.get(number=entry_number)
    if not entry.members.filter(user=user, active=True).exists() and not may(tournament, user, "entries"):
        require(tournament, user, "entries")
    _check_substitution(tournament, entry, rests)
    members = {member.place: member for member in entry.members.select_related("user")}
    rested = [place for place, member in members.items() if not member.plays]
    if rested == [rests]:
        return entry
    for place, member in members.items():
        member.plays = place != rests
    Member.objects.bulk_update(members.values(), ["plays"])
    record_act(
        tournament,
        "substitution",
        actor=user,
        now=now,
        subject=entry.ident,
        before=members[rested[0]].shown,
        after=members[rests].shown,
        reason=reason,
        is_public=True,
    )
    _tell_who_rests(tournament, entry, members[rests], now)
    ring_after_commit(tournament)
    return entry


def _check_substitution(tournament: Tournament, entry: Entry, rests: int) -> None:
    if tournament.state not in (*NOT_STARTED, State.RUNNING):
        raise Refused("already-over")
    if entry.withdrawn_at or not entry.accepted_at:
        raise Refused("not-entered")
    if entry.members.filter(active=True).count() < THIRD + 1 or rests not in range(THIRD + 1):
        raise Refused("no-third")
    in_play = tournament.tables.filter(state=TableState.OPEN).exclude(table__phase=Phase.OVER)
    if in_play.filter(sides__contains=[entry.ident]).exists():
        raise Refused("table-open")


def _tell_who_rests(tournament: Tournament, entry: Entry, rests: Member, now: datetime) -> None:
    def say() -> str:
        said = _("%(name)s: in your pair %(player)s rests; the other two play.")
        return said % {"name": isolate(tournament.name), "player": isolate(rests.shown)}

    key = f"rests-{tournament.pk}-{entry.ident}-{now.isoformat()}"
    notify(people(entry), key, say, url=tournament.get_absolute_url(), now=now)


def _own(tournament_id: int, user: User) -> tuple[Tournament, Entry]:
    tournament = locked(tournament_id)
    entry = living_entry(tournament, user)
    if entry is None:
        raise Refused("not-entered")
    return tournament, entry

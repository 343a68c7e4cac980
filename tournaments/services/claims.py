"""Places kept for a name: who has the link of one takes it."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.notices import notify
from accounts.text import isolate
from tournaments.live import ring_after_commit
from tournaments.models import Entry, Member, State, Tournament
from tournaments.models.tournaments import secret_word
from tournaments.services.entry import check_not_started, living_entry
from tournaments.services.importing import THIRD, settle
from tournaments.services.invitations import drop_answers
from tournaments.services.log import locked, record_act
from tournaments.services.permissions import require
from tournaments.services.places import moving_up
from tournaments.services.refusals import Refused


@transaction.atomic(durable=True)
def claim(*, tournament_id: int, token: str, user: User, now: datetime) -> Entry:
    """The entry whose place the user takes; in, once its other place is taken too. Taking it twice changes nothing.

    Raises: Member.DoesNotExist; Refused `guests-cannot-enter`, `not-open`, `already-started`, `place-gone`,
    `place-taken`, `already-entered`.
    """
    if user.is_guest:
        raise Refused("guests-cannot-enter")
    tournament = locked(tournament_id)
    member = place_of(tournament, token)
    if member.user_id == user.pk:
        return member.entry
    _check(tournament, member, user)
    member.user, member.active = user, True
    with moving_up(tournament, now):
        member.save(update_fields=["user", "active"])
        if member.place < THIRD:
            settle(tournament, member.entry, now)
    drop_answers(tournament, user)
    _tell(tournament, member, user, now)
    ring_after_commit(tournament)
    return member.entry


@transaction.atomic(durable=True)
def renew(*, tournament_id: int, entry_number: int, place: int, actor: User, now: datetime) -> Member:
    """The place under a new link, free again where somebody had claimed it; the old link leads nowhere.

    Raises: Member.DoesNotExist where no link was made for it; Refused `not-organiser`, `not-your-role`,
    `already-started`.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "entries")
    check_not_started(tournament)
    member = claimable(tournament).get(entry__number=entry_number, place=place)
    before = member.shown
    member.claim, member.user, member.active = secret_word(), None, False
    with moving_up(tournament, now):
        member.save(update_fields=["claim", "user", "active"])
        if member.place < THIRD:
            settle(tournament, member.entry, now)
    record_act(tournament, "renew", actor=actor, now=now, subject=member.entry.ident, before=before)
    ring_after_commit(tournament)
    return member


def claimable(tournament: Tournament) -> QuerySet[Member]:
    """Places that a link was made for, of pairs that are still in, in the order of the pairs."""
    members = tournament.members.exclude(claim="").filter(entry__withdrawn_at=None, entry__declined_at=None)
    return members.select_related("entry", "user").order_by("entry__number", "place")


def place_of(tournament: Tournament, token: str) -> Member:
    """The place of a link. Raises: Member.DoesNotExist."""
    if not token:
        raise Member.DoesNotExist
    return tournament.members.select_related("entry", "user").get(claim=token)


def _check(tournament: Tournament, member: Member, user: User) -> None:
    if tournament.state == State.DRAFT:
        raise Refused("not-open")
    check_not_started(tournament)
    if member.user_id is not None:
        raise Refused("place-taken")
    if member.entry.withdrawn_at or member.entry.declined_at:
        raise Refused("place-gone")
    if living_entry(tournament, user):
        raise Refused("already-entered")


def _tell(tournament: Tournament, member: Member, user: User, now: datetime) -> None:
    others = member.entry.members.filter(active=True).exclude(user=user).select_related("user")

    def say() -> str:
        said = _("%(player)s has taken the place beside you in %(name)s.")
        return said % {"player": isolate(user.username), "name": isolate(tournament.name)}

    key = f"claimed-{tournament.pk}-{member.entry.ident}-{user.pk}"
    told = [other.user for other in others if other.user]
    notify(told, key, say, url=tournament.get_absolute_url(), now=now)

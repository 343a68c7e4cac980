"""Who runs a tournament with its owner: invited by a link, given a role, let go."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.notices import notify
from accounts.text import isolate
from tournaments.live import ring_after_commit
from tournaments.models import Official, Role, RoleInvite, Tournament
from tournaments.services.actions import check
from tournaments.services.log import locked, record_act
from tournaments.services.permissions import require
from tournaments.services.refusals import Refused

LONGEST_DAYS = 30
MOST_OPEN = 50


@transaction.atomic(durable=True)
def invite(*, tournament_id: int, actor: User, role: str, days: int = 7, now: datetime) -> RoleInvite:
    """A link that makes whoever opens it first an official of this role, for so many days.

    Raises: Refused `not-organiser`, `not-your-role`, `malformed`, `too-many-links`.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "officials")
    if role not in Role.values or not 1 <= days <= LONGEST_DAYS:
        raise Refused("malformed")
    if open_invites(tournament, now).count() >= MOST_OPEN:
        raise Refused("too-many-links")
    check(actor, tournament, "officials", now=now)
    made = tournament.role_invites.create(
        role=role, made_by=actor, made_at=now, expires_at=now + timedelta(days=days)
    )
    until = made.expires_at.isoformat()
    record_act(tournament, "invite-official", actor=actor, now=now, subject=role, after=until)
    return made


def open_invites(tournament: Tournament, now: datetime) -> QuerySet[RoleInvite]:
    """The links that can still be used, oldest first."""
    return tournament.role_invites.filter(used_at=None, expires_at__gt=now).order_by("pk")


@transaction.atomic(durable=True)
def accept_invite(*, token: str, user: User, now: datetime) -> Official:
    """The user, an official by this link. Opening it again changes nothing; who has another role gets the link's.

    Raises: RoleInvite.DoesNotExist; Refused `guests-cannot-organise`, `lapsed-link`, `owner-already`.
    """
    if user.is_guest:
        raise Refused("guests-cannot-organise")
    found = RoleInvite.objects.get(token=token)
    tournament = locked(found.tournament_id)
    # Read again under the lock: another may have been first.
    found.refresh_from_db()
    mine = tournament.officials.filter(user=user).first()
    if found.used_by_id == user.pk and mine is not None:
        return mine
    if found.used_at is not None or found.expires_at <= now:
        raise Refused("lapsed-link")
    if tournament.organiser_id == user.pk:
        raise Refused("owner-already")
    found.used_at, found.used_by = now, user
    found.save(update_fields=["used_at", "used_by"])
    before = mine.role if mine else None
    official, _made = tournament.officials.update_or_create(
        user=user, defaults={"role": found.role}, create_defaults={"role": found.role, "since": now}
    )
    record_act(
        tournament,
        "official",
        actor=user,
        now=now,
        subject=user.username,
        before=before,
        after=found.role,
        is_public=found.role != Role.VIEWER,
    )
    return official


def state_of(invite: RoleInvite, user: User, now: datetime) -> str:
    """What a link is to who opens it: "open", "mine", "used", "lapsed", or "owner" where the tournament is theirs."""
    if invite.used_at is not None:
        is_mine = invite.used_by_id == user.pk and invite.tournament.officials.filter(user=user).exists()
        return "mine" if is_mine else "used"
    if invite.expires_at <= now:
        return "lapsed"
    return "owner" if invite.tournament.organiser_id == user.pk else "open"


@transaction.atomic(durable=True)
def revoke_invite(*, tournament_id: int, actor: User, number: int, now: datetime) -> None:
    """The link does not work any more.

    Raises: Refused `not-organiser`, `not-your-role`; RoleInvite.DoesNotExist.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "officials")
    found = open_invites(tournament, now).get(pk=number)
    until, found.expires_at = found.expires_at.isoformat(), now
    found.save(update_fields=["expires_at"])
    record_act(tournament, "revoke-invite", actor=actor, now=now, subject=found.role, before=until)


@transaction.atomic(durable=True)
def change_role(*, tournament_id: int, actor: User, user: User, role: str, now: datetime) -> Official:
    """An official with another role.

    Raises: Refused `not-organiser`, `not-your-role`, `malformed`; Official.DoesNotExist.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "officials")
    if role not in Role.values:
        raise Refused("malformed")
    check(actor, tournament, "officials", now=now)
    official = tournament.officials.get(user=user)
    before, official.role = official.role, role
    if before != role:
        official.save(update_fields=["role"])
        name = user.username
        record_act(
            tournament,
            "official",
            actor=actor,
            now=now,
            subject=name,
            before=before,
            after=role,
            is_public=Role.VIEWER not in (before, role),
        )
    return official


@transaction.atomic(durable=True)
def let_go(*, tournament_id: int, actor: User, user: User, now: datetime) -> None:
    """An official is none any more: by the owner, or by their own wish. Doing it again changes nothing.

    Raises: Refused `not-organiser`, `not-your-role`.
    """
    tournament = locked(tournament_id)
    if actor.pk != user.pk:
        require(tournament, actor, "officials")
    official = tournament.officials.filter(user=user).first()
    if official is None:
        return
    official.delete()
    record_act(
        tournament,
        "official",
        actor=actor,
        now=now,
        subject=user.username,
        before=official.role,
        is_public=official.role != Role.VIEWER,
    )
    ring_after_commit(tournament)


@transaction.atomic(durable=True)
def hand_over(*, tournament_id: int, actor: User, user: User, now: datetime) -> Tournament:
    """The tournament is this organiser's now; who owned it is an organiser.

    Raises: Refused `not-organiser`, `not-your-role`, `no-organiser`: only one of its organisers can take it over.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "officials")
    taking = tournament.officials.filter(user=user, role=Role.ORGANISER, user__is_active=True).first()
    if taking is None:
        raise Refused("no-organiser")
    check(actor, tournament, "officials", now=now)
    taking.delete()
    former = tournament.organiser
    tournament.officials.update_or_create(
        user=former, defaults={"role": Role.ORGANISER}, create_defaults={"role": Role.ORGANISER, "since": now}
    )
    tournament.organiser = user
    tournament.save(update_fields=["organiser"])
    record_act(
        tournament,
        "hand-over",
        actor=actor,
        now=now,
        before=former.username,
        after=user.username,
        is_public=True,
    )
    said = {"tournament": isolate(tournament.name)}
    notify(
        [user],
        f"tournament-{tournament.pk}-yours-{now:%Y%m%d%H%M%S}",
        lambda: _("%(tournament)s is yours to run now.") % said,
        url=f"{tournament.get_absolute_url()}organise/",
        now=now,
    )
    return tournament

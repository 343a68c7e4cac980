"""Asking people to a table by name: invite, accept, decline. What is not answered lapses when the table starts."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from accounts.models import Mute, NoticeKind, User
from accounts.notices import notify
from accounts.queries import find_player, may_ask
from accounts.services import held
from accounts.social import is_blocked
from accounts.text import isolate
from games.models import Invitation, Phase, Ruleset, Seat, SeatKind, Table
from games.rules.seats import partner
from games.services.refusals import Refused
from games.services.seating import locked, require_waiting, ring_players
from games.services.tables import sit_down

ANEW_AFTER = timedelta(minutes=2)
AT_MOST, WITHIN = 20, timedelta(minutes=10)


def invite(*, table_code: str, user: User, name: str, now: datetime) -> User:
    """Ask the player of that name to a waiting table; who that is. The host's word brings back who was removed.

    Whoever has muted the user is asked nothing, and the user is not told so.
    Raises: Table.DoesNotExist; Refused `guests-cannot-invite`, `table-closed`, `already-started`,
    `not-at-table`, `no-player`, `not-invitable`, `you-block-them`, `seated-already`, `invited-already`,
    `too-many-invitations`.
    """
    if user.is_guest:
        raise Refused("guests-cannot-invite")
    with transaction.atomic(durable=True):
        table = locked(table_code)
        require_waiting(table)
        other = _invitable(table, user, name)
        _require_patience(table, user, other, now)
        made, _ = Invitation.objects.update_or_create(
            table=table, to=other, defaults={"by": user, "created_at": now, "accepted": None}
        )
        if table.host_id == user.pk and other.pk in table.removed:
            table.removed = [one for one in table.removed if one != other.pk]
            table.save(update_fields=["removed"])
        if not Mute.objects.filter(user=other, muted=user).exists():
            ring_players([other])
            _tell(made, now)
    return other


def accept(*, user: User, invitation_id: int, now: datetime) -> Table:
    """Sit down where one was asked to: opposite whoever asked if that seat is free, else at any free one.

    Raises: Refused `lapsed`, `table-closed`, `already-started`, `table-full`, and what `sit` raises.
    """
    with transaction.atomic(durable=True):
        code = _asked(user, invitation_id).values_list("table__code", flat=True).first()
        if code is None:
            raise Refused("lapsed")
        table = locked(code)
        invitation = _asked(user, invitation_id).select_related("by").first()
        if invitation is None:
            raise Refused("lapsed")
        seats = list(table.seats.order_by("number"))
        if not any(seat.user_id == user.pk for seat in seats):
            require_waiting(table)
            sit_down(table, user, _place(seats, invitation.by), "", now)
        Invitation.objects.filter(pk=invitation.pk).update(accepted=True)
        ring_players([user, invitation.by])
    return table


def decline(*, user: User, invitation_id: int) -> None:
    """Say that one does not come; whoever asked is told. What is no longer open stays as it is."""
    with transaction.atomic(durable=True):
        invitation = _asked(user, invitation_id).select_related("by").first()
        if invitation is not None:
            _asked(user, invitation_id).update(accepted=False)
            ring_players([user, invitation.by])


def open_invitations(user: User) -> QuerySet[Invitation]:
    """What a player is asked to and has not answered, newest first; nothing from people the player has muted."""
    muted = Mute.objects.filter(user=user).values("muted")
    waiting = Invitation.objects.filter(to=user, accepted=None, table__phase=Phase.WAITING)
    return waiting.exclude(by__in=muted).select_related("by", "table").order_by("-created_at", "-pk")


def _asked(user: User, invitation_id: int) -> QuerySet[Invitation]:
    return Invitation.objects.filter(pk=invitation_id, to=user, accepted=None)


def _invitable(table: Table, user: User, name: str) -> User:
    sitting = set(Seat.objects.filter(table=table, kind=SeatKind.PLAYER).values_list("user", flat=True))
    if user.pk not in sitting and table.host_id != user.pk:
        raise Refused("not-at-table")
    other = find_player(name)
    if other is None or not other.is_active or other.is_guest:
        raise Refused("no-player")
    if other.pk in sitting or other.pk == user.pk:
        raise Refused("seated-already")
    require_askable(user, other)
    return other


def require_askable(user: User, other: User) -> None:
    """Inside an open transaction: `user` may ask `other`. Raises: Refused `you-block-them`, `not-invitable`."""
    if is_blocked(other, by=user):
        raise Refused("you-block-them")
    # Held, so that what is asked while the other one blocks lapses with it.
    if not may_ask(user, held(other)):
        raise Refused("not-invitable")


def _tell(invitation: Invitation, now: datetime) -> None:
    """For those who are not on the site: on it the invitation itself is shown."""

    def say() -> str:
        said = gettext("%(player)s asks you to a table: %(ruleset)s.")
        ruleset = Ruleset(invitation.table.ruleset).label
        return said % {"player": isolate(invitation.by.username), "ruleset": ruleset}

    notify(
        [invitation.to],
        f"invited-{invitation.pk}-{now.isoformat()}",
        say,
        url=invitation.table.get_absolute_url(),
        kind=NoticeKind.INVITATIONS,
        by_mail=True,
        is_read=True,
        now=now,
    )


def _require_patience(table: Table, user: User, other: User, now: datetime) -> None:
    if Invitation.objects.filter(table=table, to=other, created_at__gt=now - ANEW_AFTER).exists():
        raise Refused("invited-already")
    if Invitation.objects.filter(by=user, created_at__gt=now - WITHIN).count() >= AT_MOST:
        raise Refused("too-many-invitations")


def _place(seats: Sequence[Seat], by: User) -> int:
    """Opposite whoever asked, so that the two play together, where that seat is free."""
    free = [seat.number for seat in seats if seat.kind == SeatKind.OPEN]
    if not free:
        raise Refused("table-full")
    opposite = next((partner(seat.number) for seat in seats if seat.user_id == by.pk), free[0])
    return opposite if opposite in free else free[0]

"""Whom one follows and whom one does not want to meet: the doors, and what a block ends at once."""

from datetime import datetime
from functools import partial

from django.db import transaction

from accounts import social
from accounts.models import Mute, User
from accounts.queries import find_player
from games.live.announce import tell
from games.live.talk import muting
from games.models import Invitation, Phase, Seek, Table
from games.services.refusals import Refused
from games.services.seating import ring_players, save, vacate
from games.services.welcome import hold_meetings


def follow(*, user: User, name: str, now: datetime) -> User:
    """Hear of a player; who it is. Raises: Refused `no-player`; ValidationError as `accounts.social.follow`."""
    other = _other(name)
    with transaction.atomic(durable=True):
        social.follow(user, other, now)
    return other


def unfollow(*, user: User, name: str) -> User:
    """Hear of a player no more; who it is. Raises: Refused `no-player`."""
    other = _other(name, closed=True)
    with transaction.atomic(durable=True):
        social.unfollow(user, other)
    return other


def block(*, user: User, name: str, now: datetime) -> User:
    """Keep a player away; who it is. What that player has asked lapses, and at tables of the user's own that
    have not begun the player gets up.

    Raises: Refused `no-player`; ValidationError as `accounts.social.block`.
    """
    other = _other(name)
    with transaction.atomic(durable=True):
        # Tables first, as whoever sits down does; all of them, for who is sitting down at this very moment.
        hosted = Table.objects.select_for_update().filter(host=user, phase=Phase.WAITING)
        tables = list(hosted.order_by("pk"))
        hold_meetings([user.pk], alone=True)
        social.block(user, other, now)
        Invitation.objects.filter(by=other, to=user, accepted=None).delete()
        Seek.objects.filter(user=other, partner=user, accepted=False).delete()
        for table in tables:
            _remove(table, other, now)
        _tell_ears(user, other, deaf=True)
        ring_players([user, other])
    return other


def unblock(*, user: User, name: str) -> User:
    """Let a player come near again; who it is. Raises: Refused `no-player`."""
    other = _other(name, closed=True)
    with transaction.atomic(durable=True):
        social.unblock(user, other)
        _tell_ears(user, other, deaf=Mute.objects.filter(user=user, muted=other).exists())
    return other


def _other(name: str, *, closed: bool = False) -> User:
    found = find_player(name)
    if found is None or not (closed or found.is_active):
        raise Refused("no-player")
    return found


def _remove(table: Table, other: User, now: datetime) -> None:
    seat = table.seats.filter(user=other).first()
    if seat is None:
        return
    table.removed = [*table.removed, other.pk]
    vacate(table, seat, other, now)
    save(table)


def _tell_ears(user: User, other: User, *, deaf: bool) -> None:
    item = muting(user.pk, other.pk, other.username, muted=deaf)
    transaction.on_commit(partial(tell, item), robust=True)

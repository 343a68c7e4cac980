"""Whether somebody may sit down where others are who want to be left alone by them."""

from collections.abc import Iterable

from django.db import connection

from accounts.models import Block, User
from games.models import Seat, SeatKind, Table
from games.services.refusals import Refused

# Any number that nothing else locks; the second half of the key is a user's.
LOCK = 0x7A44B10C


def require_welcome(table: Table, user: User) -> None:
    """Inside an open transaction that holds the table. Raises: Refused `not-welcome` at the table of somebody who
    has blocked the user.
    """
    sitting = Seat.objects.filter(table=table, kind=SeatKind.PLAYER).values_list("user", flat=True)
    there = {pk for pk in (*sitting, table.host_id) if pk is not None and pk != user.pk}
    hold_meetings(there)
    if Block.objects.filter(user__in=there, blocked=user).exists():
        raise Refused("not-welcome")


def hold_meetings(user_ids: Iterable[int], *, alone: bool = False) -> None:
    """Inside an open transaction: nobody blocks others while somebody sits down with these users; `alone`: nobody
    sits down with them while they block.
    """
    shared = "" if alone else "_shared"
    with connection.cursor() as cursor:
        for user_id in sorted(user_ids):
            # Of a number too large for the lock its lower half: two users may wait for each other, no more.
            cursor.execute(f"select pg_advisory_xact_lock{shared}(%s, %s)", [LOCK, user_id % 2**31])

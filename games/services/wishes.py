"""The wishes for a quick match that wait in the database: held together, looked through, dropped, told about.

Everything here is for inside an open transaction.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import connection, transaction

from accounts.models import User
from games.live.announce import ring_item, tell
from games.models import Seek

SEEN_FOR = timedelta(seconds=15)  # the page says every five seconds that it is there
FOUND_KEEPS = timedelta(minutes=5)
TOPIC = "play"
LOCK = 0x7A44EEB  # any number that nothing else locks


def held() -> list[Seek]:
    """All wishes, which nobody else adds to, takes from or matches until the end of the transaction."""
    lock()
    return all_wishes()


def lock() -> None:
    """Nobody else adds a wish, takes one or matches them until the end of the transaction."""
    # Not the rows: new ones appear in no order, and two who lock them in theirs would wait for each other.
    with connection.cursor() as cursor:
        cursor.execute("select pg_advisory_xact_lock(%s)", [LOCK])


def all_wishes() -> list[Seek]:
    """All wishes, in the order in which they came, with their people."""
    return list(Seek.objects.select_related("user", "partner").order_by("pk"))


def takes_part(wish: Seek, user: User) -> bool:
    """Whether a wish is of this user, or of somebody who waits together with them."""
    return wish.user_id == user.pk or (wish.accepted and wish.partner_id == user.pk)


def asks(wish: Seek, user: User, now: datetime) -> bool:
    """Whether a wish waits for this user's word."""
    return wish.partner_id == user.pk and not wish.accepted and wish.seen_at > now - SEEN_FOR


def asked_by(
    partner: User, user: User, wishes: Iterable[Seek], wanted: dict[str, Any], now: datetime
) -> Seek | None:
    """The wish by which the partner has asked this user for just what they want."""
    for wish in wishes:
        same = all(getattr(wish, name) == value for name, value in wanted.items())
        if wish.user_id == partner.pk and same and asks(wish, user, now):
            return wish
    return None


def is_gone(wish: Seek, now: datetime) -> bool:
    """Whether somebody of a wish has gone away meanwhile, or its match was found long ago."""
    if wish.table_id is not None:
        return wish.seen_at < now - FOUND_KEEPS
    people = [(wish.user, wish.seen_at)]
    if wish.accepted and wish.partner is not None and wish.partner_seen_at is not None:
        people.append((wish.partner, wish.partner_seen_at))
    return any(not user.is_active or at <= now - SEEN_FOR for user, at in people)


def people_of(wish: Seek) -> tuple[int, ...]:
    """The ids of those whom a wish is of, whether they have agreed or not."""
    return (wish.user_id,) if wish.partner_id is None else (wish.user_id, wish.partner_id)


def drop(wishes: Iterable[Seek]) -> None:
    """Take these wishes away, and tell their people."""
    dropped = list(wishes)
    if dropped:
        Seek.objects.filter(pk__in=[wish.pk for wish in dropped]).delete()
        ring_people(*(wish for wish in dropped if wish.table_id is None))


def ring_people(*wishes: Seek) -> None:
    """Once it is committed, tell the people of these wishes, and whoever looks at how many wait."""
    people = {user_id for wish in wishes for user_id in people_of(wish)}
    topics = [TOPIC, *(f"player-{user_id}" for user_id in sorted(people))] if people else []
    if topics:
        transaction.on_commit(partial(tell, *map(ring_item, topics)), robust=True)

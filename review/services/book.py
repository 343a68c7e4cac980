"""The log of acts, and what every act asks for first: the right to it, a reason, and that it is done once."""

from datetime import datetime
from typing import Any

from django.db import connection

from accounts.models import User
from games.models import Seat, Table
from review.models import Case, ReviewAct
from review.roles import may
from review.services.refusals import Refused

LONGEST_REASON = 1000


def require(actor: User, act: str) -> None:
    """Raises: Refused `not-your-role`."""
    if not may(actor, act):
        raise Refused("not-your-role")


def require_neutral(actor: User, *, table: Table | None = None, people: tuple[User | None, ...] = ()) -> None:
    """Nobody judges in a matter of their own. Raises: Refused `own-case`."""
    if actor in people or (table is not None and Seat.objects.filter(table=table, user=actor).exists()):
        raise Refused("own-case")


def reason_of(text: str) -> str:
    """The reason as it is stored. Raises: Refused `no-reason`, `too-long`."""
    reason = text.replace("\0", "").strip()
    if not reason:
        raise Refused("no-reason")
    if len(reason) > LONGEST_REASON:
        raise Refused("too-long")
    return reason


def done(key: str) -> ReviewAct | None:
    """Inside an open transaction: the act that this key stands for, where it was done already.

    Whoever asks with the same key meanwhile waits for the end of the transaction, and then finds it done.
    """
    if not key:
        return None
    one_at_a_time(key)
    return ReviewAct.objects.filter(key=key).first()


def one_at_a_time(name: str) -> None:
    """Inside an open transaction: whoever comes with the same name waits for the end of it."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"review|{name}"])


def record(
    kind: str,
    *,
    actor: User,
    now: datetime,
    about: User | None = None,
    table: Table | None = None,
    case: Case | None = None,
    reason: str = "",
    before: Any = None,
    after: Any = None,
    key: str = "",
) -> ReviewAct:
    """Inside an open transaction: the act, in the log."""
    return ReviewAct.objects.create(
        kind=kind,
        actor=actor,
        at=now,
        about=about,
        table=table,
        case=case,
        reason=reason,
        before=before,
        after=after,
        key=key or None,
    )

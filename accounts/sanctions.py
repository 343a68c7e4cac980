"""Warnings and bans: who is kept from what, for how long and why; and what they say against it.

Each door asks `banned` inside its transaction. It waits for a sanction that is being imposed on the same user, and
one that is being imposed waits for the doors: whoever came in before it was in, and nobody comes in after it.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Final

from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.models import Sanction, Scope, User

LONGEST_REASON: Final = 500
LONGEST_APPEAL: Final = 1000
# The first of the two numbers of a lock of the database; the second is the user's.
_LOCKS: Final = 0x7A44
SENTENCES: Final = {
    "not-yours": _("This is not about you."),
    "already-appealed": _("You have said what you have to say against this. Somebody will look at it."),
    "empty": _("Write what you have to say."),
    "warning": _("A warning keeps you from nothing: there is nothing to lift."),
    "no-appeal": _("Nobody has said anything against this."),
}


class NotDone(Exception):
    """What was asked for about a sanction was refused; nothing changed."""

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(code)

    def __str__(self) -> str:
        return str(SENTENCES[self.code])


def in_force(now: datetime) -> Q:
    """Sanctions that stand at that time."""
    return Q(lifted_at=None) & (Q(until=None) | Q(until__gt=now))


def banned(user: User, scope: str, now: datetime) -> Sanction | None:
    """What keeps a user from something now, the longest of several; None where nothing does.

    Inside a transaction nothing new comes between this answer and the commit.
    """
    if connection.in_atomic_block:
        _hold([user.pk], "_shared")
    standing = list(_keeping(scope, now).filter(user=user))
    return max(standing, key=lambda one: (one.until is None, one.until or now), default=None)


def banned_among(user_ids: Collection[int], scope: str, now: datetime) -> set[int]:
    """Of these users those whom something keeps from it now; inside a transaction as `banned`."""
    if connection.in_atomic_block:
        _hold(user_ids, "_shared")
    return set(_keeping(scope, now).filter(user__in=user_ids).values_list("user", flat=True))


def of(user: User) -> QuerySet[Sanction]:
    """All that was ever imposed on a user, newest first."""
    return Sanction.objects.filter(user=user).order_by("-at", "-pk")


def open_appeals() -> QuerySet[Sanction]:
    """What somebody has said something against and nobody has answered, oldest first."""
    return Sanction.objects.filter(appealed_at__isnull=False, answered_at=None).order_by("appealed_at", "pk")


def impose(
    user: User,
    scope: str,
    *,
    reason_ar: str,
    reason_en: str,
    until: datetime | None,
    by: User | None = None,
    cause: str | None = None,
    now: datetime,
) -> Sanction:
    """Inside an open transaction: a warning or a ban. `until` None: for good. One of the same `cause` is kept."""
    _hold([user.pk])
    facts = {
        "user": user,
        "scope": Scope(scope),
        "reason_ar": reason_ar[:LONGEST_REASON],
        "reason_en": reason_en[:LONGEST_REASON],
        "by": by,
        "at": now,
        "until": until,
    }
    if cause is None:
        return Sanction.objects.create(**facts)
    return Sanction.objects.get_or_create(cause=cause, defaults=facts)[0]


def lift(sanction_id: int, *, by: User | None, now: datetime) -> Sanction:
    """Inside an open transaction: a ban ends before its time. One that was lifted stays as it was.

    Raises: NotDone `warning`.
    """
    sanction = _held(sanction_id)
    if sanction.scope == Scope.WARNING:
        raise NotDone("warning")
    if sanction.lifted_at is None:
        sanction.lifted_at, sanction.lifted_by = now, by
        sanction.save(update_fields=["lifted_at", "lifted_by"])
    return sanction


@transaction.atomic(durable=True)
def appeal(sanction_id: int, *, user: User, text: str, now: datetime) -> Sanction:
    """What a user says against a sanction, once; those who review the site look at it.

    Raises: NotDone `not-yours`, `already-appealed`, `empty`.
    """
    sanction = Sanction.objects.select_for_update().filter(pk=sanction_id, user=user).first()
    if sanction is None:
        raise NotDone("not-yours")
    if sanction.appealed_at is not None:
        raise NotDone("already-appealed")
    said = text.replace("\0", "").strip()[:LONGEST_APPEAL]
    if not said:
        raise NotDone("empty")
    sanction.appeal, sanction.appealed_at = said, now
    sanction.save(update_fields=["appeal", "appealed_at"])
    return sanction


def answer_appeal(sanction_id: int, *, by: User, text: str, lifts: bool, now: datetime) -> Sanction:
    """Inside an open transaction: what came of an appeal. `lifts`: the sanction ends with it, a warning too.

    Raises: NotDone `no-appeal`, `empty`.
    """
    sanction = _held(sanction_id)
    if sanction.appealed_at is None:
        raise NotDone("no-appeal")
    said = text.replace("\0", "").strip()[:LONGEST_APPEAL]
    if not said:
        raise NotDone("empty")
    sanction.answer, sanction.answered_at = said, now
    if lifts and sanction.lifted_at is None:
        sanction.lifted_at, sanction.lifted_by = now, by
    sanction.save(update_fields=["answer", "answered_at", "lifted_at", "lifted_by"])
    return sanction


def _keeping(scope: str, now: datetime) -> QuerySet[Sanction]:
    return Sanction.objects.filter(in_force(now), scope__in=(scope, Scope.ALL))


def _held(sanction_id: int) -> Sanction:
    user_id = Sanction.objects.values_list("user", flat=True).get(pk=sanction_id)
    _hold([user_id])
    return Sanction.objects.select_for_update().get(pk=sanction_id)


def _hold(user_ids: Collection[int], shared: str = "") -> None:
    """Until the end of the transaction nobody else imposes anything on these users, or, not shared, asks."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"select pg_advisory_xact_lock{shared}(%s, one) from unnest(%s::int[]) one",
            [_LOCKS, sorted(user_id % 2**31 for user_id in user_ids)],
        )

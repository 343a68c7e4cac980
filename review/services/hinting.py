"""A hint at two accounts of one person becomes a case, for somebody to look at. Nothing else follows from it."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from review.hints import hint_of
from review.models import ActKind, Case, CaseKind
from review.services import book
from review.services.refusals import Refused


def open_hint(*, actor: User, one: User, other: User, now: datetime) -> Case:
    """The case about these two accounts; one that was opened before is the same.

    Raises: Refused `not-your-role`, `own-case`, `no-hint`.
    """
    book.require(actor, "open-hint")
    book.require_neutral(actor, people=(one, other))
    first, second = sorted((one, other), key=lambda user: user.pk)
    found = hint_of(first, second, now=now)
    with transaction.atomic(durable=True):
        book.one_at_a_time(f"hint {first.pk} {second.pk}")
        known = Case.objects.filter(kind=CaseKind.HINT, about=first, other=second).first()
        if known is not None:
            return known
        if found is None:
            raise Refused("no-hint")
        case = Case.objects.create(kind=CaseKind.HINT, about=first, other=second, opened_at=now)
        book.record(
            ActKind.OPEN,
            actor=actor,
            now=now,
            about=first,
            case=case,
            after=found.evidence | {"other": second.pk},
        )
        return case

"""An objection of a tournament, answered by a referee of the site where its officials do not."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from review.models import ActKind, Outcome, ReviewAct
from review.services import book, cases
from review.services.refusals import Refused
from tournaments.services.flags import answer_objection


def answer(*, number: int, actor: User, upheld: bool, words: str, key: str = "", now: datetime) -> ReviewAct:
    """The objection that a case is about, answered; both sides and the officials read it.

    Raises: Case.DoesNotExist; Refused `not-your-role`, `own-case`, `closed`, `not-taken`, `taken`, `no-objection`,
    `no-reason`, `too-long`; the tournament's Refused `already-ruled`, `not-running`, `own-match`.
    """
    book.require(actor, "answer-objection")
    with transaction.atomic(durable=True):
        case = cases.held(number)
        if (known := book.done(key)) is not None:
            return known
        cases.require_held(case, actor)
        if case.objection_id is None:
            raise Refused("no-objection")
        said = book.reason_of(words)
        found = answer_objection(number=case.objection_id, actor=actor, upheld=upheld, words=said, now=now)
        cases.end(case, actor, Outcome.UPHELD if upheld else Outcome.DISMISSED, now)
        return book.record(
            ActKind.OBJECTION,
            actor=actor,
            now=now,
            table=case.table,
            case=case,
            reason=said,
            before={"objection": found.pk, "tournament": found.tournament_id, "pairing": found.pairing},
            after=str(found.state),
            key=key,
        )

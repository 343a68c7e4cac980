"""A case from the queue to its end: taken, noted, given back, closed; those who complained are told."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import get_language, gettext

from accounts.models import User
from accounts.notices import notify
from accounts.text import isolate
from review.models import ActKind, Case, CaseKind, Note, Outcome
from review.services import book
from review.services.refusals import Refused

LONGEST_NOTE = 1000
# As a notice holds it, with the sentence around it.
LONGEST_ANSWER = 900
# Who took a case and did nothing for so long holds it no more against others.
HELD_FOR = timedelta(days=1)


def held(number: int) -> Case:
    """Inside an open transaction: the case, its row held. Raises: Case.DoesNotExist."""
    cases = Case.objects.select_for_update(of=("self",)).select_related(
        "table", "about", "other", "claimed_by"
    )
    return cases.defer("table__secret", "table__salt").get(pk=number)


@transaction.atomic(durable=True)
def claim(*, number: int, actor: User, now: datetime) -> Case:
    """The case, now this reviewer's. A superuser, or anybody a day later, takes it over from who does nothing.

    Raises: Case.DoesNotExist; Refused `not-your-role`, `own-case`, `closed`, `taken`.
    """
    book.require(actor, "claim")
    case = held(number)
    require_open(case)
    require_apart(case, actor)
    if case.claimed_by_id == actor.pk:
        return case
    if case.claimed_by is not None and not _may_take_over(case, actor, now):
        raise Refused("taken")
    before = case.claimed_by
    case.claimed_by, case.claimed_at = actor, now
    case.save(update_fields=["claimed_by", "claimed_at"])
    _noted(case, ActKind.CLAIM, actor, now, before=before and before.username, after=actor.username)
    return case


def _may_take_over(case: Case, actor: User, now: datetime) -> bool:
    return actor.is_superuser or case.claimed_at is None or now - case.claimed_at > HELD_FOR


@transaction.atomic(durable=True)
def release(*, number: int, actor: User, now: datetime) -> Case:
    """The case, anybody's again. Raises: Case.DoesNotExist; Refused `not-your-role`, `closed`, `not-taken`."""
    book.require(actor, "claim")
    case = held(number)
    require_open(case)
    if case.claimed_by_id != actor.pk:
        raise Refused("not-taken")
    case.claimed_by = case.claimed_at = None
    case.save(update_fields=["claimed_by", "claimed_at"])
    _noted(case, ActKind.RELEASE, actor, now, before=actor.username)
    return case


@transaction.atomic(durable=True)
def add_note(*, number: int, actor: User, text: str, now: datetime) -> Note:
    """A note for the other reviewers; the same one twice in a row is one.

    Raises: Case.DoesNotExist; Refused `not-your-role`, `no-reason`, `too-long`.
    """
    book.require(actor, "note")
    case, said = held(number), book.reason_of(text)
    if len(said) > LONGEST_NOTE:
        raise Refused("too-long")
    last = case.notes.order_by("pk").last()
    if last is not None and (last.by_id, last.text) == (actor.pk, said):
        return last
    return case.notes.create(by=actor, at=now, text=said)


@transaction.atomic(durable=True)
def close(
    *,
    number: int,
    actor: User,
    outcome: str,
    answer_ar: str,
    answer_en: str,
    reason: str = "",
    key: str = "",
    now: datetime,
) -> Case:
    """The case, closed; whoever reported is told the answer, each in their language.

    Closed already by the same request it stays as it is. Raises: Case.DoesNotExist; Refused `not-your-role`,
    `own-case`, `closed`, `not-taken`, `answer-there`, `no-outcome`, `no-answer`, `no-reason`, `too-long`.
    """
    book.require(actor, "close")
    case = held(number)
    if book.done(key):
        return case
    require_held(case, actor)
    if case.kind in (CaseKind.OBJECTION, CaseKind.APPEAL):
        raise Refused("answer-there")
    if outcome not in (Outcome.UPHELD, Outcome.DISMISSED):
        raise Refused("no-outcome")
    answers = _answers(answer_ar, answer_en) if case.kind == CaseKind.REPORT else ("", "")
    said = book.reason_of(reason or answers[_index()])
    end(case, actor, outcome, now, answers=answers)
    _noted(case, ActKind.CLOSE, actor, now, reason=said, after=outcome, key=key)
    _tell(case, now)
    return case


def end(case: Case, actor: User, outcome: str, now: datetime, *, answers: tuple[str, str] = ("", "")) -> None:
    """Inside an open transaction: the held case is closed."""
    case.closed_at, case.closed_by, case.outcome = now, actor, outcome
    case.answer_ar, case.answer_en = answers
    case.save(update_fields=["closed_at", "closed_by", "outcome", "answer_ar", "answer_en"])


def require_open(case: Case) -> None:
    """Raises: Refused `closed`."""
    if not case.is_open:
        raise Refused("closed")


def require_held(case: Case, actor: User) -> None:
    """Raises: Refused `closed`, `own-case`, `not-taken`, `taken`."""
    require_open(case)
    require_apart(case, actor)
    if case.claimed_by_id != actor.pk:
        raise Refused("taken" if case.claimed_by_id else "not-taken")


def require_apart(case: Case, actor: User) -> None:
    """Raises: Refused `own-case` for who sat at the table, is accused, accuses, or imposed what is appealed."""
    book.require_neutral(actor, table=case.table, people=(case.about, case.other))
    if case.filings.filter(report__by=actor).exists():
        raise Refused("own-case")
    if case.sanction is not None and case.sanction.by_id == actor.pk and not actor.is_superuser:
        raise Refused("own-sanction")


def _answers(arabic: str, english: str) -> tuple[str, str]:
    both = arabic.replace("\0", "").strip(), english.replace("\0", "").strip()
    if not all(both):
        raise Refused("no-answer")
    if max(map(len, both)) > LONGEST_ANSWER:
        raise Refused("too-long")
    return both


def _index() -> int:
    return 0 if _is_arabic() else 1


def _is_arabic() -> bool:
    return (get_language() or "ar").startswith("ar")


def _tell(case: Case, now: datetime) -> None:
    """Whoever reported hears what came of it; not who decided, nor what was done to whom."""
    filings = case.filings.select_related("report__by")
    code = case.table.code if case.table else ""

    def say() -> str:
        said = case.answer_ar if _is_arabic() else case.answer_en
        shown = {"table": isolate(code), "words": isolate(said)}
        return gettext("Your report about table %(table)s was looked at. %(words)s") % shown

    reporters = {filing.report.by for filing in filings}
    notify(reporters, f"review-case-{case.pk}", say, now=now)


def _noted(
    case: Case,
    kind: ActKind,
    actor: User,
    now: datetime,
    *,
    reason: str = "",
    before: object = None,
    after: object = None,
    key: str = "",
) -> None:
    book.record(
        kind,
        actor=actor,
        now=now,
        about=case.about,
        table=case.table,
        case=case,
        reason=reason,
        before=before,
        after=after,
        key=key,
    )

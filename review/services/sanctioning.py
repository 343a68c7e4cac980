"""Warnings and bans by reviewers, and the answers to appeals; each in the log."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.urls import reverse
from django.utils.translation import get_language, gettext

from accounts import sanctions
from accounts.models import Sanction, Scope, User
from accounts.notices import notify
from accounts.text import isolate
from games.models import Table
from review.models import ActKind, Case, Outcome, ReviewAct
from review.services import book, cases
from review.services.refusals import Refused

LONGEST_BAN: Final = timedelta(days=90)
LONGEST_TEXT: Final = 500
# What each act of a reviewer keeps a player from.
SCOPES: Final = {
    ActKind.WARN: Scope.WARNING,
    ActKind.MUTE: Scope.CHAT,
    ActKind.BAN_PLAY: Scope.PLAY,
    ActKind.BAN_TOURNAMENTS: Scope.TOURNAMENTS,
    ActKind.BAN_ALL: Scope.ALL,
}


@dataclass(frozen=True, slots=True)
class Wish:
    """A sanction as a reviewer wants it. `days`: empty for good; of a warning it says nothing."""

    act: ActKind
    reason_ar: str
    reason_en: str
    days: int | None


def impose(
    *,
    actor: User,
    user: User,
    wish: Wish,
    case: Case | None = None,
    table: Table | None = None,
    note: str = "",
    key: str = "",
    now: datetime,
) -> ReviewAct:
    """The sanction, in force and in the log; the player is told. Asked for twice with one key it is one.

    Raises: Refused `not-your-role`, `own-case`, `staff`, `no-answer`, `too-long`, `no-term`, `term-too-long`.
    """
    book.require(actor, wish.act)
    with transaction.atomic(durable=True):
        if (known := book.done(key)) is not None:
            return known
        _check(actor, user, wish, table)
        until = None if wish.act == ActKind.WARN or wish.days is None else now + timedelta(days=wish.days)
        made = sanctions.impose(
            user,
            SCOPES[wish.act],
            reason_ar=wish.reason_ar.strip(),
            reason_en=wish.reason_en.strip(),
            by=actor,
            until=until,
            now=now,
        )
        _tell(made, now)
        return book.record(
            wish.act,
            actor=actor,
            now=now,
            about=user,
            table=table,
            case=case,
            reason=_reason(wish, note),
            after={"sanction": made.pk, "until": until and until.isoformat()},
            key=key,
        )


def _reason(wish: Wish, note: str) -> str:
    said = f"{wish.reason_ar.strip()}\n{wish.reason_en.strip()}"
    return book.reason_of("\n".join(part for part in (note.strip(), said) if part))[: book.LONGEST_REASON]


def _check(actor: User, user: User, wish: Wish, table: Table | None) -> None:
    book.require_neutral(actor, table=table, people=(user,))
    if (user.is_staff or user.is_superuser) and not actor.is_superuser:
        raise Refused("staff")
    if not (wish.reason_ar.strip() and wish.reason_en.strip()):
        raise Refused("no-answer")
    if max(len(wish.reason_ar), len(wish.reason_en)) > LONGEST_TEXT:
        raise Refused("too-long")
    if wish.act != ActKind.WARN:
        _check_term(actor, wish.days)


def _check_term(actor: User, days: int | None) -> None:
    if days is not None and days < 1:
        raise Refused("no-term")
    if days is None or timedelta(days=days) > LONGEST_BAN:
        try:
            book.require(actor, "ban-for-good")
        except Refused:
            raise Refused("term-too-long") from None


def lift(*, actor: User, sanction_id: int, reason: str, key: str = "", now: datetime) -> ReviewAct:
    """The sanction is in force no more; the player is told.

    Raises: Sanction.DoesNotExist; Refused `not-your-role`, `own-case`, `no-reason`, `too-long`, `lifted`.
    """
    book.require(actor, "lift")
    with transaction.atomic(durable=True):
        if (known := book.done(key)) is not None:
            return known
        found = _held(sanction_id)
        book.require_neutral(actor, people=(found.user,))
        said = book.reason_of(reason)
        return _lift(found, actor, said, now, key=key)


def _lift(
    found: Sanction, actor: User, said: str, now: datetime, *, case: Case | None = None, key: str = ""
) -> ReviewAct:
    if (
        found.scope == Scope.WARNING
        or found.lifted_at is not None
        or (found.until is not None and found.until <= now)
    ):
        raise Refused("lifted")
    sanctions.lift(found.pk, by=actor, now=now)
    notify([found.user], f"sanction-{found.pk}-lifted", _lifted, url=reverse("standing"), now=now)
    return book.record(
        ActKind.LIFT,
        actor=actor,
        now=now,
        about=found.user,
        case=case,
        reason=said,
        before={"sanction": found.pk, "until": found.until and found.until.isoformat()},
        key=key,
    )


def answer_appeal(
    *, number: int, actor: User, answer: str, grant: bool, key: str = "", now: datetime
) -> ReviewAct:
    """The appeal that a case is about, answered: with `grant` the sanction is lifted. The player reads the answer.

    Raises: Case.DoesNotExist; Refused `not-your-role`, `own-case`, `own-sanction`, `closed`, `not-taken`, `taken`,
    `no-appeal`, `no-reason`, `too-long`.
    """
    book.require(actor, "answer-appeal")
    with transaction.atomic(durable=True):
        case = cases.held(number)
        if (known := book.done(key)) is not None:
            return known
        cases.require_held(case, actor)
        if case.sanction_id is None:
            raise Refused("no-appeal")
        found = _held(case.sanction_id)
        if not found.appeal or found.answered_at is not None:
            raise Refused("no-appeal")
        said = book.reason_of(answer)
        sanctions.answer_appeal(found.pk, by=actor, text=said, lifts=grant, now=now)
        _tell_answer(found, said, grant=grant, now=now)
        cases.end(case, actor, Outcome.UPHELD if grant else Outcome.DISMISSED, now)
        return book.record(
            ActKind.APPEAL,
            actor=actor,
            now=now,
            about=found.user,
            case=case,
            reason=said,
            before={"sanction": found.pk},
            after="lifted" if grant else "kept",
            key=key,
        )


def _held(number: int) -> Sanction:
    return Sanction.objects.select_for_update(of=("self",)).select_related("user").get(pk=number)


def _lifted() -> str:
    return gettext("A ban of yours was lifted.")


def _tell(made: Sanction, now: datetime) -> None:
    def say() -> str:
        why = made.reason_ar if (get_language() or "ar").startswith("ar") else made.reason_en
        said = {"scope": made.get_scope_display(), "reason": isolate(why)}
        if made.scope == Scope.WARNING:
            return gettext("A reviewer warns you. %(reason)s") % said
        if made.until is None:
            return gettext("You are banned from: %(scope)s. %(reason)s You may appeal.") % said
        said["until"] = isolate(f"{made.until:%Y-%m-%d %H:%M} UTC")
        return gettext("You are banned from: %(scope)s, until %(until)s. %(reason)s You may appeal.") % said

    notify([made.user], f"sanction-{made.pk}", say, url=reverse("standing"), by_mail=True, now=now)


def _tell_answer(found: Sanction, answer: str, *, grant: bool, now: datetime) -> None:
    def say() -> str:
        said = {"words": isolate(answer)}
        if grant:
            return gettext("Your appeal was granted. %(words)s") % said
        return gettext("Your appeal was not granted. %(words)s") % said

    notify([found.user], f"appeal-{found.pk}", say, url=reverse("standing"), by_mail=True, now=now)

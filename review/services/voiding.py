"""A finished match declared void, and restored. The rows of the match stay; ratings are computed anew without it."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import get_language, gettext

from accounts.models import User
from accounts.notices import notify
from accounts.text import isolate
from games.models import Phase, Table, Void
from games.services import ratings
from review.models import ActKind, Case, ReviewAct
from review.services import book
from review.services.refusals import Refused
from tournaments.services.flags import flag_void

LONGEST_TEXT = 500


def void_match(
    *,
    actor: User,
    table_code: str,
    reason_ar: str,
    reason_en: str,
    case: Case | None = None,
    key: str = "",
    now: datetime,
) -> ReviewAct:
    """The match does not count: ratings are computed anew, its players and the tournament's officials are told.

    Raises: Table.DoesNotExist; Refused `not-your-role`, `own-case`, `not-over`, `void-already`, `no-answer`,
    `too-long`.
    """
    book.require(actor, "void")
    with transaction.atomic(durable=True):
        if (known := book.done(key)) is not None:
            return known
        table = _held(table_code)
        book.require_neutral(actor, table=table)
        if table.phase != Phase.OVER or not table.result_kind:
            raise Refused("not-over")
        if table.voids.filter(lifted_at=None).exists():
            raise Refused("void-already")
        arabic, english = _both(reason_ar, reason_en)
        made = Void.objects.create(table=table, reason_ar=arabic, reason_en=english, by=actor, at=now)
        _tell_players(table, made, now, restored=False)
        flag_void(table_id=table.pk, actor=actor, reason=_reason_of(made), restored=False, now=now)
        ratings.recompute([table.pk])
        return book.record(
            ActKind.VOID,
            actor=actor,
            now=now,
            table=table,
            case=case,
            reason=f"{arabic}\n{english}"[: book.LONGEST_REASON],
            before=_result(table),
            after={"void": made.pk},
            key=key,
        )


def restore_match(
    *,
    actor: User,
    table_code: str,
    reason: str,
    case: Case | None = None,
    key: str = "",
    now: datetime,
) -> ReviewAct:
    """The match counts again.

    Raises: Table.DoesNotExist; Refused `not-your-role`, `own-case`, `not-void`, `no-reason`, `too-long`.
    """
    book.require(actor, "restore")
    with transaction.atomic(durable=True):
        if (known := book.done(key)) is not None:
            return known
        table = _held(table_code)
        book.require_neutral(actor, table=table)
        found = table.voids.filter(lifted_at=None).first()
        if found is None:
            raise Refused("not-void")
        said = book.reason_of(reason)
        found.lifted_by, found.lifted_at = actor, now
        found.save(update_fields=["lifted_by", "lifted_at"])
        _tell_players(table, found, now, restored=True)
        flag_void(table_id=table.pk, actor=actor, reason=said[:300], restored=True, now=now)
        ratings.recompute([table.pk])
        return book.record(
            ActKind.RESTORE,
            actor=actor,
            now=now,
            table=table,
            case=case,
            reason=said,
            before={"void": found.pk},
            after=_result(table),
            key=key,
        )


def _held(code: str) -> Table:
    # Not its row: a tournament that goes on holds its own row first, then those of its tables.
    table = Table.objects.defer("secret", "salt").get(code=code)
    book.one_at_a_time(f"table {table.pk}")
    return table


def _result(table: Table) -> dict[str, object]:
    return {"result": table.result_kind, "score": list(table.score), "winner": table.winner}


def _both(arabic: str, english: str) -> tuple[str, str]:
    both = arabic.replace("\0", "").strip(), english.replace("\0", "").strip()
    if not all(both):
        raise Refused("no-answer")
    if max(map(len, both)) > LONGEST_TEXT:
        raise Refused("too-long")
    return both


def _reason_of(made: Void) -> str:
    return made.reason_ar[:150] + " / " + made.reason_en[:145]


def _tell_players(table: Table, found: Void, now: datetime, *, restored: bool) -> None:
    seats = table.seats.filter(user__isnull=False).select_related("user")
    users = [seat.user for seat in seats if seat.user is not None]

    def say() -> str:
        if restored:
            return gettext("Your match at table %(table)s counts again.") % {"table": isolate(table.code)}
        why = found.reason_ar if (get_language() or "ar").startswith("ar") else found.reason_en
        said = {"table": isolate(table.code), "reason": isolate(why)}
        return (
            gettext("Your match at table %(table)s was declared void: it does not count. %(reason)s") % said
        )

    key = f"void-{found.pk}-restored" if restored else f"void-{found.pk}"
    notify(users, key, say, url=table.get_absolute_url(), now=now)

"""What waits elsewhere becomes cases: reports at tables, objections in tournaments, appeals.

Neither games nor tournaments nor accounts know of reviewers. The sweep looks every few seconds, and the desk before
it is shown; run twice it finds nothing.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db import connection, transaction
from django.db.models import Q, QuerySet

from accounts.models import Sanction
from games.models import Report
from review.models import Case, CaseKind, Filing, Outcome
from tournaments.models import Objection, ObjectionState

MOST_AT_ONCE = 500
# Of the advisory locks of the database that of whoever gathers.
GATHERER = 7_284_131


@transaction.atomic(durable=True)
def gather(*, now: datetime) -> int:
    """Cases for what has none, and those closed that were answered elsewhere; how many changed."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_try_advisory_xact_lock(%s)", [GATHERER])
        (is_alone,) = cursor.fetchone() or (False,)
    if not is_alone:
        return 0
    return _file_reports() + _take_objections() + _take_appeals() + _close_answered(now)


def _file_reports() -> int:
    reports = Report.objects.filter(filing=None).select_related("table", "about").order_by("at", "pk")
    found = list(reports.defer("table__secret", "table__salt")[:MOST_AT_ONCE])
    for report in found:
        case, _ = Case.objects.get_or_create(
            kind=CaseKind.REPORT,
            table=report.table,
            about=report.about,
            closed_at=None,
            defaults={"opened_at": report.at},
        )
        Filing.objects.create(case=case, report=report)
    return len(found)


def _take_objections() -> int:
    asked = Objection.objects.filter(case=None, state=ObjectionState.OPEN).select_related("table")
    return _made(
        Case(
            kind=CaseKind.OBJECTION,
            objection=objection,
            table_id=objection.table.table_id if objection.table else None,
            opened_at=objection.made_at,
        )
        for objection in asked.order_by("pk")[:MOST_AT_ONCE]
    )


def _take_appeals() -> int:
    asked = Sanction.objects.filter(case=None, answered_at=None, appealed_at__isnull=False).exclude(appeal="")
    return _made(
        Case(
            kind=CaseKind.APPEAL,
            sanction=sanction,
            about_id=sanction.user_id,
            opened_at=sanction.appealed_at or sanction.at,
        )
        for sanction in asked.order_by("pk")[:MOST_AT_ONCE]
    )


def _made(cases: Iterable[Case]) -> int:
    return len(Case.objects.bulk_create(cases))


def _close_answered(now: datetime) -> int:
    """Objections that the tournament's officials answered or that were taken back, appeals answered elsewhere."""
    still = Case.objects.filter(closed_at=None)
    withdrawn = still.filter(objection__state=ObjectionState.WITHDRAWN)
    ruled = still.filter(
        Q(objection__state__in=(ObjectionState.UPHELD, ObjectionState.DISMISSED))
        | Q(sanction__answered_at__isnull=False)
    )
    return _closed(withdrawn, Outcome.WITHDRAWN, now) + _closed(ruled, Outcome.ELSEWHERE, now)


def _closed(cases: QuerySet[Case], outcome: Outcome, now: datetime) -> int:
    numbers = list(cases.values_list("pk", flat=True)[:MOST_AT_ONCE])
    return Case.objects.filter(pk__in=numbers).update(closed_at=now, outcome=outcome)

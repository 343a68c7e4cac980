"""The queue of cases as reviewers ask for it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import urlencode

from django.db.models import Count, Prefetch, Q, QuerySet

from accounts.models import User
from accounts.names import search_key
from games.models import Report
from review.models import Case, CaseKind, Filing

CASES_A_PAGE: Final = 30
STATES: Final = ("open", "free", "mine", "taken", "closed")
AGES: Final = {"day": timedelta(days=1), "week": timedelta(days=7)}


@dataclass(frozen=True)
class Filters:
    """Which cases are listed; what is "" does not matter. `age`: those that have waited for longer."""

    kind: str = ""
    state: str = "open"
    age: str = ""
    about: str = ""

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> "Filters":
        """The filters of an address, where anything may stand."""
        return cls(
            kind=_one_of(given.get("kind"), CaseKind.values),
            state=_one_of(given.get("state"), STATES) or "open",
            age=_one_of(given.get("age"), AGES),
            about=str(given.get("about", "")).replace("\0", "").strip()[:64],
        )

    def but(self, **changed: Any) -> str:
        """These filters as an address has them, some of them changed."""
        return urlencode({name: value for name, value in asdict(replace(self, **changed)).items() if value})


def _one_of(value: Any, allowed: Any) -> str:
    return value if value in tuple(allowed) else ""


def cases(filters: Filters, reader: User, now: datetime) -> QuerySet[Case]:
    """The cases, those that wait longest first; closed ones newest first."""
    found = with_matter(Case.objects.all())
    if filters.kind:
        found = found.filter(kind=filters.kind)
    if filters.age:
        found = found.filter(opened_at__lt=now - AGES[filters.age])
    if filters.about:
        key = search_key(filters.about)
        by_name = Q(about__search_key__contains=key) | Q(other__search_key__contains=key)
        code = Q(table__code__iexact=filters.about)
        found = found.filter(by_name | code if key else code)
    found = found.filter(_in_state(filters.state, reader))
    return (
        found.order_by("-closed_at", "-pk")
        if filters.state == "closed"
        else found.order_by("opened_at", "pk")
    )


def _in_state(state: str, reader: User) -> Q:
    is_open = Q(closed_at=None)
    return {
        "open": is_open,
        "free": is_open & Q(claimed_by=None),
        "mine": is_open & Q(claimed_by=reader),
        "taken": is_open & ~Q(claimed_by=None) & ~Q(claimed_by=reader),
        "closed": ~is_open,
    }[state]


def with_matter(found: QuerySet[Case]) -> QuerySet[Case]:
    """The cases with what a line of the queue says of them, in a fixed number of queries."""
    filed = Filing.objects.select_related("report__by").order_by("report__at", "pk")
    related = ("table", "about", "other", "claimed_by", "closed_by", "objection__tournament", "sanction")
    return (
        found.select_related(*related)
        .defer("table__secret", "table__salt")
        .prefetch_related(Prefetch("filings", filed))
        .annotate(noted=Count("notes", distinct=True))
    )


def counts(reader: User) -> dict[str, int]:
    """How many cases are open, free and the reader's."""
    return Case.objects.filter(closed_at=None).aggregate(
        open=Count("pk"),
        free=Count("pk", filter=Q(claimed_by=None)),
        mine=Count("pk", filter=Q(claimed_by=reader)),
    )


def earlier_reports(user: User, *, most: int = 20) -> QuerySet[Report]:
    """What was reported about a player lately, newest first, with its case."""
    reports = Report.objects.filter(about=user).select_related("table", "by", "about", "filing__case")
    return reports.defer("table__secret", "table__salt").order_by("-at", "-pk")[:most]

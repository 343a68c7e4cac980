"""What each page of reviewers shows, in a fixed number of queries."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.core.paginator import Page, Paginator
from django.db.models import Prefetch, Q, QuerySet

from accounts import sanctions
from accounts.models import Sanction, User
from accounts.queries import find_player
from games import pages, queries
from games.models import Phase, Seat, Table, Void
from games.replays import stored_replay
from games.said import lines_of
from review.models import Case, ReviewAct
from review.queue import CASES_A_PAGE, Filters, cases, counts, earlier_reports, with_matter
from review.timeline import MOST_AT_ONCE, Timeline, timeline
from tournaments.models import PairingTable

log = logging.getLogger(__name__)
ACTS_A_PAGE: Final = 50
LISTED: Final = 20


@dataclass(frozen=True, slots=True)
class Desk:
    """A page of the queue."""

    filters: Filters
    page: Page[Case]
    counts: dict[str, int]


def desk(given: Mapping[str, Any], reader: User, now: datetime) -> Desk:
    """The queue as an address asks for it."""
    filters = Filters.read(given)
    page = Paginator(cases(filters, reader, now), CASES_A_PAGE).get_page(given.get("page"))
    return Desk(filters, page, counts(reader))


@dataclass(frozen=True, slots=True)
class CasePage:
    """A case with all that is known about it. `is_mine`: the reader has taken it."""

    case: Case
    notes: list[Any]
    acts: list[ReviewAct]
    earlier: list[Any]
    standing: list[Sanction]
    is_mine: bool


def case_page(number: int, reader: User) -> CasePage | None:
    """A case; None where there is none of that number."""
    case = with_matter(Case.objects.all()).filter(pk=number).first()
    if case is None:
        return None
    return CasePage(
        case=case,
        notes=list(case.notes.select_related("by")[:200]),
        acts=list(acts().filter(case=case)[:LISTED]),
        earlier=[one for one in earlier_reports(case.about) if one.table_id != case.table_id]
        if case.about
        else [],
        standing=list(sanctions.of(case.about)[:LISTED]) if case.about else [],
        is_mine=case.claimed_by_id == reader.pk,
    )


def acts() -> QuerySet[ReviewAct]:
    """The log, newest first, with whom and what it names."""
    return ReviewAct.objects.select_related("actor", "about", "table", "case").defer(
        "table__secret", "table__salt"
    )


def log_page(given: Mapping[str, Any]) -> Page[ReviewAct]:
    """A page of the log: all of it, or by whom, about whom or which table, of one kind."""
    found = acts()
    for name, field in (("by", "actor__username"), ("about", "about__username"), ("table", "table__code")):
        if asked := str(given.get(name, "")).replace("\0", "").strip()[:64]:
            found = found.filter(**{f"{field}__iexact": asked})
    if kind := str(given.get("kind", ""))[:15]:
        found = found.filter(kind=kind)
    return Paginator(found, ACTS_A_PAGE).get_page(given.get("page"))


@dataclass(frozen=True, slots=True)
class TablePage:
    """A table for its reviewers. `replay`: once its cards are out. `row`: the tournament's, if it is of one."""

    table: Table
    seats: list[Seat]
    timeline: Timeline
    is_out: bool
    replay: dict[str, Any] | None
    voids: list[Void]
    cases: list[Case]
    reports: list[Any]
    acts: list[ReviewAct]
    row: PairingTable | None

    @property
    def void(self) -> Void | None:
        """What declares the match void now."""
        return next((one for one in self.voids if one.lifted_at is None), None)

    @property
    def numbers(self) -> range:
        """The deals that can be asked for, 0 for what was before them."""
        return range(self.timeline.deals + 1)

    @property
    def is_long(self) -> bool:
        """Whether the match is too long to be shown at once."""
        return self.table.version > MOST_AT_ONCE

    @property
    def is_over(self) -> bool:
        """Whether there is a result that could be declared void."""
        return self.table.phase == Phase.OVER and bool(self.table.result_kind)


def table_page(code: str, reader: User, *, deal: str = "") -> TablePage | None:
    """A table with everything that happened there; None where there is none of that code."""
    table = pages.table_at(code)
    if table is None:
        return None
    seats = list(table.seats.all())
    is_out = pages.cards_are_out(table)
    names = [pages.shown_name(seat) for seat in seats]
    return TablePage(
        table=table,
        seats=seats,
        timeline=timeline(table, names=names, is_out=is_out, deal=_number(deal)),
        is_out=is_out,
        replay=_replay(table, names, reader) if is_out and queries.has_replay(table) else None,
        voids=list(table.voids.select_related("by", "lifted_by")),
        cases=list(with_matter(Case.objects.filter(table=table))[:LISTED]),
        reports=list(table.reports.select_related("by", "about").order_by("-at")[:LISTED]),
        acts=list(acts().filter(table=table)[:LISTED]),
        row=PairingTable.objects.filter(table=table).select_related("tournament").first(),
    )


def _replay(table: Table, names: list[str], reader: User) -> dict[str, Any] | None:
    try:
        replay = stored_replay(table, timed=True)
    except queries.UnreadableMatch:
        # What is known of the table is needed then most of all.
        log.exception("no replay for reviewers")
        return None
    return {**replay, "names": names, "chat": lines_of(table, reader)}


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 6 else None


@dataclass(frozen=True, slots=True)
class PersonPage:
    """What reviewers know about a player."""

    person: User
    sanctions: list[Sanction]
    cases: list[Case]
    reports: list[Any]
    acts: list[ReviewAct]
    tables: list[Table]


def person_page(name: str) -> PersonPage | None:
    """A player's page for reviewers; None where nobody has that name."""
    person = find_player(name)
    if person is None:
        return None
    about = Q(about=person) | Q(other=person)
    tables = Table.objects.filter(seats__user=person).prefetch_related(
        Prefetch("seats", Seat.objects.select_related("user").order_by("number"))
    )
    return PersonPage(
        person=person,
        sanctions=list(sanctions.of(person).select_related("by", "lifted_by")[:LISTED]),
        cases=list(with_matter(Case.objects.filter(about)).order_by("-opened_at")[:LISTED]),
        reports=list(earlier_reports(person)),
        acts=list(acts().filter(about=person)[:LISTED]),
        tables=list(tables.defer("secret", "salt").order_by("-pk")[:LISTED]),
    )

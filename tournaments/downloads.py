"""What can be taken away of a tournament: tables for spreadsheets, and the records of its matches."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games import streams
from games.models import Phase
from tournaments import queries
from tournaments.format_form import TIEBREAKS
from tournaments.formats.names import round_key
from tournaments.models import Entry, PairingTable, Tournament
from tournaments.rosters import heads
from tournaments.sheets import Cell
from tournaments.words import REASONS

COLUMNS = ("id", "team", "player_1", "player_2", "substitute", "club", "rating", "seed")
TOGETHER = 100


def entrants_rows(tournament: Tournament, *, whole: bool) -> Iterator[list[Cell]]:
    """The entrants under the heads that an import reads; `whole`: also those who wait or have left."""
    yield [*heads(COLUMNS, arabic=_is_arabic()), _("State")]
    taking_part = queries.entrants(tournament)
    entries = list(queries.with_members(tournament.entries.order_by("number"))) if whole else taking_part
    idents = {entry.ident for entry in taking_part}
    for entry in entries:
        shown = {member.place: member.shown for member in entry.members.all()}
        names = [shown.get(place) for place in range(3)]
        yield [
            *(entry.ident, entry.name, *names, entry.club, entry.rating, entry.seed),
            _state(entry, is_in=entry.ident in idents),
        ]


def _state(entry: Entry, *, is_in: bool) -> str:
    if entry.withdrawn_at:
        return _("withdrawn")
    if entry.declined_at:
        return _("declined")
    if is_in:
        return _("in")
    return _("on the waiting list") if entry.accepted_at else _("not complete yet")


def standings_rows(tournament: Tournament) -> Iterator[list[Cell]]:
    """The standings as they are, with every term that decides them."""
    plan = queries.plan_of(tournament) if tournament.started_at else None
    standings = plan.standings if plan else ()
    names = _names(tournament)
    terms = list(standings[0].tiebreaks) if standings else []
    grouped = any(standing.group for standing in standings)
    group = [_("Group")] if grouped else []
    labels = [str(TIEBREAKS.get(term, term)) for term in terms]
    yield [_("Rank"), *group, _("Pair"), _("Points"), *labels, _("Still in")]
    for standing in standings:
        in_group = [standing.group] if grouped else []
        values = [_whole(standing.tiebreaks.get(term)) for term in terms]
        still_in = _("yes") if standing.still_in else _("no")
        yield [standing.rank, *in_group, names.get(standing.entrant, ""), standing.points, *values, still_in]


def pairings_rows(tournament: Tournament) -> Iterator[list[Cell]]:
    """All pairings with their results, in the order of the plan."""
    plan = queries.plan_of(tournament) if tournament.started_at else None
    names = _names(tournament)
    numbers = {row.pairing: row.number for row in tournament.tables.order_by("attempt")}
    yield [
        *(_("Round"), _("Pairing"), _("Table number"), _("First pair"), _("Second pair")),
        *(_("Points of the first"), _("Points of the second"), _("Winner"), _("Decided by"), _("State")),
    ]
    for pairing in plan.pairings if plan else ():
        sides = [names.get(side or "", "") for side in pairing.sides]
        score: tuple[int | None, int | None] = pairing.score or (None, None)
        decided = str(REASONS.get(pairing.decided_by or "", ""))
        yield [
            *(round_key(pairing.id), pairing.id, numbers.get(pairing.id), *sides, *score),
            *(names.get(pairing.winner or "", ""), decided, _said(pairing.status)),
        ]


def _said(status: str) -> str:
    return {
        "waiting": _("not known yet"),
        "ready": _("to be played"),
        "done": _("decided"),
        "void": _("not played"),
    }[status]


def titles() -> dict[str, str]:
    """What each table is called."""
    return {"entrants": _("Entrants"), "standings": _("Standings"), "pairings": _("Pairings and results")}


def finished_tables(tournament: Tournament) -> QuerySet[PairingTable]:
    """The tables whose matches are over and have a result, in the order they were opened."""
    rows = tournament.tables.filter(table__phase=Phase.OVER, table__first_dealer__isnull=False)
    return rows.exclude(table__result_kind="").select_related("table").order_by("pk")


def record_lines(tournament: Tournament) -> Iterator[bytes]:
    """The records (`tarneeb-record/1`) of all finished matches, a line each, some lines at a time.

    Beside what a record has, each names its `pairing`, the `attempt` and the `table`.
    """
    rows = finished_tables(tournament).iterator(chunk_size=TOGETHER)
    yield from streams.record_lines((row.table, _named(tournament, row)) for row in rows)


def _named(tournament: Tournament, row: PairingTable) -> dict[str, Any]:
    named = {"tournament": tournament.slug, "pairing": row.pairing, "attempt": row.attempt}
    return named | {"table": row.table.code}


def _names(tournament: Tournament) -> dict[str, str]:
    entries: Iterable[Entry] = queries.with_members(tournament.entries.all())
    return {entry.ident: queries.pair_name(entry) for entry in entries}


def _whole(value: float | None) -> Cell:
    return int(value) if value is not None and float(value).is_integer() else value


def _is_arabic() -> bool:
    return (get_language() or "ar").startswith("ar")

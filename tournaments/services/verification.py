"""What is stored of tournaments, held against their logs and the tables that were played: every difference.

Pairings and standings are computed from the log and stored nowhere. So what can fail is the log itself, the rows that
tie its pairings to tables, and whether what it says of a table is what was played there. Nothing is written; memory
holds one tournament.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from django.db.models import Q

from games.models import Seat
from games.queries import Played, played
from games.services.refolding import Difference
from games.services.verification import Found, one_moment
from tournaments.formats.results import Pairing, PlanError
from tournaments.models import LogItem, Member, PairingTable, TableState, Tournament
from tournaments.queries import plan_of
from tournaments.services.verdicts import result_item

Entered = Mapping[str, set[int]]


def verify_tournaments(*, since: datetime | None = None, until: datetime | None = None) -> Iterator[Found]:
    """Every tournament that ran from `since` on and before `until`, one after the other, by its address.

    `events` of what is found are items of its log; the version of a difference is the number of an item, or of a
    table on the call list.
    """
    started = Tournament.objects.filter(started_at__isnull=False)
    if since is not None:
        started = started.filter(Q(finished_at__gte=since) | Q(finished_at=None))
    if until is not None:
        started = started.filter(started_at__lt=until)
    for pk in list(started.order_by("pk").values_list("pk", flat=True)):
        with one_moment():
            found = _verify(Tournament.objects.get(pk=pk))
        yield found


def _verify(tournament: Tournament) -> Found:
    items = list(tournament.log.order_by("number"))
    found = [
        Difference(place, "number", place, item.number)
        for place, item in enumerate(items)
        if item.number != place
    ]
    try:
        pairings = {pairing.id: pairing for pairing in plan_of(tournament).pairings}
    except PlanError as error:
        found.append(Difference(error.item or 0, "log", "a plan", error.code))
        return Found(tournament.slug, len(items), found)
    rows = list(tournament.tables.select_related("table").order_by("pk"))
    found += _recorded(rows, items)
    found += _results(tournament, rows, items, pairings)
    found += _seated(tournament, rows)
    return Found(tournament.slug, len(items), found)


def _recorded(rows: Sequence[PairingTable], items: Sequence[LogItem]) -> Iterator[Difference]:
    """A table's result stands in the log where its row says so, and nowhere else."""
    said = {item.table_id: item.number for item in items if item.table_id is not None}
    for row in rows:
        number = said.pop(row.table_id, None)
        if (row.state == TableState.RECORDED) != (number is not None):
            yield Difference(number or 0, "recorded", number is not None, row.state)
    for number in said.values():
        yield Difference(number, "table", "a pairing's", None)


def _results(
    tournament: Tournament,
    rows: Sequence[PairingTable],
    items: Sequence[LogItem],
    pairings: Mapping[str, Pairing],
) -> Iterator[Difference]:
    """What the log says of a table is what was played there."""
    by_table = {row.table_id: row for row in rows}
    figures = played([item.table_id for item in items if item.table_id in by_table])
    for item in items:
        row = by_table.get(item.table_id or 0)
        if row is None:
            continue
        row.tournament = tournament
        pairing = pairings.get(row.pairing)
        if pairing is None:
            yield Difference(item.number, "pairing", "one of the plan", row.pairing)
            continue
        expected = list(_readings(row, pairing, figures))
        if item.item not in expected:
            yield Difference(item.number, "result", expected[0] if expected else None, item.item)


def _readings(
    row: PairingTable, pairing: Pairing, figures: Mapping[int, Played]
) -> Iterator[dict[str, object]]:
    """What a table may mean for its pairing: a dead one something else after others, and how many is known no more."""
    for dead in range(pairing.dead_tables + 1):
        try:
            yield result_item(row, replace(pairing, dead_tables=dead), figures)
        except PlanError:
            return


def _seated(tournament: Tournament, rows: Sequence[PairingTable]) -> Iterator[Difference]:
    """Those who sat at a table are, or were, of the two entrants it was opened for, on their sides."""
    entered: dict[str, set[int]] = {}
    for member in Member.objects.filter(tournament=tournament, user__isnull=False).select_related("entry"):
        entered.setdefault(member.entry.ident, set()).add(member.user_id or 0)
    by_table = {row.table_id: row for row in rows}
    strangers: Counter[int] = Counter()
    seats = Seat.objects.filter(table__in=by_table, user__isnull=False)
    for table_id, number, user in seats.order_by("table_id", "number").values_list(
        "table_id", "number", "user"
    ):
        side = by_table[table_id].sides[number % 2]
        strangers[table_id] += user not in entered.get(side, ())
    for table_id, many in strangers.items():
        if many:
            yield Difference(by_table[table_id].number or 0, "seats", by_table[table_id].sides, many)

"""What needs a human in a tournament, in words, with where to go about it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.text import isolate
from games.live.state import AWAY_AFTER
from games.models import Phase, Seat, Table
from games.queries import missing_seats
from tournaments.hindrances import at_other_tables, still_minutes
from tournaments.models import Entry, PairingTable, State, TableState
from tournaments.services.actions import NOT_STARTED
from tournaments.services.certify import still_provisional

if TYPE_CHECKING:
    from tournaments.console import Console


@dataclass(frozen=True, slots=True)
class Matter:
    """Something a human should look at. `table`, `pairing`: where; `door`: the name of a page that deals with it.

    `round`: the round that is to be opened. A door without a name of a page: a state of matches.
    """

    sentence: str
    table: Table | None = None
    pairing: str = ""
    door: str = ""
    round: str = ""


# Of one kind so many are told; the others are counted.
MOST = 6


def matters(console: "Console") -> list[list[Matter]]:
    """What needs a human now, kind by kind, the most urgent first."""
    kinds = (
        _differing(console),
        _objections(console),
        _late(console),
        _still(console),
        _to_be_opened(console),
        _lacking(console),
        _absences(console),
        _elsewhere(console),
        _held(console),
        _replays(console),
        _unanswered(console),
        _ended(console),
    )
    return [found for kind in kinds if (found := list(kind))]


def shortened(kinds: Iterable[list[Matter]]) -> list[Matter]:
    """The matters in one list; what there is too much of is counted."""
    return [matter for kind in kinds for matter in _shortened(kind)]


def _shortened(kind: list[Matter]) -> list[Matter]:
    more = len(kind) - MOST
    if more <= 0:
        return kind
    said = ngettext("And %(count)s more match like these.", "And %(count)s more matches like these.", more)
    return [*kind[:MOST], Matter(said % {"count": more}, door="matter")]


def _differing(console: "Console") -> Iterator[Matter]:
    if console.tournament.differs_since is not None:
        yield Matter(
            _("The pairings are not as the log says. Nothing is opened until you take the plan over.")
        )


def _objections(console: "Console") -> Iterator[Matter]:
    waiting = console.objections if console.may("objections") else 0
    if waiting:
        said = ngettext(
            "%(count)s objection waits for a referee.",
            "%(count)s objections wait for a referee.",
            waiting,
        )
        yield Matter(said % {"count": waiting}, door="tournament_objections")


def _late(console: "Console") -> Iterator[Matter]:
    rows = [row for row in console.open_rows if row.late_at is not None and row.late_at <= console.now]
    absent = _absent([row.table_id for row in rows])
    elsewhere = at_other_tables([user for found in absent.values() for user in found], set(absent))
    for row in rows:
        if not absent[row.table_id]:
            continue
        names = [
            _("%(player)s (at another table)") % {"player": isolate(name)}
            if user in elsewhere
            else isolate(name)
            for user, name in absent[row.table_id].items()
        ]
        said = _("%(pairing)s: not come in time: %(players)s.")
        words = {"pairing": _called(console, row), "players": _(", ").join(names)}
        yield Matter(said % words, row.table, row.pairing)


def _absent(tables: list[int]) -> dict[int, dict[int, str]]:
    """By table those who were called to it and have not come: their ids and names."""
    missing = missing_seats(tables)
    found: dict[int, dict[int, str]] = defaultdict(dict)
    seats = Seat.objects.filter(table__in=[table for table, seats in missing.items() if seats])
    for table, number, user, name in seats.order_by("table", "number").values_list(
        "table", "number", "user", "user__username"
    ):
        if number in missing[table]:
            found[table][user] = name
    return found


def _still(console: "Console") -> Iterator[Matter]:
    if console.tournament.paused_at is not None:
        return
    rows = [(still_minutes(row, console.now), row) for row in console.open_rows]
    for minutes, row in sorted(rows, key=lambda one: (-one[0], one[1].pk)):
        if minutes:
            said = ngettext(
                "%(pairing)s: nothing has happened at the table for %(minutes)s minute.",
                "%(pairing)s: nothing has happened at the table for %(minutes)s minutes.",
                minutes,
            )
            yield Matter(
                said % {"pairing": _called(console, row), "minutes": minutes}, row.table, row.pairing
            )


def _to_be_opened(console: "Console") -> Iterator[Matter]:
    for key, count in console.hindrances.to_be_opened:
        said = ngettext(
            "%(round)s waits to be opened: %(count)s match is ready.",
            "%(round)s waits to be opened: %(count)s matches are ready.",
            count,
        )
        yield Matter(said % {"round": console.names.round(key), "count": count}, round=key)


def _lacking(console: "Console") -> Iterator[Matter]:
    found = console.hindrances
    for id_ in found.short:
        yield Matter(_told(console, id_, found.lacking(found.waiting[id_])), pairing=id_)


def _elsewhere(console: "Console") -> Iterator[Matter]:
    for id_ in console.hindrances.elsewhere:
        yield Matter(_told(console, id_, console.hindrances.away(id_)), pairing=id_)


def _told(console: "Console", pairing: str, what: str) -> str:
    return _("%(pairing)s: %(what)s") % {"pairing": console.names.pairing(pairing), "what": what}


def _absences(console: "Console") -> Iterator[Matter]:
    for row in console.open_rows:
        away = sum(idle >= AWAY_AFTER for idle in row.table.idle)
        if away and row.table.phase not in (Phase.OVER, Phase.WAITING):
            said = _("%(pairing)s: players away from the table: %(count)s.")
            yield Matter(said % {"pairing": _called(console, row), "count": away}, row.table, row.pairing)


def _held(console: "Console") -> Iterator[Matter]:
    held = sum(row.state == TableState.HELD for row in console.rows.values())
    if held:
        said = ngettext(
            "%(count)s result waits to be confirmed.", "%(count)s results wait to be confirmed.", held
        )
        yield Matter(said % {"count": held}, door="held")


def _replays(console: "Console") -> Iterator[Matter]:
    said = _("%(pairing)s is replayed after a table without a result: another one puts both sides out.")
    for pairing in console.plan.pairings if console.plan else ():
        if pairing.status == "ready" and pairing.dead_tables:
            yield Matter(
                said % {"pairing": console.names.pairing(pairing.id)}, console.live(pairing), pairing.id
            )


def _ended(console: "Console") -> Iterator[Matter]:
    """The end waits for an organiser once nothing else is waited for."""
    tournament = console.tournament
    if "certify" not in console.acts or still_provisional(tournament, console.now) or console.objections:
        return
    if console.plan is not None and console.plan.finished:
        said = _(
            "Everything is played, and nothing can be objected to any more: the result can be certified."
        )
        yield Matter(said, door="tournament_certify")


def _unanswered(console: "Console") -> Iterator[Matter]:
    if console.tournament.state not in NOT_STARTED:
        return
    unclaimed = sum(_has_free_place(entry) for entry in console.waiting)
    asked = len(console.waiting) - unclaimed if console.tournament.state == State.OPEN else 0
    if unclaimed and console.may("entries"):
        said = ngettext(
            "%(count)s pair waits for places to be claimed.",
            "%(count)s pairs wait for places to be claimed.",
            unclaimed,
        )
        yield Matter(said % {"count": unclaimed}, door="tournament_claims")
    if asked:
        said = ngettext(
            "%(count)s pair waits for the partner's answer.",
            "%(count)s pairs wait for the partner's answer.",
            asked,
        )
        yield Matter(said % {"count": asked}, door="tournament_desk")


def _called(console: "Console", row: PairingTable) -> str:
    return console.names.pairing(row.pairing)


def _has_free_place(entry: Entry) -> bool:
    """Whether one of the two places is nobody's yet."""
    return any(member.user is None for member in entry.members.all() if member.place < 2)

"""What needs a human in a tournament, in words, with where to go about it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.live.state import AWAY_AFTER
from games.models import Phase, Table
from games.queries import missing_seats
from tournaments.models import Entry, Objection, ObjectionState, PairingTable, State, TableState
from tournaments.services.actions import NOT_STARTED

if TYPE_CHECKING:
    from tournaments.console import Console


@dataclass(frozen=True, slots=True)
class Matter:
    """Something a human should look at. `table`, `pairing`: where; `door`: the name of a page that deals with it."""

    sentence: str
    table: Table | None = None
    pairing: str = ""
    door: str = ""


def matters(console: "Console") -> list[Matter]:
    """What needs a human now, the most urgent first."""
    return [
        *_differing(console),
        *_objections(console),
        *_late(console),
        *_absences(console),
        *_held(console),
        *_replays(console),
        *_unanswered(console),
    ]


def _differing(console: "Console") -> Iterator[Matter]:
    if console.tournament.differs_since is not None:
        yield Matter(
            _("The pairings are not as the log says. Nothing is opened until you take the plan over.")
        )


def _objections(console: "Console") -> Iterator[Matter]:
    found = Objection.objects.filter(tournament=console.tournament, state=ObjectionState.OPEN)
    waiting = found.count() if console.may("objections") else 0
    if waiting:
        said = ngettext(
            "%(count)s objection waits for a referee.",
            "%(count)s objections wait for a referee.",
            waiting,
        )
        yield Matter(said % {"count": waiting}, door="tournament_objections")


def _late(console: "Console") -> Iterator[Matter]:
    rows = [row for row in console.open_rows if row.late_at is not None and row.late_at <= console.now]
    missing = missing_seats([row.table_id for row in rows])
    for row in rows:
        if missing[row.table_id]:
            said = _("%(pairing)s: players who have not come in time: %(count)s.")
            count = len(missing[row.table_id])
            yield Matter(said % {"pairing": _called(console, row), "count": count}, row.table, row.pairing)


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

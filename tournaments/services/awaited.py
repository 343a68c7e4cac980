"""The tables whose results a tournament waits for, and whether their pairings still do."""

from datetime import datetime
from typing import NamedTuple

from tournaments.formats.results import Pairing
from tournaments.models import PairingTable, TableState, Tournament


class OpenRow(NamedTuple):
    """What of an open table's row is asked for whenever a tournament moves: there may be thousands."""

    pk: int
    pairing: str
    sides: list[str]
    state: str
    call_at: datetime | None
    late_at: datetime | None
    limit_at: datetime | None
    limited_at: datetime | None
    final_at: datetime | None


Awaited = OpenRow | PairingTable


def is_awaited(row: Awaited, pairing: Pairing | None) -> bool:
    """Whether a table is the one its pairing waits for: the pairing is ready, and for the same two sides."""
    return pairing is not None and pairing.status == "ready" and list(pairing.sides) == row.sides


def open_rows(tournament: Tournament) -> list[PairingTable]:
    """The tables whose results are awaited, or wait to be confirmed, oldest first."""
    return list(tournament.tables.filter(state__in=(TableState.OPEN, TableState.HELD)).order_by("pk"))


def open_values(tournament: Tournament) -> list[OpenRow]:
    """Of the same tables what their tournament is moved on by."""
    rows = tournament.tables.filter(state__in=(TableState.OPEN, TableState.HELD)).order_by("pk")
    return [OpenRow(*values) for values in rows.values_list(*OpenRow._fields)]

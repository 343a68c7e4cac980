"""The late clock: who has not come to the table is called again, then the match is forfeited or a referee decides.

Only where no card has been dealt: once play has begun without somebody, it is for a referee to say what follows.
In a best of several it is the one match that is forfeited; who came to none of them forfeits the pairing.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from accounts.text import isolate
from games.models import Deal, Phase, Table
from games.queries import missing_seats
from games.services.moving import hold
from games.services.reliability import note_absent
from tournaments.formats.results import Pairing
from tournaments.models import LatePolicy, LogItem, PairingTable, TableState, Tournament
from tournaments.queries import stage_settings
from tournaments.services.awaited import is_awaited
from tournaments.services.book import Book
from tournaments.services.crews import Crew, crews, gives_up_at, short_since
from tournaments.services.log import record_act
from tournaments.services.tables import close_lost
from tournaments.services.telling import tell_called, tell_officials
from tournaments.services.verdicts import conceded, is_best_of


def keep_late_clocks(book: Book, now: datetime) -> int:
    """What is due by the late clocks of the locked tournament, done; how many matches were forfeited."""
    tournament = book.tournament
    rows = list(tournament.tables.filter(state=TableState.OPEN).select_related("table").order_by("pk"))
    due = [row for row in rows if _is_past(row.call_at, now) or _is_past(row.late_at, now)]
    if not due:
        return 0
    # Who arrives holds the table's row: either he is there before this, or the table is closed to him.
    hold([row.table_id for row in due])
    missing = missing_seats([row.table_id for row in due])
    waiting = _undealt([row.table_id for row in due])
    called = [row for row in due if not _is_past(row.late_at, now)]
    _call([row for row in called if row.table_id in waiting], missing, now)
    late = [row for row in due if row not in called]
    pairings = book.pairings
    forfeited = [_is_forfeited(book, row, pairings.get(row.pairing), missing, waiting, now) for row in late]
    _stop_clocks(tournament, called, call_at=None)
    _stop_clocks(tournament, late, call_at=None, late_at=None)
    return sum(forfeited)


def _stop_clocks(tournament: Tournament, rows: Iterable[PairingTable], **clocks: None) -> None:
    tournament.tables.filter(pk__in=[row.pk for row in rows]).update(**clocks)


def forfeit_short_handed(book: Book, now: datetime) -> int:
    """Ready pairings that a short-handed pair has kept from being played for too long are forfeited; how many."""
    tournament = book.tournament
    ready = {p.id: p for p in book.plan.pairings if p.status == "ready"}
    overdue = []
    for name, since in short_since(tournament, list(ready)).items():
        until = gives_up_at(tournament, since)
        if until is not None and until <= now:
            overdue.append(ready[name])
    if not overdue:
        return 0
    found = crews(tournament, {side for pairing in overdue for side in pairing.sides if side}, now)
    forfeited = 0
    for pairing in overdue:
        first, second = (found[side] for side in pairing.sides if side is not None)
        gone = [side for side, crew in enumerate((first, second)) if crew.is_short]
        if gone:
            _forfeit(book, pairing.id, list(pairing.sides), gone, _absent(first, second), now)
            forfeited += 1
    return forfeited


def _absent(*sides: Crew) -> list[str]:
    return [crew.name for crew in sides if crew.is_short]


def _is_past(hour: datetime | None, now: datetime) -> bool:
    return hour is not None and hour <= now


def _undealt(table_ids: Collection[int]) -> set[int]:
    """Of these tables, whose rows are held, those at which no card was dealt yet."""
    tables = Table.objects.filter(pk__in=table_ids, phase=Phase.DEAL)
    return set(tables.values_list("pk", flat=True)) - set(
        Deal.objects.filter(table__in=table_ids).values_list("table", flat=True)
    )


def _call(rows: Sequence[PairingTable], missing: dict[int, list[int]], now: datetime) -> None:
    for row in rows:
        users = [user for _seat, user in _seated(row, missing[row.table_id])]
        if users:
            PairingTable.objects.filter(pk=row.pk).update(called_at=now)
            tell_called(row.tournament, row, users, now)


def _seated(row: PairingTable, numbers: Collection[int]) -> list[tuple[int, User]]:
    seats = row.table.seats.filter(number__in=numbers).select_related("user").order_by("number")
    return [(seat.number, seat.user) for seat in seats if seat.user is not None]


def _is_forfeited(
    book: Book,
    row: PairingTable,
    pairing: Pairing | None,
    missing: dict[int, list[int]],
    waiting: set[int],
    now: datetime,
) -> bool:
    """The table's clock has run out: whether its match is forfeited."""
    tournament = book.tournament
    absent = _seated(row, missing[row.table_id])
    pairing = book.pairings.get(row.pairing)
    if not absent or (row.table_id not in waiting and _is_over(row)):
        return False
    names = [user.username for _seat, user in absent]
    if tournament.late_policy == LatePolicy.REFEREE or row.table_id not in waiting:
        _alert(tournament, row, names, now)
        return False
    if not is_awaited(row, pairing):
        return False
    gone = sorted({seat % 2 for seat, _user in absent})
    if _goes_on(tournament, row, pairing, gone):
        _lose_match(book, row, gone[0], names, now)
    else:
        _forfeit(book, row.pairing, row.sides, gone, names, now)
    note_absent(row.table, [user for _seat, user in absent], now=now)
    return True


def _goes_on(tournament: Tournament, row: PairingTable, pairing: Pairing | None, gone: Sequence[int]) -> bool:
    """Whether one match is lost and not the whole pairing: of several, unless none was played and none is left."""
    if pairing is None or len(gone) > 1 or not is_best_of(tournament, row.pairing):
        return False
    majority = stage_settings(tournament, row.pairing)["best_of"] // 2 + 1
    if pairing.won[1 - gone[0]] + 1 < majority:
        return True
    played = tournament.tables.filter(pairing=row.pairing, sides=row.sides, state=TableState.RECORDED)
    return played.exclude(table__result_kind="").exists()


def _lose_match(book: Book, row: PairingTable, gone: int, names: Sequence[str], now: datetime) -> None:
    late = {"minutes": book.tournament.late_minutes, "missing": list(names)}
    about = {"pairing": row.pairing, "sides": list(row.sides), "cause": "late", "late": late}
    item = book.write(conceded(book.tournament, 1 - gone) | about, actor=None, now=now)
    _note(book.tournament, item, gone, now)
    close_lost(book.tournament, row, gone, now)


def _is_over(row: PairingTable) -> bool:
    return Table.objects.filter(pk=row.table_id, phase=Phase.OVER).exists()


def _forfeit(
    book: Book,
    pairing: str,
    sides: Sequence[str | None],
    gone: Sequence[int],
    names: Sequence[str],
    now: datetime,
) -> None:
    minutes = book.tournament.late_minutes
    item: dict[str, Any] = {
        "type": "forfeit",
        "pairing": pairing,
        "side": gone[0] if len(gone) == 1 else "both",
        "sides": list(sides),
        "cause": "late",
        "late": {"minutes": minutes, "missing": list(names)},
    }
    row = book.write(item, actor=None, now=now)
    _note(book.tournament, row, item["side"], now)


def _note(tournament: Tournament, row: LogItem, side: int | str, now: datetime) -> None:
    record_act(
        tournament,
        "late-forfeit",
        actor=None,
        now=now,
        subject=row.item["pairing"],
        after=row.item["late"] | {"side": side},
        item=row,
        is_public=True,
    )


def _alert(tournament: Tournament, row: PairingTable, names: Sequence[str], now: datetime) -> None:
    after = {"minutes": tournament.late_minutes, "missing": list(names)}
    record_act(tournament, "late", actor=None, now=now, subject=row.pairing, after=after)
    said = {
        "tournament": isolate(tournament.name),
        "players": isolate(_(", ").join(names)),
        "number": row.number,
    }

    def say() -> str:
        return _("%(tournament)s, table %(number)s: %(players)s did not come in time. Decide.") % said

    key = f"table-{row.pk}-late"
    tell_officials(tournament, "decide", key, say, now, url=row.table.get_absolute_url(), by_mail=True)

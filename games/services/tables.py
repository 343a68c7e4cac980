"""Tables: open, sit, leave, fill, start, close. Every door is one transaction that holds the table's row."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction

from accounts.models import User
from games.live.announce import ring_item, table_item, tell
from games.live.state import AWAY_AFTER
from games.live.store import load_sync
from games.models import Event, EventKind, Phase, Seat, SeatKind, Table, Visibility
from games.rules.shuffle import first_dealer
from games.services.opening import new_table
from games.services.refusals import Refused

SALT = re.compile(r"[0-9a-fA-F]{0,32}")
FILLING_BOT = "cautious"
UNSTARTED_CLOSES_AFTER = timedelta(minutes=30)
# Not all of a row: the secret would stand in the statement, and so in the database's log where that fails.
CHANGING = ("version", "phase", "due_at", "idle", "salt", "first_dealer", "started_at", "ended_at")
# Each leaving and coming back is an event that others' acts are outrun by.
COMINGS_AND_GOINGS, WITHIN = 6, timedelta(seconds=10)


def open_table(
    *,
    host: User,
    ruleset: str,
    target: int,
    turn_seconds: int,
    visibility: str,
    options: Mapping[str, Any] | None = None,
    now: datetime,
) -> Table:
    """A new table with four open seats; it closes by itself if nobody starts it in half an hour.

    Raises: Refused `bad-target`, `bad-options`.
    """
    with transaction.atomic(durable=True):
        table = new_table(
            host=host,
            ruleset=ruleset,
            target=target,
            turn_seconds=turn_seconds,
            visibility=visibility,
            options=options or {},
            due_at=now + UNSTARTED_CLOSES_AFTER,
            created_at=now,
        )
        tell_on_commit(table)
    return table


def sit(*, table_code: str, user: User, seat: int, salt: str = "", now: datetime) -> Table:
    """Take an open seat, or change to it; the fourth to sit starts the match. Sitting there already is fine.

    Raises: Table.DoesNotExist; Refused `no-such-seat`, `bad-salt`, `already-started`, `table-closed`,
    `seat-taken`.
    """
    with transaction.atomic(durable=True):
        table = _locked(table_code)
        seats = list(table.seats.order_by("number"))
        if not 0 <= seat <= 3:
            raise Refused("no-such-seat")
        if not SALT.fullmatch(salt):
            raise Refused("bad-salt")
        mine = next((s for s in seats if s.user_id == user.pk), None)
        if mine is not None and mine.number == seat:
            return table
        _require_waiting(table)
        if seats[seat].kind != SeatKind.OPEN:
            raise Refused("seat-taken")
        if mine is not None:
            _vacate(table, mine, user, now)
        _take(table, seats[seat], user, salt, now)
        _start_if_full(table, seats, now)
        _save(table)
    return table


def leave(*, table_code: str, user: User, now: datetime) -> Table:
    """Give up one's seat before the start; in play, be away at once: the clock plays until one is back.

    Raises: Table.DoesNotExist; Refused `not-seated`, `too-fast`.
    """
    with transaction.atomic(durable=True):
        table = _locked(table_code)
        seat = table.seats.filter(user=user).first()
        if seat is None:
            raise Refused("not-seated")
        if table.phase == Phase.OVER:
            return table
        if table.phase == Phase.WAITING:
            _vacate(table, seat, user, now)
        elif table.idle[seat.number] < AWAY_AFTER:
            _require_calm(table, user, now)
            table.idle[seat.number] = AWAY_AFTER
            _add_event(table, EventKind.LEAVE, now, seat=seat.number, user=user)
            _hasten(table, seat.number, now)
        _save(table)
    return table


def come_back(*, table_code: str, user: User, now: datetime) -> Table:
    """Take one's seat back from the clock; a turn that is running gets its whole time anew, once.

    Raises: Table.DoesNotExist; Refused `not-seated`, `not-in-play`, `too-fast`.
    """
    with transaction.atomic(durable=True):
        table = _locked(table_code)
        seat = table.seats.filter(user=user).first()
        if seat is None:
            raise Refused("not-seated")
        if table.phase in {Phase.WAITING, Phase.OVER}:
            raise Refused("not-in-play")
        if table.idle[seat.number] >= AWAY_AFTER:
            _require_calm(table, user, now)
            table.idle[seat.number] = 0
            _add_event(table, EventKind.BACK, now, seat=seat.number, user=user)
            _give_time(table, seat.number, now)
            _save(table)
    return table


def fill(*, table_code: str, user: User, now: datetime) -> Table:
    """Put bots into the empty seats, which starts the match.

    Raises: Table.DoesNotExist; Refused `not-host`, `already-started`, `table-closed`.
    """
    with transaction.atomic(durable=True):
        table = _locked(table_code)
        if table.host_id != user.pk:
            raise Refused("not-host")
        _require_waiting(table)
        seats = list(table.seats.order_by("number"))
        for seat in seats:
            if seat.kind == SeatKind.OPEN:
                seat.kind, seat.bot = SeatKind.BOT, FILLING_BOT
                seat.save()
                _add_event(table, EventKind.SIT, now, seat=seat.number)
        _start_if_full(table, seats, now)
        _save(table)
    return table


def start_match_table(
    *,
    ruleset: str,
    target: int,
    options: Mapping[str, Any],
    turn_seconds: int,
    users: Sequence[User],
    title: str,
    back_url: str,
    first_deal_seconds: float,
    now: datetime,
) -> Table:
    """Inside an open transaction: a public table where four `users`, by seat, sit; play begins by itself."""
    table = new_table(
        host=None,
        ruleset=ruleset,
        target=target,
        turn_seconds=turn_seconds,
        visibility=Visibility.PUBLIC,
        options=options,
        title=title,
        back_url=back_url,
        due_at=None,
        created_at=now,
    )
    seats = list(table.seats.order_by("number"))
    for seat, user in zip(seats, users, strict=True):
        _take(table, seat, user, "", now)
    _start_if_full(table, seats, now, first_deal_seconds=first_deal_seconds)
    _save(table)
    return table


def close_table(*, table_id: int, now: datetime) -> Table:
    """Close a table without a result; one that is over stays as it is."""
    with transaction.atomic(durable=True):
        return close(table_id=table_id, now=now)


def close(*, table_id: int, now: datetime) -> Table:
    """Inside an open transaction: the same as `close_table`."""
    table = Table.objects.select_for_update().get(pk=table_id)
    if table.phase != Phase.OVER:
        table.phase, table.due_at, table.ended_at = Phase.OVER, None, now
        _add_event(table, EventKind.CLOSE, now)
        _save(table)
    return table


def _locked(code: str) -> Table:
    return Table.objects.select_for_update().get(code=code)


def _require_waiting(table: Table) -> None:
    if table.phase == Phase.OVER:
        raise Refused("table-closed")
    if table.phase != Phase.WAITING:
        raise Refused("already-started")


def _take(table: Table, seat: Seat, user: User, salt: str, now: datetime) -> None:
    seat.kind, seat.user, seat.salt = SeatKind.PLAYER, user, salt
    seat.save()
    table.due_at = now + UNSTARTED_CLOSES_AFTER
    _add_event(table, EventKind.SIT, now, seat=seat.number, user=user)


def _vacate(table: Table, seat: Seat, user: User, now: datetime) -> None:
    seat.kind, seat.user, seat.salt = SeatKind.OPEN, None, ""
    seat.save()
    _add_event(table, EventKind.LEAVE, now, seat=seat.number, user=user)


def _start_if_full(
    table: Table, seats: Sequence[Seat], now: datetime, first_deal_seconds: float | None = None
) -> None:
    if any(seat.kind == SeatKind.OPEN for seat in seats):
        return
    table.salt = ":".join([table.code, *(seat.salt for seat in seats)])
    table.first_dealer = first_dealer(bytes(table.secret), table.salt)
    table.phase, table.started_at = Phase.DEAL, now
    pause = settings.TABLE_FIRST_DEAL_SECONDS if first_deal_seconds is None else first_deal_seconds
    table.due_at = now + timedelta(seconds=pause)
    _add_event(table, EventKind.START, now)


def _require_calm(table: Table, user: User, now: datetime) -> None:
    moves = Event.objects.filter(table=table, user=user, kind__in=(EventKind.LEAVE, EventKind.BACK))
    if moves.filter(at__gt=now - WITHIN).count() >= COMINGS_AND_GOINGS:
        raise Refused("too-fast")


def _hasten(table: Table, seat: int, now: datetime) -> None:
    if _turn_since(table, seat) is not None:
        soon = now + timedelta(seconds=min(settings.TABLE_AWAY_SECONDS, table.turn_seconds))
        table.due_at = min(table.due_at or soon, soon)


def _give_time(table: Table, seat: int, now: datetime) -> None:
    since = _turn_since(table, seat)
    if since is not None:
        # Twice the time in all: who leaves and comes back again and again does not stop the clock.
        turn = timedelta(seconds=table.turn_seconds)
        anew = min(now + turn, since + 2 * turn)
        table.due_at = max(table.due_at or anew, anew)


def _turn_since(table: Table, seat: int) -> datetime | None:
    """Since when it is that seat's turn, None where it is not."""
    # Read from the rows as they stood: what this transaction changes does not touch whose turn it is.
    state = load_sync(table.pk)
    return state.last_at if state is not None and state.turn == seat else None


def _add_event(
    table: Table, kind: str, now: datetime, *, seat: int | None = None, user: User | None = None
) -> None:
    table.version += 1
    Event.objects.create(table=table, version=table.version, kind=kind, seat=seat, user=user, at=now)


def _save(table: Table) -> None:
    table.save(update_fields=CHANGING)
    tell_on_commit(table)


def tell_on_commit(table: Table) -> None:
    """Once the transaction is committed, announce the table's version and ring the lobby."""
    items = table_item(table.pk, table.version), ring_item("lobby")
    transaction.on_commit(partial(tell, *items), robust=True)

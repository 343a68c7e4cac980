"""Tables: open, sit, leave, fill, remove, close. Every door is one transaction that holds the table's row."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from accounts.models import User
from games.live.state import AWAY_AFTER
from games.models import Event, EventKind, Phase, SeatKind, Table, Visibility
from games.services.allowed import require_allowed, require_reliable
from games.services.opening import new_table
from games.services.refusals import Refused
from games.services.seating import (
    UNSTARTED_CLOSES_AFTER,
    add_event,
    close,
    give_time,
    go_away,
    locked,
    put_bot,
    require_free,
    require_waiting,
    save,
    start_if_full,
    take,
    tell_on_commit,
    vacate,
)
from games.services.welcome import require_welcome

SALT = re.compile(r"[0-9a-fA-F]{0,32}")
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
    call_seconds: int | None = None,
    bank_seconds: int = 0,
    rated: bool = False,
    watch_delay: int = 0,
    free_chat: bool = False,
    min_reliability: int | None = None,
    now: datetime,
) -> Table:
    """A new table with four open seats; it closes by itself if nobody starts it in half an hour.

    Raises: Refused `bad-target`, `bad-options`, `guests-only-casual`, `guests-cannot-host`, `banned`.
    """
    if rated:
        _require_account(host)
    if host.is_guest and visibility == Visibility.PUBLIC:
        raise Refused("guests-cannot-host")
    with transaction.atomic(durable=True):
        require_allowed(host, now)
        table = new_table(
            host=host,
            ruleset=ruleset,
            target=target,
            turn_seconds=turn_seconds,
            call_seconds=call_seconds,
            bank_seconds=bank_seconds,
            rated=rated,
            watch_delay=watch_delay,
            free_chat=free_chat,
            min_reliability=min_reliability,
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
    `seat-taken`, `removed`, `not-welcome`, `guests-only-casual`, `at-another-table`,
    `banned`, `not-reliable-enough`.
    """
    with transaction.atomic(durable=True):
        return sit_down(locked(table_code), user, seat, salt, now)


def sit_down(table: Table, user: User, seat: int, salt: str, now: datetime) -> Table:
    """Inside an open transaction that holds the table: the same as `sit`."""
    seats = list(table.seats.order_by("number"))
    if not 0 <= seat <= 3:
        raise Refused("no-such-seat")
    if not SALT.fullmatch(salt):
        raise Refused("bad-salt")
    mine = next((s for s in seats if s.user_id == user.pk), None)
    if mine is not None and mine.number == seat:
        return table
    require_waiting(table)
    if seats[seat].kind != SeatKind.OPEN:
        raise Refused("seat-taken")
    if user.pk in table.removed:
        raise Refused("removed")
    if mine is None:
        require_allowed(user, now)
        require_welcome(table, user)
        require_reliable(table, user, now)
    if table.rated:
        _require_account(user)
        require_free(user)
    if mine is not None:
        vacate(table, mine, user, now)
    take(table, seats[seat], user, salt, now)
    start_if_full(table, seats, now)
    save(table)
    return table


def leave(*, table_code: str, user: User, now: datetime) -> Table:
    """Give up one's seat before the start; in play, be away at once: the clock plays until one is back.

    Raises: Table.DoesNotExist; Refused `not-seated`, `too-fast`.
    """
    with transaction.atomic(durable=True):
        table = locked(table_code)
        seat = table.seats.filter(user=user).first()
        if seat is None:
            raise Refused("not-seated")
        if table.phase == Phase.OVER:
            return table
        if table.phase == Phase.WAITING:
            vacate(table, seat, user, now)
        elif table.idle[seat.number] < AWAY_AFTER:
            _require_calm(table, user, now)
            go_away(table, seat.number, user, now)
        save(table)
    return table


def remove(*, table_code: str, user: User, seat: int, now: datetime) -> Table:
    """Ask somebody off a seat before the start; who was removed does not sit here again.

    Raises: Table.DoesNotExist; Refused `not-host`, `already-started`, `table-closed`, `no-such-seat`.
    """
    with transaction.atomic(durable=True):
        table = locked(table_code)
        if table.host_id != user.pk:
            raise Refused("not-host")
        require_waiting(table)
        taken = table.seats.filter(number=seat).exclude(user=None).exclude(user=user).first()
        if taken is None or taken.user is None:
            raise Refused("no-such-seat")
        table.removed = [*table.removed, taken.user.pk]
        vacate(table, taken, taken.user, now)
        save(table)
    return table


def come_back(*, table_code: str, user: User, now: datetime) -> Table:
    """Take one's seat back from the clock; a turn that is running gets its whole time anew, once.

    Raises: Table.DoesNotExist; Refused `not-seated`, `not-in-play`, `too-fast`.
    """
    with transaction.atomic(durable=True):
        table = locked(table_code)
        seat = table.seats.filter(user=user).first()
        if seat is None:
            raise Refused("not-seated")
        if table.phase in {Phase.WAITING, Phase.OVER}:
            raise Refused("not-in-play")
        if table.idle[seat.number] >= AWAY_AFTER:
            _require_calm(table, user, now)
            table.idle[seat.number], table.sitting_in[seat.number] = 0, False
            table.votes.pop("absence", None)
            add_event(table, EventKind.BACK, now, seat=seat.number, user=user)
            give_time(table, seat.number, now)
            save(table)
    return table


def fill(*, table_code: str, user: User, now: datetime) -> Table:
    """Put bots into the empty seats, which starts the match.

    Raises: Table.DoesNotExist; Refused `not-host`, `already-started`, `table-closed`.
    """
    with transaction.atomic(durable=True):
        table = locked(table_code)
        if table.host_id != user.pk:
            raise Refused("not-host")
        require_waiting(table)
        seats = list(table.seats.order_by("number"))
        for seat in seats:
            if seat.kind == SeatKind.OPEN:
                put_bot(table, seat, now)
        start_if_full(table, seats, now)
        save(table)
    return table


def close_table(*, table_id: int, now: datetime) -> Table:
    """Close a table without a result; one that is over stays as it is."""
    with transaction.atomic(durable=True):
        return close(table_id=table_id, now=now)


def _require_account(user: User) -> None:
    if user.is_guest:
        raise Refused("guests-only-casual")


def _require_calm(table: Table, user: User, now: datetime) -> None:
    moves = Event.objects.filter(table=table, user=user, kind__in=(EventKind.LEAVE, EventKind.BACK))
    if moves.filter(at__gt=now - WITHIN).count() >= COMINGS_AND_GOINGS:
        raise Refused("too-fast")

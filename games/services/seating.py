"""Inside an open transaction that holds a table's row: who sits, who leaves, when it starts and ends."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q

from accounts.models import Scope, User
from accounts.sanctions import banned_among
from games.live.announce import ring_item, table_item, tell
from games.live.clocks import LAG_BUDGET_MS, left_ms
from games.live.state import AWAY_AFTER, TableState
from games.live.store import load_sync
from games.models import Event, EventKind, Phase, Seat, SeatKind, Table
from games.rules.shuffle import first_dealer
from games.services import drain
from games.services.refusals import Refused

FILLING_BOT = "cautious"
UNSTARTED_CLOSES_AFTER = timedelta(minutes=30)
# Not all of a row: the secret would stand in the statement, and so in the database's log where that fails.
CHANGING = (
    *("version", "phase", "due_at", "idle", "sitting_in", "bank_ms", "lag_ms", "votes", "removed", "rated"),
    *("salt", "first_dealer", "started_at", "ended_at", "result_kind", "winner", "advances"),
    *("paused_at", "paused_ms", "stops_after_deal"),
)


def close(*, table_id: int, now: datetime) -> Table:
    """End a table without a result; one that is over stays as it is."""
    table = Table.objects.select_for_update().get(pk=table_id)
    if table.phase != Phase.OVER:
        end(table, EventKind.CLOSE, now)
        save(table)
    return table


def end(
    table: Table, kind: EventKind, now: datetime, *, seat: int | None = None, user: User | None = None
) -> None:
    """Over otherwise than by the rules. Not saved yet."""
    table.phase, table.due_at, table.ended_at = Phase.OVER, None, now
    table.paused_at = table.paused_ms = None
    table.seats.filter(engaged=True).update(engaged=False)
    add_event(table, kind, now, seat=seat, user=user)


def require_free(user: User) -> None:
    """Raises: Refused `at-another-table` while the user plays a rated or a tournament match elsewhere."""
    playing = Seat.objects.filter(user=user).exclude(table__phase__in=(Phase.WAITING, Phase.OVER))
    if playing.filter(Q(engaged=True) | ~Q(table__title="")).exists():
        raise Refused("at-another-table")


def locked(code: str) -> Table:
    """The table of a code, its row held."""
    return Table.objects.select_for_update().get(code=code)


def require_waiting(table: Table) -> None:
    """Raises: Refused `table-closed`, `already-started`."""
    if table.phase == Phase.OVER:
        raise Refused("table-closed")
    if table.phase != Phase.WAITING:
        raise Refused("already-started")


def take(table: Table, seat: Seat, user: User, salt: str, now: datetime) -> None:
    """Put a player on a seat."""
    seat.kind, seat.user, seat.salt = SeatKind.PLAYER, user, salt
    seat.save()
    table.due_at = now + UNSTARTED_CLOSES_AFTER
    add_event(table, EventKind.SIT, now, seat=seat.number, user=user)


def put_bot(table: Table, seat: Seat, now: datetime) -> None:
    """Put a bot on a seat."""
    seat.kind, seat.bot = SeatKind.BOT, FILLING_BOT
    seat.save()
    add_event(table, EventKind.SIT, now, seat=seat.number)


def go_away(table: Table, seat: int, user: User, now: datetime) -> None:
    """Leave a seat in play: away at once."""
    table.idle[seat] = AWAY_AFTER
    add_event(table, EventKind.LEAVE, now, seat=seat, user=user)
    _hasten(table, seat, now)


def hold_casual(users: Iterable[User]) -> list[Table]:
    """The casual tables where any of these users sit and that are not over, their rows held.

    A round of a tournament first holds those of all its players: two rounds that took them one by one would wait
    for each other.
    """
    seats = Seat.objects.filter(user__in=[user.pk for user in users], table__title="")
    tables = Table.objects.select_for_update().filter(pk__in=seats.values("table"))
    return list(tables.exclude(phase=Phase.OVER).order_by("pk"))


def leave_casual(users: Sequence[User], now: datetime) -> None:
    """A tournament calls: these users' seats at casual tables are open again, or away."""
    for table in hold_casual(users):
        # Who got up while we waited for the table's row is not among them.
        seats = list(table.seats.filter(user__in=users).select_related("user"))
        for seat in seats:
            _leave(table, seat, now)
        if seats:
            save(table)


def _leave(table: Table, seat: Seat, now: datetime) -> None:
    assert seat.user is not None
    if table.phase == Phase.WAITING:
        vacate(table, seat, seat.user, now)
    elif table.idle[seat.number] < AWAY_AFTER:
        table.seats.filter(pk=seat.pk).update(engaged=False)
        go_away(table, seat.number, seat.user, now)


def vacate(table: Table, seat: Seat, user: User, now: datetime) -> None:
    """Open a seat again before the start."""
    seat.kind, seat.user, seat.salt = SeatKind.OPEN, None, ""
    seat.save()
    add_event(table, EventKind.LEAVE, now, seat=seat.number, user=user)


def start_if_full(
    table: Table, seats: Sequence[Seat], now: datetime, first_deal_seconds: float | None = None
) -> None:
    """Begin the match once nobody is missing: salt, first dealer, banks; a rated one binds its players.

    Raises: Refused `draining`.
    """
    if any(seat.kind == SeatKind.OPEN for seat in seats):
        return
    if _vacate_banned(table, seats, now):
        return
    drain.require_open()
    table.rated = table.rated and all(seat.user and not seat.user.is_guest for seat in seats)
    if table.rated and not _engage(table, seats, now):
        return
    table.bank_ms = [1000 * table.bank_seconds] * 4
    table.lag_ms = [LAG_BUDGET_MS] * 4
    table.salt = ":".join([table.code, *(seat.salt for seat in seats)])
    table.first_dealer = first_dealer(bytes(table.secret), table.salt)
    table.phase, table.started_at = Phase.DEAL, now
    pause = settings.TABLE_FIRST_DEAL_SECONDS if first_deal_seconds is None else first_deal_seconds
    table.due_at = now + timedelta(seconds=pause)
    add_event(table, EventKind.START, now)


def _vacate_banned(table: Table, seats: Sequence[Seat], now: datetime) -> bool:
    """Whoever was banned from playing with others since they sat down loses the seat; whether somebody did."""
    people = [seat.user_id for seat in seats if seat.user_id is not None]
    kept_out = banned_among(people, Scope.PLAY, now) if len(people) > 1 else set()
    for seat in seats:
        if seat.user is not None and seat.user_id in kept_out:
            vacate(table, seat, seat.user, now)
    return bool(kept_out)


def _engage(table: Table, seats: Sequence[Seat], now: datetime) -> bool:
    """Bind the four to their rated match; whoever is in another one loses the seat instead.

    Raises: Refused `at-another-table` where another match took one of them at this very moment.
    """
    users = [seat.user_id for seat in seats]
    elsewhere = set(Seat.objects.filter(user__in=users, engaged=True).values_list("user", flat=True))
    for seat in seats:
        if seat.user is not None and seat.user_id in elsewhere:
            vacate(table, seat, seat.user, now)
    if elsewhere:
        return False
    try:
        with transaction.atomic():
            # In the same order everywhere: two matches that want the same two players do not wait for each other.
            for seat in sorted(seats, key=lambda seat: seat.user_id or 0):
                table.seats.filter(pk=seat.pk).update(engaged=True)
    except IntegrityError:
        raise Refused("at-another-table") from None
    return True


def _hasten(table: Table, seat: int, now: datetime) -> None:
    if _turn_of(table, seat) is not None:
        seconds = min(settings.TABLE_AWAY_SECONDS, table.turn_seconds)
        soon = by_its_clock(table, now) + timedelta(seconds=seconds)
        set_due(table, min(due_of(table) or soon, soon))


def give_time(table: Table, seat: int, now: datetime) -> None:
    """A turn that is running gets its own time anew for who came back."""
    state = _turn_of(table, seat)
    if state is not None and state.last_at is not None:
        now = by_its_clock(table, now)
        # Twice the time in all: who leaves and comes back again and again does not stop the clock.
        turn, bank = timedelta(seconds=state.own_seconds), timedelta(milliseconds=table.bank_ms[seat])
        anew = min(now + turn, state.last_at + 2 * turn) + bank
        if state.sitting_in[seat]:
            set_due(table, max(anew, now))
        else:
            # The others may have agreed to wait for longer; who is back needs no more than a turn.
            set_due(table, min(max(due_of(table) or anew, anew), now + turn + bank))


def by_its_clock(table: Table, now: datetime) -> datetime:
    """The time by a table's clocks, which stand still while it is paused."""
    return table.paused_at or now


def due_of(table: Table) -> datetime | None:
    """When a table is due by its clocks."""
    if table.paused_at is None:
        return table.due_at
    return table.paused_at + timedelta(milliseconds=table.paused_ms or 0)


def set_due(table: Table, due_at: datetime) -> None:
    """Let a table be due at a time by its clocks. Not saved yet."""
    if table.paused_at is None:
        table.due_at = due_at
    else:
        table.paused_ms = left_ms(due_at, table.paused_at)


def _turn_of(table: Table, seat: int) -> TableState | None:
    """The table's state where it is that seat's turn, else None."""
    # Read from the rows as they stood: what this transaction changes does not touch whose turn it is.
    state = load_sync(table.pk)
    return state if state is not None and state.turn == seat else None


def add_event(
    table: Table, kind: str, now: datetime, *, seat: int | None = None, user: User | None = None
) -> None:
    """Add an event at the table's next version."""
    table.version += 1
    Event.objects.create(table=table, version=table.version, kind=kind, seat=seat, user=user, at=now)


def save(table: Table, *, is_event: bool = True) -> None:
    """Store what events change of a table; told once it is committed."""
    table.save(update_fields=CHANGING)
    tell_on_commit(table, is_event=is_event)


def tell_on_commit(table: Table, *, is_event: bool = True) -> None:
    """Once the transaction is committed, announce the table's version and, of an event, ring the lobby."""
    items = [table_item(table.pk, table.version), *([ring_item("lobby")] if is_event else [])]
    transaction.on_commit(partial(tell, *items), robust=True)


def ring_players(users: Iterable[User]) -> None:
    """Once the transaction is committed, tell the pages of these players that something concerns them."""
    items = [ring_item(f"player-{user.pk}") for user in users]
    transaction.on_commit(partial(tell, *items), robust=True)

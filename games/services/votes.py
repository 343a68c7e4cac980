"""What the players of a table decide together: to resign, what to do about who is away, to play again.

Votes are wishes, kept on the table's row and not counted in its version; what a vote brings about is an event.
`Table.votes`: `resign`: seats; `absence`: by seat `wait`, `bot` or `close`; `rematch`: by seat `same` or `rotate`.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from accounts.models import User
from games.live.announce import send_ends
from games.live.state import RESIGNED, TableState
from games.live.store import load_sync
from games.models import EventKind, Phase, SeatKind, Table
from games.rules.seats import partner, side
from games.services.absences import CHOICES, decision
from games.services.opening import seat_and_start
from games.services.refusals import Refused
from games.services.seating import add_event, by_its_clock, end, locked, ring_players, save, set_due
from games.speeds import Speed

REMATCH_WITHIN = timedelta(minutes=5)
# The same four with other partners: seat 0 stays, the others move on, so that each partners each once.
ROTATED = (0, 2, 3, 1)


def vote(*, table_code: str, user: User, on: str, choice: str | None, now: datetime) -> Table:
    """Say, or with None take back, what one wants; done at once where that decides it.

    Raises: Table.DoesNotExist; Refused `not-seated`, `not-in-play`, `nobody-away`, `no-vote-here`, `too-late`,
    `malformed`, `at-another-table`.
    """
    with transaction.atomic(durable=True):
        table = locked(table_code)
        seat = table.seats.filter(user=user).first()
        if seat is None:
            raise Refused("not-seated")
        if on not in _SUBJECTS or choice not in (None, *_SUBJECTS[on][0]):
            raise Refused("malformed")
        version = table.version
        _SUBJECTS[on][1](table, seat.number, choice, user, now)
        # A wish alone changes no list of tables, and may be taken back and said again all the time.
        save(table, is_event=table.version != version)
    return table


def _resign(table: Table, seat: int, choice: str | None, user: User, now: datetime) -> None:
    _require_in_play(table)
    wanting = {*table.votes.get("resign", [])} - {seat} | ({seat} if choice else set())
    table.votes["resign"] = sorted(wanting)
    # A bot that owns its seat agrees with its partner.
    agreeing = wanting | set(table.seats.filter(kind=SeatKind.BOT).values_list("number", flat=True))
    if choice and partner(seat) in agreeing:
        table.result_kind = RESIGNED
        table.winner = table.advances = 1 - side(seat)
        end(table, EventKind.YIELD, now, seat=seat, user=user)
        transaction.on_commit(lambda: send_ends([table.pk]), robust=True)


def _absence(table: Table, seat: int, choice: str | None, user: User, now: datetime) -> None:
    _require_in_play(table)
    before = _state(table)
    if before.terms.absence != "vote":
        raise Refused("no-vote-here")
    if seat not in before.present():
        raise Refused("not-seated")
    if not before.away():
        raise Refused("nobody-away")
    votes = {key: kept for key, kept in table.votes.get("absence", {}).items() if key != str(seat)}
    table.votes["absence"] = votes | ({str(seat): choice} if choice else {})
    table.save(update_fields=["votes"])
    _carry_out(table, _state(table), now)


def _carry_out(table: Table, state: TableState, now: datetime) -> None:
    decided = decision(state)
    if decided == "close":
        end(table, EventKind.CLOSE, now)
    elif decided == "wait":
        for seat in (seat for seat in state.away() if state.sitting_in[seat]):
            table.sitting_in[seat] = False
            add_event(table, EventKind.REST, now, seat=seat)
    if decided in {"wait", "bot"} and state.turn in state.away():
        due_at = by_its_clock(table, now) + timedelta(seconds=settings.TABLE_AWAY_SECONDS)
        if decided == "wait" and state.last_at is not None:
            # From when the turn began: who says it again and again does not stop the clock.
            waited = state.last_at + timedelta(seconds=settings.TABLE_WAIT_SECONDS)
            due_at = max(due_at, waited)
        set_due(table, due_at)


def _rematch(table: Table, seat: int, choice: str | None, user: User, now: datetime) -> None:
    if table.phase != Phase.OVER or table.title or not table.result_kind:
        raise Refused("no-vote-here")
    if table.ended_at is None or now - table.ended_at > REMATCH_WITHIN or hasattr(table, "rematch"):
        raise Refused("too-late")
    votes = {key: kept for key, kept in table.votes.get("rematch", {}).items() if key != str(seat)}
    table.votes["rematch"] = votes | ({str(seat): choice} if choice else {})
    wanted = table.votes["rematch"]
    players = table.seats.filter(kind=SeatKind.PLAYER).values_list("number", flat=True)
    if choice and all(wanted.get(str(number)) == choice for number in players):
        _open_rematch(table, rotated=choice == "rotate", now=now)


def _open_rematch(table: Table, *, rotated: bool, now: datetime) -> None:
    owners = [seat.user for seat in table.seats.select_related("user").order_by("number")]
    seat_and_start(
        users=[owners[number] for number in (ROTATED if rotated else range(4))],
        ruleset=table.ruleset,
        target=table.target,
        options=table.options,
        speed=Speed(table.call_seconds or table.turn_seconds, table.turn_seconds, table.bank_seconds),
        visibility=table.visibility,
        rated=table.rated,
        free_chat=table.free_chat,
        watch_delay=table.watch_delay,
        host=table.host,
        rematch_of=table,
        now=now,
    )
    ring_players(user for user in owners if user is not None)


def _require_in_play(table: Table) -> None:
    if table.phase in {Phase.WAITING, Phase.OVER}:
        raise Refused("not-in-play")


def _state(table: Table) -> TableState:
    state = load_sync(table.pk)
    assert state is not None
    return state


_Subject = Callable[[Table, int, str | None, User, datetime], None]
_SUBJECTS: dict[str, tuple[tuple[str, ...], _Subject]] = {
    "resign": (("yes",), _resign),
    "absence": (CHOICES, _absence),
    "rematch": (("same", "rotate"), _rematch),
}

"""The steward: what a table needs when nobody acts. It deals, moves the bots and plays for the absent.

Several stewards may run: each step is one event guarded by the table's version, so a step is done once.
"""

import asyncio
import logging
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from traceback import extract_tb

from games.live.hub import Hub
from games.live.state import TableState
from games.rules.players import PLAYERS, timeout_action
from games.rules.views import SeatView, seat_view
from games.services.play import append_action, append_change, append_close, append_deal
from games.services.refusals import Refused
from games.services.seating import FILLING_BOT

log = logging.getLogger(__name__)

AT_ONCE = 200
# A stop or crash of the site costs no player time: after a start every running clock has this left.
GRACE = timedelta(seconds=30)

DUE_SQL = "select id, version from games_table where due_at <= %s order by due_at limit %s"
EXTEND_SQL = "update games_table set due_at = %s where id = %s and version = %s and due_at < %s returning id"
HEARTBEAT_SQL = """
insert into games_heartbeat (name, at) values ('steward', %s)
on conflict (name) do update set at = greatest(games_heartbeat.at, excluded.at)
"""


@dataclass(frozen=True, slots=True)
class Served:
    """How the site was served: without a gap since `since`, and, as far as is known, until `until`.

    `until` None: nothing is known of the web processes, and nobody's clock is held for them.
    """

    since: datetime
    until: datetime | None = None


async def play_due(hub: Hub, *, now: datetime, served: Served) -> int:
    """Do one step at every table that is due; how many did something."""
    due = await hub.store.fetch(DUE_SQL, [now, AT_ONCE])
    steps = [_step(hub, row["id"], row["version"], now, served) for row in due]
    outcomes = await asyncio.gather(*steps, return_exceptions=True)
    for row, outcome in zip(due, outcomes, strict=True):
        if isinstance(outcome, BaseException):
            log.error("the step at table %s failed", row["id"], exc_info=outcome)
    return sum(outcome is not False for outcome in outcomes)


async def sign_of_life(hub: Hub, *, now: datetime) -> None:
    """Note that the steward lives."""
    await hub.store.execute(HEARTBEAT_SQL, [now])


async def _step(hub: Hub, table_id: int, version: int, now: datetime, served: Served) -> bool:
    """Do what a table is due for; False where a person's clock is held or was lengthened instead."""
    state = await hub.memo.current(table_id, at_least=version)
    if state is None or state.version != version or state.phase == "over" or state.paused:
        return True
    if state.phase == "waiting" or (state.phase == "deal" and state.is_last_deal):
        await append_close(hub, state, now=now)
    elif state.phase == "deal":
        await append_deal(hub, state, now=now)
    elif await _is_held(hub, state, served):
        return False
    else:
        await _play_for(hub, state, now)
    return True


async def _is_held(hub: Hub, state: TableState, served: Served) -> bool:
    """Whether a person's clock ran while nobody, or not everybody, served the tables."""
    assert state.turn is not None
    if state.seats[state.turn].kind != "player" or state.is_away(state.turn) or state.due_at is None:
        return False
    until = served.since + GRACE
    if state.due_at < until and (state.last_at is None or state.last_at < served.since):
        return bool(await hub.store.fetch(EXTEND_SQL, [until, state.id, state.version, until]))
    # Only a server that lived on after the clock ran out has certainly let the player act until then.
    return served.until is not None and served.until < state.due_at


async def _play_for(hub: Hub, state: TableState, now: datetime) -> None:
    seat = state.turn
    assert seat is not None
    if state.seats[seat].kind == "bot":
        await _play_as(hub, state, state.seats[seat].bot, by="b", now=now)
    elif state.sitting_in[seat]:
        if state.present():
            await _play_as(hub, state, FILLING_BOT, by="s", now=now)
        else:
            await append_change(hub, state, kind="rest", seat=seat, sits_in=False, now=now)
    elif state.is_away(seat) and _may_sit_in(state):
        await append_change(hub, state, kind="sub", seat=seat, sits_in=True, now=now)
    else:
        await append_action(hub, state, timeout_action(_view(state, seat)), by="c", now=now)


def _may_sit_in(state: TableState) -> bool:
    """A bot sits in only for the sake of somebody who plays: whose last turn was his own."""
    return state.terms.absence != "clock" and any(state.idle[seat] == 0 for seat in state.present())


async def _play_as(hub: Hub, state: TableState, bot: str, *, by: str, now: datetime) -> None:
    assert state.turn is not None
    view = _view(state, state.turn)
    try:
        code = PLAYERS[bot](view, secrets.randbelow)
        await append_action(hub, state, code, by=by, now=now)
    except Exception as error:
        log.error("bot %s failed at table %s: %s", bot, state.code, _reason(error))
        await append_action(hub, state, timeout_action(view), by=by, now=now)


def _view(state: TableState, seat: int) -> SeatView:
    assert state.match is not None
    return seat_view(state.match, seat)


def _reason(error: Exception) -> str:
    """What went wrong and where, without the error's own words: they may name cards."""
    if isinstance(error, Refused):
        return error.code
    place = extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {place.name}, line {place.lineno}"

"""The steward: what a table needs when nobody acts. It deals, moves the bots and plays for the absent.

Several stewards may run: each step is one event guarded by the table's version, so a step is done once.
"""

import asyncio
import logging
import secrets
from datetime import datetime, timedelta
from traceback import extract_tb

from games.live.hub import Hub
from games.live.state import TableState
from games.rules.players import PLAYERS, timeout_action
from games.rules.views import seat_view
from games.services.play import append_action, append_close, append_deal
from games.services.refusals import Refused

log = logging.getLogger(__name__)

AT_ONCE = 200
# A stop or crash of the site costs no player time: after a start every running clock has this left.
GRACE = timedelta(seconds=15)

DUE_SQL = "select id, version from games_table where due_at <= %s order by due_at limit %s"
EXTEND_SQL = "update games_table set due_at = %s where id = %s and version = %s and due_at < %s returning id"
HEARTBEAT_SQL = """
insert into games_heartbeat (name, at) values ('steward', %s)
on conflict (name) do update set at = greatest(games_heartbeat.at, excluded.at)
"""


async def play_due(hub: Hub, *, now: datetime, started_at: datetime) -> int:
    """Do one step at every table that is due; how many were. `started_at`: since when this steward runs."""
    due = await hub.store.fetch(DUE_SQL, [now, AT_ONCE])
    steps = [_step(hub, row["id"], row["version"], now, started_at) for row in due]
    for row, outcome in zip(due, await asyncio.gather(*steps, return_exceptions=True), strict=True):
        if isinstance(outcome, BaseException):
            log.error("the step at table %s failed", row["id"], exc_info=outcome)
    return len(due)


async def sign_of_life(hub: Hub, *, now: datetime) -> None:
    """Note that the steward lives."""
    await hub.store.execute(HEARTBEAT_SQL, [now])


async def _step(hub: Hub, table_id: int, version: int, now: datetime, started_at: datetime) -> None:
    state = await hub.memo.current(table_id, at_least=version)
    if state is None or state.version != version or state.phase == "over":
        return
    if state.phase == "waiting":
        await append_close(hub, state, now=now)
    elif state.phase == "deal":
        await append_deal(hub, state, now=now)
    elif not await _given_grace(hub, state, started_at):
        await _play_for(hub, state, now)


async def _given_grace(hub: Hub, state: TableState, started_at: datetime) -> bool:
    """Whether a person's clock ran while nobody served the table; it then gets some time anew."""
    assert state.turn is not None
    until = started_at + GRACE
    if state.seats[state.turn].kind != "player" or state.is_away(state.turn):
        return False
    if state.due_at is None or state.due_at >= until:
        return False
    if state.last_at is not None and state.last_at >= started_at:
        return False
    return bool(await hub.store.fetch(EXTEND_SQL, [until, state.id, state.version, until]))


async def _play_for(hub: Hub, state: TableState, now: datetime) -> None:
    assert state.turn is not None
    assert state.match is not None
    bot = state.seats[state.turn].bot
    view = seat_view(state.match, state.turn)
    if not bot:
        await append_action(hub, state, timeout_action(view), by="c", now=now)
        return
    try:
        code = PLAYERS[bot](view, secrets.randbelow)
        await append_action(hub, state, code, by="b", now=now)
    except Exception as error:
        log.error("bot %s failed at table %s: %s", bot, state.code, _reason(error))
        await append_action(hub, state, timeout_action(view), by="b", now=now)


def _reason(error: Exception) -> str:
    """What went wrong and where, without the error's own words: they may name cards."""
    if isinstance(error, Refused):
        return error.code
    place = extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {place.name}, line {place.lineno}"

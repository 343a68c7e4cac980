"""One action at a table: checked against the rules, stored if nobody was faster, then told to all."""

import math
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings

from games.live.announce import act_item, ring_item, table_item
from games.live.clocks import bank_left_ms, lag_budget, lag_given, replaced
from games.live.hub import Hub
from games.live.state import CLOCKS, TableState, acted, dealt, finished, substituted
from games.live.store import Append
from games.rules.actions import IllegalAction
from games.rules.cards import CODES
from games.rules.match import Match
from games.rules.shuffle import deck
from games.services.absences import decision
from games.services.refusals import Refused

# A trick that was just taken stays readable before a bot leads to the next one.
TRICK_PAUSE_FACTOR = 1.6
OUTRUN_TRIES = 20


@dataclass(frozen=True, slots=True)
class Request:
    """What a player asks for: an action on the state of `version`, under an id of the player's own."""

    user_id: int
    action: str
    version: int
    id: str


async def act(hub: Hub, *, table_id: int, request: Request, now: datetime) -> tuple[TableState, bool]:
    """Do one player's action; the new state and True, or today's state and False for an id already done.

    Raises: Refused with a code of docs/protocol.md; nothing changed.
    """
    # The player may have seen, through another process, what this one has not heard of yet.
    state = await hub.memo.current(table_id, at_least=request.version)
    for _ in range(OUTRUN_TRIES):
        if state is None or state.seat_of(request.user_id) is None:
            raise Refused("not-seated")
        if _is_done(state, request):
            return state, False
        _check_time(state, request)
        after = await append_action(
            hub, state, request.action, by="m", now=now, user_id=request.user_id, request_id=request.id
        )
        if after is not None:
            return after, True
        state = await hub.memo.reload(table_id)
    raise Refused("server-error")


def _is_done(state: TableState, request: Request) -> bool:
    done = state.done.get((request.user_id, request.id))
    if done is not None and done != request.action:
        raise Refused("malformed")
    return done is not None


def _check_time(state: TableState, request: Request) -> None:
    if state.phase == "over":
        raise Refused("table-closed")
    if state.paused:
        raise Refused("paused")
    if not state.moved <= request.version <= state.version:
        raise Refused("stale")
    if state.phase == "waiting":
        raise Refused("wrong-phase")
    if state.phase == "deal":
        raise Refused("deal-over")
    if state.turn != state.seat_of(request.user_id):
        raise Refused("not-your-turn")


async def append_action(
    hub: Hub,
    state: TableState,
    code: str,
    *,
    by: str,
    now: datetime,
    user_id: int | None = None,
    request_id: str | None = None,
) -> TableState | None:
    """Store an action of the seat in turn and tell it; the new state, or None where somebody was faster.

    Raises: Refused with the rules' code where the action is illegal.
    """
    assert state.match is not None
    seat = state.turn
    assert seat is not None
    match = state.match.copy()
    try:
        match.act(code, by)
    except IllegalAction as error:
        raise Refused(error.code) from None
    event: dict[str, Any] = {
        "code": code,
        "by": by,
        "at": now,
        "user_id": user_id,
        "request_id": request_id,
        **clocks_after(hub, state, match, by, now),
    }
    after = acted(state, event, match)
    append = Append(
        table_id=state.id,
        version=state.version,
        kind="act",
        seat=seat,
        ms=thinking_ms(state.last_at, now),
        **event,
        **facts(state.match, match, now),
    )
    if not await hub.store.append(append):
        return None
    hub.memo.learn(after, user_id, request_id)
    hub.announcer.say(act_item(state.id, after.version, event))
    if match.result is not None:
        hub.announcer.say(ring_item("lobby"))
        hub.announcer.match_ended(state.id)
    return after


async def append_deal(hub: Hub, state: TableState, *, now: datetime) -> TableState | None:
    """Deal the next deal from the table's secret; the new state, or None where somebody was faster."""
    assert state.match is not None
    match = state.match.copy()
    cards = deck(state.secret, state.salt, match.deals)
    match.start_deal(cards)
    event = {"at": now, **clocks_after(hub, state, match, "", now)}
    append = Append(
        table_id=state.id,
        version=state.version,
        kind="deal",
        dealt_index=match.deal_index,
        dealer=match.dealer,
        deck=" ".join(CODES[card] for card in cards),
        **event,
        **facts(state.match, match, now),
    )
    if not await hub.store.append(append):
        return None
    after = dealt(state, match, event)
    hub.memo.learn(after)
    hub.announcer.say(table_item(state.id, after.version))
    return after


async def append_change(
    hub: Hub, state: TableState, *, kind: str, seat: int, sits_in: bool, now: datetime
) -> None:
    """A bot sits in (`sub`) for the owner of a seat, or stands up (`rest`); whoever plays it now is due soon."""
    assert state.match is not None
    sitting_in = [*state.sitting_in]
    sitting_in[seat] = sits_in
    seconds = settings.TABLE_BOT_SECONDS if sits_in else settings.TABLE_AWAY_SECONDS
    clocks = {name: getattr(state, name) for name in CLOCKS} | {
        "sitting_in": sitting_in,
        "due_at": now + timedelta(seconds=seconds),
    }
    append = Append(
        table_id=state.id,
        version=state.version,
        kind=kind,
        seat=seat,
        at=now,
        **clocks,
        **facts(state.match, state.match, now),
    )
    if await hub.store.append(append):
        hub.memo.learn(substituted(state, clocks))
        hub.announcer.say(table_item(state.id, state.version + 1))


async def append_close(hub: Hub, state: TableState, *, now: datetime) -> None:
    """Close a table that nobody started, or whose last deal has been played."""
    score = [0, 0] if state.match is None else list(state.match.score)
    append = Append(
        table_id=state.id,
        version=state.version,
        kind="close",
        at=now,
        phase="over",
        score=score,
        counted=0 if state.match is None else state.match.counted,
        ended_at=now,
        due_at=None,
        **{name: getattr(state, name) for name in CLOCKS},
    )
    if await hub.store.append(append):
        await hub.memo.reload(state.id)
        hub.announcer.say(table_item(state.id, state.version + 1))
        hub.announcer.say(ring_item("lobby"))
        if state.match is not None:
            hub.announcer.match_ended(state.id)


def facts(before: Match, match: Match, now: datetime) -> dict[str, Any]:
    """What the rows of the table and of the deal say after an event, ready for `Append`."""
    found: dict[str, Any] = {
        "phase": match.phase,
        "score": list(match.score),
        "counted": match.counted,
    }
    if before.deal is not None and match.deal is None:
        found |= {"finished_index": match.deal_index, **finished(match)}
    if match.result is not None:
        found |= {
            "result_kind": match.result["kind"],
            "winner": match.result["winner"],
            "advances": match.result["advances"],
            "ended_at": now,
        }
    return found


def clocks_after(hub: Hub, state: TableState, match: Match, by: str, now: datetime) -> dict[str, Any]:
    """Clocks, time-outs and substitutes once the seat in turn has acted; `by` is empty after a deal."""
    after = replace(state, match=match)
    if by and state.turn is not None:
        after = _acted_in_time(after, state.turn, by, now)
    turn = match.turn
    if turn is None or not _owner_is_timed(after, turn):
        return _clocks(after, _due_at(after, turn, now))
    owner = after.seats[turn].user_id
    assert owner is not None
    given = lag_given(hub.lag_ms(owner), after.lag_ms[turn])
    budget = lag_budget(after.lag_ms[turn], given)
    if budget != after.lag_ms[turn]:
        after = replace(after, lag_ms=replaced(after.lag_ms, turn, budget))
    milliseconds = 1000 * after.own_seconds + after.bank_ms[turn] + given
    return _clocks(after, now + timedelta(milliseconds=milliseconds))


def _acted_in_time(state: TableState, seat: int, by: str, now: datetime) -> TableState:
    """The seat's bank, time-outs and substitute after an action done by `by`."""
    bank = state.bank_ms
    if _owner_is_timed(state, seat):
        left = 0 if by == "c" else bank_left_ms(bank[seat], state.due_at, now)
        bank = replaced(bank, seat, left)
    if by == "s":
        return replace(state, bank_ms=bank)
    idle = min(state.idle[seat] + 1, 99) if by == "c" else 0
    sits_in = state.sitting_in[seat] and by == "c"
    if (bank[seat], idle, sits_in) == (state.bank_ms[seat], state.idle[seat], state.sitting_in[seat]):
        # Somebody acted in time, as nearly always: nothing to copy.
        return state
    return replace(
        state,
        bank_ms=bank,
        idle=replaced(state.idle, seat, idle),
        sitting_in=replaced(state.sitting_in, seat, sits_in),
    )


def _owner_is_timed(state: TableState, seat: int) -> bool:
    return state.seats[seat].kind == "player" and not state.is_away(seat)


def _clocks(state: TableState, due_at: datetime | None) -> dict[str, Any]:
    return {"due_at": due_at, **{name: getattr(state, name) for name in CLOCKS}}


def _due_at(state: TableState, turn: int | None, now: datetime) -> datetime | None:
    """When the steward must act for a seat whose owner is not timed, or deal; None once the match is over."""
    assert state.match is not None
    if state.match.phase == "over":
        return None
    return now + timedelta(seconds=_seconds(state, turn))


def _seconds(state: TableState, turn: int | None) -> float:
    assert state.match is not None
    if turn is None:
        return settings.TABLE_DEAL_PAUSE_SECONDS
    if state.seats[turn].kind == "bot" or state.sitting_in[turn]:
        deal = state.match.deal
        between_tricks = deal is not None and deal.last_trick is not None and not deal.trick
        return settings.TABLE_BOT_SECONDS * (TRICK_PAUSE_FACTOR if between_tricks else 1.0)
    if decision(state) == "wait":
        return settings.TABLE_WAIT_SECONDS
    return min(settings.TABLE_AWAY_SECONDS, state.own_seconds)


def thinking_ms(since: datetime | None, now: datetime) -> int:
    """The milliseconds since the last move."""
    return 0 if since is None else max(0, math.floor((now - since).total_seconds() * 1000))

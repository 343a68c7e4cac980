"""Frames to the browsers: the public part of a view is encoded once, the rest once a seat."""

from dataclasses import asdict
from datetime import datetime
from functools import lru_cache
from typing import Any

import orjson

from games.live.clocks import bank_left_ms, left_ms, own_left_ms
from games.live.presence import Here
from games.live.state import TableState, Terms, finished
from games.rules.views import public_part, seat_part
from games.speeds import speed_of

# What a table shows before its match begins or when it was closed unplayed.
EMPTY_PART: dict[str, Any] = {
    "turn": None,
    "dealer": None,
    "deal": None,
    "calls": [],
    "contract": None,
    "trick": [],
    "last_trick": None,
    "tricks": [0, 0],
    "score": [0, 0],
    "changes": [],
    "counted": 0,
    "dead_run": 0,
    "result": None,
    "ended": None,
}


class Frames:
    """The frames of one state: rendered on first need, shared by all who see the same."""

    def __init__(self, state: TableState, here: Here, now: datetime) -> None:
        self._state = state
        self._public = orjson.dumps(public_view(state, here, now))[:-1]
        self._rendered: dict[int | None, str] = {}

    def table(self, user_id: int | None, request_id: str | None = None) -> str:
        """The `table` frame for a viewer; `request_id` where the viewer's act made the state."""
        seat = self._state.seat_of(user_id)
        if seat not in self._rendered:
            self._rendered[seat] = self._render(seat)
        frame = self._rendered[seat]
        if request_id is None:
            return frame
        return f'{frame[:-1]},"id":{orjson.dumps(request_id).decode()}}}'

    def _render(self, seat: int | None) -> str:
        private = orjson.dumps(_private(self._state, seat))[1:]
        head = b'{"type":"table","version":%d,"view":' % self._state.version
        return b"".join((head, self._public, b",", private, b"}")).decode()


def public_view(state: TableState, here: Here, now: datetime) -> dict[str, Any]:
    """What everybody sees of a table (protocol.md's view without `you`, `hand` and `legal`)."""
    part: dict[str, Any] = dict(EMPTY_PART)
    cards = [0, 0, 0, 0]
    if state.match is not None:
        part = {**public_part(state.match), "ended": None}
        if state.match.finished_deal is not None:
            part["ended"] = finished(state.match)
        cards = part.pop("cards")
        if state.closed:
            part |= {"turn": None, "contract": None, "trick": [], "tricks": [0, 0], "result": state.result}
            cards = [0, 0, 0, 0]
    view = {
        "table": state.code,
        "ruleset": state.ruleset,
        "target": state.target,
        "options": state.options,
        "host": state.host,
        **part,
        "phase": state.phase,
        "seats": _seats(state, here, cards),
        **_clocks(state, now),
        "paused": state.paused,
        "last_deal": state.is_last_deal,
        "arrived": state.arrived,
        **_terms(state.terms),
        "votes": _votes(state),
        "watching": here.watching,
        "by": state.by,
        "sheet": [{"contract": row["contract"], "tricks": row["tricks"]} for row in state.sheet],
        "commitment": state.commitment,
        "salt": state.salt,
    }
    if state.phase == "over" and not state.is_shared:
        view["secret"] = state.secret.hex()
    return view


@lru_cache(maxsize=4096)
def _terms(terms: Terms) -> dict[str, Any]:
    # The same for as long as a table is played; the dictionary is only read.
    pace = (terms.call_seconds, terms.turn_seconds, terms.bank_seconds)
    return {**asdict(terms), "speed": speed_of(*pace)}


def _seats(state: TableState, here: Here, cards: list[int]) -> list[dict[str, Any]]:
    return [_seat(state, number, here, cards[number]) for number in range(4)]


def _seat(state: TableState, number: int, here: Here, cards: int) -> dict[str, Any]:
    sitter = state.seats[number]
    seat = {
        "seat": number,
        "name": sitter.name,
        "kind": sitter.kind,
        "connected": sitter.kind == "bot" or sitter.user_id in here.connected,
        "away": state.is_away(number),
        "presence": _presence(state, number, here),
        "cards": cards,
    }
    if state.sitting_in[number]:
        seat["sitting_in"] = True
    if sitter.is_guest:
        seat["guest"] = True
    return seat


def _presence(state: TableState, number: int, here: Here) -> str:
    sitter = state.seats[number]
    if sitter.kind != "player":
        return "here"
    if sitter.user_id in here.gone:
        return "gone"
    if state.is_away(number):
        return "away"
    return "here" if sitter.user_id in here.connected else "reconnecting"


def _votes(state: TableState) -> dict[str, Any]:
    """What the players said about who is away and about a rematch; wishes to resign are their side's own."""
    absence = state.votes.get("absence", {}) if state.away() and state.phase != "over" else {}
    return {"absence": absence, "rematch": state.votes.get("rematch", {})}


def _private(state: TableState, seat: int | None) -> dict[str, Any]:
    if seat is None:
        # To a finished match by link anybody finds the way, from a player's page; not on to the next one.
        return {"you": None, "next": None if state.is_by_link else state.next_code}
    resign = [number for number in state.votes.get("resign", ()) if number % 2 == seat % 2]
    if state.match is None or state.closed:
        hand: dict[str, Any] = {"hand": [], "legal": []}
    else:
        hand = {**seat_part(state.match, seat)}
        if state.paused:
            hand["legal"] = []
    return {"you": seat, **hand, "resign": resign, "next": state.next_code}


def _clocks(state: TableState, now: datetime) -> dict[str, Any]:
    """The turn's own time and the banks as they stand now; none runs for a bot nor where nothing is awaited."""
    banks = list(state.bank_ms)
    if state.paused and state.turn in state.present() and not state.sitting_in[state.turn]:
        # Of the bank that was running when the clocks were stopped there is no more than what is given back.
        banks[state.turn] = min(banks[state.turn], state.paused_ms)
    if state.due_at is None or state.phase in {"waiting", "over"}:
        return {"deadline_ms": None, "bank_ms": banks}
    turn = state.turn
    if turn is None:
        return {"deadline_ms": left_ms(state.due_at, now), "bank_ms": banks}
    if state.seats[turn].kind == "bot" or state.sitting_in[turn]:
        return {"deadline_ms": None, "bank_ms": banks}
    if state.is_away(turn):
        return {"deadline_ms": left_ms(state.due_at, now), "bank_ms": banks}
    own = own_left_ms(banks[turn], state.own_seconds, state.due_at, now)
    banks[turn] = bank_left_ms(banks[turn], state.due_at, now)
    return {"deadline_ms": own, "bank_ms": banks}

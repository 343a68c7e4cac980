"""Frames to the browsers: the public part of a view is encoded once, the rest once a seat."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

import orjson

from games.live.state import TableState, finished
from games.rules.views import public_part, seat_part

NO_BANK = [0, 0, 0, 0]
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

    def __init__(self, state: TableState, connected: Collection[int], now: datetime) -> None:
        """`connected`: ids of the users who have a socket at the table."""
        self._state = state
        self._public = orjson.dumps(public_view(state, connected, now))[:-1]
        self._rendered: dict[int | None, bytes] = {}

    def table(self, user_id: int | None, request_id: str | None = None) -> str:
        """The `table` frame for a viewer; `request_id` where the viewer's act made the state."""
        seat = self._state.seat_of(user_id)
        if seat not in self._rendered:
            self._rendered[seat] = self._render(seat)
        body = self._rendered[seat]
        tail = b"}" if request_id is None else b',"id":' + orjson.dumps(request_id) + b"}"
        return (body + tail).decode()

    def _render(self, seat: int | None) -> bytes:
        private = orjson.dumps(_private(self._state, seat))[1:]
        head = b'{"type":"table","version":%d,"view":' % self._state.version
        return head + self._public + b"," + private


def public_view(state: TableState, connected: Collection[int], now: datetime) -> dict[str, Any]:
    """What everybody sees of a table (protocol.md's view without `you`, `hand` and `legal`)."""
    part: dict[str, Any] = dict(EMPTY_PART)
    cards = [0, 0, 0, 0]
    if state.match is not None:
        part = {**public_part(state.match), "ended": None}
        if state.match.finished_deal is not None:
            part["ended"] = finished(state.match)
        cards = part.pop("cards")
        if state.closed:
            part |= {"turn": None, "contract": None, "trick": [], "tricks": [0, 0], "result": None}
            cards = [0, 0, 0, 0]
    view = {
        "table": state.code,
        "ruleset": state.ruleset,
        "target": state.target,
        "options": state.options,
        "host": state.host,
        "title": state.title,
        **part,
        "phase": state.phase,
        "seats": _seats(state, connected, cards),
        "deadline_ms": _deadline_ms(state, now),
        "bank_ms": NO_BANK,
        "turn_seconds": state.turn_seconds,
        "sheet": [{"contract": row["contract"], "tricks": row["tricks"]} for row in state.sheet],
        "commitment": state.commitment,
        "salt": state.salt,
    }
    if state.phase == "over":
        view["secret"] = state.secret.hex()
    return view


def _seats(state: TableState, connected: Collection[int], cards: list[int]) -> list[dict[str, Any]]:
    return [
        {
            "seat": number,
            "name": sitter.name,
            "kind": sitter.kind,
            "connected": sitter.kind == "bot" or sitter.user_id in connected,
            "away": state.is_away(number),
            "cards": cards[number],
        }
        for number, sitter in enumerate(state.seats)
    ]


def _private(state: TableState, seat: int | None) -> dict[str, Any]:
    if seat is None:
        return {"you": None}
    if state.match is None or state.closed:
        return {"you": seat, "hand": [], "legal": []}
    return {"you": seat, **seat_part(state.match, seat)}


def _deadline_ms(state: TableState, now: datetime) -> int | None:
    """What is left of the running clock; none runs for a bot, nor where nothing is awaited."""
    turn = state.turn
    if state.due_at is None or state.phase in {"waiting", "over"}:
        return None
    if turn is not None and state.seats[turn].kind == "bot":
        return None
    return max(0, int((state.due_at - now).total_seconds() * 1000))

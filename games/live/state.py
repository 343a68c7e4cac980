"""A table folded up to one of its versions. A state is never changed once made: the next one replaces it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from games.rules.match import Match

AWAY_AFTER = 3  # time-outs in a row
RESIGNED = "resigned"


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who owns a seat: `kind` is player, bot or open; `bot` names the built-in player, as `name` then does.

    `arrived`: whether an owner has been at the table since it opened.
    """

    kind: str
    user_id: int | None = None
    name: str | None = None
    bot: str = ""
    is_guest: bool = False
    arrived: bool = False


@dataclass(frozen=True, slots=True)
class Terms:
    """What was agreed when the table opened. Seconds; `watch_delay` may be WHOLE_DEAL (-1)."""

    call_seconds: int
    turn_seconds: int
    bank_seconds: int
    rated: bool
    absence: str
    watch_delay: int
    free_chat: bool
    title: str


@dataclass(frozen=True, slots=True)
class TableState:
    """A table at `version`. `match` is None until it starts; `moved`: the last deal's or action's version."""

    id: int
    code: str
    version: int
    moved: int
    ruleset: str
    target: int
    options: dict[str, Any]
    terms: Terms
    host_id: int | None
    secret: bytes = field(repr=False)
    commitment: str
    salt: str
    is_shared: bool  # whether other tables that are not over are dealt from the same secret
    is_by_link: bool
    seats: tuple[Sitter, ...]
    idle: tuple[int, ...]
    sitting_in: tuple[bool, ...]
    bank_ms: tuple[int, ...]
    lag_ms: tuple[int, ...]
    due_at: datetime | None
    last_at: datetime | None
    # The clocks stand still; this much is left till due.
    paused: bool
    paused_ms: int
    is_last_deal: bool  # the table closes after the deal in play
    is_called: bool  # its first deal waits for the four who were called to it
    # Over, but not by the rules: closed without a result, or because side `resigned` gave it up.
    closed: bool
    resigned: int | None
    match: Match | None
    by: str  # who did each act of this deal, a letter an act: as in `Event.by`
    votes: Mapping[str, Any]
    next_code: str | None  # of the table of the rematch
    sheet: tuple[Mapping[str, Any], ...]  # contract, tricks and points of each counted round so far
    # Ids of acts already done, by (user, id): kept with the events, so that they survive restarts.
    done: Mapping[tuple[int, str], str]

    @property
    def phase(self) -> str:
        if self.closed:
            return "over"
        return "waiting" if self.match is None else self.match.phase

    @property
    def turn(self) -> int | None:
        return None if self.closed or self.match is None else self.match.turn

    @property
    def result(self) -> Mapping[str, Any] | None:
        """How the match ended, as in a record; `resigned` is a kind of its own."""
        if self.match is None:
            return None
        if self.resigned is None:
            return None if self.closed else self.match.result
        winner = 1 - self.resigned
        return {"kind": "resigned", "winner": winner, "advances": winner, "score": list(self.match.score)}

    def seat_of(self, user_id: int | None) -> int | None:
        """The seat that a user owns here, or None."""
        if user_id is None:
            return None
        return next((n for n, sitter in enumerate(self.seats) if sitter.user_id == user_id), None)

    def is_away(self, seat: int) -> bool:
        """Whether a player's seat has timed out so often that the clock plays it quickly."""
        return self.seats[seat].kind == "player" and self.idle[seat] >= AWAY_AFTER

    def away(self) -> list[int]:
        """The seats whose owners are away."""
        return [seat for seat in range(4) if self.is_away(seat)]

    def present(self) -> list[int]:
        """The seats whose owners are at the table: people who are not away."""
        return [n for n, sitter in enumerate(self.seats) if sitter.kind == "player" and not self.is_away(n)]

    @property
    def arrived(self) -> list[bool] | None:
        """Who has come, by seat, while the first deal of a table to which the four were called is awaited."""
        if not self.is_called or self.match is None or self.match.deals or self.closed:
            return None
        return [sitter.kind != "player" or sitter.arrived for sitter in self.seats]

    @property
    def own_seconds(self) -> int:
        """The seconds of a turn in this phase, before the bank."""
        calling = self.match is not None and self.match.phase != "play"
        return self.terms.call_seconds if calling else self.terms.turn_seconds

    @property
    def host(self) -> int | None:
        """The host's seat, or None where the host does not sit."""
        return self.seat_of(self.host_id)


def finished(match: Match) -> dict[str, Any]:
    """Of the deal just finished: `contract` (None: nobody bid), `tricks` by side, `change` (None: not counted)."""
    deal = match.finished_deal
    assert deal is not None
    unscored = match.result is not None and match.result["kind"] == "no-result"
    counted = deal.contract is not None and not unscored
    return {
        "contract": deal.contract,
        "tricks": list(deal.tricks),
        "change": list(match.changes[-1]) if counted else None,
    }


def added(sheet: Sequence[Mapping[str, Any]], match: Match | None) -> tuple[Mapping[str, Any], ...]:
    """The sheet with the round just finished, if one was and it counted."""
    rounds = tuple({name: row[name] for name in ("contract", "tricks", "change")} for row in sheet)
    if match is None or match.finished_deal is None:
        return rounds
    last = finished(match)
    return rounds if last["change"] is None else (*rounds, last)


def acted(state: TableState, event: Mapping[str, Any], match: Match | None = None) -> TableState:
    """The state after an act event: `code`, `by`, `at`, `user_id`, `request_id` and the fields of `CLOCKS`.

    `match` is the match with the action done, where the caller has it already.
    Raises: IllegalAction where the event does not fit the state.
    """
    if match is None:
        assert state.match is not None
        match = state.match.copy()
        match.act(event["code"], event["by"])
    done = state.done
    if event["request_id"] is not None:
        done = {**done, (event["user_id"], event["request_id"]): event["code"]}
    version, votes = state.version + 1, state.votes
    if event["by"] == "m" and state.turn is not None and state.is_away(state.turn):
        votes = {on: wishes for on, wishes in votes.items() if on != "absence"}
    return replace(
        state,
        version=version,
        moved=version,
        match=match,
        votes=votes,
        by=state.by + event["by"],
        sheet=added(state.sheet, match) if match.deal is None else state.sheet,
        last_at=event["at"],
        done=done,
        **clocks_of(event),
    )


def dealt(state: TableState, match: Match, event: Mapping[str, Any]) -> TableState:
    """The state after a deal event: `at` and the fields of `CLOCKS`; `match` has the cards dealt."""
    moved = state.version + 1
    told = {"match": match, "by": "", "last_at": event["at"], **clocks_of(event)}
    return replace(state, version=moved, moved=moved, **told)


# What every event may change of the clocks and of who plays a seat.
CLOCKS = ("idle", "sitting_in", "bank_ms", "lag_ms")


def clocks_of(event: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a state that an event's clocks make."""
    return {"due_at": event["due_at"], **{name: tuple(event[name]) for name in CLOCKS}}


def substituted(state: TableState, event: Mapping[str, Any]) -> TableState:
    """The state after a bot sat in or stood up: the fields of `CLOCKS`. Nothing moved in the match."""
    return replace(state, version=state.version + 1, **clocks_of(event))

"""A table folded up to one of its versions. A state is never changed once made: the next one replaces it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from games.rules.cards import CARD
from games.rules.match import Match
from games.rules.ruleset import RULESETS, read_options

AWAY_AFTER = 3  # time-outs in a row


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who owns a seat: `kind` is player, bot or open; `bot` names the built-in player, as `name` then does."""

    kind: str
    user_id: int | None = None
    name: str | None = None
    bot: str = ""


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
    turn_seconds: int
    host_id: int | None
    title: str
    secret: bytes = field(repr=False)
    commitment: str
    salt: str
    seats: tuple[Sitter, ...]
    idle: tuple[int, ...]
    due_at: datetime | None
    last_at: datetime | None
    closed: bool
    match: Match | None
    # Contract, tricks and points of each counted round so far.
    sheet: tuple[Mapping[str, Any], ...]
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

    def seat_of(self, user_id: int | None) -> int | None:
        """The seat that a user owns here, or None."""
        if user_id is None:
            return None
        return next((n for n, sitter in enumerate(self.seats) if sitter.user_id == user_id), None)

    def is_away(self, seat: int) -> bool:
        """Whether a player's seat has timed out so often that the clock plays it quickly."""
        return self.seats[seat].kind == "player" and self.idle[seat] >= AWAY_AFTER

    @property
    def host(self) -> int | None:
        """The host's seat, or None where the host does not sit."""
        return self.seat_of(self.host_id)


def cold(
    table: Mapping[str, Any],
    seats: Sequence[Mapping[str, Any]],
    deals: Sequence[Mapping[str, Any]],
    events: Sequence[Mapping[str, Any]],
    done: Sequence[Mapping[str, Any]],
) -> TableState:
    """The state from stored rows: deals in order (only the last with its deck), the last deal's events."""
    match = _match(table, deals, events)
    return TableState(
        id=table["id"],
        code=table["code"],
        version=table["version"],
        moved=max((event["version"] for event in events), default=0),
        ruleset=table["ruleset"],
        target=table["target"],
        options=table["options"],
        turn_seconds=table["turn_seconds"],
        host_id=table["host_id"],
        title=table["title"],
        secret=bytes(table["secret"]),
        commitment=table["commitment"],
        salt=table["salt"],
        seats=tuple(Sitter(s["kind"], s["user_id"], s["name"] or s["bot"] or None, s["bot"]) for s in seats),
        idle=tuple(table["idle"]),
        due_at=table["due_at"],
        last_at=events[-1]["at"] if events else None,
        closed=table["phase"] == "over" and not table["result_kind"],
        match=match,
        sheet=_added([row for row in deals[:-1] if row["change"] is not None], match),
        done={(row["user_id"], row["request_id"]): row["code"] for row in done},
    )


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


def _added(sheet: Sequence[Mapping[str, Any]], match: Match | None) -> tuple[Mapping[str, Any], ...]:
    """The sheet with the round just finished, if one was and it counted."""
    rounds = tuple({name: row[name] for name in ("contract", "tricks", "change")} for row in sheet)
    if match is None or match.finished_deal is None:
        return rounds
    last = finished(match)
    return rounds if last["change"] is None else (*rounds, last)


def _match(
    table: Mapping[str, Any], deals: Sequence[Mapping[str, Any]], events: Sequence[Mapping[str, Any]]
) -> Match | None:
    if table["first_dealer"] is None:
        return None
    earlier = deals[:-1]
    changes = [deal["change"] for deal in earlier if deal["change"] is not None]
    ruleset = RULESETS[table["ruleset"]]
    match = Match.resume(
        ruleset,
        target=table["target"],
        options=read_options(ruleset, table["options"]),
        dealer=deals[-1]["dealer"] if deals else table["first_dealer"],
        deals=len(earlier),
        dead_run=_dead_run(earlier),
        score=[sum(change[side] for change in changes) for side in (0, 1)],
        changes=changes,
    )
    if deals:
        match.start_deal(read_deck(deals[-1]["deck"]))
    for event in events:
        if event["kind"] == "act":
            match.act(event["code"], event["by"])
    return match


def _dead_run(deals: Sequence[Mapping[str, Any]]) -> int:
    run = 0
    for deal in reversed(deals):
        if deal["change"] is not None:
            break
        run += 1
    return run


def read_deck(text: str) -> list[int]:
    """The 52 cards of a stored deck, in dealt order."""
    return [CARD[code] for code in text.split()]


def acted(state: TableState, event: Mapping[str, Any], match: Match | None = None) -> TableState:
    """The state after an act event (`code`, `by`, `at`, `due_at`, `idle`, `user_id`, `request_id`).

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
    version = state.version + 1
    ended = match.deal is None
    return replace(
        state,
        version=version,
        moved=version,
        match=match,
        sheet=_added(state.sheet, match) if ended else state.sheet,
        last_at=event["at"],
        due_at=event["due_at"],
        idle=tuple(event["idle"]),
        done=done,
    )


def dealt(state: TableState, match: Match, *, at: datetime, due_at: datetime | None) -> TableState:
    """The state after a deal event; `match` is the match with the cards dealt."""
    version = state.version + 1
    return replace(state, version=version, moved=version, match=match, last_at=at, due_at=due_at)

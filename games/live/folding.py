"""A table folded from its rows: those of its deals, and the events of the last one."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any, Final

from games.live.state import RESIGNED, Sitter, TableState, Terms, added
from games.rules.cards import CARD
from games.rules.match import Match
from games.rules.ruleset import RULESETS, read_options

MOVES: Final = frozenset({"deal", "act"})


def cold(
    table: Mapping[str, Any],
    seats: Sequence[Mapping[str, Any]],
    deals: Sequence[Mapping[str, Any]],
    events: Sequence[Mapping[str, Any]],
    done: Sequence[Mapping[str, Any]],
) -> TableState:
    """The state from stored rows: deals in order (only the last with its deck), the last deal's events."""
    match = _match(table, deals, events)
    is_over = table["phase"] == "over"
    told = [event["kind"] for event in events if event["kind"] not in MOVES]
    is_paused = not is_over and next((kind == "pause" for kind in reversed(told) if kind != "last"), False)
    return TableState(
        id=table["id"],
        code=table["code"],
        version=table["version"],
        moved=max((event["version"] for event in events if event["kind"] in MOVES), default=0),
        ruleset=table["ruleset"],
        target=table["target"],
        options=table["options"],
        terms=_terms(table),
        host_id=table["host_id"],
        secret=bytes(table["secret"]),
        commitment=table["commitment"],
        salt=table["salt"],
        is_shared=table["is_shared"],
        is_by_link=table["visibility"] == "link",
        seats=tuple(_sitter(seat) for seat in seats),
        idle=tuple(table["idle"]),
        sitting_in=tuple(table["sitting_in"]),
        bank_ms=tuple(table["bank_ms"]),
        lag_ms=tuple(table["lag_ms"]),
        due_at=table["due_at"],
        last_at=_turn_began(events),
        paused=is_paused,
        paused_ms=(table["paused_ms"] or 0) if is_paused else 0,
        is_last_deal="last" in told,
        is_called=table["first_deal_seconds"] is not None,
        closed=is_over and table["result_kind"] in {"", RESIGNED},
        resigned=1 - table["winner"] if table["result_kind"] == RESIGNED else None,
        match=match,
        by="".join(event["by"] for event in events if event["kind"] == "act"),
        votes=table["votes"],
        next_code=table["next_code"],
        sheet=added([row for row in deals[:-1] if row["change"] is not None], match),
        done={(row["user_id"], row["request_id"]): row["code"] for row in done},
    )


def _terms(table: Mapping[str, Any]) -> Terms:
    given = {**table, "call_seconds": table["call_seconds"] or table["turn_seconds"]}
    return Terms(**{term.name: given[term.name] for term in fields(Terms)})


def _sitter(seat: Mapping[str, Any]) -> Sitter:
    name = seat["name"] or seat["bot"] or None
    return Sitter(seat["kind"], seat["user_id"], name, seat["bot"], bool(seat["is_guest"]), seat["arrived"])


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


def _turn_began(events: Sequence[Mapping[str, Any]]) -> datetime | None:
    """When the last deal or action was, later by as long as the table was paused since."""
    began: datetime | None = None
    paused_at: datetime | None = None
    for event in events:
        if event["kind"] in MOVES:
            began = event["at"]
        elif event["kind"] == "pause":
            paused_at = event["at"]
        elif event["kind"] == "resume" and began is not None and paused_at is not None:
            began += event["at"] - paused_at
    return began


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

"""What a decision would change: pairings, standings, tables; and what may be chosen for each pairing it reaches."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal

from django.db.models import Q, QuerySet

from games.models import Phase, Table
from tournaments.formats.event import print_pairing
from tournaments.formats.plan import Plan, diff
from tournaments.formats.results import Pairing, Standing
from tournaments.models import Act, PairingTable, TableState, Tournament
from tournaments.queries import stage_settings
from tournaments.services.awaited import is_awaited
from tournaments.services.making_up import is_bracket, newcomer

Item = Mapping[str, Any]
Stage = Literal["not-started", "in-play", "finished"]
Choice = Literal["stand", "swap", "replay", "bye"]
WITHOUT_PLAY = ("bye", "walkover")
WITH_POINTS = ("round_robin", "swiss")
# Acts that change nothing a decision could be about: of players for their own pair, and among officials.
QUIET = (
    *("leave", "substitute", "substitution", "announce", "take-objection"),
    *("object", "withdraw-objection", "official", "invite-official", "revoke-invite", "hand-over"),
)


@dataclass(frozen=True, slots=True)
class Change:
    """A pairing as it is and as it would be; None where it is not listed.

    `choices`: what an official may say of it, with what is done where nothing is said; empty where there is
    nothing to choose. `kept`: it would change, did not another match stand.
    """

    pairing: str
    before: Pairing | None
    after: Pairing | None
    stage: Stage
    table: Table | None
    choices: tuple[Choice, ...] = ()
    chosen: Choice = "swap"
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Move:
    """An entrant whose rank or points would be others."""

    entrant: str
    before: Standing | None
    after: Standing | None


@dataclass(frozen=True, slots=True)
class Compensation:
    """Points that could make up for what an entrant has suffered by a wrong result."""

    entrant: str
    points: int


@dataclass(frozen=True, slots=True)
class Preview:
    """What a decision would change. `closing`: tables in play that would not count any more.

    `token` is for `rulings.decide`: the decision is made only if it still changes just this, and no official has
    done anything meanwhile. `since`: what officials did since an earlier token was given.
    """

    item: Item
    before: Plan
    after: Plan
    changes: tuple[Change, ...]
    moves: tuple[Move, ...]
    compensations: tuple[Compensation, ...]
    closing: tuple[PairingTable, ...]
    token: str
    since: tuple[Act, ...] = ()


def consequences(
    tournament: Tournament,
    item: Item,
    before: Plan,
    after: Plan,
    *,
    also: Sequence[Item] = (),
    swapped: Plan | None = None,
    token: str = "",
) -> Preview:
    """The preview of a decision that leads from one plan to the other.

    `also`: what comes with it. `swapped`: what it would come to, did it let no later pairing stand. `token`: of an
    earlier preview of it.
    """
    reached = _reached(item, before, after)
    held = [name for name in (diff(before, swapped) if swapped else ()) if name not in set(reached)]
    rows = _rows(tournament, [*reached, *held])
    byes = {one["pairing"] for one in also if one["type"] == "rule"}
    places = _places(tournament, item, before, swapped or after, reached)
    changes = _changes(item, before, after, reached, rows, byes, places)
    changes += _kept(before, held, rows)
    moves = _moves(before, after)
    pairings = {pairing.id: pairing for pairing in after.pairings}
    closing = tuple(
        row
        for row in rows.values()
        if row.state == TableState.OPEN
        and row.table.phase != Phase.OVER
        and not is_awaited(row, pairings.get(row.pairing))
    )
    acts = official_acts(tournament)
    since = acts[_acts_of(token) :] if token else ()
    return Preview(
        item,
        before,
        after,
        changes,
        moves,
        _compensations(tournament, item, before),
        closing,
        f"{acts.count()}.{_digest(changes, moves, closing)}",
        tuple(since),
    )


def official_acts(tournament: Tournament) -> QuerySet[Act]:
    """What officials decided, in order."""
    acts = tournament.acts.exclude(actor=None).exclude(kind__in=QUIET)
    return acts.select_related("actor").order_by("number")


def _acts_of(token: str) -> int:
    acts = token.partition(".")[0]
    # Anybody can write a token: no database counts as far as it may say.
    return int(acts) if acts.isdecimal() and len(acts) < 10 else 0


def _rows(tournament: Tournament, reached: Collection[str]) -> dict[str, PairingTable]:
    """The newest table that counts of each of these pairings, and of those whose results are awaited."""
    rows = tournament.tables.exclude(state=TableState.VOID).select_related("table")
    found = rows.filter(Q(pairing__in=reached) | Q(state=TableState.OPEN))
    return {row.pairing: row for row in found.order_by("pairing", "attempt")}


def _reached(item: Item, before: Plan, after: Plan) -> list[str]:
    """The pairings that change, and those of which something is said."""
    listed = {pairing.id for pairing in before.pairings}
    # One match of several may change without its pairing's line.
    corrected = [item["pairing"]] if item["type"] == "correct" else []
    said = [pairing for pairing in (*corrected, *item.get("later", {})) if pairing in listed]
    return list(dict.fromkeys([*diff(before, after), *said]))


def _places(
    tournament: Tournament, item: Item, before: Plan, swapped: Plan, reached: Collection[str]
) -> set[str]:
    """Pairings of a bracket in which the right pair could go on without play, in the place of the wrong one."""
    if item["type"] != "correct":
        return set()
    will = {pairing.id: pairing for pairing in swapped.pairings}
    later = [p for p in before.pairings if p.id in set(reached) - {item["pairing"]}]
    found = {pairing.id for pairing in later if newcomer(pairing, will.get(pairing.id)) is not None}
    return {name for name in found if is_bracket(tournament, name)}


def _changes(
    item: Item,
    before: Plan,
    after: Plan,
    reached: Sequence[str],
    rows: Mapping[str, PairingTable],
    byes: Collection[str],
    places: Collection[str],
) -> tuple[Change, ...]:
    was = {pairing.id: pairing for pairing in before.pairings}
    will = {pairing.id: pairing for pairing in after.pairings}
    later: Mapping[str, Choice] = item.get("later", {})
    said: dict[str, Choice] = {**later, **dict.fromkeys(byes, "bye")}
    return tuple(
        _change(item, was.get(name), will.get(name), name, rows.get(name), said.get(name), name in places)
        for name in reached
    )


def _change(
    item: Item,
    before: Pairing | None,
    after: Pairing | None,
    name: str,
    row: PairingTable | None,
    said: Choice | None,
    has_place: bool,
) -> Change:
    stage = stage_of(before, row)
    choices: tuple[Choice, ...] = ()
    if item["type"] == "correct" and name != item["pairing"] and before is not None and _may_stand(before):
        choices = ("stand", "swap", "replay") if stage == "finished" else ("stand", "swap")
        choices += ("bye",) if has_place else ()
    return Change(name, before, after, stage, _table_of(before, row), choices, said or "swap")


def _kept(before: Plan, held: Collection[str], rows: Mapping[str, PairingTable]) -> tuple[Change, ...]:
    """Pairings in which all stays as it is only because of others that stand."""
    lines = [pairing for pairing in before.pairings if pairing.id in set(held)]
    found = [(line, rows.get(line.id)) for line in lines]
    return tuple(
        Change(line.id, line, line, stage_of(line, row), _table_of(line, row), kept=True)
        for line, row in found
    )


def _table_of(pairing: Pairing | None, row: PairingTable | None) -> Table | None:
    return row.table if row is not None and stage_of(pairing, row) != "not-started" else None


def _may_stand(pairing: Pairing) -> bool:
    return pairing.status in ("ready", "done") and None not in pairing.sides


def stage_of(pairing: Pairing | None, row: PairingTable | None) -> Stage:
    """How far a pairing has come: whether its match is not begun, in play, or over."""
    if pairing is None or pairing.status in ("waiting", "void"):
        return "not-started"
    if pairing.status == "done":
        return "not-started" if pairing.decided_by in WITHOUT_PLAY else "finished"
    if row is None or list(pairing.sides) != row.sides or row.table.started_at is None:
        return "not-started"
    return "finished" if row.table.phase == Phase.OVER else "in-play"


def _moves(before: Plan, after: Plan) -> tuple[Move, ...]:
    was = {standing.entrant: standing for standing in before.standings}
    moves = []
    for standing in after.standings:
        old = was.pop(standing.entrant, None)
        if old is None or (old.rank, old.points) != (standing.rank, standing.points):
            moves.append(Move(standing.entrant, old, standing))
    return (*moves, *(Move(entrant, old, None) for entrant, old in was.items()))


def _compensations(tournament: Tournament, item: Item, before: Plan) -> tuple[Compensation, ...]:
    if item["type"] != "correct":
        return ()
    pairing = next((p for p in before.pairings if p.id == item["pairing"]), None)
    fixed = stage_settings(tournament, item["pairing"])
    if pairing is None or fixed["format"] not in WITH_POINTS:
        return ()
    points = fixed.get("points", {}).get("draw", 1)
    return tuple(Compensation(side, points) for side in pairing.sides if side is not None)


def _digest(changes: Sequence[Change], moves: Sequence[Move], closing: Sequence[PairingTable]) -> str:
    shown = [
        [c.pairing, c.stage, c.before and print_pairing(c.before), c.after and print_pairing(c.after)]
        for c in changes
        if not c.kept
    ]
    moved = [
        [m.entrant, m.before and [m.before.rank, m.before.points], m.after and [m.after.rank, m.after.points]]
        for m in moves
    ]
    return sha256(json.dumps([shown, moved, sorted(row.pk for row in closing)]).encode()).hexdigest()[:24]

"""What people decide about a running tournament: forfeits, rulings, corrections; each is an item of its log."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import User
from tournaments.deadlines import NOT_STARTED
from tournaments.formats.notation import read_item
from tournaments.formats.plan import Plan, diff
from tournaments.formats.results import PlanError
from tournaments.models import PairingTable, State, TableState, Tournament
from tournaments.queries import folded, plan_of
from tournaments.services.entry import living_entry, withdraw_entry
from tournaments.services.log import append, check_organiser, locked
from tournaments.services.refusals import Refused
from tournaments.services.results import record_finished
from tournaments.services.rounds import PLAYED, advance_tournament
from tournaments.services.tables import is_awaited

Item = Mapping[str, Any]
ABOUT_ENTRANTS = ("withdraw", "disqualify", "reenter")
OFFERED = ("forfeit", "rule", "correct", *ABOUT_ENTRANTS, "undo")


@dataclass(frozen=True, slots=True)
class Preview:
    """What a decision would change. `touched`: ids of pairings; `closing`: tables that would not count."""

    before: Plan
    after: Plan
    touched: tuple[str, ...]
    closing: tuple[PairingTable, ...]
    seen: int


def preview(*, tournament: Tournament, item: Item) -> Preview:
    """What the item would change, were it decided now; nothing is stored. `seen` is for `decide`.

    Raises: Refused `not-running`, or with a code of the tournament's file.
    """
    _check_played(tournament)
    before, after = _plans(tournament, item)
    pairings = {pairing.id: pairing for pairing in after.pairings}
    rows = tournament.tables.filter(state=TableState.OPEN).select_related("table")
    closing = tuple(row for row in rows if not is_awaited(row, pairings.get(row.pairing)))
    return Preview(before, after, diff(before, after), closing, tournament.log.count())


def with_sides(tournament: Tournament, item: Item) -> Item:
    """The item, bound to the two sides its pairing has now: it is refused if they change before it is decided."""
    _check_played(tournament)
    return _bound(item, plan_of(tournament))


@transaction.atomic(durable=True)
def decide(*, tournament_id: int, actor: User, item: Item, seen: int | None = None, now: datetime) -> Plan:
    """The plan after the organiser's decision: its item in the log, tables closed and opened to fit.

    `seen` is the length of the log that the decision was made on.
    Raises: Refused `not-organiser`, `not-running`, `moved-on`, or with a code of the tournament's file.
    """
    tournament = locked(tournament_id)
    check_organiser(tournament, actor)
    _check_played(tournament)
    record_finished(tournament, now)
    if seen is not None and seen != tournament.log.count():
        raise Refused("moved-on")
    return apply_item(tournament, item, actor, now)


@transaction.atomic(durable=True)
def leave(*, tournament_id: int, user: User, now: datetime) -> Tournament:
    """The tournament, without this player's pair: before the start it is as if never entered; later its opponents
    get walkovers and its results stand.

    Raises: Refused `not-entered`, `already-over`, `out`.
    """
    tournament = locked(tournament_id)
    entry = living_entry(tournament, user)
    if entry is None:
        raise Refused("not-entered")
    if tournament.state in NOT_STARTED:
        withdraw_entry(tournament, entry, now)
        return tournament
    if tournament.state != State.RUNNING:
        raise Refused("already-over")
    record_finished(tournament, now)
    plan = plan_of(tournament)
    if plan.finished:
        raise Refused("already-over")
    if not _still_in(plan, entry.ident):
        raise Refused("out")
    apply_item(tournament, {"type": "withdraw", "entrant": entry.ident}, user, now)
    return tournament


def apply_item(tournament: Tournament, item: Item, actor: User, now: datetime) -> Plan:
    """The plan after the item, which is now the newest of the locked, started tournament's log.

    Raises: Refused with a code of the tournament's file.
    """
    before, _after = _plans(tournament, item)
    append(tournament, dict(_bound(item, before)), actor=actor, now=now)
    if item["type"] in ABOUT_ENTRANTS:
        _mark(tournament, str(item["entrant"]), gone=item["type"] != "reenter", now=now)
    return advance_tournament(tournament, now)


def _plans(tournament: Tournament, item: Item) -> tuple[Plan, Plan]:
    fold = folded(tournament)
    before = fold.plan()
    try:
        fold.add(read_item(item))
    except PlanError as error:
        raise Refused(error.code) from error
    return before, fold.plan()


def _bound(item: Item, plan: Plan) -> Item:
    pairings = {pairing.id: pairing for pairing in plan.pairings}
    pairing = pairings.get(item.get("pairing", ""))
    if pairing is None or None in pairing.sides or "sides" in item:
        return item
    return {**item, "sides": list(pairing.sides)}


def _mark(tournament: Tournament, ident: str, *, gone: bool, now: datetime) -> None:
    entry = tournament.entries.get(number=int(ident.removeprefix("e")))
    entry.withdrawn_at = now if gone else None
    entry.save(update_fields=["withdrawn_at"])
    entry.members.update(active=not gone)


def _still_in(plan: Plan, ident: str) -> bool:
    return any(standing.entrant == ident and standing.still_in for standing in plan.standings)


def _check_played(tournament: Tournament) -> None:
    if tournament.state not in PLAYED:
        raise Refused("not-running")

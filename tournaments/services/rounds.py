"""Starting a tournament, calling it off, and keeping its tables as its plan says."""

from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.db import transaction

from accounts.models import User
from tournaments.formats.names import read_name
from tournaments.formats.plan import Plan
from tournaments.formats.results import Pairing
from tournaments.live import ring_after_commit
from tournaments.models import CancelReason, Entry, Format, PairingTable, State, Tournament
from tournaments.queries import log_items, plan_of, stage_settings
from tournaments.services.entry import accepted_entries
from tournaments.services.log import append, check_organiser, locked
from tournaments.services.refusals import Refused
from tournaments.services.tables import free, is_awaited, open_rows, open_tables, void

FEWEST = 2
PLAYED = (State.RUNNING, State.FINISHED)


@transaction.atomic(durable=True)
def start(*, tournament_id: int, actor: User, now: datetime) -> Tournament:
    """The tournament, started by its organiser: seeds drawn, tables open. Starting it twice changes nothing.

    Raises: Refused `not-organiser`, `not-open` where it was called off, `too-few-entries`.
    """
    tournament = locked(tournament_id)
    check_organiser(tournament, actor)
    if tournament.state in PLAYED:
        return tournament
    if tournament.state != State.OPEN:
        raise Refused("not-open")
    if len(accepted_entries(tournament)) < FEWEST:
        raise Refused("too-few-entries")
    return start_tournament(tournament, now)


@transaction.atomic(durable=True)
def start_due(*, tournament_id: int, now: datetime) -> Tournament:
    """The tournament, started if its hour has come, or called off where fewer than two pairs have entered."""
    tournament = locked(tournament_id)
    if tournament.state != State.OPEN or tournament.starts_at > now:
        return tournament
    if len(accepted_entries(tournament)) < FEWEST:
        return cancel_tournament(tournament, CancelReason.TOO_FEW, now)
    return start_tournament(tournament, now)


@transaction.atomic(durable=True)
def cancel(*, tournament_id: int, actor: User, now: datetime) -> Tournament:
    """The tournament, called off by its organiser; its tables in play are closed.

    Raises: Refused `not-organiser`, `already-over`.
    """
    tournament = locked(tournament_id)
    check_organiser(tournament, actor)
    if tournament.state in (State.FINISHED, State.CANCELLED):
        raise Refused("already-over")
    return cancel_tournament(tournament, CancelReason.ORGANISER, now)


@transaction.atomic(durable=True)
def advance(*, tournament_id: int, now: datetime) -> Plan | None:
    """The plan of a started tournament, its tables opened and closed to fit; None before the start."""
    tournament = locked(tournament_id)
    return advance_tournament(tournament, now) if tournament.state in PLAYED else None


def start_tournament(tournament: Tournament, now: datetime) -> Tournament:
    """The locked, open tournament of two or more entries, running; invitations not answered lapse."""
    by_number = {entry.number: entry for entry in accepted_entries(tournament)}
    for seed, number in enumerate(seed_order(tournament.lot, by_number), 1):
        by_number[number].seed = seed
    Entry.objects.bulk_update(by_number.values(), ["seed"])
    tournament.members.filter(entry__seed__isnull=True).update(active=False)
    tournament.state, tournament.started_at = State.RUNNING, now
    tournament.settings = _with_seeds(tournament.settings, tournament.lot)
    tournament.save(update_fields=["state", "started_at", "settings"])
    advance_tournament(tournament, now)
    return tournament


def seed_order(lot: str, numbers: Iterable[int]) -> list[int]:
    """Entry numbers, best seed first, in the order of SHA-256(lot|0|entry): anyone can check the draw."""
    return sorted(numbers, key=lambda number: sha256(f"{lot}|0|e{number}".encode()).digest())


def _with_seeds(fixed: dict[str, Any], lot: str) -> dict[str, Any]:
    """The settings with the number that all further lots follow from: nobody could choose it, anyone can check it."""
    seed = int(sha256(lot.encode()).hexdigest()[:8], 16)
    stages = [{"seed": seed + place, **stage} for place, stage in enumerate(fixed.get("stages", ()), 1)]
    return {"seed": seed, **fixed} | ({"stages": stages} if stages else {})


def cancel_tournament(tournament: Tournament, reason: CancelReason, now: datetime) -> Tournament:
    """The locked tournament, called off: its tables close, its players are free."""
    for row in open_rows(tournament):
        void(row, now)
    tournament.members.update(active=False)
    tournament.state, tournament.cancel_reason, tournament.finished_at = State.CANCELLED, reason, now
    tournament.save(update_fields=["state", "cancel_reason", "finished_at"])
    ring_after_commit(tournament)
    return tournament


def advance_tournament(tournament: Tournament, now: datetime, *, accepted: bool = False) -> Plan:
    """The plan of the locked, started tournament. Pairings that may be played get tables; other tables are closed.

    A table that is over keeps its place until its result is recorded. Running it again changes nothing. Where the
    plan has changed and the log has not, nothing is done until an official has `accepted` it.
    """
    result = plan_of(tournament)
    items = tournament.log.count()
    awaited, stale = _sorted(open_rows(tournament), result)
    if stale and items == tournament.settled_items and not accepted:
        _wait(tournament, now)
        return result
    for row in stale:
        void(row, now)
    if publish_rounds(tournament, result, now):
        items = tournament.log.count()
    _settle(tournament, result, items, now)
    if tournament.paused_at is None:
        open_tables(tournament, playable(result, awaited), now)
    ring_after_commit(tournament)
    return result


def _sorted(rows: Iterable[PairingTable], result: Plan) -> tuple[list[PairingTable], list[PairingTable]]:
    """The tables that their pairings wait for, and those that count no more."""
    pairings = {pairing.id: pairing for pairing in result.pairings}
    awaited: list[PairingTable] = []
    stale: list[PairingTable] = []
    for row in rows:
        (awaited if is_awaited(row, pairings.get(row.pairing)) else stale).append(row)
    return awaited, stale


def _wait(tournament: Tournament, now: datetime) -> None:
    if tournament.differs_since is None:
        tournament.differs_since = now
        tournament.save(update_fields=["differs_since"])
        ring_after_commit(tournament)


def playable(result: Plan, awaited: Iterable[PairingTable]) -> list[Pairing]:
    """The pairings without a table that may be played now: both sides are free."""
    rows = list(awaited)
    with_table = {row.pairing for row in rows}
    ready = [pairing for pairing in result.pairings if pairing.status == "ready"]
    busy = {side for row in rows for side in row.sides}
    return free((pairing for pairing in ready if pairing.id not in with_table), busy)


def publish_rounds(tournament: Tournament, result: Plan, now: datetime) -> bool:
    """Whether the log now states a Swiss round that it had not: what is published is never made anew."""
    stated = {
        (item.get("stage", 0), item["round"]) for item in log_items(tournament) if item["type"] == "round"
    }
    made: dict[tuple[int, int], list[Pairing]] = {}
    for pairing in result.pairings:
        name = read_name(pairing.id)
        if name.part == "R" and stage_settings(tournament, pairing.id)["format"] == Format.SWISS:
            made.setdefault((name.stage, name.round), []).append(pairing)
    new = [key for key in made if key not in stated]
    for stage, round_ in new:
        append(tournament, _round_item(stage, round_, made[stage, round_]), actor=None, now=now)
    return bool(new)


def _round_item(stage: int, round_: int, pairings: Iterable[Pairing]) -> dict[str, Any]:
    sides = [list(pairing.sides) for pairing in pairings]
    item = {
        "type": "round",
        "round": round_,
        "pairings": [pair for pair in sides if None not in pair],
        "bye": next((pair[0] for pair in sides if None in pair), None),
    }
    return item | ({"stage": stage} if stage else {})


def _settle(tournament: Tournament, result: Plan, items: int, now: datetime) -> None:
    """Crowns the champion of a finished plan; a correction may also take a finished tournament up again."""
    champion = None
    if result.champion is not None:
        champion = tournament.entries.get(number=int(result.champion.removeprefix("e")))
    state = State.FINISHED if result.finished else State.RUNNING
    if state != tournament.state:
        tournament.finished_at = now if result.finished else None
    tournament.state, tournament.champion = state, champion
    tournament.settled_items, tournament.differs_since = items, None
    tournament.save(update_fields=["state", "champion", "finished_at", "settled_items", "differs_since"])


def unsettled(tournament: Tournament) -> bool:
    """Whether a running tournament's tables are not as its plan says; read without a lock."""
    result = plan_of(tournament)
    awaited, stale = _sorted(open_rows(tournament), result)
    if stale and tournament.differs_since is not None:
        return False
    waits = tournament.paused_at is None and playable(result, awaited)
    return result.finished or bool(stale) or bool(waits)

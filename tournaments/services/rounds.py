"""Starting a tournament, calling it off, and keeping its tables as its plan says."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial
from hashlib import sha256

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Q

from accounts.models import User
from games.models import Phase, Seek
from games.rules.ruleset import RULESETS, Options
from games.services import drain, quick
from games.services.opening import start_match_table
from games.services.seating import close, hold_casual
from tournaments.formats.plan import Plan
from tournaments.formats.results import Pairing
from tournaments.live import ring_after_commit
from tournaments.models import CancelReason, Entry, PairingTable, State, TableState, Tournament
from tournaments.queries import entrants, plan_of
from tournaments.services.entry import accepted_entries
from tournaments.services.log import check_organiser, locked
from tournaments.services.refusals import Refused

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
    tournament.save(update_fields=["state", "started_at"])
    advance_tournament(tournament, now)
    return tournament


def seed_order(lot: str, numbers: Iterable[int]) -> list[int]:
    """Entry numbers, best seed first, in the order of SHA-256(lot|0|entry): anyone can check the draw."""
    return sorted(numbers, key=lambda number: sha256(f"{lot}|0|e{number}".encode()).digest())


def cancel_tournament(tournament: Tournament, reason: CancelReason, now: datetime) -> Tournament:
    """The locked tournament, called off: its tables close, its players are free."""
    for row in _open_rows(tournament):
        _void(row, now)
    tournament.members.update(active=False)
    tournament.state, tournament.cancel_reason, tournament.finished_at = State.CANCELLED, reason, now
    tournament.save(update_fields=["state", "cancel_reason", "finished_at"])
    ring_after_commit(tournament)
    return tournament


def advance_tournament(tournament: Tournament, now: datetime) -> Plan:
    """The plan of the locked, started tournament. Every ready pairing gets its table; other tables are closed.

    A table that is over keeps its place until its result is recorded. Running it again changes nothing.
    """
    taking_part = entrants(tournament)
    result = plan_of(tournament, taking_part)
    ready = {pairing.id: pairing for pairing in result.pairings if pairing.status == "ready"}
    for row in _open_rows(tournament):
        if is_awaited(row, ready.get(row.pairing)):
            del ready[row.pairing]
        else:
            _void(row, now)
    _open_tables(tournament, taking_part, list(ready.values()), now)
    _settle(tournament, taking_part, result, now)
    ring_after_commit(tournament)
    return result


def is_awaited(row: PairingTable, pairing: Pairing | None) -> bool:
    """Whether a table is the one its pairing waits for: the pairing is ready, and for the same two sides."""
    return pairing is not None and pairing.status == "ready" and list(pairing.sides) == row.sides


def _open_rows(tournament: Tournament) -> list[PairingTable]:
    return list(tournament.tables.filter(state=TableState.OPEN).select_related("table").order_by("pk"))


def _void(row: PairingTable, now: datetime) -> None:
    row.state = TableState.VOID
    row.save(update_fields=["state"])
    if row.table.phase != Phase.OVER:
        close(table_id=row.table_id, now=now)


def _open_tables(
    tournament: Tournament, taking_part: Iterable[Entry], pairings: Sequence[Pairing], now: datetime
) -> None:
    # While the site drains its pairings wait; the sweep opens their tables afterwards.
    if not pairings or drain.since() is not None:
        return
    players = {entry.ident: [member.user for member in entry.members.all()] for entry in taking_part}
    called = [user for pairing in pairings for side in pairing.sides if side for user in players[side]]
    hold_casual(called)
    _take_wishes_back(called)
    attempts = dict(tournament.tables.values_list("pairing").annotate(Max("attempt")))
    for pairing in pairings:
        first, second = (players[side] for side in pairing.sides if side is not None)
        table = start_match_table(
            ruleset=tournament.ruleset,
            target=tournament.target,
            options=Options(round_cap=tournament.round_cap).changed(RULESETS[tournament.ruleset]),
            turn_seconds=tournament.turn_seconds,
            call_seconds=tournament.call_seconds,
            bank_seconds=tournament.bank_seconds,
            absence=tournament.absence,
            watch_delay=tournament.watch_delay,
            # Partners sit opposite: side 0 on seats 0 and 2, side 1 on seats 1 and 3.
            users=[first[0], second[0], first[1], second[1]],
            title=tournament.name,
            back_url=tournament.get_absolute_url(),
            first_deal_seconds=settings.TOURNAMENT_FIRST_DEAL_SECONDS,
            now=now,
        )
        tournament.tables.create(
            pairing=pairing.id,
            attempt=attempts.get(pairing.id, 0) + 1,
            sides=list(pairing.sides),
            table=table,
        )


def _take_wishes_back(called: Sequence[User]) -> None:
    """Once it is committed, who was called waits for no quick match any more."""
    wishes = Seek.objects.filter(Q(user__in=called) | Q(partner__in=called, accepted=True), table=None)
    for wish in wishes.select_related("user"):
        # Not at once: who holds the lock of the wishes may wait for the tables that are held here.
        transaction.on_commit(partial(quick.stop, user=wish.user), robust=True)


def _settle(tournament: Tournament, taking_part: Iterable[Entry], result: Plan, now: datetime) -> None:
    """Crowns the champion of a finished plan; a correction may also take a finished tournament up again."""
    champion = next((entry for entry in taking_part if entry.ident == result.champion), None)
    state = State.FINISHED if result.finished else State.RUNNING
    if (tournament.state, tournament.champion_id) == (state, champion and champion.pk):
        return
    if state != tournament.state:
        tournament.finished_at = now if result.finished else None
    tournament.state, tournament.champion = state, champion
    tournament.save(update_fields=["state", "champion", "finished_at"])


def unsettled(tournament: Tournament) -> bool:
    """Whether a running tournament's tables are not as its plan says; read without a lock."""
    result = plan_of(tournament)
    open_rows = {row.pairing: row for row in _open_rows(tournament)}
    ready = [pairing for pairing in result.pairings if pairing.status == "ready"]
    fitting = [
        pairing for pairing in ready if pairing.id in open_rows and is_awaited(open_rows[pairing.id], pairing)
    ]
    return result.finished or len(fitting) != len(ready) or len(open_rows) != len(ready)

"""Keeping a tournament's tables as its plan says: the one place that opens and closes them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.notices import notify_each
from accounts.text import isolate
from tournaments.formats.names import read_name
from tournaments.formats.plan import Plan
from tournaments.formats.results import Pairing
from tournaments.live import go_on_after_commit, ring_after_commit
from tournaments.models import ObjectionState, PairingTable, State, TableState, Tournament
from tournaments.queries import playing
from tournaments.services.actions import check
from tournaments.services.awaited import Awaited, OpenRow, is_awaited, open_values
from tournaments.services.book import Book
from tournaments.services.log import locked, record_act
from tournaments.services.pace import Rounds
from tournaments.services.permissions import require
from tournaments.services.refusals import Refused
from tournaments.services.repairing import round_item, swiss_stages
from tournaments.services.tables import close_stale, free, open_tables
from tournaments.services.telling import tell_officials, walkover

LEAVING = ("withdraw", "disqualify")
PLAYED = (State.RUNNING, State.FINISHED)
# However quiet it is, a running tournament is looked after so often.
LOOK_AGAIN = timedelta(minutes=2)


def advance_tournament(
    tournament: Tournament, now: datetime, *, book: Book | None = None, accepted: bool = False
) -> Plan:
    """The plan of the locked, started tournament. Pairings that may be played get tables; other tables are closed.

    A table that is over keeps its place until its result is recorded. Running it again changes nothing. Where the
    plan has changed and the log has not, nothing is done until an official has `accepted` it. `book`: its log,
    where it was read in this transaction already.
    """
    book = book or Book(tournament)
    awaited, stale = _sorted(tournament, book.pairings)
    if _differs(book, stale) and not accepted:
        return _wait(book, now)
    close_stale(tournament, stale, book.pairings, now)
    _tell_of_departures(book, {row.pairing for row in stale}, now)
    publish_rounds(book, now)
    _settle(book, now)
    waits = _go_on(book, awaited, now) if tournament.state == State.RUNNING else None
    tournament.due_at = _due_at(tournament, awaited, now, waits)
    tournament.save(update_fields=SETTLED)
    ring_after_commit(tournament)
    return book.plan


SETTLED = (
    *("state", "champion", "finished_at", "paused_at", "due_at"),
    *("settled_items", "settled_plan", "differs_since"),
)


@transaction.atomic(durable=True)
def accept_plan(*, tournament_id: int, actor: User, reason: str = "", now: datetime) -> Plan:
    """The plan, which differed from the tables without a decision: an official takes it over; tables are as it says.

    Raises: Refused `not-organiser`, `not-your-role`, `not-running`, `nothing-differs`.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "decide")
    if tournament.state not in PLAYED:
        raise Refused("not-running")
    if tournament.differs_since is None:
        raise Refused("nothing-differs")
    book = Book(tournament)
    check(actor, tournament, "accept-plan", now=now)
    found = differences(tournament, book.plan)
    before = [{"id": row.pairing, "sides": row.sides} for row, _pairing in found]
    after = [{"id": pairing.id, "sides": list(pairing.sides)} for _row, pairing in found if pairing]
    record_act(tournament, "accept-plan", actor=actor, now=now, before=before, after=after, reason=reason)
    return advance_tournament(tournament, now, book=book, accepted=True)


def differences(tournament: Tournament, plan: Plan) -> list[tuple[PairingTable, Pairing | None]]:
    """The tables that count and are not for the sides their pairings have in the plan; None: no such pairing."""
    pairings = {pairing.id: pairing for pairing in plan.pairings}
    newest: dict[str, PairingTable] = {}
    for row in tournament.tables.exclude(state=TableState.VOID).order_by("pairing", "attempt"):
        newest[row.pairing] = row
    found = [(row, pairings.get(row.pairing)) for row in newest.values()]
    return [(row, pairing) for row, pairing in found if pairing is None or list(pairing.sides) != row.sides]


def _sorted(
    tournament: Tournament, pairings: Mapping[str, Pairing]
) -> tuple[list[Awaited], list[PairingTable]]:
    """The tables that their pairings wait for, and those that count no more."""
    awaited: list[Awaited] = []
    stale: list[OpenRow] = []
    for row in open_values(tournament):
        (awaited if is_awaited(row, pairings.get(row.pairing)) else stale).append(row)
    if not stale:
        return awaited, []
    return awaited, list(tournament.tables.filter(pk__in=[row.pk for row in stale]).order_by("pk"))


def _differs(book: Book, stale: Sequence[PairingTable]) -> bool:
    """Whether the plan is another than the tables were last brought in line with, though nobody decided anything."""
    tournament = book.tournament
    if book.count != tournament.settled_items:
        # What was decided meanwhile does not take over what was held back before.
        return tournament.differs_since is not None
    settled = tournament.settled_plan
    return bool(stale) or (settled != "" and settled != meetings(book.plan))


def meetings(plan: Plan) -> str:
    """A digest of who meets whom in which pairing, as far as both are known."""
    known = sorted(f"{p.id} {p.sides[0]} {p.sides[1]}" for p in plan.pairings if None not in p.sides)
    return sha256("\n".join(known).encode()).hexdigest()


def _wait(book: Book, now: datetime) -> Plan:
    hold_back(book.tournament, now)
    return book.plan


def hold_back(tournament: Tournament, now: datetime) -> None:
    """Nothing of the locked tournament moves until an official has looked at it; all who may do so are told."""
    if tournament.differs_since is None:
        tournament.differs_since = now
        record_act(tournament, "plan-differs", actor=None, now=now)
        name = isolate(tournament.name)

        def say() -> str:
            said = _(
                "%(tournament)s: its pairings are not as its log says. Nothing is opened until you decide."
            )
            return said % {"tournament": name}

        key = f"tournament-{tournament.pk}-differs-{now:%Y%m%d%H%M%S}"
        tell_officials(tournament, "decide", key, say, now, by_mail=True)
        ring_after_commit(tournament)
    tournament.due_at = now + LOOK_AGAIN
    tournament.save(update_fields=["differs_since", "due_at"])


def _go_on(book: Book, awaited: list[Awaited], now: datetime) -> datetime | None:
    """Opens what may be played, beside the tables that are awaited; when to look again for what may not yet."""
    tournament = book.tournament
    if tournament.paused_at is not None:
        return None
    rounds = Rounds(tournament)
    for key in rounds.open_next(book.plan.pairings, now):
        _ask_to_open(tournament, key, now)
    opening = open_tables(tournament, playable(book.plan, awaited, rounds, now), now)
    awaited += opening.opened
    if opening.is_partial:
        go_on_after_commit(tournament)
    if opening.waiting or opening.is_partial:
        return now
    return rounds.next_at(book.plan.pairings, now)


def playable(plan: Plan, awaited: Iterable[Awaited], rounds: Rounds, now: datetime) -> list[Pairing]:
    """The pairings without a table that may be played now: their round is open, and both sides are free."""
    rows = list(awaited)
    with_table = {row.pairing for row in rows}
    # Who has played and waits for the result to be confirmed may play another match meanwhile.
    busy = {side for row in rows if row.state == TableState.OPEN for side in row.sides}
    ready = (p for p in plan.pairings if p.status == "ready" and p.id not in with_table)
    return free((pairing for pairing in ready if rounds.may_play(pairing, now)), busy)


def _tell_of_departures(book: Book, told: Collection[str], now: datetime) -> None:
    """Whoever was to meet a pair that left, and had no table yet, learns that there is nobody to play."""
    left = {str(item["entrant"]) for item in book.news if item["type"] in LEAVING}
    won = [
        pairing
        for pairing in book.plan.pairings
        if left.intersection(pairing.sides) and pairing.decided_by == "walkover" and pairing.id not in told
    ]
    if not won:
        return
    users = playing(book.tournament, {pairing.winner for pairing in won if pairing.winner})
    tellings = [walkover(book.tournament, pairing, users) for pairing in won if pairing.winner]
    notify_each(tellings, now=now)


def _ask_to_open(tournament: Tournament, key: str, now: datetime) -> None:
    name = isolate(tournament.name)

    def say() -> str:
        return _("%(tournament)s: the round is over. Open the next one when all are ready.") % {
            "tournament": name
        }

    tell_officials(tournament, "rounds", f"tournament-{tournament.pk}-open-{key}", say, now)


def _due_at(
    tournament: Tournament, awaited: Iterable[Awaited], now: datetime, waits: datetime | None
) -> datetime | None:
    """When a running tournament must be looked after again: at its next deadline."""
    if tournament.state != State.RUNNING or tournament.paused_at is not None:
        return None
    hours = [now + LOOK_AGAIN, *([waits] if waits else []), *_deadlines(tournament, awaited)]
    # What is past was looked at just now; it is looked at again in the next sweep.
    return max(now, min(hours))


def _deadlines(tournament: Tournament, awaited: Iterable[Awaited]) -> list[datetime]:
    """The deadlines of the tables; a result that somebody objects to waits for a referee, not for an hour."""
    rows = list(awaited)
    disputed: set[int | None] = set()
    if any(row.state == TableState.HELD for row in rows):
        asked = tournament.objections.filter(state=ObjectionState.OPEN)
        disputed = set(asked.values_list("table", flat=True))
    found: list[datetime | None] = []
    for row in rows:
        if row.state == TableState.OPEN:
            found += [row.call_at, row.late_at, row.limit_at if row.limited_at is None else None]
        elif row.pk not in disputed:
            found.append(row.final_at)
    return [hour for hour in found if hour is not None]


def publish_rounds(book: Book, now: datetime) -> bool:
    """Whether the log now states a Swiss round that it had not: what is published is never made anew."""
    stages = swiss_stages(book.tournament)
    if not stages:
        return False
    made: dict[tuple[int, int], list[Pairing]] = {}
    for pairing in book.plan.pairings:
        name = read_name(pairing.id)
        if name.part == "R" and name.stage in stages and (name.stage, name.round) not in book.rounds:
            made.setdefault((name.stage, name.round), []).append(pairing)
    for stage, round_ in sorted(made):
        book.write(round_item(stage, round_, made[stage, round_]), actor=None, now=now)
    return bool(made)


def _settle(book: Book, now: datetime) -> None:
    """Crowns the champion of a finished plan; a correction may also take a finished tournament up again."""
    tournament, plan = book.tournament, book.plan
    champion = None
    if plan.champion is not None:
        champion = tournament.entries.get(number=int(plan.champion.removeprefix("e")))
    state = State.FINISHED if plan.finished else State.RUNNING
    if state != tournament.state:
        tournament.finished_at = now if plan.finished else None
    if plan.finished:
        tournament.paused_at = None
    tournament.state, tournament.champion = state, champion
    tournament.settled_items, tournament.settled_plan = book.count, meetings(plan)
    tournament.differs_since = None

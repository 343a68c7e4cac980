"""The tables of a tournament's pairings: opened when they may be played, closed when they no longer count."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Q

from accounts.models import User
from games.models import Phase, Seek
from games.rules.ruleset import RULESETS, Options
from games.services import drain, quick
from games.services.opening import start_match_table
from games.services.seating import close, hold_casual
from tournaments.formats.results import Pairing
from tournaments.models import PairingTable, TableState, Tournament
from tournaments.queries import playing


def is_awaited(row: PairingTable, pairing: Pairing | None) -> bool:
    """Whether a table is the one its pairing waits for: the pairing is ready, and for the same two sides."""
    return pairing is not None and pairing.status == "ready" and list(pairing.sides) == row.sides


def open_rows(tournament: Tournament) -> list[PairingTable]:
    """The tables whose results are awaited, or wait to be confirmed, oldest first."""
    rows = tournament.tables.filter(state__in=(TableState.OPEN, TableState.HELD))
    return list(rows.select_related("table").order_by("pk"))


def void(row: PairingTable, now: datetime) -> None:
    """The table counts no more; a match in play there is closed."""
    row.state = TableState.VOID
    row.save(update_fields=["state"])
    if row.table.phase != Phase.OVER:
        close(table_id=row.table_id, now=now)


def free(ready: Iterable[Pairing], busy: Collection[str]) -> list[Pairing]:
    """The ready pairings, in order, of which neither side plays elsewhere; each side once."""
    taken = set(busy)
    chosen = []
    for pairing in ready:
        if taken.isdisjoint(pairing.sides):
            chosen.append(pairing)
            taken.update(side for side in pairing.sides if side)
    return chosen


def open_tables(tournament: Tournament, pairings: Sequence[Pairing], now: datetime) -> list[PairingTable]:
    """A table for each of the ready pairings, for which none is open; none while the site drains."""
    # While the site drains its pairings wait; the sweep opens their tables afterwards.
    if not pairings or drain.since() is not None:
        return []
    users = playing(tournament, {side for pairing in pairings for side in pairing.sides if side})
    called = [user for pair in users.values() for user in pair]
    hold_casual(called)
    _take_wishes_back(called)
    attempts = dict(tournament.tables.values_list("pairing").annotate(Max("attempt")))
    return [_open(tournament, pairing, attempts.get(pairing.id, 0) + 1, users, now) for pairing in pairings]


def _open(
    tournament: Tournament,
    pairing: Pairing,
    attempt: int,
    users: Mapping[str, Sequence[User]],
    now: datetime,
) -> PairingTable:
    first, second = (users[side] for side in pairing.sides if side is not None)
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
    return tournament.tables.create(
        pairing=pairing.id, attempt=attempt, sides=list(pairing.sides), table=table, opened_at=now
    )


def _take_wishes_back(called: Sequence[User]) -> None:
    """Once it is committed, who was called waits for no quick match any more."""
    wishes = Seek.objects.filter(Q(user__in=called) | Q(partner__in=called, accepted=True), table=None)
    for wish in wishes.select_related("user"):
        # Not at once: who holds the lock of the wishes may wait for the tables that are held here.
        transaction.on_commit(partial(quick.stop, user=wish.user), robust=True)

"""The tables of a tournament's pairings: opened when they may be played, closed when they no longer count."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import count

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Q

from accounts.bulk import insert_all
from accounts.models import User
from accounts.notices import Telling, notify_each
from games.models import Seek
from games.rules.ruleset import RULESETS, Options
from games.services import drain, quick
from games.services.moving import close_all, hold
from games.services.opening import MatchSpec, start_match_tables
from games.services.ratings import overrule
from tournaments.formats.results import Pairing
from tournaments.models import PairingTable, TableState, Tournament
from tournaments.queries import stage_settings
from tournaments.services.crews import Crew, crews, report_short
from tournaments.services.elsewhere import called_elsewhere, playing_elsewhere
from tournaments.services.telling import closed, entered, lost, ready, side_users

# Whoever is late forfeits before the cards are dealt; where nobody was there to say so, play begins all the same.
DEALT_LATER = timedelta(minutes=1)
# So many tables are opened in one transaction: play begins at the first of thousands at once, and nobody who wants
# something of the tournament waits long.
PORTION = 256


@dataclass(frozen=True, slots=True)
class Opening:
    """The tables opened for pairings that may be played, and the pairings that wait for somebody.

    `is_partial`: others have not been looked at, their turn is next.
    """

    opened: list[PairingTable]
    waiting: list[Pairing]
    is_partial: bool = False


def void(row: PairingTable, now: datetime) -> None:
    """The table counts no more; see `void_all`."""
    void_all([row], now)


def void_all(rows: Sequence[PairingTable], now: datetime) -> None:
    """These tables count no more; matches in play there are closed."""
    if not rows:
        return
    for row in rows:
        row.state = TableState.VOID
    PairingTable.objects.filter(pk__in=[row.pk for row in rows]).update(state=TableState.VOID)
    tables = [row.table_id for row in rows]
    hold(tables)
    close_all(tables, now)


def close_stale(
    tournament: Tournament, rows: Sequence[PairingTable], pairings: Mapping[str, Pairing], now: datetime
) -> None:
    """Tables that their pairings do not wait for any more count no more; their players are told why."""
    if not rows:
        return
    overrule(not_taken(rows, pairings), now=now)
    void_all(rows, now)
    seated = side_users(rows)
    told = [closed(tournament, row, pairings.get(row.pairing), seated[row.pk]) for row in rows]
    notify_each([telling for tellings in told for telling in tellings], now=now)


def not_taken(rows: Iterable[PairingTable], pairings: Mapping[str, Pairing]) -> list[int]:
    """The tables, of those that count no more, whose pairings are between the same two sides: decided otherwise."""
    found = [(row, pairings.get(row.pairing)) for row in rows]
    return [
        row.table_id for row, pairing in found if pairing is not None and list(pairing.sides) == row.sides
    ]


def close_lost(tournament: Tournament, row: PairingTable, gone: int, now: datetime) -> None:
    """This match of several is lost by a side that did not come; both sides are told, and the next one is opened."""
    void_all([row], now)
    notify_each(lost(tournament, row, gone, side_users([row])[row.pk]), now=now)


def close_entered(tournament: Tournament, pairing: str, now: datetime) -> None:
    """What is in play for this pairing counts no more: an official has entered how it ended."""
    rows = list(tournament.tables.filter(pairing=pairing, state=TableState.OPEN))
    overrule([row.table_id for row in rows], now=now)
    void_all(rows, now)
    seated = side_users(rows)
    notify_each([one for row in rows for one in entered(tournament, row, seated[row.pk])], now=now)


def free(ready: Iterable[Pairing], busy: Collection[str]) -> list[Pairing]:
    """The ready pairings, in order, of which neither side plays elsewhere; each side once."""
    taken = set(busy)
    chosen = []
    for pairing in ready:
        if taken.isdisjoint(pairing.sides):
            chosen.append(pairing)
            taken.update(side for side in pairing.sides if side)
    return chosen


def open_tables(tournament: Tournament, pairings: Sequence[Pairing], now: datetime) -> Opening:
    """A table for each of the ready pairings, for which none is open, or for the first few hundred of them.

    None while the site drains. A pairing waits while one of its players plays in another tournament, or where a
    pair is short-handed.
    """
    if not pairings:
        return Opening([], [])
    # While the site drains its pairings wait; the sweep opens their tables afterwards.
    if drain.since() is not None:
        return Opening([], list(pairings))
    found, able, waiting, left = _portion(tournament, pairings, now)
    users = [user for pairing in able for crew in _sides(pairing, found) for user in crew.users]
    playable, busy = _parted(able, found, called_elsewhere(tournament, users))
    return Opening(_opened(tournament, playable, found, now), waiting + busy, is_partial=bool(left))


def _portion(
    tournament: Tournament, pairings: Sequence[Pairing], now: datetime
) -> tuple[dict[str, Crew], list[Pairing], list[Pairing], Sequence[Pairing]]:
    """Crews, the pairings that can be played as it seems, those that wait, and what is left for another time.

    Who waits takes no place of one who could play.
    """
    # Looked up without holding anybody; whoever is chosen is asked for again, and held.
    away = playing_elsewhere(tournament) if len(pairings) > PORTION else set()
    found: dict[str, Crew] = {}
    able: list[Pairing] = []
    waiting: list[Pairing] = []
    left = pairings
    while left and len(able) < PORTION:
        some, left = left[:PORTION], left[PORTION:]
        found |= crews(tournament, {side for pairing in some for side in pairing.sides if side}, now)
        short = [pairing for pairing in some if any(crew.is_short for crew in _sides(pairing, found))]
        report_short(tournament, short, found, now)
        can, cannot = _parted(some, found, away)
        able += can
        waiting += cannot
    return found, able, waiting, left


def _parted(
    pairings: Iterable[Pairing], found: Mapping[str, Crew], busy: Collection[int]
) -> tuple[list[Pairing], list[Pairing]]:
    """The pairings of which everybody can play, and the others."""
    can: list[Pairing] = []
    cannot: list[Pairing] = []
    for pairing in pairings:
        is_able = all(_can_play(crew, busy) for crew in _sides(pairing, found))
        (can if is_able else cannot).append(pairing)
    return can, cannot


def _can_play(crew: Crew, busy: Collection[int]) -> bool:
    return not crew.is_short and all(user.pk not in busy for user in crew.users)


def _sides(pairing: Pairing, found: Mapping[str, Crew]) -> list[Crew]:
    return [found[side] for side in pairing.sides if side is not None]


def _opened(
    tournament: Tournament, pairings: Sequence[Pairing], found: Mapping[str, Crew], now: datetime
) -> list[PairingTable]:
    if not pairings:
        return []
    called = [user for pairing in pairings for crew in _sides(pairing, found) for user in crew.users]
    _take_wishes_back(called)
    url = tournament.get_absolute_url()
    of_several = _of_several(tournament, pairings)
    specs = [_spec(tournament, url, pairing, of_several, *_sides(pairing, found)) for pairing in pairings]
    tables = start_match_tables(specs, now=now)
    numbers, attempts = _free_numbers(tournament), _attempts(tournament, pairings)
    rows = [
        PairingTable(
            tournament=tournament,
            pairing=pairing.id,
            attempt=attempts.get(pairing.id, 0) + 1,
            sides=list(pairing.sides),
            table=table,
            number=next(numbers),
            opened_at=now,
            **_deadlines(tournament, now),
        )
        for pairing, table in zip(pairings, tables, strict=True)
    ]
    insert_all(rows)
    notify_each(
        [
            _ready(row, of_several.get(pairing.id), *_sides(pairing, found))
            for pairing, row in zip(pairings, rows, strict=True)
        ],
        now=now,
    )
    return rows


def _of_several(tournament: Tournament, pairings: Sequence[Pairing]) -> dict[str, tuple[int, int]]:
    """Which match of how many is to be played, of the pairings that are decided by several."""
    most = {pairing.id: stage_settings(tournament, pairing.id).get("best_of", 1) for pairing in pairings}
    return {
        pairing.id: (pairing.recorded - pairing.dead_tables + 1, most[pairing.id])
        for pairing in pairings
        if most[pairing.id] > 1
    }


def _ready(row: PairingTable, match: tuple[int, int] | None, first: Crew, second: Crew) -> Telling:
    return ready(row.tournament, row, [*first.users, *second.users], (first.name, second.name), match)


def _spec(
    tournament: Tournament, url: str, pairing: Pairing, numbers: Mapping[str, tuple[int, int]], *crews: Crew
) -> MatchSpec:
    first, second = crews
    match = f" · {numbers[pairing.id][0]}/{numbers[pairing.id][1]}" if pairing.id in numbers else ""
    late = tournament.late_minutes
    return MatchSpec(
        ruleset=tournament.ruleset,
        target=tournament.target,
        options=Options(round_cap=tournament.round_cap).changed(RULESETS[tournament.ruleset]),
        turn_seconds=tournament.turn_seconds,
        call_seconds=tournament.call_seconds,
        bank_seconds=tournament.bank_seconds,
        absence=tournament.absence,
        rated=tournament.rated,
        watch_delay=tournament.watch_delay,
        # Partners sit opposite: side 0 on seats 0 and 2, side 1 on seats 1 and 3.
        users=[first.users[0], second.users[0], first.users[1], second.users[1]],
        title=f"{tournament.name}{match}",
        back_url=url,
        first_deal_seconds=settings.TOURNAMENT_FIRST_DEAL_SECONDS,
        arrival_seconds=None if late is None else (timedelta(minutes=late) + DEALT_LATER).total_seconds(),
        call_url=f"{url}object/",
    )


def _deadlines(tournament: Tournament, now: datetime) -> dict[str, datetime | None]:
    minutes = {
        "call_at": tournament.call_minutes,
        "late_at": tournament.late_minutes,
        "limit_at": tournament.limit_minutes,
    }
    return {
        name: None if value is None else now + timedelta(minutes=value) for name, value in minutes.items()
    }


def _attempts(tournament: Tournament, pairings: Sequence[Pairing]) -> dict[str, int]:
    before = tournament.tables.filter(pairing__in=[pairing.id for pairing in pairings])
    return dict(before.values_list("pairing").annotate(Max("attempt")).order_by())


def _free_numbers(tournament: Tournament) -> Iterator[int]:
    """Numbers for the call list that no table in play has, from 1."""
    taken = set(tournament.tables.filter(state=TableState.OPEN).values_list("number", flat=True))
    return (number for number in count(1) if number not in taken)


def _take_wishes_back(called: Sequence[User]) -> None:
    """Once it is committed, who was called waits for no quick match any more."""
    wishes = Seek.objects.filter(Q(user__in=called) | Q(partner__in=called, accepted=True), table=None)
    for wish in wishes.select_related("user"):
        # Not at once: who holds the lock of the wishes may wait for the tables that are held here.
        transaction.on_commit(partial(quick.stop, user=wish.user), robust=True)

"""Takes finished matches in: pairs, ratings, and the memory of reliability.

Ratings take matches in the order in which they ended (then by table). One that comes to be known late, or was
declared void, puts the ratings back to what they were before it, and what came after is taken anew: so what is
stored is always what a computation from the beginning comes to. One process does it at a time, under one lock of
the database; every step may run twice or be killed, and what no message told is found by the sweep.
"""

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final

from celery import current_app
from django.db import connection, transaction

from accounts.models import Reckoned
from games.models import Overruled
from games.services import pairs, reliability
from games.services.counting import COUNTING, Place, acts, as_bits, from_bits, lent_seats, matches
from games.services.ledger import Ledger

log = logging.getLogger(__name__)

TASK: Final = "games.tasks.rate"
LOCK: Final = 0x7A44EEC  # any number that nothing else locks
TOGETHER: Final = 250
MOST_PORTIONS: Final = 40
REPLAYED_TOGETHER: Final = 1000
# A match is written a moment after the time that it bears; how long that moment may be at most.
LOOKED_BACK: Final = timedelta(hours=1)
BEGINNING: Final = Place(datetime(2000, 1, 1, tzinfo=UTC), 0)

UNTAKEN_SQL = """
select t.ended_at, t.id from games_table t
 where t.phase = 'over' and t.started_at is not null and t.ended_at >= %s
   and not exists (select from accounts_reckoned r where r.table_number = t.id)
 order by t.ended_at, t.id limit %s
"""
STALE_SQL = """
insert into accounts_reckoned (table_number, at, lent, stale)
select t.id, t.ended_at, 0, true from games_table t
 where t.id = any(%s) and t.phase = 'over' and t.started_at is not null
 order by t.id
on conflict (table_number) do update set stale = true
"""
OVERRULE_SQL = """
insert into games_overruled (table_id, at)
select t.id, %s from games_table t
 where t.id = any(%s) and t.phase = 'over' and t.rated and t.result_kind = any(%s)
 order by t.id
on conflict do nothing returning table_id
"""
LENT_SQL = """
update accounts_reckoned r set lent = v.lent, stale = false
  from unnest(%s::bigint[], %s::int[]) as v(id, lent) where r.table_number = v.id and (r.lent <> v.lent or r.stale)
"""
MISSING_SQL = """
insert into accounts_reckoned (table_number, at, lent, stale)
select t.id, t.ended_at, 0, false from games_table t
 where t.phase = 'over' and t.started_at is not null and t.ended_at >= %s
 order by t.id
on conflict (table_number) do nothing
"""
# Written as rows, so that they can be compared to the last bit: without the numbers that the database gives them.
PICTURE_SQL: Final = (
    "select user_id, pair_id, ruleset, speed, mu, sigma, points, least, matches, last_at, known_until"
    " from accounts_rating",
    "select r.user_id, r.pair_id, r.ruleset, r.speed, c.table_number, c.table_code, c.at, c.mu, c.sigma,"
    " c.points, c.change from accounts_ratingchange c join accounts_rating r on r.id = c.rating_id",
    "select r.user_id, r.pair_id, r.ruleset, r.speed, s.season, s.is_pair, s.mu, s.sigma, s.points, s.least,"
    " s.gained, s.matches, s.last_at, s.listed"
    " from accounts_seasonrating s join accounts_rating r on r.id = s.rating_id",
    "select table_number, at, lent from accounts_reckoned",
)


def rate_finished(*, now: datetime) -> int:
    """Take in every finished match that is not yet, and whatever was changed since; how many.

    Nothing where another process is at it: that one, or the next sweep, finds what this one came for.
    """
    total = 0
    for _ in range(MOST_PORTIONS):
        taken = _take_portion(now)
        total += taken
        if not taken:
            break
    return total


def recompute(table_ids: Collection[int]) -> None:
    """Inside an open transaction: something about these matches has changed, as being void or no longer so.

    Ratings, and what is remembered of their players, follow once it is committed.
    """
    with connection.cursor() as cursor:
        cursor.execute(STALE_SQL, [list(table_ids)])
    transaction.on_commit(partial(_send, next(iter(table_ids), 0)), robust=True)


def overrule(table_ids: Collection[int], *, now: datetime) -> None:
    """Inside an open transaction: these matches, as far as they are over and rated, count in no rating.

    Their tournament has decided otherwise than they were played.
    """
    changed = _fetch(OVERRULE_SQL, [now, list(table_ids), list(COUNTING)]) if table_ids else []
    if changed:
        recompute([table_id for (table_id,) in changed])


def overrule_exactly(table_ids: Collection[int], *, among: Collection[int], now: datetime) -> None:
    """Inside an open transaction: `among` these matches those count in no rating, and the others do again."""
    lifted = Overruled.objects.filter(table__in=set(among) - set(table_ids))
    again = list(lifted.values_list("table", flat=True))
    if again:
        lifted.delete()
        recompute(again)
    overrule(table_ids, now=now)


@transaction.atomic(durable=True)
def recompute_all(*, since: datetime | None = None) -> int:
    """Compute the ratings anew from the matches, all of them or those that ended `since`; how many were taken."""
    _wait_for_lock()
    return _recomputed(since)


def differences(*, since: datetime | None = None) -> int:
    """How many rows a computation anew would change. Nothing is changed."""
    with transaction.atomic(durable=True):
        _wait_for_lock()
        for number, sql in enumerate(PICTURE_SQL):
            _execute(f"create temporary table picture_{number} on commit drop as {sql}")
        _recomputed(since)
        found = sum(_differing(f"table picture_{number}", sql) for number, sql in enumerate(PICTURE_SQL))
        transaction.set_rollback(True)
    return found


@transaction.atomic(durable=True)
def _take_portion(now: datetime) -> int:
    if not _try_lock():
        return 0
    stale = list(Reckoned.objects.select_for_update().filter(stale=True).order_by("at", "pk")[:TOGETHER])
    places = [Place(row.at, row.table_number) for row in stale] or _untaken()
    if not places:
        return 0
    ids = [place.table_id for place in places]
    done = acts(ids)
    lent = {table_id: lent_seats(done.get(table_id, {})) for table_id in ids}
    pairs.meet(ids)
    reliability.remember(ids, done, now=now, is_again=bool(stale))
    counting = matches(ids, lent)
    since = min(places) if stale else _late(counting)
    if stale:
        _note_lent(lent)
    else:
        # What was declared void at this very moment has a row already, which says so: the next round looks.
        rows = [Reckoned(table_number=pk, at=at, lent=as_bits(lent[pk])) for at, pk in places]
        Reckoned.objects.bulk_create(rows, ignore_conflicts=True)
    ledger = Ledger()
    if since is None:
        ledger.take(counting)
        ledger.save()
    else:
        _replay(ledger, since)
    return len(places)


def _late(counting: Sequence[Any]) -> Place | None:
    """The first of these matches, where ratings have already taken later ones."""
    if not counting:
        return None
    first: Place = counting[0].place
    return first if Reckoned.objects.filter(at__gte=first.at).exists() else None


def _untaken() -> list[Place]:
    last = Reckoned.objects.order_by("-at").values_list("at", flat=True).first()
    since = BEGINNING.at if last is None else last - LOOKED_BACK
    return [Place(*row) for row in _fetch(UNTAKEN_SQL, [since, TOGETHER])]


def _replay(ledger: Ledger, since: Place) -> int:
    """Take the ratings back to a place, and all that follows it anew; how many matches counted."""
    ledger.undo(since)
    ledger.save()
    counted = 0
    for rows in _portions(since):
        counting = matches([row[0] for row in rows], {pk: from_bits(lent) for pk, lent in rows})
        ledger.take(counting)
        ledger.save()
        counted += len(counting)
    ledger.drop_empty()
    return counted


def _portions(since: Place) -> Iterator[list[tuple[int, int]]]:
    """The numbers of the tables that were taken in from a place on, and whose seats were lent, in their order."""
    last, is_first = since, True
    while True:
        comparison = ">=" if is_first else ">"
        rows = _fetch(
            f"select at, table_number, lent from accounts_reckoned where (at, table_number) {comparison} (%s, %s)"
            " order by at, table_number limit %s",
            [last.at, last.table_id, REPLAYED_TOGETHER],
        )
        if not rows:
            return
        yield [(number, lent) for _, number, lent in rows]
        last, is_first = Place(*rows[-1][:2]), False


def _recomputed(since: datetime | None) -> int:
    place = BEGINNING if since is None else Place(since, 0)
    _execute(MISSING_SQL, [place.at])
    for rows in _portions(place):
        ids = [number for number, _ in rows]
        done = acts(ids)
        _note_lent({pk: lent_seats(done.get(pk, {})) for pk in ids})
        pairs.meet(ids)
    return _replay(Ledger(), place)


def _note_lent(lent: Mapping[int, frozenset[int]]) -> None:
    _execute(LENT_SQL, [list(lent), [as_bits(seats) for seats in lent.values()]])


def _differing(before: str, now: str) -> int:
    sql = "select count(*) from (({0}) except all ({1}) union all (({1}) except all ({0}))) d"
    return int(_fetch(sql.format(before, now), [])[0][0])


def _try_lock() -> bool:
    return bool(_fetch("select pg_try_advisory_xact_lock(%s)", [LOCK])[0][0])


def _wait_for_lock() -> None:
    _execute("select pg_advisory_xact_lock(%s)", [LOCK])


def _send(table_id: int) -> None:
    try:
        current_app.send_task(TASK, args=[table_id], retry=False)
    except Exception as error:
        log.warning("nobody was told to rate matches anew; the sweep finds them: %s", error)


def _execute(sql: str, arguments: Sequence[Any] = ()) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, list(arguments))


def _fetch(sql: str, arguments: Sequence[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, list(arguments))
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows

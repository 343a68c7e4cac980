"""Who may be one person with two accounts: hints to look at, never a reason by themselves.

Families and cafés share addresses, brothers a telephone. So everything is counted and shown, nothing follows from it,
and an address or a browser that many use says nothing at all.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import connection, transaction

from accounts.models import User

LOOKED_BACK: Final = timedelta(days=30)
# What more accounts than that share is a café's, a school's or a provider's.
MOST_SHARING: Final = 6
# One goes and the other comes, from the same place, within so long.
SWITCH: Final = timedelta(minutes=5)
LISTED: Final = 100
PATIENCE_MS: Final = 8000

# `linked`: the same under the key of the month before, where that one was seen too; thrice is more than 30 days span.
# `few`: marks that two accounts or a few share. A browser that had no word of its own ("~") is not known well enough.
PAIRS_SQL: Final = """
with stored as materialized (
    select user_id, table_id, kind, at, at::date as day, 'a' || address as mark, 'a' || address_before as before
      from games_connection where at > %(since)s and address <> ''
    union all
    select user_id, table_id, kind, at, at::date, 'd' || device, 'd' || device_before
      from games_connection where at > %(since)s and device <> '' and device not like '~%%'
), linked as materialized (
    select distinct s.mark, s.before from stored s where exists (select from stored b where b.mark = s.before)
), seen as materialized (
    select s.user_id, s.table_id, s.kind, s.at, s.day, coalesce(first.before, later.before, s.mark) as mark
      from stored s
      left join linked later on later.mark = s.mark
      left join linked first on first.mark = later.before
), few as materialized (
    select mark from seen group by mark having count(distinct user_id) between 2 and %(most)s
), shared as materialized (
    select s.* from seen s join few using (mark)
), days as materialized (
    select distinct mark, user_id, day from shared
), at_tables as materialized (
    select distinct mark, user_id, table_id from shared
), in_turn as (
    select user_id, at, kind, lag(user_id) over w as other_id, lag(at) over w as before, lag(kind) over w as did
      from shared window w as (partition by mark order by at)
), counted as (
    select a.user_id as one, b.user_id as other, count(distinct a.mark) filter (where a.mark like 'd%%') as devices,
           count(distinct a.day) filter (where a.mark like 'd%%' and a.day = b.day) as device_days,
           count(distinct a.day) filter (where a.mark like 'a%%' and a.day = b.day) as address_days,
           0 as tables, 0 as switches
      from days a join days b on a.mark = b.mark and a.user_id < b.user_id group by 1, 2
    union all
    select a.user_id, b.user_id, 0, 0, 0, count(distinct a.table_id), 0
      from at_tables a join at_tables b on a.mark = b.mark and a.table_id = b.table_id and a.user_id < b.user_id
     group by 1, 2
    union all
    select least(user_id, other_id), greatest(user_id, other_id), 0, 0, 0, 0, count(distinct at)
      from in_turn where kind = 'came' and did = 'went' and user_id <> other_id and at - before <= %(switch)s
     group by 1, 2
), together as (
    select one, other, sum(devices)::int as devices, sum(device_days)::int as device_days,
           sum(address_days)::int as address_days, sum(tables)::int as tables, sum(switches)::int as switches
      from counted group by 1, 2
)
select one, other, devices, device_days, address_days, tables, switches from together
 where (%(one)s::bigint is null or (one, other) = (%(one)s, %(other)s))
   and (devices > 0 or switches > 0 or address_days > 2)
 order by devices > 0 desc, switches desc, device_days desc, address_days desc, one, other
 limit %(listed)s
"""


@dataclass(frozen=True, slots=True)
class Hint:
    """Two accounts and what they shared: browsers and the days of that, days with one address, tables at which both
    were seen from one place, and how often one went as the other came.
    """

    one: User
    other: User
    devices: int
    device_days: int
    address_days: int
    tables: int
    switches: int

    @property
    def evidence(self) -> dict[str, int]:
        """The counts by name, as they are stored with a case."""
        names = ("devices", "device_days", "address_days", "tables", "switches")
        return {name: getattr(self, name) for name in names}


def hints(*, now: datetime) -> list[Hint]:
    """The pairs of accounts that share most, `LISTED` at most. Raises: OperationalError after `PATIENCE_MS`."""
    return _found(now, None)


def hint_of(one: User, other: User, *, now: datetime) -> Hint | None:
    """What these two share; None where that is nothing."""
    first, second = sorted((one.pk, other.pk))
    return next(iter(_found(now, (first, second))), None)


def _found(now: datetime, pair: tuple[int, int] | None) -> list[Hint]:
    one, other = pair or (None, None)
    asked: dict[str, Any] = {
        "since": now - LOOKED_BACK,
        "most": MOST_SHARING,
        "switch": SWITCH,
        "one": one,
        "other": other,
        "listed": LISTED,
    }
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("select set_config('statement_timeout', %s, true)", [str(PATIENCE_MS)])
        cursor.execute(PAIRS_SQL, asked)
        rows = cursor.fetchall()
        cursor.execute("select set_config('statement_timeout', '0', true)")
    people = User.objects.in_bulk({user for row in rows for user in row[:2]})
    return [Hint(people[row[0]], people[row[1]], *row[2:]) for row in rows]

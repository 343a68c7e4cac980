"""The memory of reliability: what players did with the last matches that they sat down to.

Whoever leaves, does not come or lets the clock play is remembered for it for a while; that heals with every match
that is played, and with time. After several such matches follows a short ban from playing, longer each time. What
happened while the site was not served, or because a tournament called, is not held against anybody.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import Attendance, Conduct, Interruption, User
from games.live.state import AWAY_AFTER
from games.models import Event, EventKind, Seat, Table
from games.services import bans
from games.services.counting import Acts, void

REMEMBERED: Final = 30
FORGOTTEN_AFTER: Final = timedelta(days=90)
# What a mark on the newest of thirty matches takes of 100.
BROKEN_OFF: Final = 20
STALLED: Final = 10
# Of a seat that was played by others: with fewer actions nobody can say that its owner did not come.
FEW_ACTS: Final = 3
# Bans are for what has just happened.
FRESH: Final = timedelta(hours=1)
BAD: Final = (Conduct.ABSENT, Conduct.LEFT, Conduct.STALLED)
SEEN_SQL = """
select t.id, t.code, t.started_at, t.ended_at, t.idle, array_agg(s.user_id order by s.number)
  from games_table t join games_seat s on s.table_id = t.id
 where t.id = any(%s) and exists (select from games_deal d where d.table_id = t.id)
 group by t.id having count(s.user_id) >= 2
 order by t.ended_at, t.id
"""
_TAKES: Final[Mapping[str, int]] = {
    Conduct.PLAYED: 0,
    Conduct.ABSENT: BROKEN_OFF,
    Conduct.LEFT: BROKEN_OFF,
    Conduct.STALLED: STALLED,
}


@dataclass(frozen=True, slots=True)
class Reliability:
    """What is remembered of a player: a number from 0 to 100, and the matches behind it, newest first."""

    score: int
    last: tuple[Attendance, ...]

    @property
    def marks(self) -> int:
        """How many of them were not played properly."""
        return sum(one.conduct != Conduct.PLAYED for one in self.last)


def reliability_of(user: User, now: datetime) -> Reliability:
    """How reliable a player is."""
    last = tuple(remembered(user))
    return Reliability(score([(one.conduct, one.at) for one in last], now), last)


def remembered(user: User) -> QuerySet[Attendance]:
    """The last thirty matches of a player, newest first."""
    return Attendance.objects.filter(user=user).order_by("-at", "-pk")[:REMEMBERED]


def score(last: Sequence[tuple[str, datetime]], now: datetime) -> int:
    """From 0 to 100. `last`: what was done with the last matches and when, newest first.

    A mark takes 20 of 100, or 10 where the clock was let play; a thirtieth less with each match since, and less
    with every day, until nothing is left of it after ninety.
    """
    lost = 0.0
    for place, (conduct, at) in enumerate(last[:REMEMBERED]):
        healed_by_time = max(0.0, 1 - max(timedelta(0), now - at) / FORGOTTEN_AFTER)
        lost += _TAKES[conduct] * (REMEMBERED - place) / REMEMBERED * healed_by_time
    return max(0, round(100 - lost))


def scores(user_ids: Collection[int], now: datetime) -> dict[int, int]:
    """The scores of these users, in one question; 100 for whom nothing is remembered of."""
    marks = Attendance.objects.filter(user__in=user_ids, conduct__in=BAD, at__gt=now - FORGOTTEN_AFTER)
    marked = set(marks.values_list("user", flat=True))
    found = dict.fromkeys(user_ids, 100)
    rows: dict[int, list[tuple[str, datetime]]] = {user_id: [] for user_id in marked}
    kept = Attendance.objects.filter(user__in=marked, at__gt=now - FORGOTTEN_AFTER)
    for user_id, conduct, at in kept.order_by("-at", "-pk").values_list("user", "conduct", "at"):
        rows[user_id].append((conduct, at))
    return found | {user_id: score(last, now) for user_id, last in rows.items()}


def remember(
    table_ids: Collection[int],
    acts: Mapping[int, Mapping[int, Acts]],
    *,
    now: datetime,
    is_again: bool = False,
) -> None:
    """Inside an open transaction: what the players of these finished matches did with them, and what follows.

    `is_again`: something about them has changed. Of a match that is void nothing is remembered.
    """
    ruled_out = void(table_ids)
    if is_again:
        Attendance.objects.filter(table_number__in=ruled_out).delete()
        bans.lift_for(ruled_out, now=now)
    rows = [
        row
        for table in _seen(set(table_ids) - ruled_out)
        for row in _rows(table, acts.get(table.table_id, {}))
    ]
    Attendance.objects.bulk_create(rows, ignore_conflicts=True)
    fresh = [row for row in rows if row.conduct in BAD and row.at > now - FRESH]
    if not is_again:
        _follow(fresh, now)


def note_absent(table: Table, users: Iterable[User], *, now: datetime) -> None:
    """Inside an open transaction: these were called to a table, and it was closed because they did not come."""
    rows = [
        Attendance(user=user, table_number=table.pk, table_code=table.code, conduct=Conduct.ABSENT, at=now)
        for user in users
    ]
    Attendance.objects.bulk_create(rows, ignore_conflicts=True)
    _follow(rows, now)


def conduct(acts: Acts, *, is_away: bool) -> Conduct:
    """What a player did with a match. `is_away`: not at the table when it ended."""
    if not acts.own and acts.clock + acts.bot >= FEW_ACTS:
        return Conduct.ABSENT
    if is_away:
        return Conduct.LEFT
    if acts.is_lent:
        return Conduct.LEFT if acts.bot > acts.clock else Conduct.STALLED
    return Conduct.PLAYED


def _follow(rows: Sequence[Attendance], now: datetime) -> None:
    """What follows from these new marks."""
    for row in sorted(rows, key=lambda row: (row.user_id, row.at, row.table_number)):
        marked = Attendance.objects.filter(user=row.user_id, at__gt=now - FORGOTTEN_AFTER, at__lte=row.at)
        last = marked.order_by("-at", "-pk").values_list("conduct", flat=True)[:REMEMBERED]
        bans.follow(row, sum(one in BAD for one in last), now=now)


class Sitting(NamedTuple):
    """A match and who sat at it, by seat; `idle`: how often each was late at its end, one after the other."""

    table_id: int
    code: str
    started_at: datetime
    ended_at: datetime
    idle: list[int]
    users: list[int | None]


def _seen(table_ids: Collection[int]) -> list[Sitting]:
    """Those of these matches in which at least two people had cards."""
    with connection.cursor() as cursor:
        cursor.execute(SEEN_SQL, [list(table_ids)])
        return [Sitting(*row) for row in cursor.fetchall()]


def _rows(table: Sitting, acts: Mapping[int, Acts]) -> list[Attendance]:
    found = {
        (seat, user): conduct(acts.get(seat, Acts()), is_away=table.idle[seat] >= AWAY_AFTER)
        for seat, user in enumerate(table.users)
        if user is not None
    }
    excused = _excused(table) if any(what in BAD for what in found.values()) else set()
    return [
        Attendance(
            user_id=user,
            table_number=table.table_id,
            table_code=table.code,
            conduct=what,
            at=table.ended_at,
        )
        for (seat, user), what in found.items()
        if what == Conduct.PLAYED or seat not in excused
    ]


def _excused(table: Sitting) -> set[int]:
    """The seats whose owners nothing is held against: all where the site failed, or while play was paused."""
    if Interruption.objects.filter(at__range=(table.started_at, table.ended_at)).exists():
        return {0, 1, 2, 3}
    breaks = Event.objects.filter(table=table.table_id, kind__in=(EventKind.PAUSE, EventKind.RESUME))
    if breaks.order_by("-version").values_list("kind", flat=True).first() == EventKind.PAUSE:
        return {0, 1, 2, 3}
    return _called_away(table)


def _called_away(table: Sitting) -> set[int]:
    """Those who left at the very moment at which a tournament seated them elsewhere."""
    left = Event.objects.filter(table=table.table_id, kind=EventKind.LEAVE, user__isnull=False)
    called = Seat.objects.filter(user=OuterRef("user"), table__started_at=OuterRef("at")).exclude(
        table=table.table_id
    )
    found = left.filter(Exists(called.exclude(table__title=""))).values_list("seat", flat=True)
    return {seat for seat in found if seat is not None}

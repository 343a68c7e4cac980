"""Who has a socket at which table, since when not, and how many watch: as seen here, and as others said lately.

Times are in seconds on the clock of this process. What other processes say expires, so that one that was killed
leaves no ghosts.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

EXPIRES_AFTER_SECONDS: Final = 25.0
# An owner without a socket is reconnecting for so long, then gone.
GONE_AFTER_SECONDS: Final = 40.0
# What is known of a table outlives its last socket by so long: who comes back sees who was gone already.
KEPT_SECONDS: Final = 300.0
# Spectators come and go: more absences than this are not kept in mind, but for those of the seated.
MOST_ABSENT: Final = 64
LONGEST_LAG_MS: Final = 10_000
# How much a new measure of a line's lag counts against those before.
LAG_WEIGHT: Final = 0.25


class Here(NamedTuple):
    """Who is at a table, of those who sit there: `connected` now, or `gone` for long; how many others watch."""

    connected: frozenset[int]
    gone: frozenset[int]
    watching: int


@dataclass(slots=True)
class _Told:
    """What another process said of a table."""

    users: frozenset[int]
    watching: int
    until: float


@dataclass(slots=True)
class _Table:
    first: float
    changed: float
    users: Counter[int] = field(default_factory=Counter)
    guests: int = 0
    told: dict[str, _Told] = field(default_factory=dict)
    since: dict[int, float] = field(default_factory=dict)
    gone: frozenset[int] = frozenset()


class Presence:
    """Users and spectators by table."""

    def __init__(self) -> None:
        self._tables: dict[int, _Table] = {}

    def came(self, table_id: int, user_id: int | None, now: float) -> bool:
        """Count a socket; whether it changes who is there."""
        table = self._at(table_id, now)
        if user_id is None:
            table.guests += 1
            return True
        table.users[user_id] += 1
        return table.users[user_id] == 1

    def went(self, table_id: int, user_id: int | None, now: float) -> bool:
        """Discount a socket; whether it changes who is there."""
        table = self._at(table_id, now)
        if user_id is None:
            table.guests -= 1
            return True
        table.users[user_id] -= 1
        if table.users[user_id] > 0:
            return False
        del table.users[user_id]
        table.since[user_id] = now
        return True

    def heard(
        self, process: str, table_id: int, users: Iterable[int], watching: int, now: float
    ) -> tuple[bool, bool]:
        """Take over what another process says of a table; what changed: the seated users, the spectators."""
        table = self._at(table_id, now)
        before = table.told.pop(process, None) or _Told(frozenset(), 0, now)
        after = _Told(frozenset(users), watching, now + EXPIRES_AFTER_SECONDS)
        if after.users or after.watching:
            table.told[process] = after
        table.since |= dict.fromkeys(before.users - after.users, now)
        return before.users != after.users, before.watching != after.watching

    def expire(self, now: float) -> set[int]:
        """Forget what was not said again in time, and tables long left; the ids of those that changed."""
        changed = set()
        for table_id, table in list(self._tables.items()):
            for process in [process for process, told in table.told.items() if told.until < now]:
                self.heard(process, table_id, (), 0, now)
                changed.add(table_id)
            is_empty = not (table.users or table.guests or table.told)
            if is_empty and now - table.changed > KEPT_SECONDS:
                del self._tables[table_id]
        return changed

    def own(self, table_id: int, seated: Iterable[int]) -> tuple[list[int], int]:
        """Of those who sit at a table, who has a socket in this process; and how many others have one."""
        table = self._tables.get(table_id)
        if table is None:
            return [], 0
        users = [user_id for user_id in seated if user_id in table.users]
        return users, len(table.users) - len(users) + table.guests

    def at(self, table_id: int, seated: Iterable[int], now: float) -> Here:
        """Who of those that sit at a table is there, in all processes, and how many others watch."""
        table = self._tables.get(table_id)
        if table is None:
            return Here(frozenset(), frozenset(), 0)
        users, watching = self.own(table_id, seated)
        connected = frozenset(users).union(*(told.users for told in table.told.values()))
        if len(table.since) > MOST_ABSENT:
            table.since = {user_id: table.since[user_id] for user_id in seated if user_id in table.since}
        absent = (user_id for user_id in seated if user_id not in connected)
        table.gone = frozenset(user_id for user_id in absent if _absent_for(table, user_id, now))
        return Here(connected, table.gone, watching + sum(told.watching for told in table.told.values()))

    def turned(self, table_id: int, seated: Iterable[int], now: float) -> bool:
        """Whether somebody is gone, or no longer, since `at` was asked last."""
        table = self._tables.get(table_id)
        return table is not None and table.gone != self.at(table_id, seated, now).gone

    def watching(self, table_id: int, seated: Iterable[int]) -> int:
        """How many watch a table, in all processes. May be asked from another thread."""
        table = self._tables.get(table_id)
        if table is None:
            return 0
        return self.own(table_id, seated)[1] + sum(told.watching for told in list(table.told.values()))

    def _at(self, table_id: int, now: float) -> _Table:
        table = self._tables.get(table_id)
        if table is None:
            table = self._tables[table_id] = _Table(first=now, changed=now)
        table.changed = now
        return table


def _absent_for(table: _Table, user_id: int, now: float) -> bool:
    """Whether an absence has lasted; of whom was never seen it counts from when the table was first watched."""
    return now - table.since.get(user_id, table.first) >= GONE_AFTER_SECONDS


class Lags:
    """How long the way of a message to a user is, in milliseconds: measured here, or told by other processes."""

    def __init__(self) -> None:
        self._own: dict[int, float] = {}
        self._told: dict[int, tuple[int, float]] = {}

    def measured(self, user_id: int, ms: float) -> None:
        """Take in one measure; a single slow answer does not make a slow line."""
        ms = min(max(0.0, ms), LONGEST_LAG_MS)
        before = self._own.get(user_id, ms)
        self._own[user_id] = before + LAG_WEIGHT * (ms - before)

    def told(self, user_id: int, ms: int, now: float) -> None:
        """Take over what another process measured."""
        self._told[user_id] = (ms, now + EXPIRES_AFTER_SECONDS)

    def forget(self, user_id: int) -> None:
        """Drop what was measured of a user whose last socket here went."""
        self._own.pop(user_id, None)

    def expire(self, now: float) -> None:
        """Forget what was not told again in time."""
        self._told = {user_id: told for user_id, told in self._told.items() if told[1] >= now}

    def own(self, users: Iterable[int]) -> dict[int, int]:
        """What was measured here of those users."""
        return {user_id: round(self._own[user_id]) for user_id in users if user_id in self._own}

    def of(self, user_id: int) -> int:
        """The lag of a user; 0 where nothing is known."""
        if user_id in self._own:
            return round(self._own[user_id])
        return self._told.get(user_id, (0, 0.0))[0]

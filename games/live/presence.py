"""Who has a socket at which table: this process's own, and what the other processes said lately."""

from collections import Counter
from collections.abc import Iterable

EXPIRES_AFTER_SECONDS = 25.0


class Presence:
    """Connected users by table. Remote knowledge expires, so that a killed process leaves no ghosts."""

    def __init__(self) -> None:
        self._own: dict[int, Counter[int]] = {}
        self._remote: dict[int, dict[str, tuple[frozenset[int], float]]] = {}

    def came(self, table_id: int, user_id: int) -> bool:
        """Count a socket; whether the user was not connected here before."""
        users = self._own.setdefault(table_id, Counter())
        users[user_id] += 1
        return users[user_id] == 1

    def went(self, table_id: int, user_id: int) -> bool:
        """Discount a socket; whether it was the user's last one here."""
        users = self._own[table_id]
        users[user_id] -= 1
        if users[user_id] > 0:
            return False
        del users[user_id]
        if not users:
            del self._own[table_id]
        return True

    def heard(self, process: str, table_id: int, users: Iterable[int], now: float) -> bool:
        """Take over what another process says; whether anything changed. `now` in seconds, monotonic."""
        said = self._remote.setdefault(table_id, {})
        before = said.get(process, (frozenset(), 0.0))[0]
        users = frozenset(users)
        if users:
            said[process] = (users, now + EXPIRES_AFTER_SECONDS)
        else:
            said.pop(process, None)
        if not said:
            del self._remote[table_id]
        return users != before

    def expire(self, now: float) -> set[int]:
        """Forget what was not said again in time; the ids of the tables that changed."""
        late = [
            (table_id, process)
            for table_id, said in self._remote.items()
            for process, (_, until) in said.items()
            if until < now
        ]
        for table_id, process in late:
            self.heard(process, table_id, (), now)
        return {table_id for table_id, _ in late}

    def own(self) -> dict[int, list[int]]:
        """The users with a socket in this process, by table."""
        return {table_id: list(users) for table_id, users in self._own.items()}

    def own_at(self, table_id: int) -> list[int]:
        """The users with a socket in this process at one table."""
        return list(self._own.get(table_id, ()))

    def at(self, table_id: int) -> set[int]:
        """The ids of all users connected to a table."""
        remote = (users for users, _ in self._remote.get(table_id, {}).values())
        return set(self._own.get(table_id, ())).union(*remote)

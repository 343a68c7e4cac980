"""The sockets at one table: those of each user, and those of visitors without an account."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from games.live.talk import Ears
from games.marks import Mark


class Watcher(Protocol):
    """A socket at a table. `session` is (session key, user id, password hash), None for a visitor."""

    user_id: int | None
    session: tuple[str, int, str] | None
    ears: Ears
    mark: Mark

    async def deliver(self, frame: str) -> None: ...
    async def end_session(self) -> None: ...


class Audience:
    """The few who sit are found at once, however many watch."""

    def __init__(self) -> None:
        self._by_user: dict[int, set[Watcher]] = {}
        self._visitors: set[Watcher] = set()

    def add(self, watcher: Watcher) -> None:
        """Let a socket in."""
        self._of(watcher).add(watcher)

    def discard(self, watcher: Watcher) -> None:
        """Let a socket go."""
        sockets = self._of(watcher)
        sockets.discard(watcher)
        if watcher.user_id is not None and not sockets:
            del self._by_user[watcher.user_id]

    def of(self, user_id: int) -> tuple[Watcher, ...]:
        """The sockets of a user."""
        return tuple(self._by_user.get(user_id, ()))

    def others(self, seated: Iterable[int]) -> list[Watcher]:
        """The sockets of all who do not sit."""
        players = set(seated)
        watchers = list(self._visitors)
        for user_id, sockets in self._by_user.items():
            if user_id not in players:
                watchers += sockets
        return watchers

    def has_others(self, seated: Iterable[int]) -> bool:
        """Whether anybody watches who does not sit."""
        return bool(self._visitors) or len(self._by_user) > sum(user in self._by_user for user in set(seated))

    def __contains__(self, watcher: Watcher) -> bool:
        if watcher.user_id is None:
            return watcher in self._visitors
        return watcher in self._by_user.get(watcher.user_id, ())

    def __iter__(self) -> Iterator[Watcher]:
        yield from self._visitors
        for sockets in self._by_user.values():
            yield from sockets

    def __bool__(self) -> bool:
        return bool(self._visitors or self._by_user)

    def _of(self, watcher: Watcher) -> set[Watcher]:
        if watcher.user_id is None:
            return self._visitors
        return self._by_user.setdefault(watcher.user_id, set())

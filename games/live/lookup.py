"""Finds rows by a key for sockets that come: all that wait at once in one statement.

After a restart thousands may come within a second. Each is told how things stood after it had come.
"""

import asyncio
from typing import Any, Final, Generic, NamedTuple, TypeVar

from games.live.store import Store

K = TypeVar("K", str, int)

FIND_SQL: Final = "select code as key, id, version from games_table where code = any(%s)"


class Found(NamedTuple):
    id: int
    version: int


class Lookup(Generic[K]):
    """The lookups of one event loop by one statement, which takes a list of keys and names its rows by `key`."""

    def __init__(self, store: Store, sql: str) -> None:
        self._store, self._sql = store, sql
        self._waiting: dict[K, asyncio.Future[dict[str, Any] | None]] = {}
        self._looking: asyncio.Task[None] | None = None

    async def find(self, key: K) -> dict[str, Any] | None:
        """The row of a key, or None where there is none."""
        if key not in self._waiting:
            self._waiting[key] = asyncio.get_running_loop().create_future()
        answer = self._waiting[key]
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        return await asyncio.shield(answer)

    async def _look(self) -> None:
        while self._waiting:
            asked, self._waiting = self._waiting, {}
            try:
                rows = await self._store.fetch(self._sql, [list(asked)])
            except Exception as error:
                for answer in asked.values():
                    answer.set_exception(error)
                continue
            found = {row["key"]: row for row in rows}
            for key, answer in asked.items():
                answer.set_result(found.get(key))

"""Finds tables by their codes for sockets that come, all that wait at once in one statement.

Thousands may come to one table within a second. Each is told how the table stood after it had come.
"""

import asyncio
from typing import Final, NamedTuple

from games.live.store import Store

FIND_SQL: Final = "select code, id, version from games_table where code = any(%s)"


class Found(NamedTuple):
    id: int
    version: int


class Lookup:
    """The lookups of one event loop."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: dict[str, asyncio.Future[Found | None]] = {}
        self._looking: asyncio.Task[None] | None = None

    async def find(self, code: str) -> Found | None:
        """A table's id and version, or None where no table has that code."""
        if code not in self._waiting:
            self._waiting[code] = asyncio.get_running_loop().create_future()
        answer = self._waiting[code]
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        return await asyncio.shield(answer)

    async def _look(self) -> None:
        while self._waiting:
            asked, self._waiting = self._waiting, {}
            try:
                rows = await self._store.fetch(FIND_SQL, [list(asked)])
            except Exception as error:
                for answer in asked.values():
                    answer.set_exception(error)
                continue
            found = {row["code"]: Found(row["id"], row["version"]) for row in rows}
            for code, answer in asked.items():
                answer.set_result(found.get(code))

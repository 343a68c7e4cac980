"""The hot path: load a table's events; append events whose versions still hold, many at once."""

import asyncio
import json
import logging
from collections import deque
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from weakref import WeakKeyDictionary

import orjson
import psycopg
from django.db import connections
from psycopg import AsyncConnection
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from games.live.folding import cold
from games.live.state import TableState
from games.live.statements import APPEND_SQL, NEWEST, PLAYS_SQL, TABLE_SQL, as_it_stood, reads

log = logging.getLogger(__name__)

LOCKED_RETRY_SECONDS = 0.005
MAX_BATCH = 256
# The pool waits ever longer between its tries; one that starts afresh finds a server that is back at once.
PATIENCE_SECONDS, RECONNECT_SECONDS = 5.0, 2.0


@dataclass(frozen=True, slots=True)
class Append:
    """One event to add to a table that is still at `version`, and the facts that it makes."""

    table_id: int
    version: int
    kind: str
    phase: str
    due_at: datetime | None
    idle: Sequence[int]
    sitting_in: Sequence[bool]
    bank_ms: Sequence[int]
    lag_ms: Sequence[int]
    score: Sequence[int]
    counted: int
    at: datetime
    seat: int | None = None
    user_id: int | None = None
    code: str = ""
    by: str = ""
    ms: int | None = None
    request_id: str | None = None
    result_kind: str = ""
    winner: int | None = None
    advances: int | None = None
    ended_at: datetime | None = None
    dealt_index: int | None = None
    dealer: int | None = None
    deck: str | None = None
    finished_index: int | None = None
    contract: Mapping[str, Any] | None = None
    tricks: Sequence[int] | None = None
    change: Sequence[int] | None = None


Pool = AsyncConnectionPool[AsyncConnection[Any]]


def _pool(name: str, size: int) -> Pool:
    return AsyncConnectionPool(
        kwargs=_connection_arguments(),
        min_size=1,
        max_size=size,
        open=False,
        timeout=PATIENCE_SECONDS,
        reconnect_timeout=RECONNECT_SECONDS,
        name=name,
    )


class Store:
    """The database as the live tables of one event loop see it: a few reading connections and one writer."""

    def __init__(self) -> None:
        self._pool = _pool("live", 4)
        # Of its own: a crowd that reads does not keep what was played from being stored.
        self._writing = _pool("live-writer", 1)
        self._opened = False
        self._opening = asyncio.Lock()
        self._waiting: deque[tuple[Append, asyncio.Future[bool]]] = deque()
        self._writer: asyncio.Task[None] | None = None

    async def load(self, table_id: int) -> TableState | None:
        """The state of a table folded from what is stored, or None where there is no such table."""
        return await self._load(table_id, NEWEST)

    async def load_at(self, table_id: int, version: int) -> TableState | None:
        """A started table as it stood at an earlier version; without clocks and votes, which are today's."""
        return await self._load(table_id, version)

    async def _load(self, table_id: int, until: int) -> TableState | None:
        async with self._connection() as connection, connection.transaction():
            # One snapshot for the five reads.
            await connection.execute("set transaction isolation level repeatable read, read only")
            cursor = connection.cursor(row_factory=dict_row)
            table = await (await cursor.execute(TABLE_SQL, [table_id])).fetchone()
            if table is None:
                return None
            if until != NEWEST:
                changes = await (await cursor.execute(PLAYS_SQL, [table_id, until, table_id])).fetchall()
                table = as_it_stood(table, until, changes)
            rows = [
                await (await cursor.execute(sql, arguments)).fetchall()
                for sql, arguments in reads(table_id, until)
            ]
        return cold(table, *rows)

    async def fetch(self, sql: str, arguments: Sequence[Any]) -> list[dict[str, Any]]:
        """The rows of a statement, as dicts."""
        async with self._connection() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            return await (await cursor.execute(sql, arguments)).fetchall()

    async def execute(self, sql: str, arguments: Sequence[Any]) -> None:
        """Run a statement that returns nothing."""
        async with self._connection() as connection:
            await connection.execute(sql, arguments)

    async def run(self, *statements: tuple[str, Sequence[Any] | Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The rows of the last of some statements, which are one transaction."""
        async with self._connection() as connection, connection.transaction():
            cursor = connection.cursor(row_factory=dict_row)
            for sql, arguments in statements:
                await cursor.execute(sql, arguments)
            return await cursor.fetchall()

    async def append(self, event: Append) -> bool:
        """Add an event if its table is still at its version; True once it is committed, False if outrun.

        Everything that waits in this process shares one statement; a cancelled caller cancels nothing.
        """
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((event, future))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write())
        return await asyncio.shield(future)

    async def close(self) -> None:
        """Write what waits and close the connections."""
        if self._writer is not None:
            await self._writer
        if self._opened:
            await self._pool.close()
            await self._writing.close()

    async def _write(self) -> None:
        while self._waiting:
            batch = self._next_batch()
            try:
                outcome = await self._execute([event for event, _ in batch.values()])
            except Exception:
                log.warning("a batch of %d events failed and is redone singly", len(batch), exc_info=True)
                await self._write_singly(list(batch.values()))
                continue
            await self._settle(batch, outcome)

    def _next_batch(self) -> dict[int, tuple[Append, asyncio.Future[bool]]]:
        """At most one event a table; the others keep their order."""
        batch: dict[int, tuple[Append, asyncio.Future[bool]]] = {}
        later: list[tuple[Append, asyncio.Future[bool]]] = []
        while self._waiting and len(batch) < MAX_BATCH:
            entry = self._waiting.popleft()
            if entry[0].table_id in batch:
                later.append(entry)
            else:
                batch[entry[0].table_id] = entry
        self._waiting.extendleft(reversed(later))
        return batch

    async def _settle(
        self,
        batch: dict[int, tuple[Append, asyncio.Future[bool]]],
        outcome: Iterable[tuple[int, bool, bool | None]],
    ) -> None:
        locked = []
        for table_id, moved, held in outcome:
            event, future = batch[table_id]
            if not moved and held:
                locked.append((event, future))
            elif not future.done():
                future.set_result(moved)
        if locked:
            self._waiting.extendleft(reversed(locked))
            await asyncio.sleep(LOCKED_RETRY_SECONDS)

    async def _write_singly(self, entries: list[tuple[Append, asyncio.Future[bool]]]) -> None:
        for event, future in entries:
            try:
                outcome = await self._execute([event])
            except psycopg.errors.UniqueViolation:
                # The same request or version was stored by another process a moment ago.
                future.set_result(False)
            except Exception as error:
                future.set_exception(error)
            else:
                await self._settle({event.table_id: (event, future)}, outcome)

    async def _execute(self, events: list[Append]) -> list[tuple[int, bool, bool | None]]:
        payload = orjson.dumps(events).decode()
        async with self._connection(self._writing) as connection:
            return await (await connection.execute(APPEND_SQL, [payload])).fetchall()

    @asynccontextmanager
    async def _connection(self, pool: Pool | None = None) -> AsyncIterator[AsyncConnection[Any]]:
        pool = pool or self._pool
        async with self._opening:
            if not self._opened:
                await self._pool.open()
                await self._writing.open()
                self._opened = True
        try:
            async with pool.connection() as connection:
                yield connection
        except PoolTimeout:
            # All are busy, or there is no server. To look at them too would only keep them busy.
            raise
        except psycopg.OperationalError:
            # A server that went away took the waiting connections along: nobody else shall meet them.
            await pool.check()
            raise


def load_sync(table_id: int) -> TableState | None:
    """The same as `Store.load`, on Django's connection (inside its transaction, if one is open)."""
    with connections["default"].cursor() as cursor:
        table = next(iter(_rows(cursor, TABLE_SQL, [table_id])), None)
        if table is None:
            return None
        table |= {name: json.loads(table[name]) for name in ("options", "votes")}
        seats, deals, events, done = (
            _rows(cursor, sql, arguments) for sql, arguments in reads(table_id, NEWEST)
        )
    for deal in deals:
        deal["contract"] = deal["contract"] and json.loads(deal["contract"])
    return cold(table, seats, deals, events, done)


def _rows(cursor: Any, sql: str, arguments: list[int]) -> list[dict[str, Any]]:
    cursor.execute(sql, arguments)
    names = [column.name for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _connection_arguments() -> dict[str, Any]:
    given: dict[str, Any] = {**connections["default"].get_connection_params(), "autocommit": True}
    names = ("host", "port", "dbname", "user", "password", "options", "autocommit")
    return {name: given[name] for name in names if name in given}


_stores: WeakKeyDictionary[asyncio.AbstractEventLoop, Store] = WeakKeyDictionary()


def store() -> Store:
    """The store of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _stores:
        _stores[loop] = Store()
    return _stores[loop]

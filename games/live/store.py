"""The hot path's SQL: load a table's events; append events whose versions still hold, many at once."""

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
from psycopg_pool import AsyncConnectionPool

from games.live.state import TableState, cold

log = logging.getLogger(__name__)

LOCKED_RETRY_SECONDS = 0.005
MAX_BATCH = 256
NEWEST = 2**31 - 1  # above every version
# The pool waits ever longer between its tries; one that starts afresh finds a server that is back at once.
PATIENCE_SECONDS = 5.0

TABLE_SQL = """
select id, code, version, phase, ruleset, target, options, turn_seconds, call_seconds, bank_seconds, rated, absence,
       watch_delay, free_chat, host_id, title, secret, commitment, salt, idle, sitting_in, bank_ms, lag_ms, votes,
       due_at, first_dealer, result_kind, winner,
       exists (select from games_table o
                where o.commitment = t.commitment and o.id <> t.id and o.phase <> 'over') as is_shared,
       (select n.code from games_table n where n.rematch_of_id = t.id) as next_code
  from games_table t where id = %s
"""
SEATS_SQL = """
select s.kind, s.user_id, s.bot, u.username as name, u.is_guest
  from games_seat s left join accounts_user u on u.id = s.user_id where s.table_id = %s order by s.number
"""
DEALS_SQL = """
select index, version, dealer, contract, tricks, change,
       case when index = max(index) over () then deck end as deck
  from games_deal where table_id = %s and version <= %s order by index
"""
EVENTS_SQL = """
select version, kind, seat, code, by, at from games_event
 where table_id = %s and kind in ('deal', 'act')
   and version >= coalesce((select max(version) from games_deal where table_id = %s and version <= %s), 0)
   and version <= %s
 order by version
"""
DONE_SQL = "select user_id, request_id, code from games_event where table_id = %s and request_id is not null"

# `locked` takes the rows in order, so that batches of several processes cannot deadlock, and skips those that
# somebody holds: they are told apart from outrun ones by the version that the statement saw.
APPEND_SQL = """
with waiting as materialized (
    select * from jsonb_to_recordset(%s::jsonb) as w(
        table_id bigint, version int, kind text, seat smallint, user_id bigint, code text, by text, ms int,
        request_id text, at timestamptz, phase text, due_at timestamptz, idle smallint[], sitting_in boolean[],
        bank_ms int[], lag_ms int[], score int[],
        counted smallint, result_kind text, winner smallint, advances smallint, ended_at timestamptz,
        dealt_index smallint, dealer smallint, deck text, finished_index smallint,
        contract jsonb, tricks smallint[], change int[])
), locked as materialized (
    select t.id from games_table t join waiting w on w.table_id = t.id and w.version = t.version
     order by t.id for update of t skip locked
), moved as (
    update games_table t
       set version = t.version + 1, phase = w.phase, due_at = w.due_at, idle = w.idle, sitting_in = w.sitting_in,
           bank_ms = w.bank_ms, lag_ms = w.lag_ms, score = w.score, counted = w.counted,
           result_kind = w.result_kind, winner = w.winner, advances = w.advances,
           ended_at = w.ended_at
      from waiting w, locked l where w.table_id = t.id and l.id = t.id returning t.id
), happened as (
    insert into games_event (table_id, version, kind, seat, user_id, code, by, ms, request_id, at)
    select w.table_id, w.version + 1, w.kind, w.seat, w.user_id, w.code, w.by, w.ms, w.request_id, w.at
      from waiting w join moved m on m.id = w.table_id
), dealt as (
    insert into games_deal (table_id, index, version, dealer, deck, finished, change)
    select w.table_id, w.dealt_index, w.version + 1, w.dealer, w.deck, false, null
      from waiting w join moved m on m.id = w.table_id where w.deck is not null
), scored as (
    update games_deal d set finished = true, contract = w.contract, tricks = w.tricks, change = w.change
      from waiting w join moved m on m.id = w.table_id
     where d.table_id = w.table_id and d.index = w.finished_index
), released as (
    update games_seat s set engaged = false from waiting w join moved m on m.id = w.table_id
     where s.table_id = w.table_id and w.phase = 'over' and s.engaged
)
select w.table_id, m.id is not null as moved, t.version = w.version as held
  from waiting w left join moved m on m.id = w.table_id left join games_table t on t.id = w.table_id
"""


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


class Store:
    """The database as the live tables of one event loop see it: a few reading connections and one writer."""

    def __init__(self) -> None:
        self._pool = AsyncConnectionPool(
            kwargs=_connection_arguments(),
            min_size=1,
            max_size=4,
            open=False,
            timeout=PATIENCE_SECONDS,
            reconnect_timeout=PATIENCE_SECONDS,
            name="live",
        )
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
            rows = [
                await (await cursor.execute(sql, arguments)).fetchall()
                for sql, arguments in reads(table_id, until)
            ]
        return cold(table if until == NEWEST else as_it_stood(table, until), *rows)

    async def fetch(self, sql: str, arguments: Sequence[Any]) -> list[dict[str, Any]]:
        """The rows of a statement, as dicts."""
        async with self._connection() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            return await (await cursor.execute(sql, arguments)).fetchall()

    async def execute(self, sql: str, arguments: Sequence[Any]) -> None:
        """Run a statement that returns nothing."""
        async with self._connection() as connection:
            await connection.execute(sql, arguments)

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
        async with self._connection() as connection:
            return await (await connection.execute(APPEND_SQL, [payload])).fetchall()

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncConnection[Any]]:
        async with self._opening:
            if not self._opened:
                await self._pool.open()
                self._opened = True
        try:
            async with self._pool.connection() as connection:
                yield connection
        except psycopg.OperationalError:
            # A server that went away took the waiting connections along: nobody else shall meet them.
            await self._pool.check()
            raise


def reads(table_id: int, until: int) -> list[tuple[str, list[int]]]:
    """The statements, with their arguments, that `cold` needs besides the table's row, in its order."""
    return [
        (SEATS_SQL, [table_id]),
        (DEALS_SQL, [table_id, until]),
        (EVENTS_SQL, [table_id, table_id, until, until]),
        (DONE_SQL, [table_id]),
    ]


def as_it_stood(table: Mapping[str, Any], version: int) -> dict[str, Any]:
    """The row of a table in play for a fold that ends at `version`."""
    earlier = version < table["version"]
    return {
        **table,
        "version": min(version, table["version"]),
        "due_at": None,
        "bank_ms": [0] * 4,
        "votes": {},
        **({"phase": "play", "result_kind": "", "winner": None, "next_code": None} if earlier else {}),
    }


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

"""The records of many matches as one file, a line each, made while it is sent.

A match whose facts do not fit together has a line that says so; a file that cannot go on says that in its last.

It may take minutes and holds nobody up: a portion is read at a time in the request's own thread, and between two of
them the server has as long for others as the portion took. Whoever is being sent one file waits for its end before
the next: the lock is the database's, so it holds over all processes, and goes with the connection.
"""

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator, Iterable, Iterator
from itertools import islice
from time import perf_counter
from typing import Any, Final

import orjson
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header

from accounts.models import User
from games import replica
from games.limits import place_of
from games.models import Table
from games.queries import records, shut, standby_has

JSON_LINES: Final = "application/jsonl; charset=utf-8"
TOGETHER: Final = 10
UNREADABLE: Final = {"error": "unreadable"}
CUT_SHORT: Final = {"error": "cut-short"}

log = logging.getLogger(__name__)

Named = tuple[Table, dict[str, Any]]


def record_lines(tables: Iterable[Named]) -> Iterator[bytes]:
    """The records of these tables, over and with a result, some lines at a time; beside each what is named with it.

    Left out are those whose cards are still in play elsewhere.
    """
    rows = iter(tables)
    while portion := list(islice(rows, TOGETHER)):
        closed = shut([table for table, _ in portion])
        seen = [(table, named) for table, named in portion if table.pk not in closed]
        found = _records([table for table, _ in seen])
        yield b"".join(_line(*one) for one in zip(found, seen, strict=True))


def _line(record: dict[str, Any] | None, seen: Named) -> bytes:
    table, named = seen
    if record is None:
        log.error("the facts of table %s cannot be read", table.code)
        record = UNREADABLE | {"table": table.code}
    return orjson.dumps(record | named) + b"\n"


def whole_lines(parts: Iterator[bytes]) -> Iterator[bytes]:
    """The parts; where no more can be made, a line that says so: who waits for more would wait for ever."""
    try:
        yield from parts
    except Exception:
        log.exception("a file of records was cut short")
        yield orjson.dumps(CUT_SHORT) + b"\n"


def _records(tables: list[Table]) -> list[dict[str, Any] | None]:
    return replica.read(lambda: records(tables), lambda: standby_has(tables))


def streamed(request: HttpRequest, parts: Iterator[bytes], name: str) -> HttpResponseBase:
    """The parts as a file of this name; 429 while the same reader is still being sent another one."""
    if request.method == "HEAD":
        return _named(HttpResponse(content_type=JSON_LINES), name)
    turn = Turn.take(_key(request))
    if turn is None:
        return render(request, "games/one_at_a_time.html", status=429)
    parts = whole_lines(parts)
    # Either kind of server waits for the parts in its own way.
    sent = _ahead(parts, turn) if isinstance(request, ASGIRequest) else parts
    return _named(OneAtATime(sent, content_type=JSON_LINES, turn=turn), name)


class Turn:
    """A reader's turn to be sent a file: a lock that the connection of the request's thread holds."""

    def __init__(self, key: int) -> None:
        self._key: int | None = key

    @classmethod
    def take(cls, key: int) -> "Turn | None":
        """The turn, or None while another file is under way."""
        return cls(key) if _lock("pg_try_advisory_lock", key) else None

    def end(self) -> None:
        """Give it back, once; in the thread that took it."""
        if self._key is not None:
            _lock("pg_advisory_unlock", self._key)
            self._key = None


class OneAtATime(StreamingHttpResponse):
    """Ends its turn when the reader has gone, however far it came."""

    def __init__(self, *given: Any, turn: Turn, **more: Any) -> None:
        super().__init__(*given, **more)
        self._turn = turn

    def close(self) -> None:
        """The server calls it in the thread of the request."""
        self._turn.end()
        super().close()


async def _ahead(parts: Iterator[bytes], turn: Turn) -> AsyncIterator[bytes]:
    def following() -> bytes | None:
        part = next(parts, None)
        if part is None:
            turn.end()
        return part

    while True:
        began = perf_counter()
        part = await sync_to_async(following)()
        if part is None:
            return
        yield part
        await asyncio.sleep(perf_counter() - began)


def _key(request: HttpRequest) -> int:
    """What the lock of a reader is called: the account's, else the address's."""
    user = request.user
    who = f"user {user.pk}" if isinstance(user, User) else place_of(request.META.get("REMOTE_ADDR", ""))
    return int.from_bytes(hashlib.sha256(f"stream {who}".encode()).digest()[:8], signed=True)


def _lock(function: str, key: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"select {function}(%s)", [key])
        return bool(cursor.fetchone()[0])


def _named(response: HttpResponseBase, name: str) -> HttpResponseBase:
    response["Content-Disposition"] = content_disposition_header(True, name) or ""
    response["X-Accel-Buffering"] = "no"
    return response

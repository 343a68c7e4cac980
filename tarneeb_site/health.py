"""Whether every part of the site works: asked by watchers at /healthz, and by whoever starts the site.

Two narrower questions are about one web process: /livez, whether it answers at all (or has to be started again), and
/readyz, whether it can serve (or a balancer sends nobody to it): it reaches the database and the broker.

Where histories are read from a standby, /healthz also tells whether that is there and near enough.

A process that has no port to ask is judged by work done: the worker by a canary task that beat sends
and the worker writes down, the steward by its own rounds.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import psycopg
import redis.asyncio
from asgiref.sync import async_to_sync, iscoroutinefunction
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.utils import timezone
from django.utils.decorators import sync_and_async_middleware

from games import replica
from games.models import Heartbeat
from tarneeb_site.brokers import broker

PATH = "/healthz"
LIVE_PATH, READY_PATH = "/livez", "/readyz"
PATHS = frozenset({PATH, LIVE_PATH, READY_PATH})
# What a web process itself needs.
NEEDED = ("database", "broker")
LIMIT_SECONDS = 3
# How old a sign of life may be; each is given several times within.
STALE = {"worker": timedelta(seconds=25), "steward": timedelta(seconds=15)}

_asked: "asyncio.Task[dict[str, str]] | None" = None


@sync_and_async_middleware
def health_first(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Answers what is asked about health before anything that could itself be ill: hosts, sessions, threads."""
    if iscoroutinefunction(get_response):

        async def answer(request: HttpRequest) -> HttpResponse:
            if request.path == LIVE_PATH:
                return respond(request, {"web": "ok"})
            if request.path in PATHS:
                return respond(request, asked_parts(request.path, await shared_report()))
            return await get_response(request)  # type: ignore[no-any-return]
    else:

        def answer(request: HttpRequest) -> HttpResponse:  # type: ignore[misc]
            if request.path == LIVE_PATH:
                return respond(request, {"web": "ok"})
            if request.path in PATHS:
                return respond(request, asked_parts(request.path, async_to_sync(report)()))
            return get_response(request)  # type: ignore[no-any-return]

    return answer


def asked_parts(path: str, parts: dict[str, str]) -> dict[str, str]:
    """Of a report what is asked for at that path."""
    return {name: parts[name] for name in NEEDED} if path == READY_PATH else parts


def respond(request: HttpRequest, parts: dict[str, str]) -> HttpResponse:
    """The report as an answer: 200 where all is well, else 503."""
    if request.method not in {"GET", "HEAD"}:
        return HttpResponseNotAllowed(["GET", "HEAD"])
    status = 200 if set(parts.values()) == {"ok"} else 503
    response = JsonResponse(parts, status=status, headers={"Cache-Control": "no-store"})
    # The answer is the report; a line in the log for each time somebody asks is none.
    response._has_been_logged = True  # type: ignore[attr-defined]
    return response


async def shared_report() -> dict[str, str]:
    """The report; all who ask while one is being made get that one, so that asking costs no more."""
    global _asked  # noqa: PLW0603
    loop = asyncio.get_running_loop()
    if _asked is None or _asked.done() or _asked.get_loop() is not loop:
        _asked = loop.create_task(report())
    return await asyncio.shield(_asked)


async def report() -> dict[str, str]:
    """The state of each part by name, "ok" or "missing"; there within LIMIT_SECONDS, whatever is ill."""
    beats, answers, lag = await asyncio.gather(
        within_limit(heartbeats), within_limit(broker_answers), within_limit(history_lag)
    )
    working = {"database": beats is not None, "broker": bool(answers)}
    if replica.is_configured():
        working["history"] = lag is not None and lag <= settings.HISTORY_LAG_SECONDS
    for name, limit in STALE.items():
        working[name] = is_fresh((beats or {}).get(name), limit, now=timezone.now())
    return {name: "ok" if works else "missing" for name, works in working.items()}


def is_fresh(at: datetime | None, limit: timedelta, *, now: datetime) -> bool:
    """Whether a sign of life was given, and lately. Clocks of two machines may differ a little."""
    return at is not None and now - at < limit


async def within_limit(ask: Callable[[], Awaitable[Any]]) -> Any:
    """What `ask` returns, or None where it fails or takes too long."""
    with suppress(OSError, TimeoutError, psycopg.Error, redis.asyncio.RedisError):
        async with asyncio.timeout(LIMIT_SECONDS):
            return await ask()
    return None


async def heartbeats() -> dict[str, datetime]:
    """The last sign of life of each process, by name, over a connection of its own."""
    async with await connected(DEFAULT_DB_ALIAS) as database:
        rows = await database.execute("select name, at from games_heartbeat")
        return dict(await rows.fetchall())


async def history_lag() -> float | None:
    """Seconds that the standby for histories is behind; None where there is none, or it follows nobody."""
    if not replica.is_configured():
        return None
    async with await connected(DEFAULT_DB_ALIAS) as database:
        (newest,) = await (await database.execute(replica.NOW_SQL)).fetchone() or (None,)
    async with await connected(replica.ALIAS) as standby:
        (lag,) = await (await standby.execute(replica.LAG_SQL, [newest])).fetchone() or (None,)
    return None if lag is None else max(0.0, lag)


async def connected(alias: str) -> psycopg.AsyncConnection[Any]:
    """A connection of its own to one of the databases of the settings."""
    parameters = connections[alias].get_connection_params()
    for name in ("cursor_factory", "context"):
        parameters.pop(name, None)
    return await psycopg.AsyncConnection.connect(**parameters)


async def broker_answers() -> bool:
    async with broker(settings.REDIS_URL, settings.SENTINEL_PASSWORD).async_client() as client:
        return bool(await client.ping())


def sign(name: str, *, now: datetime) -> None:
    """Writes down that the process of that name works."""
    Heartbeat.objects.update_or_create(name=name, defaults={"at": now})


def forget_signs() -> None:
    """Forgets the signs of an earlier run, so that the next ones are this run's."""
    Heartbeat.objects.all().delete()

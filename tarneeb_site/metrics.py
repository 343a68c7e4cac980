"""Figures for Prometheus at /metrics: of this web process, and what the database knows of the whole site.

Each web process tells its own figures at its own port, so that they are asked one by one and added up there. What is
of the site (names that begin with `tarneeb_site_`) is the same from each of them: take the highest.
"""

import asyncio
import hmac
import time
from collections.abc import Callable, Iterable
from datetime import datetime
from ipaddress import ip_address
from itertools import accumulate
from typing import Any, Final

import psycopg
from asgiref.sync import async_to_sync, iscoroutinefunction
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseNotFound
from django.utils.decorators import sync_and_async_middleware
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

from games import replica
from games.live.meter import METER, STEPS
from games.models import Phase
from tarneeb_site import health

PATH: Final = "/metrics"
LIMIT_SECONDS: Final = 3
KEPT_SECONDS: Final = 5.0
FORWARDED: Final = ("X-Forwarded-For", "Forwarded", "X-Real-IP")

# Each reads an index that is as long as what waits.
TABLES_SQL: Final = "select phase, count(*)::float8 from games_table where phase <> 'over' group by phase"
AGES_SQL: Final = """
select 'steward', min(due_at) from games_table where due_at < now()
 union all
select 'rating', min(t.ended_at) from games_table t
 where t.phase = 'over' and t.started_at is not null and t.ended_at > now() - interval '1 day'
   and not exists (select from accounts_reckoned r where r.table_number = t.id)
 union all
select 'adjudication', min(t.ended_at) from tournaments_pairingtable p join games_table t on t.id = p.table_id
 where p.state = 'open' and t.phase = 'over'
 union all
select 'letter', min(mail_at) from accounts_notice where mail_at < now()
 union all
select 'push', min(push_at) from accounts_notice where push_at < now()
"""
SIGNS_SQL: Final = "select name, at from games_heartbeat"
QUEUES: Final = ("rating", "adjudication", "letter", "push")


class SiteFigures:
    """What the database said a moment ago; empty where it said nothing in time."""

    def __init__(self) -> None:
        self.phases: dict[str, float] = {}
        self.since: dict[str, datetime | None] = {}
        self.signs: dict[str, datetime] = {}
        self.now: datetime | None = None
        self.history_lag: float | None = None

    def age(self, at: datetime | None) -> float:
        """Seconds since a moment of the database's clock; 0 for none."""
        return 0.0 if at is None or self.now is None else max(0.0, (self.now - at).total_seconds())


async def read_figures() -> SiteFigures:
    """The figures of the whole site, over connections of their own."""
    figures, lag = await asyncio.gather(_of_the_database(), health.within_limit(health.history_lag))
    figures.history_lag = lag
    return figures


async def _of_the_database() -> SiteFigures:
    figures = SiteFigures()
    try:
        async with asyncio.timeout(LIMIT_SECONDS):
            async with await health.connected(DEFAULT_DB_ALIAS) as database:
                figures.phases = dict(await (await database.execute(TABLES_SQL)).fetchall())
                figures.since = dict(await (await database.execute(AGES_SQL)).fetchall())
                figures.signs = dict(await (await database.execute(SIGNS_SQL)).fetchall())
                (figures.now,) = await (await database.execute("select now()")).fetchone() or (None,)
    except (OSError, TimeoutError, psycopg.Error):
        return SiteFigures()
    return figures


class Figures(Collector):
    """What is told, as Prometheus has it."""

    def __init__(self, site: SiteFigures) -> None:
        self._site = site

    def collect(self) -> Iterable[Any]:
        yield from _of_this_process()
        yield from _of_the_site(self._site)


def _of_this_process() -> Iterable[Any]:
    yield GaugeMetricFamily("tarneeb_sockets", "Sockets that are open at this process", METER.sockets)
    counts = list(accumulate(METER.steps))
    edges = [*(str(step) for step in STEPS), "+Inf"]
    moves = HistogramMetricFamily("tarneeb_move_seconds", "Moves of players, from the frame to the commit")
    moves.add_metric([], list(zip(edges, counts, strict=True)), METER.seconds)
    yield moves
    yield CounterMetricFamily("tarneeb_moves", "Moves of players that were stored", METER.moves)
    refused = CounterMetricFamily(
        "tarneeb_frames_refused", "Frames that were refused, by code", labels=["code"]
    )
    for code, count in sorted(METER.refused.items()):
        refused.add_metric([code], count)
    yield refused
    if replica.is_configured():
        reads = CounterMetricFamily(
            "tarneeb_history_reads", "Histories that were read, by where", labels=["where"]
        )
        for where in ("standby", "database"):
            reads.add_metric([where], replica.READS[where])
        yield reads


def _of_the_site(site: SiteFigures) -> Iterable[Any]:
    yield GaugeMetricFamily(
        "tarneeb_site_database_up", "Whether the database answered", float(site.now is not None)
    )
    if replica.is_configured():
        yield from _of_the_standby(site.history_lag)
    if site.now is None:
        return
    tables = GaugeMetricFamily("tarneeb_site_tables", "Tables that are not over, by phase", labels=["phase"])
    for phase in Phase.values:
        if phase != Phase.OVER:
            tables.add_metric([phase], site.phases.get(phase, 0.0))
    yield tables
    queues = GaugeMetricFamily("tarneeb_site_queue_age_seconds", "The oldest that waits", labels=["queue"])
    for queue in QUEUES:
        queues.add_metric([queue], site.age(site.since.get(queue)))
    yield queues
    lag = site.age(site.since.get("steward"))
    yield GaugeMetricFamily(
        "tarneeb_site_steward_lag_seconds", "How long the oldest table is due already", lag
    )
    signs = GaugeMetricFamily(
        "tarneeb_site_sign_age_seconds", "Since a process showed life", labels=["process"]
    )
    for name, at in sorted(site.signs.items()):
        signs.add_metric([name], site.age(at))
    yield signs


def _of_the_standby(lag: float | None) -> Iterable[Any]:
    yield GaugeMetricFamily(
        "tarneeb_site_history_up",
        "Whether the standby for histories answers and follows",
        float(lag is not None),
    )
    if lag is not None:
        yield GaugeMetricFamily("tarneeb_site_history_lag_seconds", "How far it is behind", lag)


_kept: tuple[float, SiteFigures] | None = None


async def shared_figures() -> SiteFigures:
    """The figures of the site, read once in five seconds however often somebody asks."""
    global _kept  # noqa: PLW0603
    now = time.monotonic()
    if _kept is None or now - _kept[0] > KEPT_SECONDS:
        _kept = (now, await read_figures())
    return _kept[1]


@sync_and_async_middleware
def metrics_first(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Answers /metrics; to who may not ask it is not there."""
    if iscoroutinefunction(get_response):

        async def answer(request: HttpRequest) -> HttpResponse:
            if request.path != PATH:
                return await get_response(request)  # type: ignore[no-any-return]
            return respond(request, await shared_figures() if may_ask(request) else None)
    else:

        def answer(request: HttpRequest) -> HttpResponse:  # type: ignore[misc]
            if request.path != PATH:
                return get_response(request)  # type: ignore[no-any-return]
            return respond(request, async_to_sync(shared_figures)() if may_ask(request) else None)

    return answer


def respond(request: HttpRequest, site: SiteFigures | None) -> HttpResponse:
    """The figures as an answer, or 404."""
    if site is None:
        return HttpResponseNotFound()
    if request.method not in {"GET", "HEAD"}:
        return HttpResponseNotAllowed(["GET", "HEAD"])
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Figures(site))
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def may_ask(request: HttpRequest) -> bool:
    """Whether it is somebody on this machine, and no proxy of others, or one who knows the token."""
    given = request.headers.get("Authorization", "")
    token = settings.METRICS_TOKEN
    if token and hmac.compare_digest(given.encode(), f"Bearer {token}".encode()):
        return True
    if any(name in request.headers for name in FORWARDED):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR") or "").is_loopback
    except ValueError:
        return False

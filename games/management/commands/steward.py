"""Runs the steward until told to stop."""

import asyncio
import logging
import signal
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from channels.db import database_sync_to_async
from django.core.management.base import BaseCommand
from django.utils import timezone

from games.live.hub import Hub, hub
from games.services.outages import Watch
from games.services.quick import match_waiting
from games.services.steward import play_due, sign_of_life

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.1
MATCH_SECONDS = 1.0
WEB_LOOK = timedelta(seconds=0.5)
HEARTBEAT = timedelta(seconds=2)


class Command(BaseCommand):
    help = "Deals, moves the bots, plays for the absent and matches those who seek a match, until stopped."

    def handle(self, *args: object, **options: object) -> None:
        asyncio.run(_run())


async def _run() -> None:
    stopping = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    await serve(hub(), stopping)


async def serve(live: Hub, stopping: asyncio.Event) -> None:
    """Look for due tables again and again until `stopping` is set. A database that is away is waited for."""
    watch = Watch(timezone.now())
    beaten_at = looked_at = datetime.min.replace(tzinfo=UTC)
    matching = asyncio.create_task(_bring_together(stopping))
    while not stopping.is_set():
        now = timezone.now()
        try:
            if now - beaten_at >= HEARTBEAT:
                await sign_of_life(live, now=now)
                beaten_at = now
            if now - looked_at >= WEB_LOOK:
                await watch.look(live.store, now=now)
                looked_at = now
            due = await play_due(live, now=now, served=watch.served)
        except Exception as error:
            log.error("the steward could not look: %s", error)
            # Whatever stopped us stopped the tables too: no player pays for it.
            await asyncio.sleep(1)
            watch.interrupted(now=timezone.now())
            due = 0
        if not due:
            await _pause(stopping, LOOK_SECONDS)
    matching.cancel()
    await live.stop()


async def _bring_together(stopping: asyncio.Event) -> None:
    """Look once a second who of those that seek a match can play. Beside the tables, which do not wait for it."""
    while not stopping.is_set():
        try:
            await database_sync_to_async(match_waiting)(timezone.now())
        except Exception as error:
            log.error("quick match could not look: %s", error)
        await _pause(stopping, MATCH_SECONDS)


async def _pause(stopping: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(stopping.wait(), seconds)

"""The only door to the channel layer, and to the tasks told of a match's end. What is said here is committed.

An announcement is a hint: one that is lost is healed by the hubs, which ask the database for versions once a
second, and by the sweep of finished matches. No announcement carries a hand, a deck or a secret.
"""

import asyncio
import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from asgiref.sync import async_to_sync
from celery import current_app
from channels.layers import BaseChannelLayer, get_channel_layer
from django.conf import settings

log = logging.getLogger(__name__)

GROUP = "live"
Item = dict[str, Any]


def layer() -> BaseChannelLayer:
    """The channel layer of the settings."""
    found = get_channel_layer()
    assert found is not None
    return found


class Announcer:
    """Sends what one event loop announces: everything that waits goes in one message."""

    def __init__(self) -> None:
        self._waiting: list[Item] = []
        self._sending: asyncio.Task[None] | None = None

    def say(self, item: Item) -> None:
        """Announce without waiting."""
        self._waiting.append(item)
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._send())

    async def finish(self) -> None:
        """Wait until all is said."""
        if self._sending is not None:
            await self._sending

    async def _send(self) -> None:
        while self._waiting:
            items, self._waiting = self._waiting, []
            try:
                await layer().group_send(GROUP, {"type": "announcement", "items": items})
            except Exception:
                log.warning("an announcement was lost; the hubs will heal it", exc_info=True)


def act_item(table_id: int, version: int, event: Mapping[str, Any]) -> Item:
    """The announcement of an action that made `version`; other processes fold it themselves."""
    due_at: datetime | None = event["due_at"]
    return {
        "kind": "act",
        "table": table_id,
        "version": version,
        "code": event["code"],
        "by": event["by"],
        "at": event["at"].isoformat(),
        "due_at": None if due_at is None else due_at.isoformat(),
        "idle": list(event["idle"]),
        "user_id": event["user_id"],
        "request_id": event["request_id"],
    }


def table_item(table_id: int, version: int) -> Item:
    """The announcement that a table is now at `version`; who watches it looks it up."""
    return {"kind": "table", "table": table_id, "version": version}


def ring_item(topic: str) -> Item:
    """The announcement that what is listed under a topic has changed."""
    return {"kind": "ring", "topic": topic}


def tell(*items: Item) -> None:
    """Announce from synchronous code, after the commit. A failure is logged and left to healing."""
    try:
        async_to_sync(layer().group_send)(GROUP, {"type": "announcement", "items": list(items)})
    except Exception:
        log.warning("an announcement was lost; the hubs will heal it", exc_info=True)


def ring(topic: str) -> None:
    """Tell every browser that watches a topic ("lobby", "tournament-<slug>"), after the commit."""
    tell(ring_item(topic))


def match_ended(table_id: int) -> None:
    """Send the tasks that the settings name for the end of a match. A failure is left to their sweep."""
    for name in settings.MATCH_END_TASKS:
        try:
            current_app.send_task(name, args=[table_id], retry=False)
        except Exception:
            log.warning("%s was not sent for table %s; the sweep will find it", name, table_id, exc_info=True)

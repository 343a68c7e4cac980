"""The only door to the channel layer, and to the tasks told of a match's end. What is said here is committed.

An announcement is a hint: one that is lost is healed by the hubs, which ask the database for versions once a
second, and by the sweep of finished matches. No announcement carries a hand, a deck or a secret.
"""

import asyncio
import logging
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from asgiref.sync import async_to_sync
from celery import current_app
from channels.layers import BaseChannelLayer, get_channel_layer
from django.conf import settings

from games.live.state import CLOCKS

log = logging.getLogger(__name__)

GROUP = "live"
# The first goes at once; what is said within this time after it goes together.
GATHER_SECONDS = 0.005
# Who does not get through in this time has told nobody.
TELL_SECONDS = 5.0
Item = dict[str, Any]


def layer() -> BaseChannelLayer:
    """The channel layer of the settings."""
    found = get_channel_layer()
    assert found is not None
    return found


class Announcer:
    """Sends what one event loop announces, while the tables play on: all that waits goes at once."""

    def __init__(self) -> None:
        self._waiting: list[Item] = []
        self._is_heard = True
        self._sending: asyncio.Task[None] | None = None
        self._lanes: dict[str, Lane] = {}

    def say(self, item: Item) -> None:
        """Announce without waiting."""
        self._waiting.append(item)
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._send())

    def match_ended(self, table_id: int) -> None:
        """Send the tasks for the end of a match without waiting."""
        for name, gather in settings.MATCH_END_TASKS.items():
            if name not in self._lanes:
                self._lanes[name] = Lane(name, gather)
            self._lanes[name].add(table_id)

    async def finish(self) -> None:
        """Wait until all is said."""
        if self._sending is not None:
            await self._sending
        for lane in self._lanes.values():
            await lane.finish()

    async def _send(self) -> None:
        while self._waiting:
            items, self._waiting = self._waiting, []
            try:
                await layer().group_send(GROUP, {"type": "announcement", "items": items})
                self._is_heard = True
            except Exception as error:
                # Once for as long as nobody hears: a line for each move would bury the others.
                if self._is_heard:
                    log.warning("announcements are lost; the hubs heal it: %s", error)
                self._is_heard = False
            # A message for each move of a full hall would be a good part of its work, here and for those who hear.
            await asyncio.sleep(GATHER_SECONDS)


class Lane:
    """Sends one task the matches that have ended: the first at once, those of `gather` seconds after it together."""

    def __init__(self, name: str, gather: float) -> None:
        self._name, self._gather = name, gather
        self._waiting: list[int] = []
        self._sending: asyncio.Task[None] | None = None
        self._hurry = asyncio.Event()

    def add(self, table_id: int) -> None:
        """Send it without waiting."""
        self._waiting.append(table_id)
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._send())

    async def finish(self) -> None:
        """Wait until all is sent; nothing is gathered any more."""
        self._hurry.set()
        if self._sending is not None:
            await self._sending

    async def _send(self) -> None:
        while self._waiting:
            table_ids, self._waiting = self._waiting, []
            await asyncio.to_thread(_send_end, self._name, table_ids)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._hurry.wait(), self._gather)


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
        **{name: list(event[name]) for name in CLOCKS},
        "user_id": event["user_id"],
        "request_id": event["request_id"],
    }


def table_item(table_id: int, version: int) -> Item:
    """The announcement that a table is now at `version`; who watches it looks it up."""
    return {"kind": "table", "table": table_id, "version": version}


def ring_item(topic: str) -> Item:
    """The announcement that what is listed under a topic has changed."""
    return {"kind": "ring", "topic": topic}


class _Line:
    """Where this process keeps a connection open to tell from."""

    loop: asyncio.AbstractEventLoop | None = None


def keep_a_line() -> None:
    """For a process without an event loop that has much to tell: one that stays, and its connection with it."""
    _Line.loop = asyncio.new_event_loop()
    threading.Thread(target=_Line.loop.run_forever, name="announcements", daemon=True).start()


def tell(*items: Item) -> None:
    """Announce from synchronous code, after the commit. A failure is logged and left to healing."""
    message = {"type": "announcement", "items": list(items)}
    try:
        if _Line.loop is None:
            async_to_sync(layer().group_send)(GROUP, message)
        else:
            sent = asyncio.run_coroutine_threadsafe(layer().group_send(GROUP, message), _Line.loop)
            sent.result(TELL_SECONDS)
    except Exception as error:
        log.warning("announcements were lost; the hubs will heal it: %s", error)


def ring(topic: str) -> None:
    """Tell every browser that watches a topic ("lobby", "tournament-<slug>"), after the commit."""
    tell(ring_item(topic))


def send_ends(table_ids: Sequence[int]) -> None:
    """Send the tasks that the settings name for the end of a match. What fails is left to their sweep."""
    for name in settings.MATCH_END_TASKS:
        _send_end(name, table_ids)


def _send_end(name: str, table_ids: Sequence[int]) -> None:
    try:
        current_app.send_task(name, args=list(table_ids), retry=False)
    except Exception as error:
        log.warning("the end of %s was not sent to %s, the sweep finds it: %s", table_ids, name, error)

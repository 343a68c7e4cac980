"""Whether the site was served all the time: what the steward asks before it lets a person's clock run out.

Every web process writes a sign of life each second. One whose signs end without a stop of the site has died, or
its machine has: whoever was connected to it could not act. Until it is known to be dead nobody's clock runs out
that its signs do not outlive; then, as after the start of a web process, every running clock is given grace.
"""

import asyncio
import logging
import uuid
from datetime import datetime, timedelta

from django.utils import timezone

from games.live.store import Store, store
from games.services.steward import Served

log = logging.getLogger(__name__)

WEB = "web:"
BEAT_SECONDS = 1.0
DEAD_AFTER = timedelta(seconds=5)
# Signs of a site that was shut down long ago, or is now served by other means.
FORGOTTEN_AFTER = timedelta(hours=1)

BEAT_SQL = """
insert into games_heartbeat (name, at) values (%s, %s)
on conflict (name) do update set at = greatest(games_heartbeat.at, excluded.at)
"""
LOOK_SQL = "select name, at from games_heartbeat where name like %s"
BURY_SQL = "delete from games_heartbeat where name = any(%s) and at <= %s"


async def show_life() -> None:
    """Note again and again, until cancelled, that this web process lives."""
    name = WEB + uuid.uuid4().hex[:16]
    while True:
        try:
            await store().execute(BEAT_SQL, [name, timezone.now()])
        except Exception as error:
            log.warning("a sign of life of the web process was not stored: %s", error)
        await asyncio.sleep(BEAT_SECONDS)


class Watch:
    """What one steward knows of the web processes. `served` says since and until when they certainly served."""

    def __init__(self, started_at: datetime) -> None:
        self.served = Served(started_at)
        self._known: frozenset[str] | None = None

    async def look(self, store: Store, *, now: datetime) -> None:
        """Read the signs of life and judge."""
        rows = await store.fetch(LOOK_SQL, [WEB + "%"])
        alive = {row["name"]: row["at"] for row in rows if row["at"] > now - DEAD_AFTER}
        dead = [row["name"] for row in rows if row["name"] not in alive]
        oldest = now - (DEAD_AFTER if alive else FORGOTTEN_AFTER)
        if dead:
            await store.execute(BURY_SQL, [dead, oldest])
        names, since = frozenset(row["name"] for row in rows), self.served.since
        if dead or (self._known is not None and names - self._known):
            since = now
        self._known = names
        # With nobody alive the last sign of all is as far as anybody was served.
        self.served = Served(since, min((row["at"] for row in rows), default=None))

    def interrupted(self, *, now: datetime) -> None:
        """The database was away, and the tables with it."""
        self.served = Served(now, self.served.until)

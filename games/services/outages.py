"""Whether the site was served all the time: what the steward asks before it lets a person's clock run out.

Every web process writes a sign of life each second. One whose signs end without a stop of the site has died, or
its machine has: whoever was connected to it could not act. Until it is known to be dead nobody's clock runs out
that its signs do not outlive; then, as after the start of a web process, every running clock is given grace.
"""

import asyncio
import logging
import uuid
from datetime import datetime, timedelta

from games.live.store import Store, store
from games.services.steward import Served

log = logging.getLogger(__name__)

WEB = "web:"
BEAT_SECONDS = 1.0
DEAD_AFTER = timedelta(seconds=5)
# Signs of a site that was shut down long ago, or is now served by other means.
FORGOTTEN_AFTER = timedelta(hours=1)

# By the clock of the database alone: those of the machines may differ.
BEAT_SQL = """
insert into games_heartbeat (name, at) values (%s, now()) on conflict (name) do update set at = excluded.at
"""
LOOK_SQL = "select name, now() - at as age from games_heartbeat where name like %s"
BURY_SQL = "delete from games_heartbeat where name = any(%s) and at <= now() - %s"
# Noted by each steward, at each look while it lasts: a row in ten seconds is enough.
INTERRUPTED_SQL = """
insert into accounts_interruption (at) select %s
 where not exists (select from accounts_interruption where at > %s - interval '10 s')
"""


async def show_life() -> None:
    """Note again and again, until cancelled, that this web process lives."""
    name = WEB + uuid.uuid4().hex[:16]
    while True:
        try:
            await store().execute(BEAT_SQL, [name])
        except Exception as error:
            log.warning("a sign of life of the web process was not stored: %s", error)
        await asyncio.sleep(BEAT_SECONDS)


class Watch:
    """What one steward knows of the web processes. `served` says since and until when they certainly served."""

    def __init__(self, started_at: datetime) -> None:
        self.served = Served(started_at)
        self._known: frozenset[str] | None = None

    async def look(self, store: Store, *, now: datetime) -> None:
        """Read the signs of life and judge. From when on players could not, or not all, act is noted for good."""
        ages = {row["name"]: row["age"] for row in await store.fetch(LOOK_SQL, [WEB + "%"])}
        dead = [name for name, age in ages.items() if age >= DEAD_AFTER]
        if dead:
            patience = DEAD_AFTER if len(dead) < len(ages) else FORGOTTEN_AFTER
            await store.execute(BURY_SQL, [dead, patience])
        names, since = frozenset(ages), self.served.since
        if dead or (self._known is not None and names - self._known):
            since = now
        if since != self.served.since or self._known is None:
            await store.execute(INTERRUPTED_SQL, [now, now])
        self._known = names
        # With nobody alive the last sign of all is as far as anybody was served.
        self.served = Served(since, now - max(ages.values()) if ages else None)

    def interrupted(self, *, now: datetime) -> None:
        """The database was away, and the tables with it."""
        self.served = Served(now, self.served.until)

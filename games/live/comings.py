"""Who came to the tables and went, written a few seconds later and many at once: nobody at a table waits for it."""

import logging
from collections import deque
from datetime import datetime
from typing import Final, NamedTuple

from games.live.state import TableState
from games.live.store import Store

log = logging.getLogger(__name__)

# More than that of one process in a few seconds is not written: the tables are more important.
MOST_WAITING: Final = 5000
AT_ONCE: Final = 500
WRITE_SECONDS: Final = 2.0
# Of a table that is gone meanwhile, or a guest who was forgotten, nothing is written.
WRITE_SQL: Final = """
insert into games_connection (table_id, user_id, kind, at, address, device, address_before, device_before)
select c.table_id, c.user_id, c.kind, c.at, c.address, c.device, c.address_before, c.device_before
  from unnest(%s::bigint[], %s::bigint[], %s::text[], %s::timestamptz[], %s::text[], %s::text[], %s::text[], %s::text[])
    as c(table_id, user_id, kind, at, address, device, address_before, device_before)
  join games_table t on t.id = c.table_id join accounts_user u on u.id = c.user_id
"""


class Coming(NamedTuple):
    """One row of `games_connection`."""

    table_id: int
    user_id: int
    kind: str
    at: datetime
    address: str = ""
    device: str = ""
    address_before: str = ""
    device_before: str = ""


def is_reviewed(state: TableState, user_id: int) -> bool:
    """Whether it is noted that this user comes and goes: who sits at a match, or at a table that waits for one."""
    return state.phase != "over" and (state.phase == "waiting" or state.seat_of(user_id) is not None)


class Comings:
    """What one process has seen and not written yet."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: deque[Coming] = deque(maxlen=MOST_WAITING)

    def note(self, coming: Coming) -> None:
        """Keep it to be written soon; where too much waits, what waits longest is dropped."""
        self._waiting.append(coming)

    async def write(self) -> None:
        """Write what waits. What could not be written waits on."""
        while self._waiting:
            taken = [self._waiting.popleft() for _ in range(min(AT_ONCE, len(self._waiting)))]
            try:
                await self._store.execute(WRITE_SQL, [list(column) for column in zip(*taken, strict=True)])
            except BaseException:
                self._waiting.extendleft(reversed(taken))
                raise

    async def finish(self) -> None:
        """Write what waits before the process ends, if the database is there."""
        try:
            await self.write()
        except Exception:
            log.warning("who came and went last was not written", exc_info=True)

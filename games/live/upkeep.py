"""What a hub does beside its sockets: it hears the others, heals what was lost, and ends sessions that ended."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any

from games.live.announce import GROUP, Item, layer
from games.live.audience import Watcher
from games.live.memo import Memo
from games.live.state import TableState
from games.live.store import Store

log = logging.getLogger(__name__)

VERSIONS_SQL = """
select id, version, due_at, votes,
       case when phase = 'deal' and first_deal_seconds is not null
            then (select count(arrived_at) from games_seat s where s.table_id = t.id) end as arrived
  from games_table t where id = any(%s)
"""
SESSIONS_SQL = """
select s.key from unnest(%s::text[], %s::bigint[], %s::text[]) as s(key, user_id, password)
  join django_session d on d.session_key = s.key and d.expire_date > now()
  join accounts_user u on u.id = s.user_id and u.is_active and u.password = s.password
"""


async def receive(hear: Callable[[Item], Awaitable[None]]) -> None:
    """Hear what is announced, until the channel layer fails."""
    channels = layer()
    channel = await channels.new_channel()
    await channels.group_add(GROUP, channel)
    try:
        while True:
            message = await channels.receive(channel)
            for item in message["items"]:
                await hear(item)
            # Many may come in one message, one after the other: sockets have their turn in between.
            await asyncio.sleep(0)
    finally:
        await channels.group_discard(GROUP, channel)


class Healer:
    """Finds the tables whose news were lost."""

    def __init__(self, store: Store, memo: Memo) -> None:
        self._store, self._memo = store, memo
        self._seen: dict[int, int] = {}

    async def heal(self, table_ids: Sequence[int]) -> None:
        """Load those of the tables anew that are known to be behind since the round before."""
        if not table_ids:
            return
        rows = await self._store.fetch(VERSIONS_SQL, [list(table_ids)])
        overdue, self._seen = self._seen, {row["id"]: row["version"] for row in rows}
        for row in rows:
            state = self._memo.known(row["id"])
            # What was new a moment ago may be on its way; what stood there a round before is lost.
            if state is None or state.version < overdue.get(row["id"], 0) or _is_uncounted(state, row):
                await self._memo.reload(row["id"])


def _is_uncounted(state: TableState, row: dict[str, Any]) -> bool:
    """Whether something changed that raises no version: a clock that was put off, a vote, somebody who arrived."""
    told = (state.due_at, state.votes) == (row["due_at"], row["votes"])
    arrived = sum(sitter.arrived for sitter in state.seats)
    return bool(state.version == row["version"] and not (told and row["arrived"] in {None, arrived}))


async def audit_sessions(store: Store, sockets: Sequence[Watcher]) -> None:
    """Close the sockets of those whose session has ended."""
    watchers = [watcher for watcher in sockets if watcher.session is not None]
    if not watchers:
        return
    keys, users, passwords = zip(*{w.session for w in watchers if w.session}, strict=True)
    rows = await store.fetch(SESSIONS_SQL, [list(keys), list(users), list(passwords)])
    alive = {row["key"] for row in rows}
    for watcher in watchers:
        if watcher.session is not None and watcher.session[0] not in alive:
            try:
                await watcher.end_session()
            except Exception:
                log.warning("a session that ended kept its socket", exc_info=True)


async def forever(name: str, job: Callable[[], Coroutine[Any, Any, None]], pause: float) -> None:
    """Do a job again and again; a failure is noted and tried again."""
    while True:
        try:
            await job()
        except Exception:
            log.warning("%s failed and is tried again", name, exc_info=True)
        await asyncio.sleep(pause)

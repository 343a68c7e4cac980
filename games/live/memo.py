"""What this process knows of the tables: folded states, always disposable, replaced only after a commit."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from weakref import WeakValueDictionary

from games.live.state import TableState
from games.live.store import Store

# Of the tables that nobody watches here so many are kept, those asked for last.
KEPT = 1024


class Memo:
    """The newest state known of each table; `on_newer` is called with each that replaces an older one.

    Tables that `is_needed` says are watched stay known; of the others, the latest few.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._states: OrderedDict[int, TableState] = OrderedDict()
        self._loading: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._limit = 2 * KEPT
        self.on_newer: Callable[[TableState, int | None, str | None], None] = lambda *_: None
        self.is_needed: Callable[[int], bool] = lambda _: False

    def known(self, table_id: int) -> TableState | None:
        """The state in memory, however old, or None."""
        return self._states.get(table_id)

    async def current(self, table_id: int, *, at_least: int = 0) -> TableState | None:
        """A state of at least that version: the one in memory, else folded from the database."""
        state = self._states.get(table_id)
        if state is not None and state.version >= at_least:
            self._states.move_to_end(table_id)
            return state
        return await self.reload(table_id, at_least=at_least)

    async def reload(self, table_id: int, *, at_least: int | None = None) -> TableState | None:
        """The state folded anew; callers who wait for the same table share a fold that is new enough."""
        lock = self._loading.setdefault(table_id, asyncio.Lock())
        async with lock:
            state = self._states.get(table_id)
            if at_least is not None and state is not None and state.version >= at_least:
                return state
            loaded = await self._store.load(table_id)
            if loaded is not None:
                self.learn(loaded)
        return self._states.get(table_id)

    def learn(self, state: TableState, user_id: int | None = None, request_id: str | None = None) -> None:
        """Take over a committed state unless a newer is known; `request_id` is of the act that made it.

        Who waits for the answer to that id gets it even where the state came here by another way before.
        """
        known = self._states.get(state.id)
        is_news = known is None or _told(known) != _told(state)
        if known is not None and known.version > state.version:
            state, is_news = known, False
        self._keep(state)
        if is_news or request_id is not None:
            self.on_newer(state, user_id, request_id)

    def forget(self, table_id: int) -> None:
        """Have no state of a table any more; the next who asks makes the database fold it."""
        self._states.pop(table_id, None)

    def _keep(self, state: TableState) -> None:
        self._states[state.id] = state
        self._states.move_to_end(state.id)
        if len(self._states) > self._limit:
            self._forget_unneeded()

    def _forget_unneeded(self) -> None:
        """A long match is large, and there is no end of matches. Seldom done, so that it costs little a state."""
        unneeded = [table_id for table_id in self._states if not self.is_needed(table_id)]
        for table_id in unneeded[:-KEPT]:
            del self._states[table_id]
        self._limit = len(self._states) + KEPT


def _told(state: TableState) -> tuple[object, ...]:
    """What is worth a new frame: the version, and what is not counted in it."""
    return state.version, state.due_at, state.votes, state.next_code, state.seats

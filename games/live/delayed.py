"""What spectators of a table with a delay are shown, and when the secret of several tables is out.

A hub reports each table that it shows and that needs it. Twice a second it is asked of the database what happened
there; where spectators are due something newer, the table is folded up to that version and shown to them alone.

Tables with one commitment have the same cards: a deal is shown to spectators once it was finished at all of them,
and the secret of one that is over once all are. A table counts for as long as it is not over, begun or not.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, Protocol

from django.utils import timezone

from games.live.state import TableState
from games.live.store import Store
from games.live.timeline import Event, Timeline

LOOK_SECONDS: Final = 0.5

# One row an event, and one for a table without any; all of one moment.
NEWS_SQL = """
select t.id, t.phase, t.watch_delay, e.version, e.kind, e.at,
       array(select o.id from games_table o where o.commitment = t.commitment and o.id <> t.id) as sharing
  from unnest(%s::bigint[], %s::int[]) as asked(id, known)
  join games_table t on t.id = asked.id
  left join games_event e on e.table_id = t.id and e.version > asked.known
 order by t.id, e.version
"""


@dataclass(slots=True)
class _Table:
    """A table that is shown here, or that has the cards of one that is."""

    line: Timeline = field(default_factory=Timeline)
    delay: timedelta | None = timedelta(0)
    sharing: list[int] = field(default_factory=list)
    state: TableState | None = None
    was_shared: bool = False
    was_through: bool = False


class View(Protocol):
    """Who shows the tables: the hub."""

    def has_spectators(self, table_id: int) -> bool: ...
    def show_spectators(self, table_id: int) -> None: ...
    async def show_anew(self, table_id: int) -> None: ...


class Delayed:
    """The delayed tables of one hub."""

    def __init__(self, store: Store, view: View) -> None:
        self._store, self._view = store, view
        self._tables: dict[int, _Table] = {}
        # Whether each shares its cards with another.
        self._wanted: dict[int, bool] = {}
        self.clock: Callable[[], datetime] = timezone.now

    def notice(self, state: TableState) -> None:
        """Hear of a state that is shown here."""
        if state.terms.watch_delay or state.is_shared:
            self._wanted[state.id] = state.is_shared

    def forget(self, table_id: int) -> None:
        """A table is not watched here any more."""
        self._wanted.pop(table_id, None)

    def holds(self, state: TableState) -> bool:
        """Whether spectators are not shown this state, but an earlier one."""
        if state.phase == "waiting" or not (state.terms.watch_delay or state.is_shared):
            return False
        table = self._tables.get(state.id)
        return table is None or not table.line.is_through

    def shown(self, table_id: int) -> TableState | None:
        """The state that spectators of a delayed table saw last, or None where they saw none yet."""
        table = self._tables.get(table_id)
        return None if table is None else table.state

    async def current(self, table_id: int) -> TableState | None:
        """The state that spectators of a delayed table see now."""
        if self.shown(table_id) is None:
            await self._look_at([table_id])
        return self.shown(table_id)

    async def look(self) -> None:
        """Find out what happened, and show what is due by now."""
        known = [self._tables[table_id] for table_id in self._wanted if table_id in self._tables]
        kept = self._wanted.keys() | {other for table in known for other in table.sharing}
        self._tables = {table_id: table for table_id, table in self._tables.items() if table_id in kept}
        # Players alone need it only where the secret of their match has to wait for others.
        asked = [n for n, is_shared in self._wanted.items() if is_shared or self._view.has_spectators(n)]
        if asked:
            await self._look_at(asked)

    async def _look_at(self, table_ids: Sequence[int]) -> None:
        await self._hear(table_ids)
        found = [self._tables[table_id] for table_id in table_ids if table_id in self._tables]
        others = {other for table in found for other in table.sharing} - set(table_ids)
        if others:
            await self._hear(list(others))
        now = self.clock()
        for table_id in table_ids:
            if table_id in self._tables:
                await self._advance(table_id, self._tables[table_id], now)

    async def _hear(self, table_ids: Sequence[int]) -> None:
        lines = {table_id: self._tables.setdefault(table_id, _Table()).line for table_id in table_ids}
        known = {table_id: line.known for table_id, line in lines.items()}
        rows = await self._store.fetch(NEWS_SQL, [list(known), list(known.values())])
        for table_id, news in groupby(rows, key=itemgetter("id")):
            # Another look may have taken it in meanwhile.
            if lines[table_id].known == known[table_id] and table_id in self._tables:
                _take_in(self._tables[table_id], list(news))

    async def _advance(self, table_id: int, table: _Table, now: datetime) -> None:
        is_shared, was_shared = self._is_shared(table), table.was_shared
        table.was_shared = is_shared
        if was_shared and not is_shared:
            await self._view.show_anew(table_id)
        version = table.line.advance(now, table.delay, partial(self._gate, table) if is_shared else None)
        if table.line.is_through:
            if not table.was_through:
                self._view.show_spectators(table_id)
            table.was_through, table.state = True, None
        elif not self._view.has_spectators(table_id):
            table.state = None
        elif table.state is None or table.state.version < version:
            await self._show(table_id, table, version)

    async def _show(self, table_id: int, table: _Table, version: int) -> None:
        loaded = await self._store.load_at(table_id, version)
        if loaded is not None and (table.state is None or table.state.version < loaded.version):
            table.state = loaded
            self._view.show_spectators(table_id)

    def _is_shared(self, table: _Table) -> bool:
        """Whether another table with the same cards is not over."""
        return any(line is None or line.over_at is None for line in self._others(table))

    def _gate(self, table: _Table, deal: int) -> datetime | None:
        """When a deal was finished at all tables that have its cards; None while it is not."""
        ends = [line and line.finished_at(deal) for line in (table.line, *self._others(table))]
        times = [end for end in ends if isinstance(end, datetime)]
        return max(times) if len(times) == len(ends) else None

    def _others(self, table: _Table) -> list[Timeline | None]:
        known = [self._tables.get(other) for other in table.sharing]
        return [None if other is None else other.line for other in known]


def _take_in(table: _Table, rows: list[dict[str, Any]]) -> None:
    table.line.add(
        [Event(row["version"], row["kind"], row["at"]) for row in rows if row["kind"] is not None],
        rows[0]["phase"],
    )
    seconds = rows[0]["watch_delay"]
    table.delay = None if seconds < 0 else timedelta(seconds=seconds)
    table.sharing = rows[0]["sharing"]

"""One hub an event loop: which sockets watch which table, and what they are told when."""

import asyncio
import time
import uuid
from collections.abc import Callable, Coroutine, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from django.utils import timezone

from games.live.announce import Announcer, Item
from games.live.audience import Watcher
from games.live.comings import WRITE_SECONDS, Coming, Comings, is_reviewed
from games.live.delayed import LOOK_SECONDS
from games.live.lookup import FIND_SQL, Found, Lookup
from games.live.memo import Memo
from games.live.presence import Lags, Presence
from games.live.stage import Stage, seated
from games.live.state import Sitter, TableState, acted
from games.live.store import Store, store
from games.live.upkeep import Healer, audit_sessions, forever, receive
from games.marks import Mark
from games.models import Move

HEAL_SECONDS = 1.0
# Who is here is repeated for a part of the tables every second, for all in so many.
PRESENCE_PARTS = 10
GONE_LOOK_SECONDS = 1.0
LEFT_AFTER_SECONDS = 1.0
RECOUNT_SECONDS = 1.0
AUDIT_SECONDS = 2.0
RETRY_SECONDS = 1.0


class Bell(Protocol):
    """A socket that is told when its topic changed."""

    async def ring(self) -> None: ...


class Hub:
    """The live tables of one event loop: store, memo, presence and the sockets."""

    def __init__(self) -> None:
        self.process = uuid.uuid4().hex
        self.store: Store = store()
        self.memo = Memo(self.store)
        self.memo.on_newer = self._newer
        self.announcer = Announcer()
        self.presence = Presence()
        self.lags = Lags()
        self.comings = Comings(self.store)
        self.stage = Stage(self.store, self.memo, self.presence)
        self.memo.is_needed = self.stage.is_watched
        self._tables_by_code = Lookup[str](self.store, FIND_SQL)
        self._healer = Healer(self.store, self.memo)
        self._bells: dict[str, set[Bell]] = {}
        self._seats: dict[int, tuple[Sitter, ...]] = {}
        self._recounts: dict[int, bool] = {}
        self._part = 0
        self._tasks: list[asyncio.Task[None]] = []

    # Sockets come and go.

    async def find(self, code: str) -> Found | None:
        """The id and the version of a table as the database knows it now."""
        row = await self._tables_by_code.find(code)
        return None if row is None else Found(row["id"], row["version"])

    async def watch(self, table_id: int, version: int, watcher: Watcher) -> None:
        """Add a socket to a table, which the database knows at `version`, and send it what it may see."""
        self._start()
        state = await self.memo.current(table_id, at_least=version)
        self.stage.enter(table_id, watcher, state)
        if state is not None:
            self._seats.setdefault(table_id, state.seats)
        if self.presence.came(table_id, watcher.user_id, time.monotonic()):
            self._presence_changed(table_id, watcher.user_id)
            self._note(Move.CAME, table_id, watcher.user_id, watcher.mark)
        await self.send_current(table_id, watcher)

    def unwatch(self, table_id: int, watcher: Watcher) -> None:
        """Forget a socket; its user counts as gone a moment later, unless another tab is open or comes."""
        if self.stage.leave(table_id, watcher):
            if not self.stage.is_watched(table_id):
                self._seats.pop(table_id, None)
            left = (table_id, watcher.user_id, watcher.mark)
            asyncio.get_running_loop().call_later(LEFT_AFTER_SECONDS, self._left, *left)

    def listen(self, topic: str, bell: Bell) -> None:
        """Ring a socket whenever its topic changes."""
        self._start()
        self._bells.setdefault(topic, set()).add(bell)

    def unlisten(self, topic: str, bell: Bell) -> None:
        """Forget a bell."""
        bells = self._bells.get(topic, set())
        bells.discard(bell)
        if not bells:
            self._bells.pop(topic, None)

    async def send_current(
        self, table_id: int, watcher: Watcher, *, request_id: str | None = None, at_least: int = 0
    ) -> None:
        """Send one socket what it may see now."""
        state = await self.memo.current(table_id, at_least=at_least)
        seen = None if state is None else await self.stage.seen_by(state, watcher)
        if seen is not None:
            self.stage.show_one(watcher, seen, request_id)

    async def version_for(self, table_id: int, watcher: Watcher) -> int:
        """The version of what a socket may see now; 0 where there is nothing."""
        state = await self.memo.current(table_id)
        seen = None if state is None else await self.stage.seen_by(state, watcher)
        return 0 if seen is None else seen.version

    def say(self, table_id: int, seat: int, phrase: str) -> None:
        """Tell everybody at a table, in every process, a phrase."""
        self.speak({"kind": "said", "table": table_id, "seat": seat, "phrase": phrase})

    def speak(self, item: Item) -> None:
        """Tell those who may hear it, in every process, what was said: a phrase or a stored line of chat."""
        state = self.memo.known(item["table"])
        item = item | {"process": self.process, "version": 0 if state is None else state.version}
        self.stage.say(item)
        self.announcer.say(item)

    # News come in: from this process after its commit, or announced, or healed.

    def _newer(self, state: TableState, user_id: int | None, request_id: str | None) -> None:
        self.stage.show(state, user_id, request_id)
        before = self._seats.get(state.id)
        if before is not None and before != state.seats:
            self._seats[state.id] = state.seats
            self._tell_presence(state.id)

    async def hear(self, item: Item) -> None:
        """Take in one announcement."""
        kind = item["kind"]
        if kind == "ring":
            bells = self._bells.get(item["topic"], ())
            self.stage.crowd.serve(("bell", item["topic"]), bells, lambda bell: bell.ring)
        elif kind == "said" and item.get("process") != self.process:
            self.stage.say(item)
        elif kind == "here" and item["process"] != self.process:
            self._heard(item)
        elif kind == "mute":
            self.stage.mute(item)
        elif kind in {"act", "table"}:
            await self._hear_version(item)

    async def _hear_version(self, item: Item) -> None:
        state = self.memo.known(item["table"])
        if state is None or (state.version >= item["version"] and item["kind"] == "act"):
            return
        if item["kind"] == "act" and state.version == item["version"] - 1:
            event = item | {"at": _moment(item["at"]), "due_at": _moment(item["due_at"])}
            self.memo.learn(acted(state, event), item["user_id"], item["request_id"])
        elif state.version < item["version"] or item["kind"] == "table":
            await self.memo.reload(item["table"])

    # Presence.

    def measured(self, user_id: int, ms: float) -> None:
        """Take in how long a message to a user and back took."""
        self.lags.measured(user_id, ms)

    def lag_ms(self, user_id: int) -> int:
        """How slow a user's line is, as measured here or by another process lately; 0 where nobody knows."""
        return self.lags.of(user_id)

    def _note(self, kind: Move, table_id: int, user_id: int | None, mark: Mark) -> None:
        """For who reviews a match: a player's first browser came, or the last one went."""
        state = self.memo.known(table_id)
        if user_id is not None and state is not None and is_reviewed(state, user_id):
            self.comings.note(Coming(table_id, user_id, kind, timezone.now(), *mark))

    def _left(self, table_id: int, user_id: int | None, mark: Mark) -> None:
        if self.presence.went(table_id, user_id, time.monotonic()):
            self._note(Move.WENT, table_id, user_id, mark)
            if user_id is not None:
                self.lags.forget(user_id)
            self._presence_changed(table_id, user_id)
        state = self.memo.known(table_id)
        if state is not None and state.phase == "over" and not self.stage.is_watched(table_id):
            self.memo.forget(table_id)

    def _heard(self, item: Item) -> None:
        now = time.monotonic()
        for user_id, ms in item.get("lags", {}).items():
            self.lags.told(int(user_id), ms, now)
        said = (item["users"], item.get("watching", 0))
        is_new, is_recount = self.presence.heard(item["process"], item["table"], *said, now)
        if is_new:
            self.stage.redraw(item["table"])
        elif is_recount and self.stage.is_watched(item["table"]):
            self._recount_soon(item["table"], tell=False)

    def _presence_changed(self, table_id: int, user_id: int | None) -> None:
        state = self.memo.known(table_id)
        if state is not None and state.seat_of(user_id) is not None:
            self._tell_presence(table_id)
            self.stage.redraw(table_id)
        else:
            self._recount_soon(table_id, tell=True)

    def _recount_soon(self, table_id: int, *, tell: bool) -> None:
        """However many spectators come and go, their number is told and shown once a while."""
        if table_id not in self._recounts:
            asyncio.get_running_loop().call_later(RECOUNT_SECONDS, self._recount, table_id)
        self._recounts[table_id] = tell or self._recounts.get(table_id, False)

    def _recount(self, table_id: int) -> None:
        if self._recounts.pop(table_id, False):
            self._tell_presence(table_id)
        self.stage.redraw(table_id)

    def _tell_presence(self, table_id: int) -> None:
        state = self.memo.known(table_id)
        if state is None or not self._tasks:
            return
        users, watching = self.presence.own(table_id, seated(state))
        lags = {str(user_id): ms for user_id, ms in self.lags.own(users).items()}
        told = {"users": users, "watching": watching, "lags": lags}
        self.announcer.say({"kind": "here", "process": self.process, "table": table_id, **told})

    # What runs beside the sockets.

    def _start(self) -> None:
        if not self._tasks:
            jobs: list[tuple[str, Callable[[], Coroutine[Any, Any, None]], float]] = [
                ("hearing the others", partial(receive, self.hear), RETRY_SECONDS),
                ("healing", self._heal, HEAL_SECONDS),
                ("telling who is here", self._repeat_presence, 1.0),
                ("looking who is gone", self._look_who_is_gone, GONE_LOOK_SECONDS),
                ("looking at sessions", self._audit_sessions, AUDIT_SECONDS),
                ("showing delayed tables", self.stage.delayed.look, LOOK_SECONDS),
                ("writing who came and went", self.comings.write, WRITE_SECONDS),
            ]
            self._tasks = [asyncio.create_task(forever(*job)) for job in jobs]

    async def stop(self) -> None:
        """End the jobs and close the store."""
        # Asked once it may not be heard: asyncio.wait_for of Python 3.11, within a library, swallows that.
        while pending := [task for task in self._tasks if not task.done()]:
            for task in pending:
                task.cancel()
            await asyncio.wait(pending, timeout=0.1)
        self._tasks = []
        await self.stage.close()
        await self.announcer.finish()
        await self.comings.finish()
        await self.store.close()

    async def _heal(self) -> None:
        await self._healer.heal(self.stage.tables)

    async def _audit_sessions(self) -> None:
        await audit_sessions(self.store, self.stage.sockets())

    async def _repeat_presence(self) -> None:
        self._part = (self._part + 1) % PRESENCE_PARTS
        for table_id in self.stage.tables:
            if table_id % PRESENCE_PARTS == self._part:
                self._tell_presence(table_id)
        self.lags.expire(time.monotonic())
        for table_id in self.presence.expire(time.monotonic()):
            self.stage.redraw(table_id)

    async def _look_who_is_gone(self) -> None:
        now = time.monotonic()
        for table_id in self.stage.tables:
            state = self.memo.known(table_id)
            if state is not None and self.presence.turned(table_id, seated(state), now):
                self.stage.redraw(table_id)


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def hub() -> Hub:
    """The hub of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        _hubs[loop] = Hub()
    return _hubs[loop]


def watching(table_id: int, seated: Sequence[int]) -> int:
    """How many watch a table without sitting there, as far as this process knows; for pages, in any thread."""
    return max((live.presence.watching(table_id, seated) for live in list(_hubs.values())), default=0)

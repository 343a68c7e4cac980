"""One hub an event loop: which sockets watch which table. Renders once a seat and hands out in process."""

import asyncio
import logging
import time
import uuid
from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from django.utils import timezone

from games.live.announce import GROUP, Announcer, Item, layer
from games.live.frames import Frames
from games.live.memo import Memo
from games.live.presence import Here, Lags, Presence
from games.live.state import TableState, acted
from games.live.store import Store, store
from games.live.talk import Ears, hears, mute, said

log = logging.getLogger(__name__)

HEAL_SECONDS = 1.0
PRESENCE_SECONDS = 10.0
LEFT_AFTER_SECONDS = 1.0
AUDIT_SECONDS = 2.0
RETRY_SECONDS = 1.0

VERSIONS_SQL = "select id, version, due_at from games_table where id = any(%s)"
SESSIONS_SQL = """
select s.key from unnest(%s::text[], %s::bigint[], %s::text[]) as s(key, user_id, password)
  join django_session d on d.session_key = s.key and d.expire_date > now()
  join accounts_user u on u.id = s.user_id and u.is_active and u.password = s.password
"""


class Watcher(Protocol):
    """A socket at a table. `session` is (session key, user id, password hash), None for a guest."""

    user_id: int | None
    session: tuple[str, int, str] | None
    ears: Ears

    async def deliver(self, frame: str) -> None: ...
    async def end_session(self) -> None: ...


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
        self._watchers: dict[int, set[Watcher]] = {}
        self._bells: dict[str, set[Bell]] = {}
        self._seen: dict[int, int] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._fanouts: set[asyncio.Task[None]] = set()

    # Sockets come and go.

    async def watch(self, table_id: int, version: int, watcher: Watcher) -> None:
        """Add a socket to a table, which the database knows at `version`, and send it what is."""
        self._start()
        await self.memo.current(table_id, at_least=version)
        self._watchers.setdefault(table_id, set()).add(watcher)
        if self.presence.came(table_id, watcher.user_id, time.monotonic()):
            self._presence_changed(table_id)
        await self.send_current(table_id, watcher)

    def unwatch(self, table_id: int, watcher: Watcher) -> None:
        """Forget a socket; its user counts as gone a moment later, unless another tab is open or comes."""
        watchers = self._watchers.get(table_id, set())
        if watcher not in watchers:
            return
        watchers.discard(watcher)
        if not watchers:
            del self._watchers[table_id]
        asyncio.get_running_loop().call_later(LEFT_AFTER_SECONDS, self._left, table_id, watcher.user_id)

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
        """Send one socket the current view."""
        state = await self.memo.current(table_id, at_least=at_least)
        if state is not None:
            frames = Frames(state, self._at(state), timezone.now())
            await watcher.deliver(frames.table(watcher.user_id, request_id))

    def say(self, table_id: int, seat: int, phrase: str) -> None:
        """Tell everybody at a table, in every process, a phrase."""
        self.speak({"kind": "said", "table": table_id, "seat": seat, "phrase": phrase})

    def speak(self, item: Item) -> None:
        """Tell those who may hear it, in every process, what was said: a phrase or a stored line of chat."""
        self._said(item)
        self.announcer.say(item | {"process": self.process})

    # States come in: from this process after its commit, or announced, or healed.

    def _newer(self, state: TableState, user_id: int | None, request_id: str | None) -> None:
        if state.id in self._watchers:
            self._fan_out(state, user_id, request_id)

    def _fan_out(self, state: TableState, user_id: int | None = None, request_id: str | None = None) -> None:
        frames = Frames(state, self._at(state), timezone.now())
        deliveries = [
            (watcher, frames.table(watcher.user_id, _own(watcher, user_id, request_id)))
            for watcher in self._watchers.get(state.id, ())
        ]
        self._spawn(_deliver(deliveries))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._fanouts.add(task)
        task.add_done_callback(self._fanouts.discard)

    async def hear(self, item: Item) -> None:
        """Take in one announcement."""
        kind = item["kind"]
        if kind == "ring":
            await self._ring(item["topic"])
        elif kind == "said" and item.get("process") != self.process:
            self._said(item)
        elif kind == "here" and item["process"] != self.process:
            self._heard(item)
        elif kind == "mute":
            self._mute(item)
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

    async def _ring(self, topic: str) -> None:
        for bell in list(self._bells.get(topic, ())):
            await _quietly(bell.ring())

    def _said(self, item: Item) -> None:
        state = self.memo.known(item["table"])
        if state is None:
            return
        frame, room = said(item), item.get("room")
        speaker = item["user_id"] if room else state.seats[item["seat"]].user_id
        hearers = [
            watcher
            for watcher in self._watchers.get(item["table"], ())
            if hears(watcher.ears, state.seat_of(watcher.user_id), room, speaker)
        ]
        self._spawn(_deliver([(watcher, frame) for watcher in hearers]))

    def _mute(self, item: Item) -> None:
        own = [w for table in self._watchers.values() for w in table if w.user_id == item["user"]]
        for watcher in own:
            change = watcher.ears.muted.add if item["muted"] else watcher.ears.muted.discard
            change(item["muted_id"])
        self._spawn(_deliver([(watcher, mute(item)) for watcher in own]))

    # Presence.

    def measured(self, user_id: int, ms: float) -> None:
        """Take in how long a message to a user and back took."""
        self.lags.measured(user_id, ms)

    def lag_ms(self, user_id: int) -> int:
        """How slow a user's line is, as measured here or by another process lately; 0 where nobody knows."""
        return self.lags.of(user_id)

    def _at(self, state: TableState) -> Here:
        return self.presence.at(state.id, _seated(state), time.monotonic())

    def _left(self, table_id: int, user_id: int | None) -> None:
        if self.presence.went(table_id, user_id, time.monotonic()):
            if user_id is not None:
                self.lags.forget(user_id)
            self._presence_changed(table_id)

    def _heard(self, item: Item) -> None:
        now = time.monotonic()
        for user_id, ms in item.get("lags", {}).items():
            self.lags.told(int(user_id), ms, now)
        if self.presence.heard(item["process"], item["table"], item["users"], item.get("watching", 0), now):
            self._redraw(item["table"])

    def _presence_changed(self, table_id: int) -> None:
        self._tell_presence(table_id)
        self._redraw(table_id)

    def _tell_presence(self, table_id: int) -> None:
        state = self.memo.known(table_id)
        if state is None:
            return
        users, watching = self.presence.own(table_id, _seated(state))
        lags = {str(user_id): ms for user_id, ms in self.lags.own(users).items()}
        said = {"users": users, "watching": watching, "lags": lags}
        self.announcer.say({"kind": "here", "process": self.process, "table": table_id, **said})

    def _redraw(self, table_id: int) -> None:
        state = self.memo.known(table_id)
        if state is not None and table_id in self._watchers:
            self._fan_out(state)

    # What runs beside the sockets.

    def _start(self) -> None:
        if not self._tasks:
            jobs: list[tuple[Callable[[], Coroutine[Any, Any, None]], float]] = [
                (self._receive, RETRY_SECONDS),
                (self._heal, HEAL_SECONDS),
                (self._repeat_presence, PRESENCE_SECONDS),
                (self._audit_sessions, AUDIT_SECONDS),
            ]
            self._tasks = [asyncio.create_task(_forever(job, pause)) for job, pause in jobs]

    async def stop(self) -> None:
        """End the jobs and close the store."""
        # Asked once it may not be heard: asyncio.wait_for of Python 3.11, within a library, swallows that.
        while pending := [task for task in self._tasks if not task.done()]:
            for task in pending:
                task.cancel()
            await asyncio.wait(pending, timeout=0.1)
        self._tasks = []
        await self.announcer.finish()
        await self.store.close()

    async def _receive(self) -> None:
        channels = layer()
        channel = await channels.new_channel()
        await channels.group_add(GROUP, channel)
        try:
            while True:
                message = await channels.receive(channel)
                for item in message["items"]:
                    await self.hear(item)
        finally:
            await channels.group_discard(GROUP, channel)

    async def _heal(self) -> None:
        if not self._watchers:
            return
        rows = await self.store.fetch(VERSIONS_SQL, [list(self._watchers)])
        overdue, self._seen = self._seen, {row["id"]: row["version"] for row in rows}
        for row in rows:
            state = self.memo.known(row["id"])
            # What was new a moment ago may be on its way; what stood there a round before is lost.
            if state is None or state.version < overdue.get(row["id"], 0) or _is_put_off(state, row):
                await self.memo.reload(row["id"])

    async def _repeat_presence(self) -> None:
        for table_id in list(self._watchers):
            self._tell_presence(table_id)
        self.lags.expire(time.monotonic())
        for table_id in self.presence.expire(time.monotonic()):
            self._redraw(table_id)

    async def _audit_sessions(self) -> None:
        watchers = [w for table in self._watchers.values() for w in table if w.session is not None]
        if not watchers:
            return
        keys, users, passwords = zip(*{w.session for w in watchers if w.session}, strict=True)
        rows = await self.store.fetch(SESSIONS_SQL, [list(keys), list(users), list(passwords)])
        alive = {row["key"] for row in rows}
        for watcher in watchers:
            if watcher.session is not None and watcher.session[0] not in alive:
                await _quietly(watcher.end_session())


def _seated(state: TableState) -> list[int]:
    return [sitter.user_id for sitter in state.seats if sitter.user_id is not None]


def _is_put_off(state: TableState, row: dict[str, Any]) -> bool:
    return bool(state.version == row["version"] and state.due_at != row["due_at"])


def _own(watcher: Watcher, user_id: int | None, request_id: str | None) -> str | None:
    return request_id if user_id is not None and watcher.user_id == user_id else None


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


async def _deliver(deliveries: list[tuple[Watcher, str]]) -> None:
    for watcher, frame in deliveries:
        await _quietly(watcher.deliver(frame))


async def _quietly(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except Exception:
        log.warning("a frame did not reach its socket", exc_info=True)


async def _forever(job: Callable[[], Coroutine[Any, Any, None]], pause: float) -> None:
    while True:
        try:
            await job()
        except Exception:
            log.warning("%s failed and is tried again", job.__name__, exc_info=True)
        await asyncio.sleep(pause)


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def hub() -> Hub:
    """The hub of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        _hubs[loop] = Hub()
    return _hubs[loop]

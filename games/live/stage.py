"""Who sees and hears what of the tables of one event loop: players at once, spectators after them.

The views of a state are rendered once for all who see the same. Spectators of a delayed table see an earlier state,
and hear what was said when they see what it was said about.
"""

import time
from collections import deque
from collections.abc import Coroutine
from functools import partial
from itertools import count
from typing import Any, Final

from django.utils import timezone

from games.live.announce import Item
from games.live.audience import Audience, Watcher
from games.live.delayed import Delayed
from games.live.frames import Frames
from games.live.memo import Memo
from games.live.post import Crowd, Post
from games.live.presence import Presence
from games.live.state import TableState
from games.live.store import Store
from games.live.talk import hears, mute, said

# What is said while spectators see an earlier state; of more, the oldest is not told.
MOST_KEPT: Final = 50
# So many pieces of talk are on their way to the spectators of a table at once.
MOST_ON_THE_WAY: Final = 16


def seated(state: TableState) -> list[int]:
    """The users who own a seat."""
    return [sitter.user_id for sitter in state.seats if sitter.user_id is not None]


class Stage:
    """The sockets of each table, and what they are shown."""

    def __init__(self, store: Store, memo: Memo, presence: Presence) -> None:
        self._memo, self._presence = memo, presence
        self._audiences: dict[int, Audience] = {}
        self._said_before: dict[int, deque[Item]] = {}
        self._numbers = count()
        self._post = Post()
        self.crowd = Crowd(self._post)
        self.delayed = Delayed(store, self)

    @property
    def tables(self) -> list[int]:
        """The ids of the tables that are watched here."""
        return list(self._audiences)

    def sockets(self) -> list[Watcher]:
        """All sockets at all tables."""
        return [watcher for audience in self._audiences.values() for watcher in audience]

    def enter(self, table_id: int, watcher: Watcher, state: TableState | None) -> None:
        """Let a socket in."""
        self._audiences.setdefault(table_id, Audience()).add(watcher)
        if state is not None:
            self.delayed.notice(state)

    def leave(self, table_id: int, watcher: Watcher) -> bool:
        """Let a socket go; whether it was there."""
        audience = self._audiences.get(table_id)
        if audience is None or watcher not in audience:
            return False
        audience.discard(watcher)
        if not audience:
            del self._audiences[table_id]
            self._said_before.pop(table_id, None)
            self.delayed.forget(table_id)
        return True

    def is_watched(self, table_id: int) -> bool:
        """Whether a table has a socket here."""
        return table_id in self._audiences

    async def close(self) -> None:
        """Show nothing any more."""
        await self.crowd.close()
        await self._post.close()

    # States.

    async def seen_by(self, state: TableState, watcher: Watcher) -> TableState | None:
        """What a socket may see now of a table that is at `state`."""
        if state.seat_of(watcher.user_id) is not None or not self.delayed.holds(state):
            return state
        earlier = await self.delayed.current(state.id)
        return earlier if self.delayed.holds(state) else state

    def show_one(self, watcher: Watcher, state: TableState, request_id: str | None = None) -> None:
        """Send one socket a view."""
        self._hand(watcher, self._frames(state).table(watcher.user_id, request_id), request_id)

    def show(self, state: TableState, user_id: int | None = None, request_id: str | None = None) -> None:
        """Send a new state to all who may see it; `request_id` of the act of `user_id` that made it."""
        if state.id not in self._audiences:
            return
        self.delayed.notice(state)
        frames = self._frames(state)
        self._show_players(state, frames, user_id, request_id)
        if not self.delayed.holds(state):
            self._show_others(state, frames)

    def redraw(self, table_id: int) -> None:
        """Send all what they may see now: what is not counted in the version has changed."""
        state = self._memo.known(table_id)
        if state is not None and table_id in self._audiences:
            self._show_players(state, self._frames(state))
            self.show_spectators(table_id)

    async def show_anew(self, table_id: int) -> None:
        """Look a table up and send all what they may see now."""
        await self._memo.reload(table_id)
        self.redraw(table_id)

    def has_spectators(self, table_id: int) -> bool:
        """Whether anybody here watches a table without sitting at it."""
        state, audience = self._memo.known(table_id), self._audiences.get(table_id)
        return state is not None and audience is not None and audience.has_others(seated(state))

    def show_spectators(self, table_id: int) -> None:
        """Send all who do not sit what they may see now, and what they may hear by then."""
        state, audience = self._memo.known(table_id), self._audiences.get(table_id)
        if state is None or audience is None:
            return
        held = self.delayed.holds(state)
        seen = self.delayed.shown(table_id) if held else state
        if seen is not None:
            self._show_others(seen, self._frames(seen))
            self._tell_later(state, audience, seen.version)

    def _show_players(
        self, state: TableState, frames: Frames, user_id: int | None = None, request_id: str | None = None
    ) -> None:
        # At once, and before anything is done for spectators.
        audience = self._audiences[state.id]
        for player in seated(state):
            for watcher in audience.of(player):
                own = request_id if player == user_id else None
                self._hand(watcher, frames.table(player, own), own)

    def _show_others(self, state: TableState, frames: Frames) -> None:
        audience = self._audiences[state.id]
        if audience.has_others(seated(state)):
            others = audience.others(seated(state))
            self.crowd.serve(("view", state.id), others, lambda watcher: _view(watcher, audience, frames))

    def _hand(self, watcher: Watcher, frame: str, request_id: str | None) -> None:
        # Of the views that wait for a slow reader the last is enough, but for those that answer an act.
        self._post.hand(watcher, ("view", request_id), partial(watcher.deliver, frame))

    def _frames(self, state: TableState) -> Frames:
        here = self._presence.at(state.id, seated(state), time.monotonic())
        return Frames(state, here, timezone.now())

    # What is said.

    def say(self, item: Item) -> None:
        """Let those hear it who may: a phrase, or a stored line of chat."""
        state, audience = self._memo.known(item["table"]), self._audiences.get(item["table"])
        if state is None or audience is None:
            return
        frame = said(item)
        for seat, sitter in enumerate(state.seats):
            for watcher in audience.of(sitter.user_id) if sitter.user_id is not None else ():
                if hears(watcher.ears, seat, item.get("room"), _speaker(item, state)):
                    self._post.hand(watcher, object(), partial(watcher.deliver, frame))
        if item.get("room") is None and self.delayed.holds(state):
            # It may be about what spectators have not seen yet.
            about = {"version": max(item.get("version", 0), state.version)}
            self._said_before.setdefault(state.id, deque(maxlen=MOST_KEPT)).append(item | about)
        else:
            self._say_to_others(item, state, audience)

    def mute(self, item: Item) -> None:
        """Let all tabs of somebody hear somebody no more, or again."""
        for audience in self._audiences.values():
            for watcher in audience.of(item["user"]):
                change = watcher.ears.muted.add if item["muted"] else watcher.ears.muted.discard
                change(item["muted_id"])
                self._post.hand(watcher, object(), partial(watcher.deliver, mute(item)))

    def _say_to_others(self, item: Item, state: TableState, audience: Audience) -> None:
        frame, room, speaker = said(item), item.get("room"), _speaker(item, state)
        hearers = [w for w in audience.others(seated(state)) if hears(w.ears, None, room, speaker)]
        key = ("said", state.id, next(self._numbers) % MOST_ON_THE_WAY)
        self.crowd.serve(key, hearers, lambda watcher: partial(watcher.deliver, frame))

    def _tell_later(self, state: TableState, audience: Audience, version: int) -> None:
        waiting = self._said_before.get(state.id, ())
        while waiting and waiting[0]["version"] <= version:
            self._say_to_others(waiting.popleft(), state, audience)


def _speaker(item: Item, state: TableState) -> int | None:
    found: int | None = item["user_id"] if item.get("room") else state.seats[item["seat"]].user_id
    return found


def _view(watcher: Watcher, audience: Audience, frames: Frames) -> "partial[Coroutine[Any, Any, None]]":
    """The work of showing a view to a spectator, who may have left meanwhile."""
    return partial(_deliver, watcher, audience, frames)


async def _deliver(watcher: Watcher, audience: Audience, frames: Frames) -> None:
    if watcher in audience:
        await watcher.deliver(frames.table(None))

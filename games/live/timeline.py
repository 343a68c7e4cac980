"""When spectators are shown what happened at a table: so many seconds later, or each deal once it is finished.

A deal that is shown late is shown in its own rhythm, from its first event to its last, and never before the deal
ahead of it was shown to its end. Nothing here knows cards: an event is its version, its kind and its time.
"""

from collections import deque
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

# Between two deals that are shown late, and in one that was paused, there is no longer pause than this.
BETWEEN_DEALS: Final = timedelta(seconds=3)
BETWEEN_PHASES: Final = frozenset({"deal", "over"})
# What makes a deal last; people leave and come back between deals too.
LASTING: Final = frozenset({"deal", "act", "yield", "close"})

# When the deal of an index was finished everywhere; None where it is not.
Gate = Callable[[int], datetime | None]


class Event(NamedTuple):
    version: int
    kind: str
    at: datetime


class Timeline:
    """The events of one table that spectators have not been shown yet, and when each deal was finished."""

    def __init__(self) -> None:
        self.known = 0  # the newest version that was added
        self.shown = 0
        self.ends: list[datetime] = []
        self.over_at: datetime | None = None
        self._waiting: deque[Event] = deque()
        self._in_deal = False
        self._last_at = datetime.min.replace(tzinfo=UTC)
        self._deal = -1  # the index of the deal that is being shown
        self._shift = timedelta(0)
        self._before: Event | None = None  # the event shown last
        self._before_shown_at = self._last_at

    def add(self, events: Iterable[Event], phase: str) -> None:
        """Take in all that happened after `known`; `phase` is the table's after it."""
        for event in events:
            self._waiting.append(event)
            self.known = event.version
            if event.kind == "deal":
                self._end_deal()
                self._in_deal = True
            if event.kind in LASTING:
                self._last_at = event.at
        if phase in BETWEEN_PHASES:
            self._end_deal()
        if phase == "over" and self.over_at is None:
            self.over_at = self._last_at

    def advance(self, now: datetime, delay: timedelta | None, gate: Gate | None = None) -> int:
        """Show what is due at `now`; the version that spectators see. `delay` None: each deal when finished.

        A `gate` holds each deal until it is open, and then for the deal's own length.
        """
        while self._waiting and self._show(self._waiting[0], now, delay, gate):
            self._before = self._waiting.popleft()
            self._before_shown_at = self._before.at + self._shift
            self.shown = self._before.version
        return self.shown

    @property
    def is_through(self) -> bool:
        """Whether the match is over and all of it was shown."""
        return self.over_at is not None and not self._waiting

    def finished_at(self, deal: int) -> datetime | None:
        """When the deal of that index was over here, or was certain never to come."""
        return self.ends[deal] if deal < len(self.ends) else self.over_at

    def _show(self, event: Event, now: datetime, delay: timedelta | None, gate: Gate | None) -> bool:
        if event.kind != "deal":
            if event.kind == "resume" and (delay is None or gate is not None):
                self._shorten_pause(event, delay or timedelta(0))
            return event.at + self._shift <= now
        start = self._start(event, delay, gate)
        if start is None or start > now:
            return False
        self._deal += 1
        self._shift = start - event.at
        return True

    def _start(self, event: Event, delay: timedelta | None, gate: Gate | None) -> datetime | None:
        """When the next deal begins to be shown; None while it may not."""
        index = self._deal + 1
        end = self.finished_at(index)
        if delay is None or gate is not None:
            if end is None:
                return None
            delay = max(delay or timedelta(0), end - event.at)
        start = event.at + delay
        if self._before is not None:
            pause = min(event.at - self._before.at, BETWEEN_DEALS)
            start = max(start, self._before.at + self._shift + pause)
        if gate is None:
            return start
        opened = gate(index)
        return None if opened is None else max(start, opened)

    def _shorten_pause(self, event: Event, delay: timedelta) -> None:
        """A deal that is shown once it is finished is not held up by a pause in it as long as its players were."""
        shortened = self._before_shown_at + BETWEEN_DEALS - event.at
        self._shift = max(min(self._shift, shortened), delay)

    def _end_deal(self) -> None:
        if self._in_deal:
            self.ends.append(self._last_at)
        self._in_deal = False

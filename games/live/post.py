"""How frames reach sockets: at once to the few who play, in small portions to the many who watch.

A socket that is still busy with a frame gets the others later: of those that overtake each other only the newest,
and never more than a few. So a slow reader costs neither memory nor anybody else's time.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator, Hashable, Iterable
from functools import partial
from time import perf_counter
from typing import Any, Final

log = logging.getLogger(__name__)

Work = Callable[[], Coroutine[Any, Any, None]]

# What waits for one busy socket at most; what is older is dropped, and healed by the next view.
MOST_WAITING: Final = 32
# The crowd is served in portions of so many; then it is the others' turn for as long as the portion took.
PORTION: Final = 20


class Post:
    """Hands work to sockets, one piece at a time each."""

    def __init__(self) -> None:
        self._busy: dict[Any, deque[tuple[Hashable, Work]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def hand(self, socket: Any, key: Hashable, work: Work) -> None:
        """Do the work for a socket: now, or once it is free; it then replaces what waits under the same key."""
        waiting = self._busy.get(socket)
        if waiting is None:
            self._begin(socket, work)
            return
        kept = [entry for entry in waiting if entry[0] != key]
        waiting.clear()
        waiting.extend([*kept, (key, work)][-MOST_WAITING:])

    def _begin(self, socket: Any, work: Work) -> None:
        started = work()
        try:
            # Most sockets take a frame without waiting: then this is all, and no task is needed.
            first = started.send(None)
        except StopIteration:
            return
        except Exception:
            _complain()
            return
        self._busy[socket] = deque()
        task = asyncio.create_task(self._finish(socket, _Rest(started, first)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _finish(self, socket: Any, rest: Awaitable[None]) -> None:
        waiting = self._busy[socket]
        try:
            await _quietly(rest)
            while waiting:
                await _quietly(waiting.popleft()[1]())
        finally:
            del self._busy[socket]

    async def close(self) -> None:
        """Give up on the sockets that are still busy."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class _Rest:
    """What is left of a coroutine that was begun outside of a task."""

    def __init__(self, begun: Coroutine[Any, Any, None], first: Any) -> None:
        self._begun, self._first = begun, first

    def __await__(self) -> Generator[Any, Any, None]:
        yielded = self._first
        while True:
            try:
                answer = yield yielded
            except BaseException as error:
                resume = partial(self._begun.throw, error)
            else:
                resume = partial(self._begun.send, answer)
            try:
                yielded = resume()
            except StopIteration:
                return


class Crowd:
    """Serves all who only watch or listen, a portion at a time: at most half of the event loop's time."""

    def __init__(self, post: Post) -> None:
        self._post = post
        self._rounds: dict[Hashable, _Round] = {}
        self._serving: asyncio.Task[None] | None = None

    def serve(self, key: Hashable, sockets: Iterable[Any], work: Callable[[Any], Work]) -> None:
        """Do `work(socket)` for each. Under the same key it overtakes what has not reached everybody yet."""
        overtaken = self._rounds.pop(key, None)
        # Who waits longest comes first, or a quick table would never be shown to the last ones.
        waiting = dict.fromkeys(overtaken.waiting) if overtaken else {}
        wanted = dict.fromkeys(sockets)
        order = [socket for socket in waiting if socket in wanted]
        order += [socket for socket in wanted if socket not in waiting]
        if order:
            self._rounds[key] = _Round(deque(order), work)
            if self._serving is None or self._serving.done():
                self._serving = asyncio.create_task(self._serve())

    async def _serve(self) -> None:
        while self._rounds:
            began = perf_counter()
            key = next(iter(self._rounds))
            current = self._rounds.pop(key)
            for _ in range(min(PORTION, len(current.waiting))):
                socket = current.waiting.popleft()
                self._post.hand(socket, key, current.work(socket))
            if current.waiting:
                self._rounds[key] = current
            await asyncio.sleep(perf_counter() - began)

    async def close(self) -> None:
        """Serve nobody any more."""
        self._rounds.clear()
        if self._serving is not None:
            self._serving.cancel()
            await asyncio.gather(self._serving, return_exceptions=True)


class _Round:
    """One piece of news on its way to many."""

    def __init__(self, waiting: deque[Any], work: Callable[[Any], Work]) -> None:
        self.waiting, self.work = waiting, work


async def _quietly(work: Awaitable[None]) -> None:
    try:
        await work
    except Exception:
        _complain()


def _complain() -> None:
    log.warning("a frame did not reach its socket", exc_info=True)

"""The load generator: a process of its own that plays at many tables over real sockets.

Its orders come as lines of JSON on its input, its answers go as lines of JSON to its output: `connect`,
`spread` (bring every table to a place of its own in its deal), `offer` (so many moves a second for so long),
`hold` (sockets that only stay). A move counts from the moment
when it is sent until all four sockets of its table have the view that it made.
"""

import asyncio
import gc
import json
import random
import resource
import sys
from collections import Counter
from functools import partial
from time import perf_counter
from typing import Any

from wires import BoardgameIo, Colyseus, Socket, Tarneeb, Watcher, upgrade

# A table that fell behind its times makes up for it, but not for more than this.
BACKLOG_SECONDS = 0.5
LOST_AFTER_SECONDS = 1.0
AT_ONCE = 40
BRANDS: dict[str, type[Socket]] = {"tarneeb": Tarneeb, "boardgame.io": BoardgameIo, "colyseus": Colyseus}


class Field:
    """All tables of a run, the pace at which they play, and what came of it."""

    def __init__(self) -> None:
        self.tables: list[Table] = []
        self.interval = float("inf")
        self.latencies: list[float] = []
        self.counting = False
        self.refused: Counter[str] = Counter()
        self.lost: Counter[str] = Counter()
        self.over = 0
        self.opened = 0

    def pace(self, rate: float | None) -> None:
        """Offer so many moves a second over all tables; None: each as soon as the one before is seen."""
        now = perf_counter()
        self.interval = len(self.tables) / rate if rate else 0.0
        for table in self.tables:
            table.due = now + random.random() * self.interval
            table.play_when_due()

    def pause(self) -> None:
        self.interval = float("inf")


class Table:
    """Four seats; at most one move is under way."""

    def __init__(self, field: Field) -> None:
        self._field = field
        self.sockets: list[Socket] = []
        self.due = float("inf")
        self._seen = [-1, -1, -1, -1]
        self._turn: tuple[int, int, list[str]] | None = None
        self._sent_at = 0.0
        self._made = -1
        self._timer: asyncio.TimerHandle | None = None
        # How many moves it may still make before it waits for the others; None: as many as it likes.
        self.left: int | None = None

    def opened(self, seat: int) -> None:
        self._field.opened += 1

    def saw(self, seat: int, version: int, legal: list[str]) -> None:
        if version <= self._seen[seat]:
            return
        self._seen[seat] = version
        if legal:
            self._turn = (seat, version, legal)
        if self._sent_at and version >= self._made and min(self._seen) >= self._made:
            self._note(perf_counter() - self._sent_at)
        if self._turn is not None and not self._sent_at:
            self.play_when_due()

    def refused(self, seat: int, reason: str) -> None:
        self._field.refused[reason] += 1
        self._sent_at = 0.0

    def over(self, seat: int) -> None:
        self._field.over += seat == 0

    def lost(self, seat: int, reason: str) -> None:
        self._field.lost[reason] += 1

    def late(self, now: float) -> float:
        """For how long a move that nobody has answered has been under way."""
        return now - self._sent_at if self._sent_at else 0.0

    def play_when_due(self) -> None:
        """Act now, or as soon as the pace allows it."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        interval = self._field.interval
        if self._turn is None or self._sent_at or interval == float("inf") or self.left == 0:
            return
        now = perf_counter()
        if now < self.due:
            self._timer = asyncio.get_running_loop().call_later(self.due - now, self.play_when_due)
            return
        seat, version, legal = self._turn
        self._turn = None
        if self.left is not None:
            self.left -= 1
        self.due = max(self.due, now - BACKLOG_SECONDS) + interval
        self._made = version + 1
        # Whoever may bid bids highest, and fails: so no match comes to its end.
        code = legal[-1] if legal[-1].startswith("b") else random.choice(legal)
        self._sent_at = now
        self.sockets[seat].play(version, code)

    def _note(self, seconds: float) -> None:
        self._sent_at = 0.0
        if self._field.counting:
            self._field.latencies.append(seconds)


class Still:
    """A socket that only stays open."""

    def __init__(self, field: Field) -> None:
        self._field = field

    def opened(self, seat: int) -> None:
        self._field.opened += 1

    def saw(self, seat: int, version: int, legal: list[str]) -> None: ...
    def refused(self, seat: int, reason: str) -> None: ...
    def over(self, seat: int) -> None: ...

    def lost(self, seat: int, reason: str) -> None:
        self._field.lost[reason] += 1


async def connect(field: Field, order: dict[str, Any]) -> dict[str, Any]:
    """Open four sockets a table: each as [host, port, path, cookie, room]."""
    brand = BRANDS[order["brand"]]
    first, others = [], []
    for seats in order["tables"]:
        table = Table(field)
        field.tables.append(table)
        for seat, (host, port, path, cookie, room) in enumerate(seats):
            head = upgrade(f"{host}:{port}", path, origin=f"http://{host}:{port}", cookie=cookie)
            more = {"room": room} if brand is BoardgameIo else {}
            socket = brand(table, seat, head, **more)
            table.sockets.append(socket)
            (others if seat else first).append((host, port, socket, None))
    # boardgame.io makes a match for the first who asks for it, and trips over two who do so at once.
    await _open(field, first)
    return await _open(field, others)


async def hold(field: Field, order: dict[str, Any], held: list[Watcher]) -> dict[str, Any]:
    """Open sockets that only stay: each as [host, port, path, cookie, source address or null]."""
    places = []
    for host, port, path, cookie, source in order["sockets"]:
        head = upgrade(f"{host}:{port}", path, origin=f"http://{host}:{port}", cookie=cookie)
        watcher = Watcher(Still(field), 0, head)
        held.append(watcher)
        places.append((host, port, watcher, source))
    return await _open(field, places)


async def _open(field: Field, places: list[tuple[str, int, Socket, str | None]]) -> dict[str, Any]:
    wanted = field.opened + len(places)
    began = perf_counter()
    loop, gate = asyncio.get_running_loop(), asyncio.Semaphore(AT_ONCE)

    async def one(host: str, port: int, socket: Socket, source: str | None) -> None:
        async with gate:
            local = None if source is None else (source, 0)
            await loop.create_connection(lambda: socket, host, port, local_addr=local)
            # Some at a time: a server takes a crowd of handshakes one after the other.
            until = perf_counter() + 5
            while not socket.is_ready and perf_counter() < until:
                await asyncio.sleep(0.002)

    await asyncio.gather(*(one(*place) for place in places))
    until = perf_counter() + 60
    while field.opened + sum(field.lost.values()) < wanted and perf_counter() < until:
        await asyncio.sleep(0.02)
    gc.collect()
    gc.freeze()
    seconds = perf_counter() - began
    return {"opened": field.opened, "lost": dict(field.lost), "seconds": round(seconds, 2)}


async def spread(field: Field, order: dict[str, Any]) -> dict[str, Any]:
    """Play a random number of moves at each table, fewer than `moves`, as fast as they go; how long it took.

    Tables that began together would all end their deals in the same moment, again and again.
    """
    began = perf_counter()
    for table in field.tables:
        table.left = random.randrange(order["moves"])
    field.pace(None)
    while any(table.left for table in field.tables) and perf_counter() - began < order["seconds"]:
        await asyncio.sleep(0.02)
    field.pause()
    for table in field.tables:
        table.left = None
    return {"seconds": perf_counter() - began}


async def offer(field: Field, order: dict[str, Any]) -> dict[str, Any]:
    """Play at a pace, first unseen for `warm` seconds; what came of it."""
    field.pace(order["rate"])
    await asyncio.sleep(order["warm"])
    field.latencies, field.counting = [], True
    field.refused.clear()
    began = perf_counter()
    await asyncio.sleep(order["seconds"])
    field.counting = False
    now = perf_counter()
    late = [table.late(now) for table in field.tables]
    field.pause()
    return {
        "seconds": now - began,
        "latencies": sorted(field.latencies),
        "late": [seconds for seconds in late if seconds > LOST_AFTER_SECONDS],
        "refused": dict(field.refused),
        "lost": dict(field.lost),
        "over": field.over,
    }


async def main() -> None:
    gc.set_threshold(100_000, 50, 100)
    resource.setrlimit(resource.RLIMIT_NOFILE, [resource.getrlimit(resource.RLIMIT_NOFILE)[1]] * 2)
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=2**26)
    await loop.connect_read_pipe(partial(asyncio.StreamReaderProtocol, reader), sys.stdin)
    field, held = Field(), []
    while line := await reader.readline():
        order = json.loads(line)
        if order["do"] == "connect":
            answer = await connect(field, order)
        elif order["do"] == "hold":
            answer = await hold(field, order, held)
        elif order["do"] == "spread":
            answer = await spread(field, order)
        elif order["do"] == "offer":
            answer = await offer(field, order)
        else:
            pings, frames = sum(w.pings for w in held), sum(w.frames for w in held)
            answer = {"lost": dict(field.lost), "pings": pings, "frames": frames}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    asyncio.run(main())

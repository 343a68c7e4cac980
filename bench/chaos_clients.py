"""The players of the chaos: real sockets that lose frames, send them twice, hang, vanish and come again.

Each wants but one thing: to play its turn. What it was answered it keeps for the count.
"""

import asyncio
import random
import socket
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import orjson
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

PING_SECONDS = 2.0
RESEND_SECONDS = 2.0
SILENCE_SECONDS = 6.0
THINKING = (0.4, 1.8)
# Chances, of one frame or of one second.
LOST_OUT, TWICE, LOST_IN = 0.03, 0.05, 0.03
HANGS, VANISHES = 1 / 120, 1 / 90
HANG_SECONDS = 3.0
HANDSHAKES = 20
# Of no interest to the comparison: they run, or tell of others' sockets.
RUNNING = ("deadline_ms", "bank_ms", "watching", "seats")


@dataclass
class Tally:
    """What all players saw and did."""

    accepted: dict[tuple[int, str], tuple[str, str]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    closed: Counter[str] = field(default_factory=Counter)


@dataclass
class Wish:
    """An act that was sent and not yet answered."""

    id: str
    action: str
    version: int
    sent_at: float

    def frame(self) -> bytes:
        return orjson.dumps({"type": "act", "action": self.action, "version": self.version, "id": self.id})


class Player:
    """A seat, or a spectator where `user_id` is None."""

    def __init__(self, ports: list[int], code: str, user_id: int | None, session: str, tally: Tally) -> None:
        self._ports, self.code, self.user_id, self._session = ports, code, user_id, session
        self._tally = tally
        self._chance = random.Random(f"{code}{user_id}")
        self._count = 0
        self.version, self.view = -1, dict[str, Any]()
        self.wish: Wish | None = None
        self.playing = True
        self.misbehaves = True
        self._act_at = 0.0

    async def play(self) -> None:
        """Play, whatever happens to the line, until cancelled."""
        pause = 0.2
        while True:
            try:
                async with self.connected() as socket:
                    pause = 0.2
                    await self._converse(socket)
            except (OSError, TimeoutError, WebSocketException) as error:
                self._tally.closed[_why(error)] += 1
            await asyncio.sleep(self._chance.uniform(pause / 2, pause))
            pause = min(3.0, pause * 1.7)

    def connected(self) -> Any:
        """A new socket at one of the web processes, by chance."""
        port = self._chance.choice(self._ports)
        cookies = {"Cookie": f"sessionid={self._session}"} if self._session else {}
        return connect(
            f"ws://127.0.0.1:{port}/ws/tables/{self.code}/",
            origin=f"http://127.0.0.1:{port}",  # type: ignore[arg-type]
            additional_headers=cookies,
            compression=None,
            open_timeout=10,
            close_timeout=1,
            ping_interval=None,
            max_size=None,
            proxy=None,
        )

    async def _converse(self, socket: ClientConnection) -> None:
        self._tally.counts["connections"] += 1
        heard_at = pinged_at = monotonic()
        if self.wish:
            self.wish.sent_at = 0.0
        while True:
            text = None
            with suppress(TimeoutError):
                async with asyncio.timeout(self._patience(monotonic(), pinged_at)):
                    text = await socket.recv()
            now = monotonic()
            if text is not None:
                heard_at = now
                self._hear(orjson.loads(text))
            if now - heard_at > SILENCE_SECONDS:
                self._tally.counts["given_up_silent"] += 1
                socket.transport.abort()
                return
            if now - pinged_at > PING_SECONDS:
                pinged_at = now
                await socket.send(orjson.dumps({"type": "ping", "version": max(0, self.version)}).decode())
                if await self._misbehaved(socket):
                    return
            await self._act(socket, now)

    def _patience(self, now: float, pinged_at: float) -> float:
        """For how long, in seconds, there is nothing to do but listen."""
        due = pinged_at + PING_SECONDS
        if self.wish is not None:
            due = min(due, self.wish.sent_at + RESEND_SECONDS)
        elif self._act_at:
            due = min(due, self._act_at)
        return max(0.01, due - now)

    async def _misbehaved(self, socket: ClientConnection) -> bool:
        """Hang for a while, or vanish without a word, now and then; True where the socket is gone."""
        if not self.misbehaves:
            return False
        if self._chance.random() < PING_SECONDS * HANGS:
            self._tally.counts["hung"] += 1
            socket.transport.pause_reading()
            await asyncio.sleep(HANG_SECONDS)
            if self._chance.random() < 0.5:
                # Left half open: the server is not told, and has to find out.
                self._tally.counts["left_half_open"] += 1
                _KEPT.append(socket)
                return True
            socket.transport.resume_reading()
        elif self._chance.random() < PING_SECONDS * VANISHES:
            self._tally.counts["vanished"] += 1
            socket.transport.abort()
            return True
        return False

    def _hear(self, frame: dict[str, Any]) -> None:
        if self.misbehaves and self._chance.random() < LOST_IN:
            self._tally.counts["frames_lost_coming"] += 1
            return
        wish = self.wish
        is_answer = wish is not None and frame.get("id") == wish.id
        if frame["type"] == "table":
            if is_answer:
                assert wish is not None
                assert self.user_id is not None
                self._tally.accepted[self.user_id, wish.id] = (self.code, wish.action)
                self.wish = None
            if frame["version"] >= self.version:
                self.version, self.view = frame["version"], frame["view"]
        elif frame["type"] == "refused":
            self._tally.refused[frame["code"]] += 1
            if is_answer and frame["code"] not in {"server-error", "too-fast"}:
                self.wish = None

    async def _act(self, socket: ClientConnection, now: float) -> None:
        if self.wish is None and self.playing and self.view.get("legal"):
            if not self._act_at:
                self._act_at = now + self._chance.uniform(*THINKING)
            elif now >= self._act_at:
                self._act_at = 0.0
                self._count += 1
                action = self._chance.choice(self.view["legal"])
                self.wish = Wish(f"a{self._count}", action, self.version, 0.0)
        if self.wish is not None and now - self.wish.sent_at > RESEND_SECONDS:
            self.wish.sent_at = now
            await self._send(socket, self.wish)

    async def _send(self, socket: ClientConnection, wish: Wish) -> None:
        text = wish.frame().decode()
        if self.misbehaves and self._chance.random() < LOST_OUT:
            self._tally.counts["frames_lost_going"] += 1
            return
        await socket.send(text)
        self._tally.counts["acts_sent"] += 1
        if self.misbehaves and self._chance.random() < TWICE:
            self._tally.counts["frames_doubled"] += 1
            await socket.send(text)

    async def fetched(self) -> tuple[int, dict[str, Any]]:
        """Version and view as a socket that opens now is shown them."""
        async with self.connected() as socket:
            while True:
                async with asyncio.timeout(10):
                    frame = orjson.loads(await socket.recv())
                if frame["type"] == "table":
                    return frame["version"], frame["view"]


# Sockets that nobody reads or closes any more.
_KEPT: list[ClientConnection] = []


def still(view: dict[str, Any]) -> dict[str, Any]:
    """A view without what changes by itself."""
    seats = [(seat["name"], seat["kind"], seat["cards"]) for seat in view["seats"]]
    return {key: value for key, value in view.items() if key not in RUNNING} | {"seats": seats}


def half_handshakes(ports: list[int]) -> list[socket.socket]:
    """Strangers who begin to ask for a socket, and say no more."""
    strangers = []
    for number in range(HANDSHAKES):
        stranger = socket.create_connection(("127.0.0.1", ports[number % len(ports)]))
        stranger.sendall(b"GET /ws/bells/lobby/ HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: webso")
        strangers.append(stranger)
    return strangers


def _why(error: Exception) -> str:
    code = getattr(getattr(error, "rcvd", None), "code", None)
    return str(code) if code is not None else type(error).__name__

"""WebSocket clients that cost little, so that a machine that is measured does not measure them.

One protocol under three dialects: our own, socket.io as boardgame.io speaks it, and Colyseus'. Of a view they
read what a player must know: its version and, where it is their turn, what may be played.
"""

import asyncio
from typing import Any, Protocol

import msgpack
import orjson

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
# A client must mask what it sends; under this key the text stays as it is, and costs nothing here.
MASK = bytes(4)


class Sight(Protocol):
    """Who is told what a socket saw."""

    def opened(self, seat: int) -> None: ...
    def saw(self, seat: int, version: int, legal: list[str]) -> None: ...
    def refused(self, seat: int, reason: str) -> None: ...
    def over(self, seat: int) -> None: ...
    def lost(self, seat: int, reason: str) -> None: ...


class Socket(asyncio.Protocol):
    """One WebSocket of one seat; what it hears goes to `sight`."""

    def __init__(self, sight: Sight, seat: int, head: bytes) -> None:
        """`head`: the HTTP request that opens it."""
        self.sight, self.seat = sight, seat
        self._head, self._rest, self._is_open = head, b"", False
        self._transport: Any = None
        self._parts: list[bytes] = []
        self.pings = 0
        self.is_ready = False

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        transport.write(self._head)

    def connection_lost(self, error: Exception | None) -> None:
        self.sight.lost(self.seat, str(error or "closed"))

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._rest:
            data = self._rest + data
        if not self._is_open:
            head, found, data = data.partition(b"\r\n\r\n")
            if not found:
                self._rest = head
                return
            self._rest = b""
            if not head.startswith(b"HTTP/1.1 101"):
                self.sight.lost(self.seat, head.split(b"\r\n")[0].decode())
                return
            self._is_open = True
            self.begin()
        self._rest = self._frames(data) if data else b""

    def _frames(self, data: bytes) -> bytes:
        """Take all whole frames; what is left of `data`."""
        at, end = 0, len(data)
        while end - at >= 2:
            size, body = data[at + 1], at + 2
            if size == 126:
                size, body = int.from_bytes(data[at + 2 : at + 4]), at + 4
            elif size == 127:
                size, body = int.from_bytes(data[at + 2 : at + 10]), at + 10
            if body + size > end or body > end:
                break
            self._frame(data[at], data[body : body + size])
            at = body + size
        return data[at:]

    def _frame(self, first: int, payload: bytes) -> None:
        code = first & 0x0F
        if code == PING:
            self.pings += 1
            self._send(PONG, payload)
        elif code == CLOSE:
            self.sight.lost(self.seat, f"closed with {int.from_bytes(payload[:2])}")
        elif code in {0, TEXT, BINARY}:
            if first & 0x80 and not self._parts:
                self.heard(payload)
                return
            self._parts.append(payload)
            if first & 0x80:
                whole, self._parts = b"".join(self._parts), []
                self.heard(whole)

    def _send(self, code: int, payload: bytes) -> None:
        size = len(payload)
        length = bytes((0x80 | size,)) if size < 126 else b"\xfe" + size.to_bytes(2)
        self._transport.write(bytes((0x80 | code,)) + length + MASK + payload)

    def begin(self) -> None:
        """The handshake is done."""

    def opened(self) -> None:
        """All is said that has to be said before play."""
        self.is_ready = True
        self.sight.opened(self.seat)

    def heard(self, payload: bytes) -> None:
        raise NotImplementedError

    def play(self, version: int, code: str) -> None:
        """Act on the view of `version`."""
        raise NotImplementedError


class Tarneeb(Socket):
    """Ours (docs/protocol.md)."""

    def begin(self) -> None:
        self.opened()

    def heard(self, payload: bytes) -> None:
        if not payload.startswith(b'{"type":"table","version":'):
            frame = orjson.loads(payload)
            if frame["type"] == "refused":
                self.sight.refused(self.seat, frame["code"])
            return
        version = int(payload[26 : payload.index(b",", 26)])
        self.sight.saw(self.seat, version, _listed(payload, b'"legal":['))
        if b'"phase":"over"' in payload:
            self.sight.over(self.seat)

    def play(self, version: int, code: str) -> None:
        act = b'{"type":"act","action":"%b","version":%d,"id":"v%d"}' % (code.encode(), version, version)
        self._send(TEXT, act)


class Watcher(Socket):
    """A spectator's or an idle socket: counts its frames and says nothing."""

    frames = 0

    def begin(self) -> None:
        self.opened()

    def heard(self, payload: bytes) -> None:
        self.frames += 1


class BoardgameIo(Socket):
    """socket.io 4 over engine.io 4, with boardgame.io's `sync` and `update`; `room` is the match's id."""

    def __init__(self, sight: Sight, seat: int, head: bytes, *, room: str) -> None:
        super().__init__(sight, seat, head)
        self._room = room

    def heard(self, payload: bytes) -> None:
        if payload.startswith(b"42/tarneeb,"):
            self._view(payload)
        elif payload.startswith(b"0"):
            self._send(TEXT, b"40/tarneeb,")
        elif payload.startswith(b"40/tarneeb,"):
            self._emit("sync", self._room, str(self.seat), None, 4)
        elif payload == b"2":
            self._send(TEXT, b"3")

    def _view(self, payload: bytes) -> None:
        kind = payload[12:18]
        if kind == b'"sync"':
            self.opened()
        elif kind != b'"updat':
            return
        # The state's own number comes before those in the log behind it.
        at = payload.index(b'"_stateID":') + 11
        version = int(payload[at : _digits_end(payload, at)])
        self.sight.saw(self.seat, version, _listed(payload, b'"legal":['))

    def play(self, version: int, code: str) -> None:
        move = {"type": "play", "args": [code], "playerID": str(self.seat)}
        self._emit("update", {"type": "MAKE_MOVE", "payload": move}, version, self._room, str(self.seat))

    def _emit(self, *event: Any) -> None:
        self._send(TEXT, b"42/tarneeb," + orjson.dumps(event))


class Colyseus(Socket):
    """Colyseus' own: a byte for the kind, the name of a message, the message in msgpack."""

    JOINED, FAILED, DATA = 10, 11, 13
    VIEW = b"\x0d\xa4view"
    PLAY = b"\x0d\xa4play"

    def heard(self, payload: bytes) -> None:
        kind = payload[0]
        if kind == self.JOINED:
            self._send(BINARY, payload[:1])
            self.opened()
        elif kind == self.FAILED:
            self.sight.refused(self.seat, repr(payload[1:80]))
        elif kind == self.DATA and payload.startswith(self.VIEW):
            view = msgpack.unpackb(payload[6:])
            self.sight.saw(self.seat, view["version"], view["legal"])

    def play(self, version: int, code: str) -> None:
        self._send(BINARY, self.PLAY + msgpack.packb({"card": code, "version": version}))


def _listed(payload: bytes, name: bytes) -> list[str]:
    """The texts of the last list of that name; nothing where there is none."""
    at = payload.rfind(name)
    if at < 0:
        return []
    at += len(name)
    if payload[at] == 93:
        return []
    return payload[at + 1 : payload.index(b"]", at) - 1].decode().split('","')


def _digits_end(payload: bytes, at: int) -> int:
    while 48 <= payload[at] <= 57:
        at += 1
    return at


def upgrade(host: str, path: str, *, origin: str, cookie: str = "") -> bytes:
    """The HTTP request that opens a WebSocket."""
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        f"Origin: {origin}",
        *([f"Cookie: {cookie}"] if cookie else []),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()

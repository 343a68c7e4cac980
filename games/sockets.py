"""The sockets: join, send what is, pass frames in and out."""

import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import parse_qs

import psycopg
from channels.db import database_sync_to_async
from django.conf import settings
from django.utils import timezone, translation

from games.limits import PHRASES, Pace, pace, phrases
from games.live.hub import Hub, hub
from games.live.meter import METER
from games.live.talk import Ears
from games.marks import NO_MARK, mark_of
from games.models import Table
from games.protocol import WIRE, Act, Back, Echo, Frame, Ping, Say, Vote, parse, pong, refused
from games.services import chat
from games.services.arrivals import arrive
from games.services.play import Request, act
from games.services.refusals import Refused
from games.services.tables import come_back
from games.services.votes import vote

log = logging.getLogger(__name__)

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Mapping[str, Any], Receive, Send], Awaitable[None]]

COME_BACK = 1012
SESSION_ENDED = 4401
NO_SUCH_TABLE = 4404
FLOODING = 4429
OTHER_WIRE = 4426


class LiveSocket:
    """A socket served by the hub: an ASGI application under Channels' router and authentication.

    No consumer of Channels': it has no channel of its own and costs neither a task nor a queue more than
    the server's, of which there are thousands.
    """

    def __init__(self, scope: Mapping[str, Any], send: Send) -> None:
        self.scope = scope
        self._send = send

    @classmethod
    def as_asgi(cls) -> Application:
        """The application that serves each connection with a socket of its own."""

        async def serve(scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
            await cls(scope, send).serve(receive)

        return serve

    async def serve(self, receive: Receive) -> None:
        """From the handshake to the end of the connection, one message after the other."""
        METER.sockets += 1
        try:
            while (message := await receive())["type"] != "websocket.disconnect":
                if message["type"] == "websocket.connect":
                    await self._let_in()
                else:
                    await self.receive(message.get("text"))
        finally:
            # Also where a frame or the first view failed, and where the server gives up on one that hangs.
            METER.sockets -= 1
            self.forget()

    async def _let_in(self) -> None:
        try:
            await self.connect()
        except psycopg.OperationalError as error:
            log.warning("a socket was sent away while the database is: %s", error)
            await self.close(COME_BACK)

    async def accept(self) -> None:
        """Let the browser in."""
        await self._send({"type": "websocket.accept"})

    async def close(self, code: int) -> None:
        """Close with a code; what still comes is dropped by the server."""
        await self._send({"type": "websocket.close", "code": code})

    async def deliver(self, frame: str) -> None:
        """Send a frame to the browser."""
        await self._send({"type": "websocket.send", "text": frame})

    async def connect(self) -> None:
        """Greet the browser, which waits to be let in."""
        raise NotImplementedError

    async def receive(self, text: str | None) -> None:
        """Take a frame from the browser; None stands for bytes, which nobody sends."""

    def forget(self) -> None:
        """Let the hub forget this socket, whatever ended it."""
        raise NotImplementedError


class TableSocket(LiveSocket):
    """One browser at one table: seated user or spectator."""

    table_id: int | None = None
    # The echo asked for and since when, in seconds.
    _asked: tuple[str, float] | None = None

    async def connect(self) -> None:
        scope = self.scope
        self.user = scope["user"]
        self.user_id: int | None = self.user.pk if self.user.is_authenticated else None
        self.session: tuple[str, int, str] | None = None
        if self.user_id is not None:
            self.session = (scope["session_key"], self.user_id, self.user.password)
        self.language = language_of(scope)
        self.mark = NO_MARK if self.user_id is None else mark_of(scope, timezone.now())
        self.is_lifted: bool = scope.get("limits_lifted", False)
        self.pace = pace_of(scope)
        self.live: Hub = hub()
        self.code: str = scope["url_route"]["kwargs"]["code"]
        await self.accept()
        if not speaks_like_us(scope):
            await self.close(OTHER_WIRE)
            return
        found = await self.live.find(self.code)
        if found is None:
            await self.close(NO_SUCH_TABLE)
            return
        table_id = found.id
        self.ears, before = Ears(), None
        if self.user_id is not None:
            self.ears, before = await chat.listen(self.live, table_id=table_id, user_id=self.user_id)
        self.table_id = table_id
        await self.live.watch(table_id, found.version, self)
        await arrive(self.live, table_id=table_id, user_id=self.user_id, now=timezone.now())
        if before is not None:
            await self.deliver(before)

    def forget(self) -> None:
        """Let the table be without this socket."""
        if self.table_id is not None:
            self.live.unwatch(self.table_id, self)

    async def end_session(self) -> None:
        """Close: the session has ended elsewhere."""
        await self.close(SESSION_ENDED)

    async def receive(self, text: str | None) -> None:
        if self.table_id is None:
            return
        frame, frame_id = parse(text) if text is not None else (None, None)
        try:
            await self._answer(frame)
        except Refused as error:
            await self._refuse(error, frame_id)
        except Exception:
            log.exception("a frame of user %s at table %s failed", self.user_id, self.code)
            await self._refuse(Refused("server-error"), frame_id)

    async def _answer(self, frame: Frame | None) -> None:
        in_time = self.pace.allows(time.monotonic())
        if self.pace.is_flood():
            await self.close(FLOODING)
            return
        if frame is None:
            raise Refused("malformed")
        if not in_time:
            raise Refused("too-fast")
        await getattr(self, f"_{type(frame).__name__.lower()}")(frame)

    async def _act(self, frame: Act) -> None:
        assert self.table_id is not None
        if self.user_id is None:
            raise Refused("not-seated")
        request, began = Request(self.user_id, frame.action, frame.version, frame.id), time.monotonic()
        _, is_new = await act(self.live, table_id=self.table_id, request=request, now=timezone.now())
        if is_new:
            METER.moved(time.monotonic() - began)
            self.pace.give_back()
        else:
            await self.live.send_current(self.table_id, self, request_id=frame.id)

    async def _ping(self, frame: Ping) -> None:
        assert self.table_id is not None
        version = await self._version()
        if frame.version < version:
            await self.live.send_current(self.table_id, self)
        self._asked = (secrets.token_hex(4), time.monotonic())
        await self.deliver(pong(version, self._asked[0]))

    async def _echo(self, frame: Echo) -> None:
        if self._asked is not None and self.user_id is not None and frame.echo == self._asked[0]:
            lag = time.monotonic() - self._asked[1]
            self.live.measured(self.user_id, round(1000 * lag))
        self._asked = None

    async def _say(self, frame: Say) -> None:
        assert self.table_id is not None
        if frame.text:
            await chat.speak(
                self.live,
                table_id=self.table_id,
                user_id=self.user_id,
                text=frame.text,
                now=timezone.now(),
            )
            return
        state = await self.live.memo.current(self.table_id)
        seat = None if state is None else state.seat_of(self.user_id)
        if seat is None:
            raise Refused("not-seated")
        if not (self.is_lifted or phrases.take([(self.user_id, PHRASES)], time.monotonic())):
            raise Refused("too-fast")
        self.live.say(self.table_id, seat, frame.phrase)

    async def _back(self, frame: Back) -> None:
        await self._at_the_door(come_back)

    async def _vote(self, frame: Vote) -> None:
        await self._at_the_door(vote, on=frame.on, choice=frame.choice)

    async def _at_the_door(self, door: Callable[..., Table], **wish: Any) -> None:
        """Something that is not in the hot path: one transaction of Django's, then what it made of the table."""
        if self.user_id is None:
            raise Refused("not-seated")
        table = await database_sync_to_async(door)(
            table_code=self.code, user=self.user, now=timezone.now(), **wish
        )
        await self.live.memo.reload(table.pk)

    async def _refuse(self, error: Refused, frame_id: str | None) -> None:
        assert self.table_id is not None
        METER.refused[error.code] += 1
        if error.code == "stale":
            await self.live.send_current(self.table_id, self)
        with translation.override(self.language):
            await self.deliver(refused(error, await self._version(), frame_id))

    async def _version(self) -> int:
        assert self.table_id is not None
        return await self.live.version_for(self.table_id, self)


class BellSocket(LiveSocket):
    """A browser that wants to know when a list or a bracket has changed. Nothing it sends means anything."""

    topic = ""
    # Made for those who send: hardly any.
    _pace: Pace | None = None

    async def connect(self) -> None:
        self.topic = self.scope["url_route"]["kwargs"]["topic"]
        await self.accept()
        hub().listen(self.topic, self)

    async def receive(self, text: str | None) -> None:
        self._pace = self._pace or pace_of(self.scope)
        self._pace.allows(time.monotonic())
        if self._pace.is_flood():
            await self.close(FLOODING)

    def forget(self) -> None:
        """Let the topic be without this bell."""
        hub().unlisten(self.topic, self)

    async def ring(self) -> None:
        """Tell the browser."""
        await self.deliver('{"type":"ring"}')


def pace_of(scope: Mapping[str, Any]) -> Pace:
    """How fast frames may come over a socket."""
    address = (scope.get("client") or [""])[0]
    user_id: int | None = scope["user"].pk if scope["user"].is_authenticated else None
    return pace(user_id, address, time.monotonic(), is_lifted=scope.get("limits_lifted", False))


def speaks_like_us(scope: Mapping[str, Any]) -> bool:
    """Whether a page of ours is of the server's time; programs that do not say are believed."""
    said = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("wire", [])
    return said in ([], [str(WIRE)])


def language_of(scope: Mapping[str, Any]) -> str:
    """The language of whoever opened the socket: the account's, else the cookie's, else the site's."""
    offered = dict(settings.LANGUAGES)
    account = getattr(scope["user"], "language", "")
    cookie = scope.get("cookies", {}).get(settings.LANGUAGE_COOKIE_NAME, "")
    return next((code for code in (account, cookie) if code in offered), settings.LANGUAGE_CODE)

"""Runs Daphne, with sockets that say why they close, instead of a line that is cut.

A frame too long from a browser ends its socket with 1009; a server that is told to end, all of them with 1012.
What is sent goes to the kernel at once; a browser that does not read holds up nobody but who sends to it.
"""

import asyncio
import resource
import time
from contextlib import suppress
from typing import Any

import daphne.server
from daphne.cli import CommandLineInterface
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from twisted.internet import reactor
from twisted.internet.defer import Deferred, DeferredList

SERVICE_RESTART = 1012
GOODBYE_SECONDS = 1
# Handshakes that wait to be taken; Twisted's own 50 turn a crowd away for seconds.
BACKLOG = 2048


class Protocol(WebSocketProtocol):
    maxMessagePayloadSize: int  # noqa: N815 - the parent's name
    # Set while the browser reads more slowly than it is sent to.
    busy: asyncio.Event | None = None

    def onOpen(self) -> None:  # noqa: N802 - the parent's name
        super().onOpen()
        # Before the upgrade it was the HTTP channel, which is done with and may go.
        self.transport.unregisterProducer()
        self.transport.registerProducer(self, True)

    def serverClose(self, code: int | None = None) -> None:  # noqa: N802 - the parent's name
        if code == SERVICE_RESTART:
            # Autobahn's public `sendClose` knows only the codes that applications may choose.
            self.sendCloseFrame(code=code)
        else:
            super().serverClose(code)

    def onClose(self, *arguments: Any) -> None:  # noqa: N802 - the parent's name
        super().onClose(*arguments)
        self.resumeProducing()

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        text = None
        if self._is_between_frames():
            text = small_text(data)
        if text is None:
            super().dataReceived(data)
        else:
            self.last_ping = time.time()
            self.application_queue.put_nowait({"type": "websocket.receive", "text": text})

    def _is_between_frames(self) -> bool:
        """Whether nothing is under way that Autobahn would have to take into account."""
        if self.state != self.STATE_OPEN or self.muted:
            return False
        return not (self.data or self.current_frame or self.inside_message or self.autoPingTimeoutCall)

    def pauseProducing(self) -> None:  # noqa: N802 - Twisted's name
        self.busy = self.busy or asyncio.Event()
        # Who does not read is not read either: what comes would pile up unread behind what waits.
        self.transport.pauseProducing()

    def resumeProducing(self) -> None:  # noqa: N802 - Twisted's name
        if self.busy is not None:
            self.busy.set()
            self.busy = None
            self.transport.resumeProducing()

    stopProducing = resumeProducing  # noqa: N815 - Twisted's name

    def send_frame(self, data: bytes) -> None:
        """Send a frame that `text_frame` made: what Autobahn's `sendMessage` does, in a tenth of its time."""
        if self.state != self.STATE_OPEN:
            return
        if self.send_queue:
            # Something of Autobahn's own stands before it.
            self.sendData(data)
            return
        transport = self.transport
        # Twisted waits for the next round of its loop; what nothing stands before can go now.
        if transport.connected and not (transport.dataBuffer or transport._tempDataBuffer):
            sent = transport.writeSomeData(data)
            if isinstance(sent, int):
                data = data[sent:]
        if data:
            transport.write(data)

    def sendMessage(self, *arguments: Any, **more: Any) -> None:  # noqa: N802 - the parent's name
        if self.state != self.STATE_OPEN:
            return
        # Autobahn holds what is sent to the limit of what may come; the view of a long match is longer.
        limit, self.maxMessagePayloadSize = self.maxMessagePayloadSize, 0
        try:
            super().sendMessage(*arguments, **more)
        finally:
            self.maxMessagePayloadSize = limit


class Factory(WebSocketFactory):
    protocol = Protocol

    def setProtocolOptions(self, **options: Any) -> None:  # noqa: N802 - the parent's name
        super().setProtocolOptions(failByDrop=False, **options)


def small_text(data: bytes) -> str | None:
    """The text of a browser's frame, where it is short, whole, masked and all that came; else None.

    Nearly all frames are like that; Autobahn takes ten times as long for them, and takes all others.
    """
    if len(data) < 6 or data[0] != 0x81 or len(data) != data[1] - 0x80 + 6 or data[1] > 0x80 + 125:
        return None
    size = len(data) - 6
    mask = (data[2:6] * (size // 4 + 1))[:size]
    plain = int.from_bytes(data[6:]) ^ int.from_bytes(mask)
    try:
        return plain.to_bytes(size).decode()
    except UnicodeDecodeError:
        return None


def text_frame(text: str) -> bytes:
    """A text as a frame of the server's: whole, and not masked."""
    payload = text.encode()
    size = len(payload)
    if size < 126:
        return bytes((0x81, size)) + payload
    if size < 65536:
        return b"\x81\x7e" + size.to_bytes(2) + payload
    return b"\x81\x7f" + size.to_bytes(8) + payload


class Server(daphne.server.Server):
    def __init__(self, *arguments: Any, endpoints: list[str], **more: Any) -> None:
        # After a restart everybody is back at once.
        patient = [f"{each}:backlog={BACKLOG}" if each.startswith("tcp:") else each for each in endpoints]
        super().__init__(*arguments, endpoints=patient, **more)

    # The text that was sent last, and its frame: what goes to a crowd is encoded once.
    _sent: tuple[str, bytes] = ("", b"")

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        """Take what the application sends; returns once the browser can take more."""
        text = message.get("text")
        if text is None or message["type"] != "websocket.send" or protocol.state == protocol.STATE_CONNECTING:
            await super().handle_reply(protocol, message)
            return
        if text is not self._sent[0]:
            self._sent = (text, text_frame(text))
        protocol.send_frame(self._sent[1])
        if protocol.busy is not None:
            await protocol.busy.wait()

    def kill_all_applications(self) -> Deferred[Any]:
        """What Daphne does before it ends, once the browsers were told to come back and have answered."""
        goodbyes = [_goodbye(protocol) for protocol in self.connections if _is_open_socket(protocol)]
        told = DeferredList(goodbyes, consumeErrors=True).addTimeout(GOODBYE_SECONDS, reactor)
        # Who does not answer in time is dropped like before.
        return told.addErrback(lambda _: None).addCallback(
            lambda _: super(Server, self).kill_all_applications()
        )


def _is_open_socket(protocol: Any) -> bool:
    return isinstance(protocol, WebSocketProtocol) and protocol.state == protocol.STATE_OPEN


def _goodbye(protocol: WebSocketProtocol) -> Any:
    protocol.serverClose(SERVICE_RESTART)
    return protocol.is_closed


def _show_life() -> None:
    # Not above: the settings are read once Daphne has loaded the application.
    from games.services.outages import show_life

    task = asyncio.get_event_loop().create_task(show_life())
    # An interface's methods have no self, and mypy takes the first argument for it.
    reactor.addSystemEventTrigger("before", "shutdown", task.cancel)  # type: ignore[arg-type]


def _allow_many_sockets() -> None:
    # Each is a file; the usual 1,024 are the first limit that a full hall meets.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


if __name__ == "__main__":
    _allow_many_sockets()
    reactor.callWhenRunning(_show_life)
    daphne.server.WebSocketFactory = Factory
    CommandLineInterface.server_class = Server
    CommandLineInterface.entrypoint()

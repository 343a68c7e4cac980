"""Runs Daphne, with sockets that say why they close, instead of a line that is cut.

A frame too long from a browser ends its socket with 1009; a server that is told to end, all of them with 1012.
"""

import asyncio
from typing import Any

import daphne.server
from daphne.cli import CommandLineInterface
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from twisted.internet import reactor
from twisted.internet.defer import Deferred, DeferredList

SERVICE_RESTART = 1012
GOODBYE_SECONDS = 1


class Protocol(WebSocketProtocol):
    maxMessagePayloadSize: int  # noqa: N815 - the parent's name

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


class Server(daphne.server.Server):
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
    # Autobahn's public `sendClose` knows only the codes that applications may choose.
    protocol.sendCloseFrame(code=SERVICE_RESTART)
    return protocol.is_closed


def _show_life() -> None:
    # Not above: the settings are read once Daphne has loaded the application.
    from games.services.outages import show_life

    task = asyncio.get_event_loop().create_task(show_life())
    reactor.addSystemEventTrigger("before", "shutdown", task.cancel)


if __name__ == "__main__":
    reactor.callWhenRunning(_show_life)
    daphne.server.WebSocketFactory = Factory
    CommandLineInterface.server_class = Server
    CommandLineInterface.entrypoint()

"""Runs Daphne, with sockets that say why they close: a frame too long ends with 1009, not with a cut line."""

from typing import Any

import daphne.server
from daphne.cli import CommandLineInterface
from daphne.ws_protocol import WebSocketFactory


class Factory(WebSocketFactory):
    def setProtocolOptions(self, **options: Any) -> None:  # noqa: N802 - the parent's name
        super().setProtocolOptions(failByDrop=False, **options)


if __name__ == "__main__":
    daphne.server.WebSocketFactory = Factory
    CommandLineInterface.entrypoint()

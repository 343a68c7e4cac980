"""The way to the pages: a few requests at a time, and no body for who asks for the head alone."""

import asyncio
from typing import Any

from tarneeb_site.health import PATHS
from tarneeb_site.metrics import PATH


class Turnstile:
    """Lets so many requests in at once; the others wait.

    Each holds a thread and a connection to the database: without an end to it a crowd would take what the
    tables in play need.
    """

    def __init__(self, application: Any, *, at_once: int) -> None:
        self._application = application
        self._places = asyncio.Semaphore(at_once)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["method"] == "HEAD":
            send = without_body(send)
        if scope["path"] == PATH or scope["path"] in PATHS:
            await self._application(scope, receive, send)
            return
        async with self._places:
            await self._application(scope, receive, send)


def without_body(send: Any) -> Any:
    """The same `send`, but for the bodies. Daphne drops only the first part of one, Django sends several."""

    async def send_head(message: Any) -> None:
        await send(message | {"body": b""} if message["type"] == "http.response.body" else message)

    return send_head

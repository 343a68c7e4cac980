import asyncio
from typing import Any

import pytest

from tarneeb_site.turnstile import Turnstile


class Pages:
    """An application whose pages are done once `open` is set, and come in two parts."""

    def __init__(self) -> None:
        self.inside = 0
        self.open = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.inside += 1
        await self.open.wait()
        await send({"type": "http.response.start", "status": 200})
        await send({"type": "http.response.body", "body": b"ab", "more_body": True})
        await send({"type": "http.response.body", "body": b"cd"})
        self.inside -= 1


async def asked(turnstile: Turnstile, method: str = "GET", path: str = "/") -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await turnstile({"type": "http", "method": method, "path": path}, None, send)
    return sent


async def test_a_crowd_is_let_in_a_few_at_a_time_and_everybody_is_served():
    pages = Pages()
    turnstile = Turnstile(pages, at_once=3)
    crowd = [asyncio.create_task(asked(turnstile)) for _ in range(10)]
    await asyncio.sleep(0.01)
    assert pages.inside == 3
    pages.open.set()
    assert {len(sent) for sent in await asyncio.gather(*crowd)} == {3}


async def test_who_asks_for_the_health_does_not_wait():
    pages = Pages()
    turnstile = Turnstile(pages, at_once=1)
    waiting = [asyncio.create_task(asked(turnstile, path=path)) for path in ("/", "/", "/healthz")]
    await asyncio.sleep(0.01)
    assert pages.inside == 2
    pages.open.set()
    await asyncio.gather(*waiting)


@pytest.mark.parametrize(("method", "body"), [("GET", b"abcd"), ("POST", b"abcd"), ("HEAD", b"")])
async def test_only_a_head_has_no_body(method: str, body: bytes):
    pages = Pages()
    pages.open.set()
    sent = await asked(Turnstile(pages, at_once=1), method)
    assert sent[0] == {"type": "http.response.start", "status": 200}
    assert b"".join(part["body"] for part in sent[1:]) == body

"""Real players of a real site: sign in over HTTP, sit over HTTP, play over WebSocket."""

import asyncio
import json
import re
from typing import Any, Self
from urllib.parse import urlsplit

import httpx
from websockets.asyncio.client import ClientConnection, connect

PATIENCE_SECONDS = 20.0


class Browser:
    """One signed-in session (or a guest's), as a browser holds it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.http = httpx.AsyncClient(base_url=url, follow_redirects=False, timeout=PATIENCE_SECONDS)
        self._connections: list[ClientConnection] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close every tab."""
        for connection in self._connections:
            await connection.close()
        await self.http.aclose()

    async def sign_in(self, name: str, password: str) -> None:
        await self.http.get("/accounts/login/")
        answer = await self.post("/accounts/login/", login=name, password=password)
        assert answer.status_code == 302, answer.text

    async def post(self, path: str, **fields: object) -> httpx.Response:
        fields["csrfmiddlewaretoken"] = self.http.cookies.get("csrftoken", "")
        return await self.http.post(path, data=fields, headers={"Referer": self.url})

    async def open_table(self, **fields: object) -> str:
        """The code of a new table."""
        asked = {"ruleset": "kotchina", "target": 31, "turn_seconds": 20, "visibility": "public"} | fields
        answer = await self.post("/tables/new/", **asked)
        assert answer.status_code == 302, answer.text
        found = re.fullmatch(r"/tables/(\w+)/", answer.headers["Location"])
        assert found is not None
        return found[1]

    async def sit(self, code: str, seat: int, **more: object) -> None:
        answer = await self.post(f"/tables/{code}/sit/", seat=seat, **more)
        assert answer.status_code == 302, answer.text

    async def socket(self, code: str, **more: Any) -> "TableClient":
        """A socket at a table, once its first view has come."""
        client = TableClient(await self.connect(f"/ws/tables/{code}/", **more))
        await client.until(lambda view: True)
        return client

    async def connect(self, path: str, *, origin: str | None = "") -> ClientConnection:
        parts = urlsplit(self.url)
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.http.cookies.jar)
        connection = await connect(
            f"ws://{parts.netloc}{path}",
            origin=self.url if origin == "" else origin,  # type: ignore[arg-type]
            additional_headers={"Cookie": cookies} if cookies else {},
            max_size=None,
            proxy=None,
        )
        self._connections.append(connection)
        return connection


class TableClient:
    """A socket that keeps the newest view and every frame that it was sent."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.frames: list[dict[str, Any]] = []
        self.version = -1
        self.view: dict[str, Any] = {}
        self._count = 0

    async def send(self, **frame: object) -> None:
        await self.connection.send(json.dumps(frame))

    async def act(self, action: str, version: int | None = None, frame_id: str | None = None) -> str:
        """Send an act; its id."""
        self._count += 1
        frame_id = frame_id or f"{id(self)}-{self._count}"
        await self.send(
            type="act", action=action, version=self.version if version is None else version, id=frame_id
        )
        return frame_id

    async def next(self) -> dict[str, Any]:
        """The next frame."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            frame: dict[str, Any] = json.loads(await self.connection.recv())
        self.frames.append(frame)
        if frame["type"] == "table" and frame["version"] >= self.version:
            self.version, self.view = frame["version"], frame["view"]
        return frame

    async def next_of(self, kind: str) -> dict[str, Any]:
        """The next frame of a type."""
        while (frame := await self.next())["type"] != kind:
            pass
        return frame

    async def until(self, holds: Any) -> dict[str, Any]:
        """The first view, from the next frame on, for which `holds(view)`."""
        while True:
            frame = await self.next()
            if frame["type"] == "table" and holds(self.view):
                return self.view

    async def close(self) -> None:
        await self.connection.close()

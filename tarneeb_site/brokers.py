"""Where Valkey is: one server, or the sentinels that know which of several leads.

`redis://:PASSWORD@HOST:PORT/NUMBER` is a server. `sentinel://:PASSWORD@HOST:PORT,HOST:PORT/NAME/NUMBER` asks those
sentinels for the server that leads under that name, anew for each connection: when another takes over, whoever
connects again is there. Each who talks to Valkey has its own way to be told.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import redis
import redis.asyncio
from django.core.exceptions import ImproperlyConfigured

SERVER: Final = ("redis://", "rediss://")
WANTED: Final = (
    "REDIS_URL must read redis://:PASSWORD@HOST:PORT/NUMBER, "
    "or sentinel://:PASSWORD@HOST:PORT,HOST:PORT/NAME/NUMBER"
)
SENTINEL_PORT: Final = 26379
# A sentinel that is away holds up nobody for long: the next one is asked.
ASK_SECONDS: Final = 2


@dataclass(frozen=True)
class Sentinels:
    """Some sentinels, and the name of what they watch over."""

    hosts: tuple[tuple[str, int], ...]
    name: str
    number: int
    username: str | None
    password: str | None
    # The sentinels' own, where they have one.
    sentinel_password: str | None = None

    def options(self) -> dict[str, Any]:
        """How a connection to whoever leads is made."""
        given = {"db": self.number, "username": self.username, "password": self.password}
        return {name: value for name, value in given.items() if value is not None}

    def asking(self) -> dict[str, Any]:
        """How the sentinels themselves are asked."""
        limits: dict[str, Any] = {"socket_timeout": ASK_SECONDS, "socket_connect_timeout": ASK_SECONDS}
        return limits | ({"password": self.sentinel_password} if self.sentinel_password else {})


@dataclass(frozen=True)
class Broker:
    """Valkey as each part of the site has to be told of it."""

    url: str
    sentinels: Sentinels | None = None

    def for_channels(self) -> Any:
        """A host of the channel layer."""
        found = self.sentinels
        if found is None:
            return self.url
        return {
            "sentinels": list(found.hosts),
            "master_name": found.name,
            "sentinel_kwargs": found.asking(),
            **found.options(),
        }

    def for_celery(self) -> tuple[str, dict[str, Any]]:
        """The address of Celery's broker, and options of its transport."""
        found = self.sentinels
        if found is None:
            return self.url, {}
        signed = urlsplit(self.url).netloc.rpartition("@")
        urls = [
            f"sentinel://{signed[0]}{signed[1]}{host}:{port}/{found.number}" for host, port in found.hosts
        ]
        return ";".join(urls), {"master_name": found.name, "sentinel_kwargs": found.asking()}

    @contextmanager
    def client(self, **limits: Any) -> "Iterator[redis.Redis]":
        """A client of whoever leads now."""
        found = self.sentinels
        if found is None:
            with closing(redis.Redis.from_url(self.url, **limits)) as client:
                yield client
            return
        options: dict[str, Any] = {**found.options(), **limits}
        asked: Any = redis.Sentinel(found.hosts, sentinel_kwargs=found.asking(), **options)  # type: ignore[no-untyped-call]
        try:
            with closing(asked.master_for(found.name)) as client:
                yield client
        finally:
            for sentinel in asked.sentinels:
                sentinel.close()

    @asynccontextmanager
    async def async_client(self) -> "AsyncIterator[redis.asyncio.Redis]":
        """The same for an event loop."""
        found = self.sentinels
        if found is None:
            async with redis.asyncio.Redis.from_url(self.url) as client:
                yield client
            return
        asked: Any = redis.asyncio.Sentinel(  # type: ignore[no-untyped-call]
            found.hosts, sentinel_kwargs=found.asking(), **found.options()
        )
        try:
            async with asked.master_for(found.name) as client:
                yield client
        finally:
            for sentinel in asked.sentinels:
                await sentinel.aclose()


def broker(url: str, sentinel_password: str | None = None) -> Broker:
    """Valkey at an address.

    Raises: ImproperlyConfigured where it is none.
    """
    if url.startswith(SERVER):
        return Broker(url)
    try:
        return Broker(url, _sentinels(url, sentinel_password or None))
    except ValueError as error:
        raise ImproperlyConfigured(WANTED) from error


def _sentinels(url: str, sentinel_password: str | None) -> Sentinels:
    parts = urlsplit(url)
    signed, _, hosts = parts.netloc.rpartition("@")
    name, _, number = parts.path.strip("/").partition("/")
    if parts.scheme != "sentinel" or not hosts or not name:
        raise ValueError(url)
    username, _, password = signed.partition(":")
    return Sentinels(
        hosts=tuple(_host(text) for text in hosts.split(",")),
        name=name,
        number=int(number or 0),
        username=unquote(username) or None,
        password=unquote(password) or None,
        sentinel_password=sentinel_password,
    )


def _host(text: str) -> tuple[str, int]:
    found = urlsplit(f"//{text.strip()}")
    if not found.hostname:
        raise ValueError(text)
    return found.hostname, found.port or SENTINEL_PORT

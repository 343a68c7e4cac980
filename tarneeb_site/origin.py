"""Sockets are opened by our own pages only: the Origin must be the host that was asked."""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host


async def deny(scope: Any, receive: Any, send: Any) -> None:
    """Answers a handshake with 403, without a word to the broker or in the log."""
    await send({"type": "websocket.close"})


class SameOrigin:
    """Refuses (403) a handshake without the Origin of the host asked, or of a trusted one."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = dict(scope["headers"])
        origin, host = (headers.get(name, b"").decode("latin-1") for name in (b"origin", b"host"))
        application = self.application if is_allowed(origin, host) else deny
        await application(scope, receive, send)


def is_allowed(origin: str, host: str) -> bool:
    """Whether a page of `origin` may open a socket at `host`."""
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    allowed = settings.ALLOWED_HOSTS
    return (
        parts.scheme in {"http", "https"}
        and parts.netloc.lower() == host.lower() != ""
        and validate_host(split_domain_port(host)[0], allowed)
    )

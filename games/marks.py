"""Whether two connections had the same address, or the same browser, without either being known.

What is stored is a digest under the site's own key, and the key changes with the month: marks of two months cannot be
compared, and whoever has the rows alone cannot try out addresses. A browser is known by a cookie of its own, a random
word that says nothing else; where it sends none, by how it names itself, which many share.
"""

import hmac
import secrets
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import wraps
from hashlib import sha256
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse

COOKIE: Final = "browser"
KEPT_SECONDS: Final = 180 * 86400
LONGEST_COOKIE: Final = 64


class Mark(NamedTuple):
    """An address and a browser as they are stored; empty where nothing is known."""

    address: str
    device: str


NO_MARK: Final = Mark("", "")


def mark_of(scope: Mapping[str, Any], now: datetime) -> Mark:
    """The mark of whoever opened a socket."""
    address = (scope.get("client") or [""])[0]
    word = scope.get("cookies", {}).get(COOKIE, "")[:LONGEST_COOKIE]
    device = digest("device", word, now) if word else _as_it_says(scope, now)
    return Mark(digest("address", address, now), device)


def _as_it_says(scope: Mapping[str, Any], now: datetime) -> str:
    """The digest of how a browser without a word names itself, told from those of words by its first letter."""
    headers = dict(scope.get("headers", ()))
    said = b"|".join(headers.get(name, b"") for name in (b"user-agent", b"accept-language"))
    return f"~{digest('said', said.decode('latin-1'), now)[:15]}" if said != b"|" else ""


def digest(what: str, text: str, now: datetime) -> str:
    """Sixteen hexadecimal digits for a text, the same all through a month; "" for nothing."""
    if not text:
        return ""
    key = f"{settings.SECRET_KEY}|{now:%Y-%m}".encode()
    return hmac.new(key, f"{what}|{text}".encode(), sha256).hexdigest()[:16]


def marked(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """The page of a view gives the browser of who is logged in its word, where it has none yet."""

    @wraps(view)
    def marking(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
        response = view(request, *args, **more)
        if request.user.is_authenticated and not request.COOKIES.get(COOKIE):
            response.set_cookie(
                COOKIE,
                secrets.token_hex(16),
                max_age=KEPT_SECONDS,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response

    return marking

"""Whether two connections had the same address, or the same browser, without either being known.

What is stored is a digest under the site's own key, and the key changes with the month: whoever has the rows alone
cannot try out addresses. Beside it stands for a while the digest under the month before's key, so that those of one
month can still be compared with those of the next, and no further. A browser is known by a cookie of its own, a random
word that says nothing else; where it sends none, by how it names itself, which many share.
"""

import hmac
import secrets
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import wraps
from hashlib import sha256
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse

COOKIE: Final = "browser"
KEPT_SECONDS: Final = 180 * 86400
LONGEST_COOKIE: Final = 64


class Mark(NamedTuple):
    """An address and a browser as they are stored, under the month's key and the month before's.

    Empty where nothing is known.
    """

    address: str = ""
    device: str = ""
    address_before: str = ""
    device_before: str = ""


NO_MARK: Final = Mark()


def mark_of(scope: Mapping[str, Any], now: datetime) -> Mark:
    """The mark of whoever opened a socket."""
    address = (scope.get("client") or [""])[0]
    word = scope.get("cookies", {}).get(COOKIE, "")[:LONGEST_COOKIE]
    device = digest("device", word, now) if word else _as_it_says(scope, now)
    before = now.replace(day=1) - timedelta(days=1)
    return Mark(
        digest("address", address, now),
        device,
        digest("address", address, before),
        digest("device", word, before),
    )


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

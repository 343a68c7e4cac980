"""Who comes in from where, and whether it is too much: the browser's own address, sockets and forms.

The numbers stand in `games/limits.py`, and in docs/operating.md for people.
"""

import time
from collections.abc import Callable, Hashable
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from games import limits
from games.limits import Allowance, Rate
from tarneeb_site.views import too_many_requests

TOO_MANY = 4429
# What a proxy says of whom it speaks for.
FORWARDED = (b"x-forwarded-for", b"forwarded", b"x-real-ip")
UNSAFE = {"POST", "PUT", "PATCH", "DELETE"}
# Those not named here are `limits.OTHER_FORMS`.
FORMS: dict[str, Allowance] = {
    "table_new": limits.TABLES,
    "quick": limits.TABLES,
    "tournament_new": limits.TABLES,
    "table_invite": limits.INVITATIONS,
    "play_bots": limits.GUESTS,
    "account_guest": limits.GUESTS,
    "table_report": limits.REPORTS,
    "records": limits.RECORDS,
    "account_change_email": limits.LETTERS,
    "account_confirm_address": limits.LETTERS,
    "account_picture": limits.PICTURES,
    "account_data": limits.DOWNLOADS,
}


class ClientAddress:
    """Puts the browser's own address into the scope, and whether it may do as much as it likes.

    Behind `TRUSTED_PROXIES` proxies, each of which adds whom it heard from to X-Forwarded-For, the address is
    so many places from the end of that list: what stands before it the browser may have made up.
    """

    def __init__(self, application: Any) -> None:
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] in {"http", "websocket"}:
            peer = str((scope.get("client") or [""])[0])
            is_forwarded = any(name in FORWARDED for name, _ in scope["headers"])
            scope = scope | {
                "client": [client_address(scope["headers"], peer), 0],
                "limits_lifted": limits.is_lifted(peer, is_forwarded=is_forwarded),
            }
        await self._application(scope, receive, send)


def client_address(headers: Any, peer: str) -> str:
    """The address of the browser, as far as it can be trusted; `peer` is who opened the connection."""
    given = b",".join(value for name, value in headers if name == b"x-forwarded-for").decode("latin-1")
    heard = [part.strip() for part in given.split(",") if part.strip()]
    count = settings.TRUSTED_PROXIES
    return bare_address(heard[-count], peer) if 0 < count <= len(heard) else peer


def bare_address(given: str, otherwise: str) -> str:
    """The address alone, where a proxy added the port to it; `otherwise` where it is none."""
    address = given
    if given.startswith("[") and "]" in given:
        address = given[1:].partition("]")[0]
    elif given.count(":") == 1:
        address = given.partition(":")[0]
    try:
        return str(ip_address(address))
    except ValueError:
        return otherwise


class AddressDoor:
    """Closes sockets with 4429 where one address opens too many: before anything is looked up for them."""

    def __init__(self, application: Any) -> None:
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        address = limits.place_of(scope["client"][0])
        await _enter(
            self._application,
            (scope, receive, send),
            ("address", address),
            limits.OPENINGS.address,
            limits.SOCKETS_OF_ADDRESS,
        )


class UserDoor:
    """Closes sockets with 4429 where one user opens too many."""

    def __init__(self, application: Any) -> None:
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if not scope["user"].is_authenticated:
            await self._application(scope, receive, send)
            return
        user = ("user", scope["user"].pk)
        await _enter(
            self._application,
            (scope, receive, send),
            user,
            limits.OPENINGS.user,
            limits.SOCKETS_OF_USER,
        )


async def _enter(application: Any, call: tuple[Any, Any, Any], who: Hashable, rate: Rate, most: int) -> None:
    scope, receive, send = call
    if scope["limits_lifted"]:
        await application(scope, receive, send)
        return
    with limits.places.place(who, most) as is_free:
        if is_free and limits.openings.take([(who, rate)], time.monotonic()):
            await application(scope, receive, send)
            return
    await turn_away(receive, send)


async def turn_away(receive: Any, send: Any) -> None:
    """Accepts a socket for as long as it takes to say why it is closed."""
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": TOO_MANY})


class FormLimits:
    """Answers 429 where a user or an address sends too many forms that change something."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        # Read by the limits of signing in and up, too.
        request.limits_lifted = lifted(request)  # type: ignore[attr-defined]
        return self._get_response(request)

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponseBase | None:
        """None to go on."""
        if request.method not in UNSAFE or request.limits_lifted:  # type: ignore[attr-defined]
            return None
        match = request.resolver_match
        name = match.url_name if match is not None and not match.namespace else None
        kind = name if name in FORMS else ""
        allowance = FORMS.get(kind or "", limits.OTHER_FORMS)
        address = limits.place_of(request.META.get("REMOTE_ADDR") or "")
        asked: list[tuple[Hashable, Rate]] = [((kind, address), allowance.address)]
        if request.user.is_authenticated:
            asked.append(((kind, request.user.pk), allowance.user))
        if limits.forms.take(asked, time.monotonic()):
            return None
        return too_many_requests(request)


def lifted(request: HttpRequest) -> bool:
    """Whether no limit holds for a request."""
    scope = getattr(request, "scope", None)
    if scope is not None and "limits_lifted" in scope:
        return bool(scope["limits_lifted"])
    forwarded = any(name in request.headers for name in ("X-Forwarded-For", "Forwarded", "X-Real-IP"))
    return limits.is_lifted(request.META.get("REMOTE_ADDR") or "", is_forwarded=forwarded)

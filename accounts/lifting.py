"""Limits of signing in are lifted for whom all limits are lifted: see `LIMITS_ON_LOOPBACK`.

allauth asks its own counters, some by user and some by name; there is no setting that depends on the request.
"""

from typing import Any

from allauth.core.internal import ratelimit
from django.http import HttpRequest

_consume = ratelimit.consume


def consume(request: HttpRequest, **what: Any) -> ratelimit.RateLimitUsage | None:
    """What allauth's own does, but nothing is counted where no limit holds."""
    if getattr(request, "limits_lifted", False):
        return ratelimit.RateLimitUsage(usage=[])
    return _consume(request, **what)


def install() -> None:
    """From now on allauth asks here."""
    ratelimit.consume = consume

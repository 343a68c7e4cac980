"""Addresses that name a moment of a match: `deal` from 1, `act` so many of its calls and cards, `seat` whose sight."""

from urllib.parse import urlencode

from django.http import HttpRequest

NAMES = ("deal", "act", "seat")


def at_moment(request: HttpRequest, address: str) -> str:
    """An address with the moment that this request names, if it does."""
    moment = {name: request.GET[name] for name in NAMES if request.GET.get(name, "").isdecimal()}
    return f"{address}?{urlencode(moment)}" if moment else address

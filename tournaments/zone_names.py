"""Time zones by the names of their cities, in the language of the page."""

from functools import cache
from typing import Any
from zoneinfo import available_timezones

from babel import Locale, UnknownLocaleError
from babel.core import get_global
from babel.dates import get_timezone_location
from django import forms
from django.utils.translation import get_language

from accounts.names import sort_key

UTC = "UTC"
_UTC_BESIDE = frozenset({"Etc/UTC", "Etc/GMT", "Etc/UCT"})


class ZoneField(forms.ChoiceField):
    """A choice of zones by their cities; old names of them, as some browsers have them, are taken too."""

    def __init__(self, **more: Any) -> None:
        super().__init__(choices=zone_choices, **more)

    def to_python(self, value: Any) -> str:
        return canonical(super().to_python(value))

    def prepare_value(self, value: Any) -> Any:
        return canonical(value) if isinstance(value, str) else value


def zone_choices() -> list[tuple[str, str]]:
    """Every zone of a place with its name, in the order of the alphabet; UTC first."""
    return _choices(_language())


def zone_name(zone: str) -> str:
    """What a zone is called: its city, with its country; one nobody knows by its name in the list of zones."""
    return _name(zone, _language())


def _language() -> str:
    return "ar" if (get_language() or "ar").startswith("ar") else "en"


@cache
def _choices(language: str) -> list[tuple[str, str]]:
    zones = {
        canonical(name)
        for name in available_timezones()
        if "/" in name and not name.startswith(("Etc/", "System"))
    }
    named = [(zone, _name(zone, language)) for zone in zones if "/" in zone]
    return [(UTC, UTC), *sorted(named, key=lambda one: sort_key(one[1]))]


def canonical(zone: str) -> str:
    """The name of today for a zone that goes by an old one too."""
    name = str(get_global("zone_aliases").get(zone, zone))
    return UTC if name in _UTC_BESIDE else name


@cache
def _name(zone: str, language: str) -> str:
    plain = zone.replace("_", " ")
    if "/" not in zone:
        return plain
    try:
        city = get_timezone_location(zone, locale=language, return_city=True)
    except (LookupError, UnknownLocaleError):
        return plain
    country = Locale(language).territories.get(get_global("zone_territories").get(zone, ""), "")
    return f"{city} · {country}" if country and country != city else city

"""The countries a player may be at home in, by their codes, as each language writes them."""

from babel import Locale
from django.utils.translation import get_language

from accounts.names import sort_key


def countries() -> list[tuple[str, str]]:
    """Codes and names in the language of the page, in the order of its alphabet."""
    names = _names()
    codes = [code for code in names if len(code) == 2 and code.isalpha() and code not in NO_COUNTRIES]
    return sorted(((code, names[code]) for code in codes), key=lambda country: sort_key(country[1]))


def country_name(code: str) -> str:
    """What a country is called in the language of the page; a code nobody knows stays as it is."""
    return _names().get(code, code)


def _names() -> dict[str, str]:
    return dict(Locale("ar" if (get_language() or "ar").startswith("ar") else "en").territories)


# Codes of the list that stand for something else.
NO_COUNTRIES = {"ZZ", "EU", "EZ", "UN", "QO", "XA", "XB"}

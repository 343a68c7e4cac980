"""The address of a tournament, made from its name in whatever script."""

import unicodedata
from collections.abc import Iterator
from itertools import count

from django.utils.text import slugify

LONGEST = 60
TATWEEL = "\u0640"
# Words that stand for something else in the same place of an address.
TAKEN = frozenset({"new"})


def candidates(name: str) -> Iterator[str]:
    """Slugs for a name, best first, without end: the words themselves, then with 2, 3 … behind them."""
    base = slug(name)
    if base not in TAKEN:
        yield base
    for number in count(2):
        yield f"{base}-{number}"


def slug(name: str) -> str:
    """The words of a name joined by hyphens, in its own letters; never empty."""
    composed = unicodedata.normalize("NFKC", name).replace(TATWEEL, "")
    words = slugify(composed, allow_unicode=True)[:LONGEST].strip("-_")
    return words or "tournament"

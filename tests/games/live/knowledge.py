"""What each user may know of a table's cards at each version, worked out from the stored rows alone."""

import json
import re
from collections.abc import Iterable
from typing import Any

from games.models import Table
from games.rules.cards import CODES

# A card by itself: in quotes, between tags, in an attribute. Not a part of a longer word or number.
CARD = re.compile(rf"(?<![\w-])(?:{'|'.join(CODES)})(?![\w-])")


class Knowledge:
    """A user may know the hand dealt to his seat, and every card that was played; nothing else before the end."""

    def __init__(self, table: Table) -> None:
        self.secret = bytes(table.secret).hex()
        self.over_at = table.version if table.phase == "over" else table.version + 1
        self._seats = dict(table.seats.filter(user__isnull=False).values_list("user_id", "number"))
        self._deals = list(table.deals.order_by("version").values_list("version", "dealer", "deck"))
        acts = table.events.filter(kind="act").order_by("version").values_list("version", "code")
        self._plays = [(version, code) for version, code in acts if code in CODES]

    def of(self, user_id: int | None, version: int) -> set[str]:
        """The cards that a user may know once `version` has happened; None is somebody without an account."""
        dealt = [deal for deal in self._deals if deal[0] <= version]
        # The last trick of the deal before stays on the table until the next one.
        since = dealt[-2][0] if len(dealt) > 1 else 0
        known = {code for at, code in self._plays if since < at <= version}
        seat = self._seats.get(user_id or 0)
        if seat is not None and dealt:
            _, dealer, deck = dealt[-1]
            known.update(deck.split()[(seat - dealer - 1) % 4 :: 4])
        return known

    def leaks_in(self, user_id: int | None, frame: dict[str, Any]) -> set[str]:
        """What a frame tells its user too much."""
        text = json.dumps(frame)
        version = frame.get("version", 0)
        if frame["type"] != "table":
            return named(text)
        leaks = named(text) - self.of(user_id, version)
        return leaks if version >= self.over_at or self.secret not in text else leaks | {"secret"}


def named(*texts: str) -> set[str]:
    """The cards that texts name."""
    return {code for text in texts for code in CARD.findall(text)}


def all_leaks(knowledge: Knowledge, seen: Iterable[tuple[int | None, dict[str, Any]]]) -> list[Any]:
    """Each frame, with its user, that told too much, and what."""
    return [
        (user_id, frame["type"], frame.get("version"), leaks)
        for user_id, frame in seen
        if (leaks := knowledge.leaks_in(user_id, frame))
    ]

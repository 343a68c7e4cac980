"""What can be said and played, as codes; and the refusal of an act that the rules do not allow."""

import re
from typing import Final, Literal

from games.rules.cards import CARD

Kind = Literal["pass", "bid", "double", "trump", "card"]

# `m` the person whose seat it is, `c` the clock, `b` a bot that owns the seat, `s` a bot sitting in.
ACTORS: Final = frozenset("mcbs")

_BID = re.compile(r"b[0-9]+[CDHSN]?")
TRUMPS: Final = ("tC", "tD", "tH", "tS")


class IllegalAction(Exception):
    """An act the rules refuse; nothing has changed. `code` is a stable code of the record format."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def kind(code: str) -> Kind:
    """What sort of action `code` is, in whatever ruleset.

    Raises: IllegalAction `malformed` for what is no code at all.
    """
    if code in CARD:
        return "card"
    if code == "p":
        return "pass"
    if code in ("x", "xx"):
        return "double"
    if code in TRUMPS:
        return "trump"
    if _BID.fullmatch(code):
        return "bid"
    raise IllegalAction("malformed", f"{code[:20]!r} is no action")

"""Lines of the log: for people, or one JSON object a line; without what tells who somebody is.

What the site's own code logs names tables, tournaments and users by their numbers. Errors bring along words of others
(a database quotes the row that it refused), so that whatever looks like an address, a token or a quoted row goes.
"""

import json
import logging
import re
from datetime import UTC, datetime
from ipaddress import ip_address
from typing import Final

HIDDEN: Final = "…"
# In this order: what is longer before what could be a part of it.
PERSONAL: Final = (
    # An error of the database: `DETAIL:  Key (username)=(Rami) already exists.`
    (re.compile(r"^(DETAIL|CONTEXT|QUERY|STATEMENT): .*$", re.MULTILINE), rf"\1: {HIDDEN}"),
    (re.compile(r"(?<==)\([^()\n]*\)"), f"({HIDDEN})"),
    # Passwords in addresses of servers, queries of addresses.
    (re.compile(r"(?<=://)[^/@\s]+@"), f"{HIDDEN}@"),
    (re.compile(r"(?<=[^\s?]\?)[^\s\"']+=[^\s\"']*"), HIDDEN),
    (re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"), HIDDEN),
    # Names stand in the addresses of pages.
    (re.compile(r"(?<=/players/)[^/\s]+"), HIDDEN),
    # Links that let in whoever has them.
    (re.compile(r"(?<=/confirm-email/)[^/\s]+|(?<=/password/reset/key/)[^/\s]+"), HIDDEN),
    (re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b"), HIDDEN),
    # Session keys, tokens, keys: long words of letters and digits together.
    (re.compile(r"\b(?=\w*\d)(?=\w*[A-Za-z])[\w-]{24,}\b"), HIDDEN),
)


# Times of day look much like addresses of IPv6.
COLONS: Final = re.compile(r"(?<![\w:.])[0-9A-Fa-f:]*:[0-9A-Fa-f:]*:[0-9A-Fa-f:]*(?![\w.])")


def without_people(text: str) -> str:
    """The text without what looks like somebody's address, name in an address, or token."""
    for pattern, instead in PERSONAL:
        text = pattern.sub(instead, text)
    return COLONS.sub(_without_address, text) if ":" in text else text


def _without_address(found: re.Match[str]) -> str:
    try:
        ip_address(found.group())
    except ValueError:
        return found.group()
    return HIDDEN


class Plain(logging.Formatter):
    """A line for people."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        return without_people(super().format(record))


class Json(logging.Formatter):
    """An object a line: when, how bad, who says it, what, and where an error came from."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "message": without_people(record.getMessage()),
        }
        if record.exc_info and record.exc_info[0] is not None:
            told["error"] = record.exc_info[0].__name__
            told["trace"] = without_people(self.formatException(record.exc_info))
        return json.dumps(told, ensure_ascii=False)

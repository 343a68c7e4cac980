"""Who hears what is said at a table, and how it reaches a browser. Phrases are for all, words for one room."""

import json
from dataclasses import dataclass, field
from typing import Any

from games.live.announce import Item

TABLE, WATCHERS = "table", "watch"
SHOWN = ("line", "seat", "name", "room", "text")


@dataclass(slots=True)
class Ears:
    """What a socket does not hear: `muted` are ids of users; the spectators' room is for accounts alone."""

    has_account: bool = False
    muted: set[int] = field(default_factory=set)


def spoken(table_id: int, user_id: int, line: dict[str, Any]) -> Item:
    """The announcement of a line of chat (`line`, `seat`, `name`, `room`, `text`) that is stored."""
    return {"kind": "said", "table": table_id, "user_id": user_id, **{key: line[key] for key in SHOWN}}


def muting(user_id: int, muted_id: int, name: str, *, muted: bool) -> Item:
    """The announcement that a user hears `muted_id`, of that name, no more, or again."""
    return {"kind": "mute", "user": user_id, "muted_id": muted_id, "name": name, "muted": muted}


def hears(ears: Ears, seat: int | None, room: str | None, speaker_id: int | None) -> bool:
    """Whether a socket of that seat (None: a spectator) gets what was said; `room` is None for a phrase."""
    if speaker_id in ears.muted:
        return False
    if room == TABLE:
        return seat is not None
    if room == WATCHERS:
        return seat is None and ears.has_account
    return True


def said(item: Item) -> str:
    """The `said` frame of an announcement."""
    keys = SHOWN if "text" in item else ("seat", "phrase")
    return _frame({"type": "said", **{key: item[key] for key in keys}})


def mute(item: Item) -> str:
    """The frame that tells the other tabs of somebody who muted."""
    return _frame({"type": "mute", "name": item["name"], "muted": item["muted"]})


def chat(room: str | None, lines: list[dict[str, Any]], muted: list[str]) -> str:
    """The frame for who has just come: the last lines of the room, oldest first, and whom one has muted."""
    shown = [{key: line[key] for key in SHOWN} for line in lines]
    return _frame({"type": "chat", "room": room, "lines": shown, "muted": muted})


def _frame(body: dict[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))

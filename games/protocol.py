"""Frames from the browsers: their size and shape. What passes here is well formed, not yet allowed."""

import json
from dataclasses import dataclass
from typing import Any, TypeGuard

from games.rules.actions import IllegalAction, kind
from games.rules.shapes import is_text
from games.services.refusals import Refused

MAX_ID = 64
# What our pages and this server mean by the frames. To be raised with each change that an open page from before
# it would misread; the page says it when it connects, and is loaded anew where it differs.
WIRE = 1
MAX_TEXT = 200

PHRASES = (
    *("hello", "welcome", "good-luck", "shall-we-start"),
    *("well-played", "nice-trick", "nice-bid", "bravo", "what-a-deal"),
    *("thanks", "sorry", "no-problem", "hard-luck", "my-mistake"),
    *("one-moment", "i-am-back", "take-your-time", "come-on"),
    *("good-game", "one-more", "goodbye"),
)


@dataclass(frozen=True, slots=True)
class Act:
    action: str
    version: int
    id: str


@dataclass(frozen=True, slots=True)
class Ping:
    version: int


@dataclass(frozen=True, slots=True)
class Say:
    """A phrase of ours, or one's own words: the other one is empty."""

    phrase: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Back:
    """The player takes the seat back from the clock."""


@dataclass(frozen=True, slots=True)
class Vote:
    """What the player wants done; `choice` None takes it back."""

    on: str
    choice: str | None


@dataclass(frozen=True, slots=True)
class Echo:
    """What came with a pong, sent back at once."""

    echo: str


Frame = Act | Ping | Say | Back | Vote | Echo


def parse(text: str) -> tuple[Frame | None, str | None]:
    """The frame, or None where it is malformed; and its id, where it has a usable one to answer with."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return None, None
    if not isinstance(given, dict):
        return None, None
    found = given.get("id")
    frame_id = found if _is_id(found) else None
    read = _READERS.get(given["type"]) if isinstance(given.get("type"), str) else None
    return (read(given) if read else None), frame_id


def _act(given: dict[str, Any]) -> Act | None:
    action, version, frame_id = given.get("action"), given.get("version"), given.get("id")
    if not (_is_action(action) and _is_version(version) and _is_id(frame_id)):
        return None
    return Act(action, version, frame_id)


def _ping(given: dict[str, Any]) -> Ping | None:
    version = given.get("version", 0)
    return Ping(version) if _is_version(version) else None


def _say(given: dict[str, Any]) -> Say | None:
    phrase, text = given.get("phrase"), given.get("text")
    if "text" not in given:
        return Say(phrase=phrase) if isinstance(phrase, str) and phrase in PHRASES else None
    if "phrase" in given or not (isinstance(text, str) and 1 <= len(text) <= MAX_TEXT and is_text(text)):
        return None
    return Say(text=text)


def _back(given: dict[str, Any]) -> Back:
    return Back()


def _vote(given: dict[str, Any]) -> Vote | None:
    on, choice = given.get("on"), given.get("choice")
    if not isinstance(on, str) or not (choice is None or isinstance(choice, str)):
        return None
    return Vote(on, choice)


def _echo(given: dict[str, Any]) -> Echo | None:
    echo = given.get("echo")
    return Echo(echo) if isinstance(echo, str) else None


_READERS = {"act": _act, "ping": _ping, "say": _say, "back": _back, "vote": _vote, "echo": _echo}


def _is_action(value: object) -> TypeGuard[str]:
    if not isinstance(value, str):
        return False
    try:
        kind(value)
    except IllegalAction:
        return False
    return True


def _is_id(value: object) -> TypeGuard[str]:
    # Any characters, but for those that the database cannot keep.
    return isinstance(value, str) and 1 <= len(value) <= MAX_ID and is_text(value) and "\0" not in value


def _is_version(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def refused(error: Refused, version: int, frame_id: str | None) -> str:
    """The frame that tells why nothing changed; the sentence is in the language that is active now."""
    body: dict[str, Any] = {"type": "refused", "code": error.code, "message": str(error), "version": version}
    if frame_id is not None:
        body["id"] = frame_id
    return json.dumps(body, ensure_ascii=False)


def pong(version: int, echo: str) -> str:
    """The answer to a ping; the browser sends `echo` back at once, so that the server can time its line."""
    return json.dumps({"type": "pong", "version": version, "echo": echo})

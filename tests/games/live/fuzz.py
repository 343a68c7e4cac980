"""Frames that no page of ours would send: drawn at random, the same ones for the same seed."""

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from games.rules.cards import CODES

Frame = str | bytes | list[str]

ODD_VALUES: tuple[Callable[[random.Random], Any], ...] = (
    lambda chance: None,
    lambda chance: True,
    lambda chance: -1,
    lambda chance: 0,
    lambda chance: 1.5,
    lambda chance: 10 ** chance.randrange(400),
    lambda chance: -(2 ** chance.choice((31, 32, 63, 64, 128))),
    lambda chance: float("nan"),
    lambda chance: float("inf"),
    lambda chance: "",
    lambda chance: "x" * chance.choice((64, 65, 200, 201, 3000)),
    lambda chance: "\0",
    lambda chance: chance.choice(("\ud800", "\udfff\ud800", "a\ud83d", "\u202e", "\u0627\u0644", "٧", "b٧")),
    lambda chance: "".join(chr(chance.randrange(1, 0xD7FF)) for _ in range(chance.randrange(30))),
    lambda chance: [],
    lambda chance: {},
    lambda chance: [["AS", "KS"]],
    lambda chance: {"__proto__": 1, "action": "p"},
    lambda chance: chance.choice(("<b>", "'; drop table games_table; --", "%s", "{0}", "../..", "\r\n")),
)
WELL_FORMED: tuple[dict[str, Any], ...] = (
    {"type": "act", "action": "p", "version": 0, "id": "x"},
    {"type": "ping", "version": 0},
    {"type": "say", "phrase": "hello"},
    {"type": "say", "text": "مرحبا"},
    {"type": "vote", "on": "resign", "choice": None},
    {"type": "vote", "on": "absence", "choice": "wait"},
    {"type": "vote", "on": "rematch", "choice": "same"},
    {"type": "echo", "echo": "abcd"},
)
ACTIONS = ("p", "x", "b7", "b8", "b13", "tS", "tN", "r", *CODES)


def frames(seed: int, version: Callable[[], int]) -> Iterator[Frame]:
    """Without end: text, bytes, or text in fragments; none longer than the wire allows."""
    chance = random.Random(seed)
    kinds = (_spoilt, _spoilt, _spoilt, _foreign_act, _noise, _binary, _nested, _number, _fragments, _json)
    while True:
        yield chance.choice(kinds)(chance, version())


def _spoilt(chance: random.Random, version: int) -> str:
    """A frame as it should be, but for one or two of its values, or with a key too many or too few."""
    given = dict(chance.choice(WELL_FORMED))
    for _ in range(chance.randrange(1, 3)):
        key = chance.choice([*given, "id", "version", "seat", "user"])
        if chance.random() < 0.2:
            given.pop(key, None)
        else:
            given[key] = chance.choice(ODD_VALUES)(chance)
    return json.dumps(given)[:4096]


def _foreign_act(chance: random.Random, version: int) -> str:
    """An action of anybody's at about the version that is, under an id that may have been used."""
    near = max(0, version + chance.choice((-3, -1, 0, 0, 0, 1, 40)))
    act = {"type": "act", "action": chance.choice(ACTIONS), "version": near, "id": f"f{chance.randrange(20)}"}
    return json.dumps(act)


def _noise(chance: random.Random, version: int) -> str:
    return "".join(chr(chance.randrange(0x20, 0xD7FF)) for _ in range(chance.randrange(1, 900)))


def _binary(chance: random.Random, version: int) -> bytes:
    return chance.randbytes(chance.randrange(0, 900))


def _nested(chance: random.Random, version: int) -> str:
    depth = chance.choice((10, 500, 1300))
    left, right = chance.choice((("[", "]"), ('{"type":', "}"), ('{"a":[', "]}")))
    return (left * depth + "1" + right * depth)[:4096]


def _number(chance: random.Random, version: int) -> str:
    number = chance.choice(
        ("NaN", "-Infinity", "1e999", "-1e-999", "9" * 3900, "0" * 99, "1_000", "0x1F", "+1")
    )
    return f'{{"type":"ping","version":{number}}}'


def _fragments(chance: random.Random, version: int) -> list[str]:
    text = _spoilt(chance, version) + " "
    cuts = sorted(chance.randrange(len(text)) for _ in range(chance.randrange(1, 6)))
    return [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]


def _json(chance: random.Random, version: int) -> str:
    """Any JSON at all."""

    def value(depth: int) -> Any:
        if depth == 0 or chance.random() < 0.4:
            return chance.choice(ODD_VALUES)(chance)
        if chance.random() < 0.5:
            return [value(depth - 1) for _ in range(chance.randrange(4))]
        return {chance.choice(("type", "id", "act", "", "\0")): value(depth - 1) for _ in range(3)}

    return json.dumps(value(4))[:4096]

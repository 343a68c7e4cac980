"""Reading the parts of a `tarneeb-event/1` document: settings, entrants, log. Unknown keys are ignored."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, Literal, TypeGuard, cast, get_args

from tournaments.formats.entrants import Entrant
from tournaments.formats.results import (
    Adjust,
    Correct,
    Disqualify,
    Enter,
    Fact,
    Forfeit,
    Item,
    Kind,
    PlanError,
    PlayOff,
    Reenter,
    Result,
    Round,
    Rule,
    Score,
    Undo,
    Withdraw,
)
from tournaments.formats.settings import Points, Settings, Tiebreak

Json = Mapping[str, Any]

# What a document may count (rounds, groups, matches), and by how much it may score: a plan is finite work.
LARGEST_COUNT = 100_000
LARGEST_NUMBER = 10**12


def read_settings(value: object) -> Settings:
    """A document's `settings`.

    Raises:
        PlanError: `malformed`.
    """
    settings = _object(value, "settings")
    tiebreaks = settings.get("tiebreaks")
    return Settings(
        format=_text(settings, "format"),
        third_place=_flag(settings, "third_place"),
        reset=_flag(settings, "reset", default=True),
        groups=_count(settings, "groups") if settings.get("groups") is not None else 1,
        double=_flag(settings, "double"),
        rounds=_count(settings, "rounds") if settings.get("rounds") is not None else None,
        seed=_seed(settings),
        stages=_stages(settings),
        qualify=_count(settings, "qualify") if settings.get("qualify") is not None else None,
        best_of=_best_of(settings),
        forbidden=_forbidden(settings),
        points=_points(settings),
        tiebreaks=None if tiebreaks is None else _tiebreaks(tiebreaks),
    )


def read_entrant(value: object) -> Entrant:
    """One of a document's `entrants`. Name and seed may be absent.

    Raises:
        PlanError: `malformed`.
    """
    entrant = _object(value, "an entrant")
    id_ = _text(entrant, "id")
    name = entrant.get("name", "")
    seed = entrant.get("seed")
    if not _is_text(name):
        raise PlanError("malformed", f"the name of {id_} is not a text")
    if seed is not None and (not _is_number(seed) or seed < 1):
        raise PlanError("malformed", f"the seed of {id_} is not a number from 1 up")
    return Entrant(id_, name, seed)


def read_item(value: object) -> Item:
    """One item of a document's `log`.

    Raises:
        PlanError: `malformed`.
    """
    item = _object(value, "a log item")
    kind = item.get("type")
    if not isinstance(kind, str) or kind not in _READERS:
        raise PlanError("malformed", f"a log item has a type, one of {', '.join(_READERS)}")
    return _READERS[kind](item)


def _result(item: Json) -> Result:
    kind = item.get("kind")
    if kind not in get_args(Kind):
        raise PlanError("malformed", f"a result has a kind, one of {', '.join(get_args(Kind))}")
    score = item.get("score")
    return Result(
        _text(item, "pairing"),
        cast(Kind, kind),
        None if score is None else _score(score),
        _side(item, "last_gainer") if kind == "draw" else None,
        _sides(item),
        _score(item["deals"]) if item.get("deals") is not None else None,
        _score(item["contracts"]) if item.get("contracts") is not None else None,
    )


def _forfeit(item: Json) -> Forfeit:
    side: Literal[0, 1, "both"] = "both" if item.get("side") == "both" else _side(item, "side")
    return Forfeit(_text(item, "pairing"), side, _sides(item))


def _rule(item: Json) -> Rule:
    reason = _given(item, "reason", "")
    if not _is_text(reason):
        raise PlanError("malformed", "a reason is a text")
    return Rule(_text(item, "pairing"), _side(item, "winner"), reason, _sides(item))


def _enter(item: Json) -> Enter:
    return Enter(read_entrant(item.get("entrant")))


def _adjust(item: Json) -> Adjust:
    points, reason = item.get("points"), _given(item, "reason", "")
    if not _is_number(points):
        raise PlanError("malformed", "points are a whole number")
    if not _is_text(reason):
        raise PlanError("malformed", "a reason is a text")
    return Adjust(_text(item, "entrant"), points, reason)


def _play_off(item: Json) -> PlayOff:
    return PlayOff(_pair(item.get("entrants"), "a play-off"))


def _round(item: Json) -> Round:
    pairings = item.get("pairings")
    if not isinstance(pairings, list):
        raise PlanError("malformed", "a round lists its pairings")
    bye = item.get("bye")
    return Round(
        _count(item, "round"),
        tuple(_pair(pair, "a pairing of a round") for pair in pairings),
        None if bye is None else _text(item, "bye"),
    )


def _correct(item: Json) -> Correct:
    """The flat fields say what is meant: `kind` a result, `side` a forfeit, `winner` a ruling."""
    fact: Fact
    if "kind" in item:
        fact = _result(item)
    elif "side" in item:
        fact = _forfeit(item)
    elif "winner" in item:
        fact = _rule(item)
    else:
        raise PlanError("malformed", "a correction has the fields of a result, a forfeit or a ruling")
    later = _object(_given(item, "later", {}), "later")
    for pairing, choice in later.items():
        if not _is_text(pairing) or choice not in ("stand", "replay"):
            raise PlanError("malformed", "later says stand or replay of a pairing")
    return Correct(fact, dict(later), _count(item, "match") if item.get("match") is not None else None)


_READERS: dict[str, Callable[[Json], Item]] = {
    "result": _result,
    "forfeit": _forfeit,
    "rule": _rule,
    "withdraw": lambda item: Withdraw(_text(item, "entrant")),
    "disqualify": lambda item: Disqualify(_text(item, "entrant")),
    "reenter": lambda item: Reenter(_text(item, "entrant")),
    "enter": _enter,
    "round": _round,
    "adjust": _adjust,
    "play_off": _play_off,
    "correct": _correct,
    "undo": lambda item: Undo(),
}


def _object(value: object, what: str) -> Json:
    if not isinstance(value, Mapping):
        raise PlanError("malformed", f"{what} is an object")
    return value


def _given(item: Json, key: str, default: Any) -> Any:
    """What stands under a key; nothing there and `null` are the same."""
    return default if item.get(key) is None else item[key]


def _text(item: Json, key: str) -> str:
    value = item.get(key)
    if not _is_text(value) or not value:
        raise PlanError("malformed", f"{key} is missing, or not a text")
    return value


def _is_text(value: object) -> TypeGuard[str]:
    """Half a character, which JSON can spell, is none: it cannot be stored, drawn lots with or printed."""
    if not isinstance(value, str):
        return False
    return value.isascii() or not any("\ud800" <= character <= "\udfff" for character in value)


def _is_number(value: object) -> TypeGuard[int]:
    return type(value) is int and abs(value) <= LARGEST_NUMBER


def _flag(item: Json, key: str, *, default: bool = False) -> bool:
    value = _given(item, key, default)
    if not isinstance(value, bool):
        raise PlanError("malformed", f"{key} is true or false")
    return value


def _count(item: Json, key: str) -> int:
    value = item.get(key)
    if type(value) is not int or not 1 <= value <= LARGEST_COUNT:
        raise PlanError("malformed", f"{key} is a number from 1 to {LARGEST_COUNT:,}")
    return value


def _side(item: Json, key: str) -> Literal[0, 1]:
    value = item.get(key)
    if type(value) is not int or value not in (0, 1):
        raise PlanError("malformed", f"{key} is 0 or 1")
    return 1 if value else 0


def _score(value: object) -> Score:
    if not isinstance(value, list) or len(value) != 2 or not all(map(_is_number, value)):
        raise PlanError("malformed", "a score is two whole numbers")
    return value[0], value[1]


def _pair(value: object, what: str) -> tuple[str, str]:
    if not isinstance(value, list) or len(value) != 2 or not all(map(_is_text, value)):
        raise PlanError("malformed", f"{what} is two entrants' ids")
    return value[0], value[1]


def _sides(item: Json) -> tuple[str, str] | None:
    sides = item.get("sides")
    return None if sides is None else _pair(sides, "sides")


def _best_of(settings: Json) -> Literal[1, 3, 5]:
    value = _given(settings, "best_of", 1)
    if type(value) is not int or value not in (1, 3, 5):
        raise PlanError("malformed", "best_of is 1, 3 or 5")
    return cast(Literal[1, 3, 5], value)


def _seed(settings: Json) -> int:
    value = _given(settings, "seed", 0)
    if type(value) is not int:
        raise PlanError("malformed", "seed is a whole number")
    return value


def _stages(settings: Json) -> tuple[Settings, ...]:
    if settings.get("format") != "stages":
        return ()
    value = settings.get("stages")
    if not isinstance(value, list) or not value:
        raise PlanError("malformed", "stages is a list of settings, one a stage")
    stages = tuple(read_settings(stage) for stage in value)
    if any(stage.format == "stages" for stage in stages):
        raise PlanError("malformed", "a stage has no stages of its own")
    if any(stage.qualify is None for stage in stages[1:]):
        raise PlanError("malformed", "a later stage says how many qualify")
    return stages


def _forbidden(settings: Json) -> frozenset[frozenset[str]]:
    value = _given(settings, "forbidden", [])
    if not isinstance(value, list):
        raise PlanError("malformed", "forbidden is a list of pairs")
    pairs = [frozenset(_pair(pair, "a forbidden pair")) for pair in value]
    if any(len(pair) == 1 for pair in pairs):
        raise PlanError("malformed", "a forbidden pair is two different entrants")
    return frozenset(pairs)


def _points(settings: Json) -> Points:
    points = _object(_given(settings, "points", {}), "points")
    known = {field.name: points[field.name] for field in fields(Points) if field.name in points}
    if not all(map(_is_number, known.values())):
        raise PlanError("malformed", "points are whole numbers")
    return Points(**known)


def _tiebreaks(value: object) -> tuple[Tiebreak, ...]:
    if not isinstance(value, list) or not all(tiebreak in get_args(Tiebreak) for tiebreak in value):
        raise PlanError("malformed", f"tiebreaks is a list of {', '.join(get_args(Tiebreak))}")
    return tuple(value)

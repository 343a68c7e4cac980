"""A tournament as a document (`tarneeb-event/1`), and a plan as its JSON object."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.formats.entrants import Entrant
from tournaments.formats.notation import read_entrant, read_item, read_settings
from tournaments.formats.plan import Plan, Tournament
from tournaments.formats.results import (
    Adjust,
    Correct,
    Disqualify,
    Enter,
    Fact,
    Forfeit,
    Item,
    Pairing,
    PlanError,
    PlayOff,
    Reenter,
    Result,
    Round,
    Rule,
    Standing,
    Undo,
    Withdraw,
)
from tournaments.formats.settings import Settings

FORMAT = "tarneeb-event/1"


@dataclass(frozen=True, slots=True)
class Event:
    """A document, read: what `plan.plan` takes."""

    settings: Settings
    entrants: tuple[Entrant, ...]
    log: tuple[Item, ...]


def read_event(document: object) -> Event:
    """A parsed JSON document as settings, entrants and log. Whether the log fits them is the plan's to say.

    Raises:
        PlanError: `malformed`; where a log item is, with its place.
    """
    settings, entrants, log = _parts(document)
    return Event(settings, entrants, tuple(_read_at(number, item) for number, item in enumerate(log)))


def fold_event(document: object) -> Tournament:
    """The tournament of a parsed JSON document, read item by item: its first faulty item is the one named.

    Raises:
        PlanError: any code; with the item's place where an item is at fault.
    """
    settings, entrants, log = _parts(document)
    tournament = Tournament(settings, entrants, _entering(log))
    tournament.add_all(map(read_item, log))
    return tournament


def entrants_of(document: object) -> tuple[Entrant, ...]:
    """The entrants of a parsed JSON document, those too whom its log lets in late.

    Raises:
        PlanError: `malformed`.
    """
    _, entrants, log = _parts(document)
    late = [item.entrant for item in map(read_item, log) if isinstance(item, Enter)]
    return (*entrants, *late)


def print_plan(plan: Plan) -> dict[str, Any]:
    """A plan as the JSON object programs read."""
    return {
        "ok": True,
        "finished": plan.finished,
        "champion": plan.champion,
        "pairings": [print_pairing(pairing) for pairing in plan.pairings],
        "standings": [_print_standing(standing) for standing in plan.standings],
        "touched": list(plan.touched),
    }


def print_pairing(pairing: Pairing) -> dict[str, Any]:
    """A pairing as its printed line."""
    return {
        "id": pairing.id,
        "round": pairing.round,
        "sides": list(pairing.sides),
        "status": pairing.status,
        "winner": pairing.winner,
        "decided_by": pairing.decided_by,
        "score": None if pairing.score is None else list(pairing.score),
    }


def print_error(error: PlanError) -> dict[str, Any]:
    """A refusal as the JSON object programs read."""
    body: dict[str, Any] = {"code": error.code, "message": error.message}
    if error.item is not None:
        body["item"] = error.item
    return {"ok": False, "error": body}


def print_event(event: Event) -> dict[str, Any]:
    """A document that `read_event` reads back to the same event."""
    return {
        "format": FORMAT,
        "settings": print_settings(event.settings),
        "entrants": [print_entrant(entrant) for entrant in event.entrants],
        "log": [print_item(item) for item in event.log],
    }


def print_settings(settings: Settings) -> dict[str, Any]:
    """Settings as in a document: what its format reads."""
    points = settings.points
    printed: dict[str, Any] = {
        "format": settings.format,
        **{key: getattr(settings, key) for key in _OWN.get(settings.format, ())},
        "best_of": settings.best_of,
        "forbidden": sorted(sorted(pair) for pair in settings.forbidden),
        "points": {
            "win": points.win,
            "draw": points.draw,
            "loss": points.loss,
            "bye": points.bye,
            "forfeit": points.forfeit,
        },
    }
    if settings.stages:
        printed["stages"] = [print_settings(stage) for stage in settings.stages]
    if settings.qualify is not None:
        printed["qualify"] = settings.qualify
    if settings.tiebreaks is not None:
        printed["tiebreaks"] = list(settings.tiebreaks)
    return printed


_OWN: dict[str, tuple[str, ...]] = {
    "single_elimination": ("third_place",),
    "double_elimination": ("reset",),
    "round_robin": ("groups", "double", "seed"),
    "swiss": ("rounds", "seed"),
}


def print_entrant(entrant: Entrant) -> dict[str, Any]:
    """An entrant as in a document; no `seed` where there is none."""
    printed: dict[str, Any] = {"id": entrant.id, "name": entrant.name}
    return printed if entrant.seed is None else {**printed, "seed": entrant.seed}


def print_item(item: Item) -> dict[str, Any]:
    """A log item as in a document: what `notation.read_item` reads back."""
    match item:
        case Correct():
            return _print_correct(item)
        case Result() | Forfeit() | Rule():
            return _print_fact(item)
        case Withdraw(entrant) | Disqualify(entrant) | Reenter(entrant):
            return {"type": type(item).__name__.lower(), "entrant": entrant}
        case Enter(newcomer):
            return {"type": "enter", "entrant": print_entrant(newcomer)}
        case Round():
            pairings = [list(pair) for pair in item.pairings]
            return {"type": "round", "round": item.round, "pairings": pairings, "bye": item.bye}
        case Adjust():
            return {
                "type": "adjust",
                "entrant": item.entrant,
                "points": item.points,
                "reason": item.reason,
            }
        case PlayOff(entrants):
            return {"type": "play_off", "entrants": list(entrants)}
        case Undo():
            return {"type": "undo"}


def _print_fact(fact: Fact) -> dict[str, Any]:
    printed: dict[str, Any] = {"type": type(fact).__name__.lower(), "pairing": fact.pairing}
    match fact:
        case Result():
            printed["kind"] = fact.kind
            printed["score"] = None if fact.score is None else list(fact.score)
            if fact.kind == "draw":
                printed["last_gainer"] = fact.last_gainer
            if fact.deals is not None:
                printed["deals"] = list(fact.deals)
            if fact.contracts is not None:
                printed["contracts"] = list(fact.contracts)
        case Forfeit():
            printed["side"] = fact.side
        case Rule():
            printed |= {"winner": fact.winner, "reason": fact.reason}
    return printed if fact.sides is None else {**printed, "sides": list(fact.sides)}


def _print_correct(correct: Correct) -> dict[str, Any]:
    printed = _print_fact(correct.fact) | {"type": "correct"}
    if correct.later:
        printed["later"] = dict(correct.later)
    return printed if correct.match is None else {**printed, "match": correct.match}


def _print_standing(standing: Standing) -> dict[str, Any]:
    printed: dict[str, Any] = {
        "entrant": standing.entrant,
        "rank": standing.rank,
        "points": standing.points,
        "tiebreaks": dict(standing.tiebreaks),
        "in": standing.still_in,
    }
    return printed if standing.group is None else {**printed, "group": standing.group}


def _parts(document: object) -> tuple[Settings, tuple[Entrant, ...], Sequence[object]]:
    if not isinstance(document, Mapping):
        raise PlanError("malformed", "a document is an object")
    if document.get("format") != FORMAT:
        raise PlanError("malformed", f"the document's format is not {FORMAT}")
    entrants, log = document.get("entrants"), document.get("log", [])
    if not isinstance(entrants, list) or not isinstance(log, list):
        raise PlanError("malformed", "entrants and log are lists")
    return read_settings(document.get("settings")), tuple(read_entrant(entrant) for entrant in entrants), log


def _entering(log: Sequence[object]) -> set[str]:
    """Ids of late entries, of a log that is not read yet."""
    late = [item.get("entrant") for item in log if isinstance(item, Mapping) and item.get("type") == "enter"]
    ids = [entrant.get("id") for entrant in late if isinstance(entrant, Mapping)]
    return {id_ for id_ in ids if isinstance(id_, str)}


def _read_at(number: int, value: object) -> Item:
    try:
        return read_item(value)
    except PlanError as error:
        raise PlanError(error.code, error.message, number) from error

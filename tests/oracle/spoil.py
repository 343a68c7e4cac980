"""Spoilt records from a number, each with the error it must be answered with.

`spoilt(n)` turns through all the faults, so that some hundreds in a row meet each of them several
times in records of all rulesets.
"""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from tests.oracle import spoil_actions, spoil_records
from tests.oracle.chance import Chance
from tests.oracle.engine import Deal, Match
from tests.oracle.generate import Record, record
from tests.oracle.spoil_records import Fault, fault

NAMES = [*spoil_actions.SPOILERS, *spoil_records.SPOILERS]
GOES_BEFORE_THE_REST = ["wrong-phase", "card-not-held", "must-follow-suit"]
LATER_FAULTS = ["claim", "letters", "times", "deck", "proof"]
TRIES = 1000


@dataclass(frozen=True)
class Spoilt:
    name: str
    record: Any
    error: Fault


def spoilt(n: int) -> Spoilt:
    """The n-th spoilt record: a fault, sometimes with others that must give way to it."""
    name = NAMES[n % len(NAMES)]
    chance = Chance(f"spoilt {n}")
    for _ in range(TRIES):
        base = deepcopy(record(chance.below(100_000)))
        error = spoil(chance, name, base)
        if error is not None:
            return Spoilt(name, base, error)
    raise LookupError(f"no record in {TRIES} has room for {name}")


def spoil(chance: Chance, name: str, base: Record) -> Fault | None:
    if name in spoil_records.SPOILERS:
        return spoil_records.SPOILERS[name](chance, base)
    error = spoil_action(chance, name, base)
    if error is not None and error["code"] in GOES_BEFORE_THE_REST and chance.one_in(2):
        add_later_fault(chance, base, error["deal"])
    return error


def spoil_action(chance: Chance, name: str, base: Record) -> Fault | None:
    """Replaces one action of the record; what followed it stays."""
    spoiler, code = spoil_actions.SPOILERS[name]
    places = []
    for n, i, deal in walk(base):
        wrong = spoiler(chance, deal)
        if wrong is not None:
            places.append((wrong, {"deal": n, "action": i, "seat": deal.turn()}))
    if not places:
        return None
    wrong, place = chance.pick(places)
    codes = base["deals"][place["deal"]]["actions"].split()
    codes[place["action"]] = wrong
    base["deals"][place["deal"]]["actions"] = " ".join(codes)
    return {"code": code, **place}


def walk(base: Record) -> Iterator[tuple[int, int, Deal]]:
    """Each deal as it stands before each of its actions."""
    target, options = base.get("target", 31), base.get("options", {})
    match = Match(base["ruleset"], target, base["dealer"], options)
    for n, played in enumerate(base["deals"]):
        match.start(played["deck"].split())
        for i, code in enumerate(played["actions"].split()):
            assert match.deal is not None
            yield n, i, match.deal
            match.act(code, "m")


def add_later_fault(chance: Chance, base: Record, n: int) -> None:
    """A second fault, of a kind that is only told where no action breaks the rules of play."""
    later = chance.pick(LATER_FAULTS)
    if later == "claim":
        base["result"] = {"kind": "draw", "winner": 0, "score": [1, 2]}
    elif later == "letters":
        base["deals"][n]["by"] = "m"
    elif later == "times":
        base["deals"][n]["ms"] = [1]
    elif later == "deck":
        base["deals"].append({"deck": "AS", "actions": "zz"})
    else:
        base["proof"] = {"secret": "00" * 32, "salt": "", "commitment": "00" * 32}


def not_an_object(n: int) -> Spoilt:
    """What is JSON but no record."""
    things: list[Any] = [[], "tarneeb-record/1", 7, None, True, {}]
    return Spoilt("not an object", things[n % len(things)], fault("malformed"))

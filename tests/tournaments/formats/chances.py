"""Random events: whatever may happen next, offered to a tournament that may refuse it."""

from random import Random
from typing import Any

from hypothesis import strategies as st

from tests.tournaments.formats.notes import UNDO, reenter
from tournaments.formats.notation import read_item
from tournaments.formats.plan import Plan, Tournament
from tournaments.formats.results import PlanError

Json = dict[str, Any]
chances = st.integers(0, 2**32).map(Random)


def fact(pairing: str, chance: Random) -> Json:
    """Anything that may happen in a ready pairing."""
    points = chance.randrange(-20, 31)
    happened: Json = chance.choice(
        [
            {"type": "result", "kind": "target", "score": [31, points]},
            {"type": "result", "kind": "target", "score": [points, 31]},
            {"type": "result", "kind": "round-cap", "score": [points, points + 1]},
            {"type": "result", "kind": "draw", "score": [points, points], "last_gainer": chance.randrange(2)},
            {"type": "result", "kind": "no-result", "score": [0, 0]},
            {"type": "forfeit", "side": chance.choice([0, 1, "both"])},
            {"type": "rule", "winner": chance.randrange(2), "reason": "late"},
        ]
    )
    return {**happened, "pairing": pairing}


def next_item(plan: Plan, chance: Random, *, corrections: bool, returns: bool = False) -> Json:
    """An item that might come next; it may be refused."""
    ready = [pairing.id for pairing in plan.pairings if pairing.status == "ready"]
    done = [pairing.id for pairing in plan.pairings if pairing.status == "done"]
    luck = chance.random()
    if luck < 0.08 or not (ready or done):
        leave = chance.choice(["withdraw", "disqualify"])
        return {"type": leave, "entrant": chance.choice(plan.standings).entrant}
    if returns and luck < 0.14:
        return reenter(chance.choice(plan.standings).entrant)
    if corrections and done and (luck < 0.35 or not ready):
        return UNDO if luck < 0.2 else {**fact(chance.choice(done), chance), "type": "correct"}
    return fact(chance.choice(ready or done), chance)


def with_later(item: Json, plan: Plan, chance: Random) -> Json:
    """A correction with something to say of pairings listed behind it: mostly of those that stand somewhere."""
    if item["type"] != "correct":
        return item
    ids = [pairing.id for pairing in plan.pairings]
    behind = plan.pairings[ids.index(item["pairing"]) + 1 :]
    decided = [pairing.id for pairing in behind if pairing.status in ("ready", "done")]
    some = chance.sample(decided, min(len(decided), chance.randrange(3)))
    some += [pairing.id for pairing in behind if chance.random() < 0.02]
    return {**item, "later": {id_: chance.choice(["stand", "stand", "replay"]) for id_ in some}}


def offer(running: Tournament, item: Json) -> bool:
    try:
        running.add(read_item(item))
    except PlanError:
        return False
    return True


def play_out(running: Tournament, chance: Random) -> Plan:
    """Decides whatever can be decided until nothing is left."""
    while ready := [pairing.id for pairing in running.plan().pairings if pairing.status == "ready"]:
        for pairing in ready:
            assert offer(running, fact(pairing, chance))
    return running.plan()


def any_settings(chance: Random) -> Json:
    """A format of any kind, with settings of its own."""
    if chance.random() < 0.3:
        stages = [any_stage(chance) for _ in range(chance.choice([2, 2, 3]))]
        return {"format": "stages", "stages": stages[:1] + [_later(stage, chance) for stage in stages[1:]]}
    return any_stage(chance)


def any_stage(chance: Random) -> Json:
    settings: Json = chance.choice(
        [
            {"format": "single_elimination", "third_place": chance.random() < 0.5},
            {"format": "double_elimination", "reset": chance.random() < 0.7},
            {"format": "round_robin", "groups": chance.randrange(1, 5), "double": chance.random() < 0.2},
            {"format": "swiss", "rounds": chance.choice([None, 1, 3, 5]), "seed": chance.randrange(99)},
        ]
    )
    return {**settings, "best_of": chance.choice([1, 1, 1, 3])}


def _later(stage: Json, chance: Random) -> Json:
    return {**stage, "qualify": chance.randrange(1, 6)}


def any_item(plan: Plan, chance: Random) -> Json:
    """Of every kind of item, one that may come next or be refused."""
    if chance.random() < 0.9 or not plan.standings:
        return with_later(next_item(plan, chance, corrections=True, returns=True), plan, chance)
    some, other = chance.choice(plan.standings).entrant, chance.choice(plan.standings).entrant
    newcomer = f"n{chance.randrange(9)}"
    items: list[Json] = [
        {"type": "enter", "entrant": {"id": newcomer, "name": "late"}},
        {"type": "adjust", "entrant": some, "points": chance.randrange(-2, 3), "reason": "late"},
        {"type": "play_off", "entrants": [some, other]},
        {"type": "round", "round": chance.randrange(1, 4), "pairings": [[some, other]], "bye": None},
    ]
    return chance.choice(items)

"""Tournaments in short: log items by what happens, plans by their lines."""

from typing import Any

from hypothesis import settings as hypothesis_settings

from tournaments.formats.event import FORMAT, fold_event, print_plan
from tournaments.formats.plan import Plan, Tournament
from tournaments.formats.results import Pairing

Json = dict[str, Any]

# A machine that runs other tests beside these is slow now and then, and nothing is wrong with that.
unhurried = hypothesis_settings(deadline=None)


def document(entrants: int, *log: Json, **settings: Any) -> Json:
    """A single elimination between e1, e2, … seeded in that order."""
    return {
        "format": FORMAT,
        "settings": {"format": "single_elimination", **settings},
        "entrants": [
            {"id": f"e{seed}", "name": f"pair {seed}", "seed": seed} for seed in range(1, entrants + 1)
        ],
        "log": list(log),
    }


def tournament(entrants: int, *log: Json, **settings: Any) -> Tournament:
    return fold_event(document(entrants, *log, **settings))


def plan_of(entrants: int, *log: Json, **settings: Any) -> Plan:
    return tournament(entrants, *log, **settings).plan()


def printed(entrants: int, *log: Json, **settings: Any) -> Json:
    return print_plan(plan_of(entrants, *log, **settings))


def won(pairing: str, side: int, **more: Any) -> Json:
    score = [31, 12] if side == 0 else [12, 31]
    return {"type": "result", "pairing": pairing, "kind": "target", "score": score, **more}


def drawn(pairing: str, last_gainer: int) -> Json:
    return {
        "type": "result",
        "pairing": pairing,
        "kind": "draw",
        "score": [28, 28],
        "last_gainer": last_gainer,
    }


def dead(pairing: str) -> Json:
    return {"type": "result", "pairing": pairing, "kind": "no-result", "score": [0, 0]}


def forfeit(pairing: str, side: int | str) -> Json:
    return {"type": "forfeit", "pairing": pairing, "side": side}


def rule(pairing: str, winner: int) -> Json:
    return {"type": "rule", "pairing": pairing, "winner": winner, "reason": "a card was shown"}


def withdraw(entrant: str) -> Json:
    return {"type": "withdraw", "entrant": entrant}


def disqualify(entrant: str) -> Json:
    return {"type": "disqualify", "entrant": entrant}


def reenter(entrant: str) -> Json:
    return {"type": "reenter", "entrant": entrant}


def correct(item: Json, **later: str) -> Json:
    """The correction to what `item` says; `R2_1="stand"` lets R2.1 stand."""
    said = {pairing.replace("_", "."): choice for pairing, choice in later.items()}
    return {**item, "type": "correct", **({"later": said} if said else {})}


UNDO: Json = {"type": "undo"}


def line(pairing: Pairing) -> str:
    """`e1 - e4  done: e1 by target 31:12`; an empty side is a dot."""
    first, second = (side or "." for side in pairing.sides)
    text = f"{first} - {second}  {pairing.status}"
    if pairing.decided_by is not None:
        text += f": {pairing.winner or 'nobody'} by {pairing.decided_by}"
    if pairing.score is not None:
        text += f" {pairing.score[0]}:{pairing.score[1]}"
    return text


def lines(entrants: int, *log: Json, **settings: Any) -> dict[str, str]:
    return {pairing.id: line(pairing) for pairing in plan_of(entrants, *log, **settings).pairings}


def ranks(plan: Plan) -> str:
    """`1 e1, 2 e2 out`: in the order of the standings."""
    return ", ".join(
        f"{standing.rank} {standing.entrant}{'' if standing.still_in else ' out'}"
        for standing in plan.standings
    )

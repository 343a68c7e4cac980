"""A round of a Swiss paired by hand: two pairs change places, while nothing of the round is recorded."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from tournaments.formats.names import read_name, round_key
from tournaments.formats.plan import Plan
from tournaments.formats.results import Pairing
from tournaments.models import Format, Tournament
from tournaments.services.refusals import Refused

Item = Mapping[str, Any]


def swiss_stages(tournament: Tournament) -> set[int]:
    """The numbers of the stages that are Swiss; 0 is a tournament without stages."""
    if tournament.format == Format.SWISS:
        return {0}
    stages = tournament.settings.get("stages", ()) if tournament.format == Format.STAGES else ()
    return {number for number, stage in enumerate(stages, 1) if stage["format"] == Format.SWISS}


def round_item(stage: int, round_: int, pairings: Iterable[Pairing]) -> dict[str, Any]:
    """A round as it is published, for the log."""
    sides = [list(pairing.sides) for pairing in pairings]
    item = {
        "type": "round",
        "round": round_,
        "pairings": [pair for pair in sides if None not in pair],
        "bye": next((pair[0] for pair in sides if None in pair), None),
    }
    return item | ({"stage": stage} if stage else {})


def unplayed_rounds(tournament: Tournament, plan: Plan | None) -> tuple[str, ...]:
    """The rounds whose pairings may still be others: the newest of each Swiss, until something of it is recorded."""
    newest: dict[int, list[Pairing]] = {}
    stages = swiss_stages(tournament)
    for pairing in plan.pairings if plan is not None and stages else ():
        name = read_name(pairing.id)
        if name.part != "R" or name.stage not in stages:
            continue
        listed = newest.setdefault(name.stage, [])
        if listed and listed[-1].round != name.round:
            listed.clear()
        listed.append(pairing)
    return tuple(round_key(listed[0].id) for listed in newest.values() if _is_unplayed(listed))


def _is_unplayed(pairings: list[Pairing]) -> bool:
    met = [pairing for pairing in pairings if None not in pairing.sides]
    return bool(met) and all(pairing.recorded == 0 for pairing in pairings) and met[0].status == "ready"


def exchanged(tournament: Tournament, plan: Plan, key: str, first: str, second: str) -> Item:
    """The round with these two in each other's places, as an item of the log; who rests has a place too.

    Raises: Refused `unknown-round`, `two-pairs`, `unknown-entrant`.
    """
    if key not in unplayed_rounds(tournament, plan):
        raise Refused("unknown-round")
    if first == second:
        raise Refused("two-pairs")
    pairings = [pairing for pairing in plan.pairings if round_key(pairing.id) == key]
    if not {first, second} <= {side for pairing in pairings for side in pairing.sides}:
        raise Refused("unknown-entrant")
    places = {first: second, second: first}
    name = read_name(key)
    swapped = [
        replace(p, sides=(places.get(p.sides[0] or "", p.sides[0]), places.get(p.sides[1] or "", p.sides[1])))
        for p in pairings
    ]
    return round_item(name.stage, name.round, swapped) | {"by": "hand"}

"""Making up for a wrong result: points where they count, a place without play in a bracket; and taking both back."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from tournaments.formats.notation import read_item
from tournaments.formats.results import Pairing, PlanError
from tournaments.models import Tournament
from tournaments.queries import folded, stage_settings
from tournaments.services.neutral import newest_correction

Item = Mapping[str, Any]
ELIMINATIONS = ("single_elimination", "double_elimination")


def newcomer(before: Pairing, after: Pairing | None) -> int | None:
    """The side of a bracket's pairing on which the right pair stands now, where the wrong one had won it.

    The opponents are the same and have lost already: the right pair may go on in the other's place without play.
    None where it is not so.
    """
    if after is None or before.status != "done" or before.winner is None or None in after.sides:
        return None
    side = before.sides.index(before.winner)
    is_another = before.sides[side] != after.sides[side] and before.sides[1 - side] == after.sides[1 - side]
    is_open = after.status == "ready" or (after.decided_by, after.winner) == ("ruling", after.sides[side])
    return side if is_another and is_open else None


def is_bracket(tournament: Tournament, pairing: str) -> bool:
    """Whether a pairing is part of a knock-out, in which nobody has points."""
    return stage_settings(tournament, pairing)["format"] in ELIMINATIONS


def byes(tournament: Tournament, item: Item, pairings: Collection[str]) -> list[Item]:
    """The rulings by which the right pair goes on in these pairings without play.

    Where it does not come to stand in the other's place there is none, and the preview shows that.
    """
    if item["type"] != "correct" or not pairings:
        return []
    fold = folded(tournament)
    before = fold.plan()
    try:
        fold.add(read_item(item))
    except PlanError:
        return []
    given: list[Item] = []
    for pairing in before.pairings:
        if pairing.id not in pairings or not is_bracket(tournament, pairing.id):
            continue
        now = next((p for p in fold.plan().pairings if p.id == pairing.id), None)
        side = newcomer(pairing, now)
        if now is not None and side is not None and now.status == "ready":
            ruling = {"type": "rule", "pairing": pairing.id, "winner": side, "sides": list(now.sides)}
            fold.add(read_item(ruling))
            given.append(ruling)
    return given


def parts(items: Sequence[Item]) -> list[Item]:
    """What came with a decision and changed no pairing: the points, as an act notes them."""
    given = [item for item in items if item["type"] == "adjust"]
    return [{"type": "adjust", "entrant": item["entrant"], "points": item["points"]} for item in given]


def taken_back(tournament: Tournament, item: Item) -> list[Item]:
    """The points that came with the correction which this item takes back, the other way round.

    Rulings that came with it need nothing: they belong to sides that do not meet any more.
    """
    newest = newest_correction(tournament) if item["type"] == "undo" else None
    if newest is None:
        return []
    act = tournament.acts.filter(item__number=newest[0]).first()
    noted = act.after if act is not None and isinstance(act.after, list) else []
    given = [one for one in noted if isinstance(one, dict) and one.get("type") == "adjust"]
    return [{**one, "points": -one["points"]} for one in given]

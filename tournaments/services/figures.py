"""What a correction on a page does not ask for: deals won and contracts made stay as they were, for tie-breaks."""

from collections.abc import Mapping
from typing import Any

from tournaments.formats.plan import Plan
from tournaments.models import Tournament
from tournaments.queries import said_of
from tournaments.series import PLAYED, facts

Item = Mapping[str, Any]
FIGURES = ("deals", "contracts")


def with_figures(tournament: Tournament, item: Item, plan: Plan) -> Item:
    """The item; a correction of the points alone has the deals and contracts of the match whose place it takes."""
    if item["type"] != "correct" or item.get("kind") not in PLAYED or any(name in item for name in FIGURES):
        return item
    pairing = next((p for p in plan.pairings if p.id == item["pairing"]), None)
    found = [] if pairing is None else facts(pairing, said_of(tournament, {pairing.id}))
    at = (item.get("match") or len(found)) - 1
    before = found[at] if 0 <= at < len(found) else {}
    return {**item, **{name: before[name] for name in FIGURES if before.get(name)}}

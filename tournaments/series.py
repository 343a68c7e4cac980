"""The matches of a pairing that is best of several, as its record tells them."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from games.models import Phase
from tournaments.formats.results import Pairing
from tournaments.models import PairingTable, TableState, Tournament
from tournaments.points import points_pair

Item = Mapping[str, Any]
PLAYED = ("target", "round-cap", "draw")


def facts(pairing: Pairing, items: Sequence[Item]) -> list[Item]:
    """What is recorded between a pairing's two sides, in order, as corrected: a correction's `match` counts these.

    `items`: what the log has of the pairing, in order.
    """
    found: list[Item] = []
    for item in items:
        if item.get("sides") and list(item["sides"]) != list(pairing.sides):
            continue
        if item["type"] != "correct":
            found.append(item)
        elif 0 < (at := item.get("match") or len(found)) <= len(found):
            found[at - 1] = item
    return found


def matches(pairing: Pairing, items: Sequence[Item]) -> list[Item]:
    """The matches that count; none where they do not come to how the pairing stands. `items` as for `facts`."""
    found = facts(pairing, items)
    played = [item for item in found if item.get("kind") in PLAYED and item.get("score")]
    return played if list(pairing.won) in (_won(played, draws=True), _won(played, draws=False)) else []


def _won(played: Sequence[Item], *, draws: bool) -> list[int]:
    """How many each side won. `draws`: whether who gained in the last counted round of a draw won it."""
    winners = [_winner(item, draws=draws) for item in played]
    return [winners.count(0), winners.count(1)]


def _winner(item: Item, *, draws: bool) -> int | None:
    first, second = item["score"]
    if first != second:
        return 0 if first > second else 1
    return item.get("last_gainer") if draws else None


def points_of(played: Sequence[Item], side: int) -> str:
    """The points of each match, this side's first, with a word where one was given up: "31:12, 0:31 (resigned)"."""
    return _(", ").join(_points(item, side) for item in played)


def fact_words(item: Item) -> str:
    """One fact, as it is chosen from a list: its points, the first side's first, or what it was otherwise."""
    if item.get("score") and item.get("kind") in PLAYED:
        return _points(item, 0)
    if item.get("kind") == "no-result":
        return _("no result")
    return _("decided without play")


def _points(item: Item, side: int) -> str:
    points = points_pair(item["score"][side], item["score"][1 - side])
    if item.get("cause") == "resigned":
        return _("%(points)s (resigned)") % {"points": points}
    if item.get("cause") == "late":
        return _("%(points)s (not there in time)") % {"points": points}
    return points


def match_number(tournament: Tournament, row: PairingTable) -> int | None:
    """Which match of its pairing a table is for, as a correction counts them; None where there is but one."""
    items = tournament.log.filter(item__type="result", item__pairing=row.pairing).order_by("number")
    tables = [
        table
        for sides, table in items.values_list("item__sides", "table")
        if sides is None or sides == row.sides
    ]
    others = tournament.tables.filter(pairing=row.pairing, sides=row.sides).exclude(state=TableState.VOID)
    if len(tables) < 2 and not others.exclude(pk=row.pk).exists():
        return None
    return tables.index(row.table_id) + 1 if row.table_id in tables else len(tables) + 1


def match_words(tournament: Tournament, row: PairingTable, pairing: str) -> str:
    """A table's pairing in words; of several matches also which, and how it ended."""
    number = match_number(tournament, row)
    if number is None:
        return pairing
    said = {"pairing": pairing, "match": number}
    if row.table.phase != Phase.OVER:
        return _("%(pairing)s, match %(match)s") % said
    said["points"] = points_pair(row.table.score[0], row.table.score[1])
    return _("%(pairing)s, match %(match)s (%(points)s)") % said

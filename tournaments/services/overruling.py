"""Matches whose results officials replaced: they count for ratings while their own results stand, and not else."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from games.services import ratings
from tournaments.models import TableState, Tournament

Item = Mapping[str, Any]
FACTS = ("result", "forfeit", "rule")
# Where a correction says the same of these, the result of the table stands.
SAID = ("kind", "score", "side", "winner")


def follow(tournament: Tournament, now: datetime) -> None:
    """Inside the transaction of a decision: matches whose results it replaced count in no rating, others again."""
    if not tournament.rated:
        return
    recorded = tournament.tables.filter(state=TableState.RECORDED)
    tables = set(recorded.values_list("table", flat=True))
    ratings.overrule_exactly(tables & replaced(tournament), among=tables, now=now)


def replaced(tournament: Tournament) -> set[int]:
    """The tables whose results are in the log, and are replaced there by corrections in force."""
    if not tournament.log.filter(item__type="correct").exists():
        return set()
    return replaced_in(tournament.log.order_by("number").values_list("item", "table"))


def replaced_in(log: Iterable[tuple[Item, int | None]]) -> set[int]:
    """The same of these items in their order, each with the table whose end made it."""
    found: set[int] = set()
    facts: dict[str, list[_Fact]] = {}
    for item, table in _in_force(log):
        if item["type"] in FACTS:
            facts.setdefault(item["pairing"], []).append(_Fact(item, table))
        elif item["type"] == "correct":
            _correct(item, facts.get(item["pairing"], []))
            for pairing, choice in item.get("later", {}).items():
                if choice == "replay":
                    found |= {fact.table for fact in facts.pop(pairing, []) if fact.table is not None}
    return found | {
        fact.table
        for known in facts.values()
        for fact in known
        if fact.table is not None and fact.is_replaced
    }


class _Fact:
    """One item of a pairing, and whether a correction has said something else."""

    def __init__(self, item: Item, table: int | None) -> None:
        self.item, self.table, self.is_replaced = item, table, False


def _correct(item: Item, known: list[_Fact]) -> None:
    sides = item.get("sides")
    same = [fact for fact in known if None in (sides, fact.item.get("sides")) or fact.item["sides"] == sides]
    at = item.get("match") or len(same)
    if 0 < at <= len(same):
        fact = same[at - 1]
        fact.is_replaced = any(item.get(name) != fact.item.get(name) for name in SAID)


def _in_force(log: Iterable[tuple[Item, int | None]]) -> list[tuple[Item, int | None]]:
    """The log without corrections that were taken back."""
    found: dict[int, tuple[Item, int | None]] = {}
    corrections: list[int] = []
    for number, (item, table) in enumerate(log):
        if item["type"] == "undo" and corrections:
            del found[corrections.pop()]
        elif item["type"] == "correct":
            corrections.append(number)
        found[number] = (item, table)
    return [found[number] for number in sorted(found)]

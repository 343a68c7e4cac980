"""Groups, then a knock-out, chained by hand: a round robin of its own, and the second single elimination behind it.

Who qualified is read off the first plan at every look.
"""

from collections.abc import Sequence
from typing import Any

from tests.tournaments.formats.notes import tournament
from tests.tournaments.formats.oracle import Oracle
from tournaments.formats.event import print_plan
from tournaments.formats.notation import read_item

Json = dict[str, Any]


class Seated(Oracle):
    """The second single elimination, between others than e1, e2, …"""

    seats: Sequence[str] = ()

    def sit(self, seats: Sequence[str]) -> None:
        self.seats, self.entrants = seats, len(seats)

    def seat(self, seed: int) -> str:
        return self.seats[seed - 1]


class StageOracle:
    def __init__(self, entrants: int, qualify: int, first: Json) -> None:
        self.first = tournament(entrants, **first)
        self.second = Seated(0, False)
        self.qualify = qualify
        self.left_before: set[str] = set()
        self.corrected: list[int] = []
        self.sit()

    def seats(self) -> list[str] | None:
        """Of every group the first so many, all first ones before all second ones; None while it is played."""
        plan = print_plan(self.first.plan())
        if not plan["finished"]:
            return None
        groups: dict[int, list[str]] = {}
        for standing in plan["standings"]:
            if standing["entrant"] not in self.left_before:
                groups.setdefault(standing.get("group", 1), []).append(standing["entrant"])
        return [
            groups[group][place]
            for place in range(self.qualify)
            for group in sorted(groups)
            if place < len(groups[group])
        ]

    def add(self, item: Json) -> None:
        seats = self.seats()
        if "pairing" in item:
            stage, _, pairing = item["pairing"].partition(":")
            self._to(int(stage), {**item, "pairing": pairing})
            if item["type"] == "correct":
                self.corrected.append(int(stage))
        elif item["type"] == "undo":
            self._to(self.corrected.pop(), item)
        elif seats is not None and item["entrant"] in seats:
            self._to(2, item)
        else:
            if seats is None:
                self._to(1, item)
            # Who left the second stage keeps the place, whatever happens to the first.
            if item["type"] == "reenter":
                self.left_before.discard(item["entrant"])
            elif item["entrant"] not in self.second.gone:
                self.left_before.add(item["entrant"])
        self.sit()

    def sit(self) -> None:
        seats = self.seats()
        if seats is not None:
            self.second.sit(seats)

    def _to(self, stage: int, item: Json) -> None:
        if stage == 1:
            self.first.add(read_item(item))
        else:
            self.second.add(item)

    def lines(self) -> list[Json]:
        lines = [{**line, "id": f"1:{line['id']}"} for line in print_plan(self.first.plan())["pairings"]]
        if self.seats() is None:
            return lines
        ids = self.second.ids() if self.second.entrants > 1 else []
        return lines + [{**self.second.line(id_), "id": f"2:{id_}"} for id_ in ids]

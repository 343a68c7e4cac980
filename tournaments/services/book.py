"""A locked tournament's log and what it comes to: whatever is written stands in both, or in neither."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import User
from games.models import Table
from tournaments.formats.notation import read_item
from tournaments.formats.plan import Plan
from tournaments.formats.results import Pairing, PlanError
from tournaments.models import LogItem, Tournament
from tournaments.services.folds import keep, opened
from tournaments.services.refusals import Refused


class Book:
    """The log of a started tournament, whose row is locked: read and folded once, then written further."""

    def __init__(self, tournament: Tournament) -> None:
        found = opened(tournament, tournament.settled_items)
        self.tournament = tournament
        # What was written since the tables were last brought in line.
        self.news: list[Mapping[str, Any]] = found.news
        self.rounds = found.rounds
        self.count = found.count
        self._fold = found.fold
        self._plan: Plan | None = found.plan
        self._pairings: dict[str, Pairing] | None = None
        # Whatever is rolled back takes the fold with it.
        transaction.on_commit(self._keep, robust=True)

    def _keep(self) -> None:
        keep(self.tournament, self._fold, self._plan, self.count, self.rounds)

    @property
    def plan(self) -> Plan:
        """What the log comes to so far."""
        if self._plan is None:
            self._plan = self._fold.plan()
        return self._plan

    @property
    def pairings(self) -> dict[str, Pairing]:
        """The plan's pairings by their names."""
        if self._pairings is None:
            self._pairings = {pairing.id: pairing for pairing in self.plan.pairings}
        return self._pairings

    def write(
        self, item: Mapping[str, Any], *, actor: User | None, now: datetime, table: Table | None = None
    ) -> LogItem:
        """The item, now the newest of the log. `table` is the one whose end made it.

        Raises: Refused with a code of the tournament's file.
        """
        row = self.draft(item, actor=actor, now=now, table=table)
        row.save()
        return row

    def draft(
        self, item: Mapping[str, Any], *, actor: User | None, now: datetime, table: Table | None = None
    ) -> LogItem:
        """As `write`, but for whoever stores several rows at once."""
        try:
            self._fold.add(read_item(item))
        except PlanError as error:
            raise Refused(error.code) from error
        number = self.count
        self._noted(item)
        return LogItem(
            tournament=self.tournament, number=number, item=dict(item), actor=actor, at=now, table=table
        )

    def _noted(self, item: Mapping[str, Any]) -> None:
        self.count += 1
        self.news.append(item)
        if item["type"] == "round":
            self.rounds.add((item.get("stage", 0), item["round"]))
        self._plan = self._pairings = None

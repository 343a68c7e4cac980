"""How a tournament went so far: its plan, by pairing, by round and by entrant; remembered until something is added.

The plan follows from settings, seeds and log alone, and a log only grows. So as long as these are as they were,
nobody who looks at a page has to wait for it to be worked out again.
"""

import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any

from django.db.models import Count, Max

from tournaments.formats.explain import forbidden_meetings, rematches
from tournaments.formats.names import read_name
from tournaments.formats.plan import Plan
from tournaments.formats.plan import Tournament as Fold
from tournaments.formats.results import Pairing, Standing
from tournaments.formats.scored import Scored
from tournaments.formats.swiss import Swiss
from tournaments.models import Format, Tournament
from tournaments.queries import folded, settings_of
from tournaments.words import Names

OPEN = ("waiting", "ready")
KEPT = 24


@dataclass
class Course:
    """One state of a tournament that has started. Whoever reads it must not change it."""

    fold: Fold
    settings: dict[str, Any]

    @cached_property
    def plan(self) -> Plan:
        return self.fold.plan()

    @cached_property
    def by_id(self) -> dict[str, Pairing]:
        return {pairing.id: pairing for pairing in self.plan.pairings}

    @cached_property
    def names(self) -> Names:
        return Names(self.settings, self.by_id)

    @cached_property
    def rounds(self) -> dict[str, list[Pairing]]:
        """The pairings of each round, in the order they are listed."""
        rounds: dict[str, list[Pairing]] = {}
        for pairing in self.plan.pairings:
            rounds.setdefault(read_name(pairing.id).key, []).append(pairing)
        return rounds

    @cached_property
    def of_entrant(self) -> dict[str, list[Pairing]]:
        """The pairings each entrant stands in, in the order they are listed."""
        found: dict[str, list[Pairing]] = {}
        for pairing in self.plan.pairings:
            for side in pairing.sides:
                if side is not None:
                    found.setdefault(side, []).append(pairing)
        return found

    @cached_property
    def standing_of(self) -> dict[str, Standing]:
        return {standing.entrant: standing for standing in self.plan.standings}

    @cached_property
    def to_play(self) -> int:
        """How many pairings are not decided."""
        return sum(pairing.status in OPEN for pairing in self.plan.pairings)

    @cached_property
    def again(self) -> frozenset[str]:
        """Pairings of two who met before in the same Swiss: there was no other way."""
        found: set[str] = set()
        for stage in self.stages:
            if self.format(stage) == Format.SWISS:
                found |= rematches([p for p in self.plan.pairings if _is_round(p, stage)]).keys()
        return frozenset(found)

    @cached_property
    def rests_again(self) -> frozenset[str]:
        """Byes of who had rested before in the same Swiss: nobody was left who had not."""
        rested: set[tuple[int, str | None]] = set()
        found: set[str] = set()
        for pairing in self.plan.pairings:
            stage = read_name(pairing.id).stage
            if pairing.decided_by == "bye" and self.format(stage) == Format.SWISS:
                who = (stage, pairing.sides[0])
                found |= {pairing.id} if who in rested else set()
                rested.add(who)
        return frozenset(found)

    def floated(self, stage: int, round_: int) -> Mapping[str, int]:
        """Who met a pair with more points (1) or fewer (-1) in a round of a Swiss."""
        part = self.fold.part(stage)
        return part.floated(round_) if isinstance(part, Swiss) else {}

    @cached_property
    def unwanted(self) -> frozenset[str]:
        """Pairings of two who should not have met."""
        kept_apart = {frozenset(pair) for pair in self.settings.get("forbidden", ())}
        return frozenset(forbidden_meetings(self.plan.pairings, kept_apart))

    @property
    def stages(self) -> list[int]:
        """The stages that have begun; [0] in a tournament without stages."""
        return [number for number in self.names.formats if self.fold.part(number) is not None]

    def format(self, stage: int) -> str:
        """How a stage is played."""
        return self.names.formats[stage]

    def stage_settings(self, stage: int) -> dict[str, Any]:
        """The settings of a stage, or with 0 of all of it."""
        return dict(self.settings["stages"][stage - 1]) if stage else self.settings

    def standings(self, stage: int) -> Sequence[Standing]:
        """Who stands where in a stage."""
        part = self.fold.part(stage)
        return () if part is None else part.standings()

    def scored(self, stage: int) -> Scored | None:
        """A stage whose pairings give points."""
        part = self.fold.part(stage)
        return part if isinstance(part, Scored) else None

    def current(self, stage: int) -> str:
        """The round of a stage in which something is still to be played; when nothing is, its last one."""
        keys = [key for key in self.rounds if read_name(key).stage == stage]
        unfinished = (key for key in keys if any(pairing.status in OPEN for pairing in self.rounds[key]))
        return next(unfinished, keys[-1] if keys else "")


def _is_round(pairing: Pairing, stage: int) -> bool:
    name = read_name(pairing.id)
    return name.stage == stage and name.part == "R"


_remembered: OrderedDict[tuple[Any, ...], Course] = OrderedDict()
_lock = Lock()


def course_of(tournament: Tournament) -> Course:
    """The course of a started tournament."""
    key = _key(tournament)
    with _lock:
        if key in _remembered:
            _remembered.move_to_end(key)
            return _remembered[key]
    made = Course(folded(tournament), settings_of(tournament))
    with _lock:
        _remembered[key] = made
        while len(_remembered) > KEPT:
            _remembered.popitem(last=False)
    return made


def forget() -> None:
    """Work everything out anew, as a process does that has just begun."""
    with _lock:
        _remembered.clear()


def _key(tournament: Tournament) -> tuple[Any, ...]:
    """What a plan depends on; items are never changed once they are written."""
    log = tournament.log.aggregate(count=Count("pk"), newest=Max("pk"))
    seeds = tuple(
        tournament.entries.filter(seed__isnull=False).order_by("seed").values_list("number", "seed")
    )
    settings = json.dumps(settings_of(tournament), sort_keys=True)
    return tournament.pk, log["count"], log["newest"], settings, hash(seeds)

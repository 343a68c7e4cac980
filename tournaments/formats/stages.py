"""Stages: a tournament in parts, each with those who came through the one before.

A stage begins when the one before it is finished, and that one is frozen: only a correction, or its undo,
reaches back. Then who qualified is worked out anew, and later stages are seated by it.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from tournaments.formats.entrants import Entrant
from tournaments.formats.protocol import Format, Later
from tournaments.formats.qualification import over_all, qualified
from tournaments.formats.results import (
    Adjust,
    Correct,
    Disqualify,
    Enter,
    Fact,
    Forfeit,
    Item,
    Pairing,
    PlanError,
    PlayOff,
    Reenter,
    Result,
    Round,
    Rule,
    Standing,
    Undo,
    Withdraw,
)
from tournaments.formats.settings import Settings
from tournaments.formats.stage import Left, Stage

Said = dict[int, dict[str, Literal["stand", "replay"]]]
Makers = Mapping[str, Callable[[Settings, Sequence[Entrant]], Format]]


class Stages:
    """The format behind `plan`. Pairings are named `1:…`, `2:…`."""

    def __init__(self, settings: Settings, entrants: Sequence[Entrant], makers: Makers) -> None:
        self._settings = [
            replace(stage, forbidden=stage.forbidden | settings.forbidden) for stage in settings.stages
        ]
        self._makers = makers
        self._people = {entrant.id: entrant for entrant in entrants}
        self._left: dict[str, Left] = {}
        self._corrections: list[tuple[int, Said]] = []
        first = makers[self._settings[0].format](self._settings[0], entrants)
        self._stages = [Stage(1, first, tuple(self._people))]
        self._advance(0)

    def apply(self, item: Item) -> None:
        """Takes a log item whole, or raises PlanError and changes nothing."""
        match item:
            case Result() | Forfeit() | Rule():
                self._record(item)
            case Correct():
                self._correct(item)
            case Undo():
                self._undo()
            case Withdraw() | Disqualify():
                self._leave(item)
            case Reenter():
                self._reenter(item)
            case Enter():
                self._enter(item)
            case Adjust() | PlayOff():
                self._mend(item)
            case Round():
                self._take(self._last(), item)

    def pairings(self) -> tuple[Pairing, ...]:
        """The pairings of every stage that has begun, while what came before it is finished."""
        return tuple(pairing for stage in self._listed() for pairing in stage.pairings())

    def standings(self) -> tuple[Standing, ...]:
        """All entrants, by the latest stage they are in."""
        return over_all([stage.format.standings() for stage in reversed(self._listed())])

    def finished(self) -> bool:
        """Whether every stage is."""
        begun = len(self._stages) == len(self._settings)
        return begun and all(stage.format.finished() for stage in self._stages)

    def part(self, stage: int) -> Format | None:
        """The stage of that number, where it has begun."""
        return next((listed.format for listed in self._listed() if listed.number == stage), None)

    def reseat(self, entrants: Sequence[Entrant]) -> None:
        """A stage has no stages of its own."""
        raise NotImplementedError

    def choose(self, later: Later) -> None:
        """A stage has no stages of its own."""
        raise NotImplementedError

    # Which stages are there

    def _listed(self) -> list[Stage]:
        """Those that have begun. One behind a stage that is open again waits for it, unless it was let stand."""
        standing = self._standing()
        listed = self._stages[:1]
        for before, stage in zip(self._stages, self._stages[1:], strict=False):
            if not before.format.finished() and stage.number - 1 not in standing:
                break
            listed.append(stage)
        return listed

    def _standing(self) -> set[int]:
        """The stages in which a correction of an earlier one has let something stand."""
        last: dict[tuple[int, str], str] = {}
        for _, chosen in self._corrections:
            for stage, later in chosen.items():
                last |= {(stage, pairing): choice for pairing, choice in later.items()}
        return {stage for (stage, _), choice in last.items() if choice == "stand"}

    def _last(self) -> int:
        return len(self._listed()) - 1

    def _advance(self, stage: int) -> None:
        """What has changed in a stage, worked through those behind it."""
        while self._stages[stage].format.finished() and stage + 1 < len(self._settings):
            seats = self._qualified(stage + 1)
            stage += 1
            if stage == len(self._stages):
                settings = self._settings[stage]
                made = self._makers[settings.format](settings, self._seeded(seats))
                self._stages.append(Stage(stage + 1, made, seats))
            elif self._stages[stage].seats != seats:
                self._stages[stage].format.reseat(self._seeded(seats))
                self._stages[stage].seats = seats
            else:
                return

    def _qualified(self, stage: int) -> tuple[str, ...]:
        left = {entrant for entrant, left in self._left.items() if left.stage < stage}
        return qualified(self._stages[stage - 1].format.standings(), self._settings[stage].qualify or 0, left)

    def _seeded(self, seats: Sequence[str]) -> list[Entrant]:
        return [replace(self._people[entrant], seed=place) for place, entrant in enumerate(seats, 1)]

    # Results and corrections

    def _record(self, fact: Fact) -> None:
        stage, pairing = self._find(fact.pairing)
        self._stages[stage].apply(replace(fact, pairing=pairing))
        self._advance(stage)

    def _correct(self, correct: Correct) -> None:
        stage, pairing = self._find(correct.pairing)
        said = self._said(stage, correct)
        chosen = {of: later for of, later in said.items() if of > stage}
        own = replace(correct, fact=replace(correct.fact, pairing=pairing), later=said.get(stage, {}))
        self._choose(chosen)
        try:
            self._stages[stage].apply(own)
        except PlanError:
            self._take_back(chosen)
            raise
        self._corrections.append((stage, chosen))
        self._follow({stage, *chosen}, chosen)

    def _said(self, stage: int, correct: Correct) -> Said:
        """What a correction says of later pairings, by stage."""
        said: Said = defaultdict(dict)
        for full, choice in correct.later.items():
            of, pairing = self._find(full)
            if of < stage:
                raise PlanError("not-allowed", f"{full} does not come after {correct.pairing}")
            said[of][pairing] = choice
        return said

    def _choose(self, chosen: Said) -> None:
        """Tells later stages; refused by one, it is taken back from all."""
        told = []
        try:
            for stage, later in chosen.items():
                self._stages[stage].choose(later)
                told.append(stage)
        except PlanError:
            self._take_back(told)
            raise

    def _take_back(self, stages: Iterable[int]) -> None:
        for stage in stages:
            self._stages[stage].apply(Undo())

    def _undo(self) -> None:
        if not self._corrections:
            raise PlanError("nothing-to-undo", "no correction is left to take back")
        stage, chosen = self._corrections.pop()
        self._take_back({stage, *chosen})
        self._follow({stage, *chosen}, chosen)

    def _follow(self, stages: Iterable[int], chosen: Collection[int] = ()) -> None:
        """Works changes of stages through. `chosen`: those in which another choice says who keeps which seat."""
        for stage in sorted(stages):
            if stage in chosen:
                self._stages[stage].format.reseat(self._seeded(self._stages[stage].seats))
            self._advance(stage)

    def _find(self, full: str) -> tuple[int, str]:
        """A pairing's stage, counted from 0, and its name there."""
        number, _, pairing = full.partition(":")
        for stage in self._listed():
            if number == str(stage.number):
                return stage.number - 1, pairing
        raise PlanError("unknown-pairing", f"there is no pairing {full}")

    # Leaving, coming back, coming late

    def _leave(self, item: Withdraw | Disqualify) -> None:
        stages = self._played_by(item.entrant)
        left = self._left.get(item.entrant)
        if not stages and left is not None and (left.disqualified or isinstance(item, Withdraw)):
            raise PlanError("already-done", f"{item.entrant} has already left")
        is_in = max(stage.number - 1 for stage in self._listed() if stage.has(item.entrant))
        where, inside = (is_in, bool(stages)) if left is None else (left.stage, left.inside)
        self._try_all(stages, item)
        self._left[item.entrant] = Left(where, inside, isinstance(item, Disqualify))
        self._follow(stages)

    def _reenter(self, item: Reenter) -> None:
        stages = self._played_by(item.entrant)
        left = self._left.get(item.entrant)
        if left is None:
            raise PlanError("not-allowed", f"{item.entrant} has not left")
        if left.inside and left.stage not in stages:
            raise PlanError("not-allowed", f"{item.entrant} left a stage that is over")
        del self._left[item.entrant]
        try:
            self._check_seats(item.entrant)
            self._try_all(stages, item)
        except PlanError:
            self._left[item.entrant] = left
            raise
        self._follow(stages)

    def _check_seats(self, entrant: str) -> None:
        """Who comes back must not be one who would have qualified."""
        for stage in self._listed()[1:]:
            if entrant not in stage.seats and entrant in self._qualified(stage.number - 1):
                raise PlanError("not-allowed", f"stage {stage.number} has begun without {entrant}")

    def _played_by(self, entrant: str) -> list[int]:
        """The stages in which leaving and coming back count for this entrant: those not finished, or the last."""
        if entrant not in self._people:
            raise PlanError("unknown-entrant", f"there is no entrant {entrant}")
        listed = self._listed()
        return [
            stage.number - 1
            for stage in listed
            if stage.has(entrant) and (stage is listed[-1] or not stage.format.finished())
        ]

    def _try_all(self, stages: Sequence[int], item: Item) -> None:
        """For whom is in several stages at once, it is enough that one takes the item."""
        refusals = []
        for stage in stages:
            try:
                self._stages[stage].apply(item)
            except PlanError as error:
                refusals.append(error)
        if refusals and len(refusals) == len(stages):
            raise refusals[0]

    def _enter(self, item: Enter) -> None:
        if self._last() > 0 or self._stages[0].format.finished():
            raise PlanError("not-allowed", "late entries come into the first stage")
        self._stages[0].apply(item)
        self._people[item.entrant.id] = item.entrant
        self._stages[0].seats += (item.entrant.id,)
        self._advance(0)

    def _mend(self, item: Adjust | PlayOff) -> None:
        """Until something is played in a stage, the table of the one before can still be mended."""
        last = self._last()
        if last and not self._stages[last].begun():
            try:
                self._take(last - 1, item)
            except PlanError:
                self._take(last, item)
        else:
            self._take(last, item)

    def _take(self, stage: int, item: Item) -> None:
        self._stages[stage].apply(item)
        self._advance(stage)

"""A tournament is its settings, its entrants and its log; everything else is computed here."""

from collections.abc import Callable, Collection, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass

from tournaments.formats.double_elimination import DoubleElimination
from tournaments.formats.entrants import Entrant
from tournaments.formats.protocol import Format
from tournaments.formats.results import (
    Correct,
    Disqualify,
    Enter,
    Item,
    Pairing,
    PlanError,
    Standing,
    Undo,
    Withdraw,
)
from tournaments.formats.round_robin import RoundRobin
from tournaments.formats.settings import Settings
from tournaments.formats.single_elimination import SingleElimination
from tournaments.formats.stages import Stages
from tournaments.formats.swiss import Swiss


@dataclass(frozen=True, slots=True)
class Plan:
    """What a log comes to. `champion` is an entrant's id; `touched`: pairings the last item changed."""

    finished: bool
    champion: str | None
    pairings: tuple[Pairing, ...]
    standings: tuple[Standing, ...]
    touched: tuple[str, ...] = ()


FORMATS: dict[str, Callable[[Settings, Sequence[Entrant]], Format]] = {
    "single_elimination": SingleElimination,
    "double_elimination": DoubleElimination,
    "round_robin": RoundRobin,
    "swiss": Swiss,
    "stages": lambda settings, entrants: Stages(settings, entrants, FORMATS),
}


def draws_stand(settings: Settings, pairing: str) -> bool:
    """Whether a draw in this pairing stays one. Play-offs are there to part two who are level."""
    if settings.format == "stages":
        stage, _, pairing = pairing.partition(":")
        settings = settings.stages[int(stage) - 1]
    return settings.format in ("round_robin", "swiss") and not pairing.startswith("PO")


TOUCHING = Correct | Undo | Withdraw | Disqualify


class Tournament:
    """A tournament with its log folded so far: for those who add items one by one."""

    def __init__(
        self, settings: Settings, entrants: Sequence[Entrant], entering: Collection[str] = ()
    ) -> None:
        """`entering`: ids of those who are to come in late; forbidden pairs may name them too."""
        _check(settings, entrants, entering)
        self._format = FORMATS[settings.format](settings, entrants)
        self._touched: tuple[str, ...] = ()

    def add(self, item: Item) -> None:
        """Appends one log item.

        Raises:
            PlanError: the item is refused, and nothing has changed.
        """
        if not isinstance(item, TOUCHING):
            self._format.apply(item)
            self._touched = ()
            return
        before = self._format.pairings()
        self._format.apply(item)
        self._touched = _touched(item, before, self._format.pairings())

    def add_all(self, items: Iterable[Item]) -> None:
        """Appends the items of a log from its beginning; they may be read while they are taken.

        Raises:
            PlanError: of the first item refused, or that cannot be read, with its place in the log.
        """
        place = 0
        try:
            for item in items:
                self.add(item)
                place += 1
        except PlanError as error:
            raise PlanError(error.code, error.message, place) from error

    def copy(self) -> "Tournament":
        """Another of the same log, which goes its own way from here."""
        return deepcopy(self)

    def plan(self) -> Plan:
        """The plan of the log so far."""
        standings = self._format.standings()
        finished = self._format.finished()
        first = [standing.entrant for standing in standings if standing.rank == 1]
        champion = first[0] if finished and len(first) == 1 else None
        return Plan(finished, champion, self._format.pairings(), standings, self._touched)

    def part(self, stage: int = 0) -> Format | None:
        """A stage by its number, or with 0 all of it; None where the stage has not begun."""
        if not stage:
            return self._format
        return self._format.part(stage) if isinstance(self._format, Stages) else None


def plan(settings: Settings, entrants: Sequence[Entrant], log: Iterable[Item]) -> Plan:
    """Pairings, standings and champion of a whole log.

    Raises:
        PlanError: the first item refused, with its place in the log; `malformed` for a format not offered.
    """
    items = list(log)
    tournament = Tournament(
        settings, entrants, [item.entrant.id for item in items if isinstance(item, Enter)]
    )
    tournament.add_all(items)
    return tournament.plan()


def _check(settings: Settings, entrants: Sequence[Entrant], entering: Collection[str]) -> None:
    for format_ in (settings.format, *(stage.format for stage in settings.stages)):
        if format_ not in FORMATS:
            raise PlanError("malformed", f"no format {format_!r} here; offered: {', '.join(FORMATS)}")
    ids = {entrant.id for entrant in entrants}
    if len(ids) < len(entrants):
        raise PlanError("malformed", "two entrants have the same id")
    seeds = [entrant.seed for entrant in entrants if entrant.seed is not None]
    if len(set(seeds)) < len(seeds):
        raise PlanError("malformed", "two entrants have the same seed")
    forbidden = settings.forbidden.union(*(stage.forbidden for stage in settings.stages))
    for stranger in sorted(set().union(*forbidden) - ids - set(entering)):
        raise PlanError("unknown-entrant", f"forbidden names {stranger}, who is no entrant")


def diff(old: Plan, new: Plan) -> tuple[str, ...]:
    """Ids of pairings whose printed line differs, in the new plan's order; those that are gone come last."""
    return _changed(old.pairings, new.pairings)


def _changed(old: Iterable[Pairing], new: Iterable[Pairing]) -> tuple[str, ...]:
    before = {pairing.id: pairing for pairing in old}
    changed = []
    for pairing in new:
        was = before.pop(pairing.id, None)
        # Most are the very same object.
        if was is not pairing and was != pairing:
            changed.append(pairing.id)
    return (*changed, *before)


def _touched(item: Item, old: tuple[Pairing, ...], new: tuple[Pairing, ...]) -> tuple[str, ...]:
    changed = set(_changed(old, new))
    if isinstance(item, Correct):
        changed.add(item.pairing)
    return tuple(pairing.id for pairing in new if pairing.id in changed)

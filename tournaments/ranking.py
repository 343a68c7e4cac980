"""The standings as a page shows them: each value with the terms that add up to it, and what parts two who are level."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from accounts.text import isolate
from tournaments.cards import entries_of
from tournaments.course import Course
from tournaments.formats.explain import terms
from tournaments.formats.names import read_name
from tournaments.formats.results import Pairing, Standing
from tournaments.formats.scored import Scored
from tournaments.formats.tiebreaks import Term, Value
from tournaments.models import Entry, Tournament
from tournaments.queries import pair_name
from tournaments.words import TIEBREAKS, group_name

A_PAGE = 100
# In a field of so many every explanation is on the page; in a larger one it is asked for.
EXPLAINED = 24


@dataclass(frozen=True, slots=True)
class Part:
    """One term: where it comes from, and how much it is."""

    source: str
    number: float


@dataclass(frozen=True, slots=True)
class Sum:
    """A value, what it is, and the terms that add up to it."""

    name: str | Promise
    about: str | Promise
    parts: tuple[Part, ...]
    total: float
    is_lot: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the standings. `where` is the round one went out in; `ahead` what parts it from the next line."""

    rank: int
    entry: Entry
    still_in: bool
    where: str
    mine: bool
    points: int = 0
    values: tuple[float, ...] = ()
    sums: tuple[Sum, ...] = ()
    ahead: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Places that belong together. `name` is empty where there is but one group."""

    name: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """A page of standings. `heads`: the names of the tie-breaks; `stage` 0: all stages together, or the only one."""

    stage: int
    scored: bool
    heads: tuple[tuple[str | Promise, str | Promise], ...]
    groups: tuple[Group, ...]
    page: int
    pages: int

    @property
    def places(self) -> list[Place]:
        """All places shown."""
        return [place for group in self.groups for place in group.places]

    @property
    def before(self) -> int:
        """The number of the page before; 0 on the first."""
        return self.page - 1

    @property
    def after(self) -> int:
        """The number of the page after; 0 on the last."""
        return self.page + 1 if self.page < self.pages else 0


def default_stage(course: Course) -> int:
    """The stage whose standings one wants to see: the latest, where it gives points; else all together."""
    latest = course.stages[-1]
    return latest if course.scored(latest) else 0


def ranking(
    tournament: Tournament,
    course: Course,
    *,
    stage: int | None = None,
    mine: str | None = None,
    of: str = "",
    page: int | None = None,
) -> Ranking:
    """The standings.

    Args:
        tournament: whose.
        course: how it went so far.
        stage: of which stage; 0: of all together.
        mine: the reader's entrant.
        of: the entrant whose values are to be explained, in a large field.
        page: which page; None: the first, or the one with `of`.
    """
    stage = default_stage(course) if stage is None else stage
    standings = sorted(course.standings(stage), key=lambda standing: standing.group or 0)
    scored = course.scored(stage)
    page, pages = _page(standings, of, page)
    shown = standings[(page - 1) * A_PAGE : page * A_PAGE]
    of_one = of if len(standings) > EXPLAINED else None
    builder = _Builder(tournament, course, stage, scored, mine, of_one, shown, _lots(standings))
    listed = list(shown[0].tiebreaks) if shown and scored else []
    return Ranking(
        stage,
        scored is not None,
        tuple(TIEBREAKS[name] for name in listed),
        tuple(builder.groups()),
        page,
        pages,
    )


def _lots(standings: Sequence[Standing]) -> dict[float, int]:
    """The places of the numbers that were drawn, the highest first: what is read is the order, not the number."""
    drawn = {standing.tiebreaks["lot"] for standing in standings if "lot" in standing.tiebreaks}
    return {number: place for place, number in enumerate(sorted(drawn, reverse=True), 1)}


def _page(standings: Sequence[Standing], of: str, page: int | None) -> tuple[int, int]:
    pages = max(1, -(-len(standings) // A_PAGE))
    if page is None:
        at = next((at for at, standing in enumerate(standings) if standing.entrant == of), 0)
        page = at // A_PAGE + 1
    return min(max(page, 1), pages), pages


class _Builder:
    """`of`: the only entrant whose values are explained; None: all are."""

    def __init__(
        self,
        tournament: Tournament,
        course: Course,
        stage: int,
        scored: Scored | None,
        mine: str | None,
        of: str | None,
        shown: Sequence[Standing],
        lots: Mapping[float, int],
    ) -> None:
        self._lots = lots
        self._course = course
        self._stage = stage
        self._scored = scored
        self._mine = mine
        self._of = of
        self._shown = shown
        named = {standing.entrant for standing in shown}
        self._terms = {
            standing.entrant: self._read(standing) for standing in shown if self._explains(standing)
        }
        for sums in self._terms.values():
            named |= {term.opponent for _name, found in sums for term in found if term.opponent}
        self._entries = entries_of(tournament, named)

    def groups(self) -> Iterator[Group]:
        """The places, group by group."""
        numbers = dict.fromkeys(standing.group or 0 for standing in self._shown)
        for number in numbers:
            of_group = [standing for standing in self._shown if (standing.group or 0) == number]
            places = [
                self._place(standing, after)
                for standing, after in zip(of_group, [*of_group[1:], None], strict=True)
            ]
            yield Group(group_name(number) if number else "", tuple(places))

    def _explains(self, standing: Standing) -> bool:
        return self._scored is not None and (self._of is None or standing.entrant == self._of)

    def _read(self, standing: Standing) -> list[tuple[str, Sequence[Term]]]:
        names = cast(list[Value], ["points", *standing.tiebreaks])
        fold = self._course.fold
        return [(name, terms(fold, standing.entrant, name, self._stage)) for name in names]

    def _place(self, standing: Standing, after: Standing | None) -> Place:
        return Place(
            standing.rank,
            self._entries[standing.entrant],
            standing.still_in,
            ""
            if standing.still_in or self._scored
            else where_out(self._course, standing.entrant, self._stage),
            standing.entrant == self._mine,
            standing.points,
            tuple(self._shown_value(*one) for one in standing.tiebreaks.items()) if self._scored else (),
            tuple(self._sums(standing)),
            _ahead(standing, after) if self._scored else "",
        )

    def _shown_value(self, name: str, value: float) -> float:
        return self._lots[value] if name == "lot" else value

    def _sums(self, standing: Standing) -> Iterator[Sum]:
        for name, found in self._terms.get(standing.entrant, ()):
            label, about = TIEBREAKS[name]
            total = standing.points if name == "points" else standing.tiebreaks[name]
            yield Sum(label, about, tuple(self._part(term) for term in found), total, name == "lot")

    def _part(self, term: Term) -> Part:
        if term.pairing is None:
            return Part(_("given or taken by the organiser"), term.number)
        name = self._course.names.pairing(term.pairing)
        if term.opponent is None:
            return Part(_("%(pairing)s: no opponent") % {"pairing": name}, term.number)
        opponent = isolate(pair_name(self._entries[term.opponent]))
        return Part(
            _("%(pairing)s, against %(opponent)s") % {"pairing": name, "opponent": opponent}, term.number
        )


def _ahead(standing: Standing, after: Standing | None) -> str:
    """In what one who is level on points is better than the next."""
    if after is None or standing.points != after.points:
        return ""
    for name, value in standing.tiebreaks.items():
        if value != after.tiebreaks[name]:
            return _("ahead of the next by: %(tiebreak)s") % {"tiebreak": TIEBREAKS[name][0]}
    return _("equal to the next in everything")


def where_out(course: Course, entrant: str, stage: int = 0) -> str:
    """The round in which an entrant went out; of a stage that gives points, the stage."""
    there = course.of_entrant.get(entrant, ())
    if stage:
        there = [pairing for pairing in there if read_name(pairing.id).stage == stage]
    lost = max(there, key=_lateness, default=None)
    if lost is None or course.plan.champion == entrant:
        return ""
    name = read_name(lost.id)
    if course.scored(name.stage) is not None and name.stage:
        return course.names.stage(name.stage)
    return course.names.pairing(lost.id)


def _lateness(pairing: Pairing) -> tuple[int, bool, int, bool]:
    name = read_name(pairing.id)
    return name.stage, name.part == "GF", name.round + 1000 * (name.part == "L"), name.part == "P"

"""A tournament as one reader looks at it: who takes part, how it goes, the bracket or the rounds that are asked for."""

from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from django.utils import timezone

from accounts.models import User
from accounts.names import search_key
from games.models import Phase
from tournaments import queries
from tournaments.asked import Asked
from tournaments.bracket import PARTS, Bracket, bracket
from tournaments.cards import Card, Cards, cards_of
from tournaments.course import Course, course_of
from tournaments.crosstable import Square, squares
from tournaments.field import candidates, place_in_line
from tournaments.formats.plan import Plan
from tournaments.formats.results import Standing
from tournaments.models import Entry, Format, Member, PairingTable, TableState, Tournament
from tournaments.round_list import RoundPage, round_page
from tournaments.words import Names

FOUND = 20


@dataclass(frozen=True, slots=True)
class Found:
    """An entrant whose name was searched. `standing`: the round in which they went out, or nothing."""

    entry: Entry
    still_in: bool


@dataclass
class Look:
    """One tournament for one reader; each part is read once, when it is first asked for."""

    tournament: Tournament
    reader: User | None
    asked: Asked = field(default_factory=Asked)

    @cached_property
    def started(self) -> bool:
        return self.tournament.started_at is not None

    @cached_property
    def now(self) -> datetime:
        return timezone.now()

    # Who takes part

    @cached_property
    def entries(self) -> list[Entry]:
        return queries.entrants(self.tournament)

    @cached_property
    def entered(self) -> int:
        """How many take part."""
        if self.started:
            return self.tournament.entries.filter(seed__isnull=False).count()
        return min(candidates(self.tournament).count(), self.tournament.capacity)

    @cached_property
    def waiting(self) -> list[Entry]:
        """Entries that lack the partner's word."""
        return list(queries.with_members(self.tournament.entries.filter(queries.WAITING)).order_by("number"))

    @cached_property
    def by_ident(self) -> dict[str, Entry]:
        return {entry.ident: entry for entry in self.entries}

    @cached_property
    def mine(self) -> Entry | None:
        """The reader's entry among those that take part."""
        if self.reader is None:
            return None
        if not self.started:
            entered = candidates(self.tournament).filter(members__user=self.reader)
            mine = queries.with_members(entered).first()
            return mine if mine and not place_in_line(self.tournament, mine) else None
        own = Member.objects.filter(tournament=self.tournament, user=self.reader).values("entry")
        seeded = self.tournament.entries.filter(pk__in=own, seed__isnull=False)
        return queries.with_members(seeded).order_by("withdrawn_at", "-number").first()

    @property
    def mine_ident(self) -> str | None:
        """The id of the reader's entry."""
        return self.mine.ident if self.mine else None

    # How it goes

    @cached_property
    def course(self) -> Course | None:
        return course_of(self.tournament) if self.started else None

    @property
    def plan(self) -> Plan | None:
        return self.course.plan if self.course else None

    @cached_property
    def names(self) -> Names:
        """What rounds and pairings are called."""
        return self.course.names if self.course else Names(queries.settings_of(self.tournament), ())

    @cached_property
    def tables(self) -> dict[str, list[PairingTable]]:
        return queries.tables_by_pairing(self.tournament) if self.started else {}

    @cached_property
    def last(self) -> int:
        return queries.final_round(self.plan) if self.plan else 0

    @cached_property
    def in_play(self) -> int:
        """How many tables are being played."""
        if not self.started:
            return 0
        return self.tournament.tables.filter(state=TableState.OPEN).exclude(table__phase=Phase.OVER).count()

    @cached_property
    def held(self) -> int:
        """How many results wait to be confirmed."""
        return self.tournament.tables.filter(state=TableState.HELD).count() if self.started else 0

    @property
    def to_play(self) -> int:
        """How many pairings are not decided."""
        return self.course.to_play if self.course else 0

    @cached_property
    def champion(self) -> Entry | None:
        ident = self.plan.champion if self.plan else None
        if ident is None:
            return None
        return queries.with_members(
            self.tournament.entries.filter(number=int(ident.removeprefix("e")))
        ).first()

    @property
    def has_draws(self) -> bool:
        """Whether something is drawn as a tree."""
        return any(format_ in PARTS for format_ in self.names.formats.values())

    # The bracket and the rounds

    @cached_property
    def stage(self) -> int:
        """The stage that is shown: the one asked for, else the latest that has begun."""
        begun = self.course.stages if self.course else [0]
        return self.asked.stage if self.asked.stage in begun else begun[-1]

    @property
    def stages(self) -> list[tuple[int, str]]:
        """The stages that have begun, with their names; none in a tournament without stages."""
        begun = self.course.stages if self.course else []
        return [(number, self.names.stage(number)) for number in begun if number]

    @property
    def is_tree(self) -> bool:
        """Whether the stage shown is drawn as a tree."""
        return self.names.formats[self.stage] in PARTS

    @property
    def is_swiss(self) -> bool:
        return self.names.formats[self.stage] == Format.SWISS

    @cached_property
    def view(self) -> str:
        """How it is shown: tree, rounds or square; what the format does not have is passed over."""
        allowed = ("tree", "rounds") if self.is_tree else ("rounds", "square")
        return self.asked.view if self.asked.view in allowed else allowed[0]

    @cached_property
    def followed(self) -> Entry | None:
        """The entrant whose road is followed."""
        number = self.asked.road.removeprefix("e")
        if not (self.course and number.isdecimal() and len(number) < 9):
            return None
        return queries.with_members(
            self.tournament.entries.filter(number=int(number), seed__isnull=False)
        ).first()

    def cards(self) -> Cards:
        """Makes cards of this tournament for this reader."""
        assert self.course is not None
        followed = self.followed.ident if self.followed else None
        return Cards(self.tournament, self.course, self.mine_ident, followed)

    @cached_property
    def bracket(self) -> Bracket | None:
        if self.course is None:
            return None
        return bracket(self.cards(), self.stage, root=self.asked.root, whole=self.asked.whole)

    @cached_property
    def rounds(self) -> RoundPage | None:
        if self.course is None:
            return None
        return round_page(self.cards(), self.stage, key=self.asked.round, page=self.asked.page)

    @cached_property
    def squares(self) -> list[Square]:
        if self.course is None:
            return []
        return squares(self.tournament, self.course, self.stage, self.mine_ident)

    @cached_property
    def road(self) -> list[Card]:
        """The pairings of the entrant that is followed, in their order."""
        if self.course is None or self.followed is None:
            return []
        return cards_of(self.cards(), self.course.of_entrant.get(self.followed.ident, []))

    @property
    def road_standing(self) -> Standing | None:
        """The place of the entrant that is followed."""
        return self.course.standing_of.get(self.followed.ident) if self.course and self.followed else None

    @cached_property
    def found(self) -> list[Found]:
        """The entrants whose names hold what was searched."""
        wanted = search_key(self.asked.search)
        if not wanted or self.course is None:
            return []
        return [self._found(entry) for entry in self._matching(wanted)[:FOUND]]

    @property
    def found_more(self) -> int:
        """How many more there are than are shown."""
        wanted = search_key(self.asked.search)
        return max(0, len(self._matching(wanted)) - FOUND) if wanted and self.course else 0

    def _matching(self, wanted: str) -> list[Entry]:
        return [
            entry
            for entry in self.entries
            if any(
                wanted in search_key(text) for text in (entry.name, *(m.shown for m in entry.members.all()))
            )
        ]

    def _found(self, entry: Entry) -> Found:
        standing = self.course.standing_of.get(entry.ident) if self.course else None
        return Found(entry, standing is not None and standing.still_in)

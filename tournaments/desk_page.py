"""What the officials' desk shows: pairs by how they stand, and the seeds with the first round they lead to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.core.paginator import Page as Leaf
from django.core.paginator import Paginator
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.names import search_key
from tournaments import deadlines
from tournaments.field import fewest, groups_of, placed, placed_by
from tournaments.formats.results import Pairing
from tournaments.joining import Joining
from tournaments.models import Access, Entry, Invited, Seeding, State, Tournament
from tournaments.ratings import pair_ratings
from tournaments.roll import A_PAGE, Roll, Wanted
from tournaments.services.permissions import may
from tournaments.services.seeding import Pair, Preview, preview

# The parts of the list of pairs that can be asked for.
KINDS_OF_PAIRS: tuple[tuple[str, str | Promise], ...] = (
    ("away", _("not checked in")),
    ("here", _("checked in")),
    ("unclaimed", _("a place is not claimed")),
    ("line", _("waiting list")),
    ("absent", _("lost their place")),
    ("pending", _("wait for the partner")),
    ("gone", _("have left")),
)


class GroupsToFill:
    """Of a tournament before its start: whether there are pairs enough for its groups."""

    tournament: Tournament

    @property
    def groups(self) -> int:
        """Into how many groups the pairs are drawn."""
        return groups_of(self.tournament)

    @property
    def fewest(self) -> int:
        """How many pairs a start needs."""
        return fewest(self.tournament)

    @cached_property
    def pairs(self) -> int:
        """How many would start now."""
        return len(placed(self.tournament))

    @property
    def lacks_pairs(self) -> bool:
        """Whether a group would have one pair, or none."""
        before = self.tournament.state in deadlines.NOT_STARTED
        return before and self.groups > 1 and self.pairs < self.fewest


class Desk(GroupsToFill, Joining):
    """The pairs of a tournament before its start, for an official."""

    def __init__(self, tournament: Tournament, reader: User, now: datetime, wanted: Wanted) -> None:
        super().__init__(tournament, reader, now)
        self.official = reader
        self.roll = Roll(tournament, wanted)

    @cached_property
    def may_change(self) -> bool:
        """Whether this official may do more than check pairs in."""
        return may(self.tournament, self.official, "entries")

    @property
    def is_before(self) -> bool:
        """Whether the tournament has not started."""
        return self.tournament.state in deadlines.NOT_STARTED

    @property
    def takes_late(self) -> bool:
        """Whether a pair can be entered: before the start, or late where the format has pairings to come."""
        elimination = self.tournament.format in ("single_elimination", "double_elimination")
        return self.is_before or (self.tournament.state == State.RUNNING and not elimination)

    @property
    def chips(self) -> list[tuple[str, str | Promise, int]]:
        """The kinds of pairs that there are: the word of the address, the words of the page, how many."""
        counts = self.roll.counts
        checked = self.checks_in and self.is_before
        return [
            (kind, words, counts[kind])
            for kind, words in KINDS_OF_PAIRS
            if counts[kind] and (checked or kind not in ("here", "away")) and counts[kind] < len(self.roll)
        ]

    @property
    def by_invitation(self) -> bool:
        """Whether there is a list of those who may enter."""
        return self.tournament.access == Access.INVITATION

    @cached_property
    def guests(self) -> list[Invited]:
        """Who is invited, by name."""
        return list(self.tournament.invited.select_related("user").order_by("user__sort_key", "user"))


@dataclass(frozen=True, slots=True)
class Meeting:
    """A pairing of the first round: its two entries, `None` for a rest; whether it was not wanted."""

    id: str
    sides: tuple[Entry | None, Entry | None]
    unwanted: bool


@dataclass(frozen=True, slots=True)
class SeedLine:
    """An entry at its seed, with the numbers the buttons beside it lead to; 0: no such button."""

    seed: int
    entry: Entry
    rating: int | None
    up: int
    down: int


class SeedsPage(GroupsToFill):
    """The seeds as they stand, for who may change them."""

    def __init__(self, tournament: Tournament, official: User, page: str = "", meet: str = "") -> None:
        """`page`, `meet`: which page of the seeds, and of the first round, is shown."""
        self.tournament, self.official = tournament, official
        self._page, self._meet = page, meet

    @property
    def is_before(self) -> bool:
        """Whether the tournament has not started."""
        return self.tournament.state in deadlines.NOT_STARTED

    @property
    def can_move(self) -> bool:
        """Whether the field is fixed, so that seeds can be moved."""
        return self.tournament.state == State.READY

    @cached_property
    def may_start(self) -> bool:
        """Whether this official may start it now."""
        to_start = (
            self.tournament.state in (State.OPEN, State.READY) and len(self.preview.order) >= self.fewest
        )
        return to_start and may(self.tournament, self.official, "start")

    @property
    def methods(self) -> list[tuple[str, str]]:
        """How seeds can be made."""
        return [(str(value), str(label)) for value, label in Seeding.choices]

    @cached_property
    def placed_by(self) -> str:
        """How seeds came elsewhere than the method says: "hand", "file", or "" where none did."""
        is_placed = any(entry.seed is not None for entry in self.preview.order)
        return (placed_by(self.tournament) or "hand") if is_placed else ""

    @cached_property
    def preview(self) -> Preview:
        return preview(self.tournament)

    @cached_property
    def lines(self) -> list[SeedLine]:
        """The entries, best seed first."""
        order = self.preview.order
        ratings = pair_ratings(order, self.tournament)
        return [
            SeedLine(
                seed,
                entry,
                ratings[entry.number],
                seed - 1,
                seed + 1 if seed < len(order) else 0,
            )
            for seed, entry in enumerate(order, 1)
        ]

    @cached_property
    def leaf(self) -> "Leaf[SeedLine]":
        """A page of them."""
        return Paginator(self.lines, A_PAGE).get_page(self._page or 1)

    @cached_property
    def meetings_leaf(self) -> "Leaf[Meeting]":
        """A page of the first round."""
        return Paginator(self.meetings, A_PAGE).get_page(self._meet or 1)

    @cached_property
    def meetings(self) -> list[Meeting]:
        """The first round, from top to bottom."""
        return [self._meeting(pairing) for pairing in self.preview.pairings]

    @property
    def forbidden(self) -> list[tuple[str, Sequence[Entry]]]:
        """Pairs that should not meet, each with what its button sends."""
        return self._couples(self.preview.forbidden)

    @property
    def clashes(self) -> list[tuple[str, Sequence[Entry]]]:
        """Those that meet in the first round all the same."""
        return self._couples(self.preview.clashes)

    @cached_property
    def clubs(self) -> list[tuple[str, list[Entry]]]:
        """Clubs of which some pairs may meet so far, each with all its pairs, by seed."""
        idents = set().union(*self.preview.same_club)
        clubs: dict[str, list[Entry]] = {}
        for entry in self.preview.order:
            if entry.ident in idents:
                clubs.setdefault(search_key(entry.club), []).append(entry)
        return [(members[0].club, members) for members in clubs.values()]

    def _couples(self, pairs: Iterable[Pair]) -> list[tuple[str, Sequence[Entry]]]:
        by_ident = self._by_ident
        ordered = [sorted(pair, key=lambda ident: by_ident[ident].number) for pair in pairs]
        return [("-".join(pair), [by_ident[ident] for ident in pair]) for pair in ordered]

    def _meeting(self, pairing: Pairing) -> Meeting:
        first, second = (self._by_ident[side] if side else None for side in pairing.sides)
        unwanted = frozenset(side for side in pairing.sides if side) in self.preview.clashes
        return Meeting(pairing.id, (first, second), unwanted)

    @cached_property
    def _by_ident(self) -> dict[str, Entry]:
        return {entry.ident: entry for entry in self.preview.order}

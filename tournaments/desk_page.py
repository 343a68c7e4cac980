"""What the officials' desk shows: pairs by how they stand, and the seeds with the first round they lead to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from accounts.models import User
from accounts.names import search_key
from tournaments import deadlines
from tournaments.field import candidates, complete, fewest, groups_of, placed, with_people
from tournaments.formats.results import Pairing
from tournaments.joining import Joining
from tournaments.models import Access, Entry, Invited, Seeding, State, Tournament
from tournaments.queries import WAITING
from tournaments.ratings import pair_rating
from tournaments.services.permissions import may
from tournaments.services.seeding import Pair, Preview, preview


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

    def __init__(self, tournament: Tournament, reader: User, now: datetime) -> None:
        super().__init__(tournament, reader, now)
        self.official = reader

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

    @cached_property
    def placed(self) -> list[Entry]:
        """The pairs that have a place, the earliest first."""
        if not self.is_before:
            return list(with_people(self.tournament.entries.filter(seed__isnull=False)).order_by("seed"))
        return list(with_people(candidates(self.tournament))[: self.tournament.capacity])

    @cached_property
    def checked_in(self) -> int:
        """How many of them are checked in."""
        return sum(entry.checked_in_at is not None for entry in self.placed)

    @cached_property
    def incomplete(self) -> set[int]:
        """The numbers of those with a place that nobody has claimed."""
        whole = complete(self.tournament.entries.all()).values_list("number", flat=True)
        return {entry.number for entry in self.placed} - set(whole)

    @cached_property
    def pending(self) -> list[Entry]:
        """Pairs that lack the partner's word."""
        return list(with_people(self.tournament.entries.filter(WAITING)).order_by("number"))

    @cached_property
    def gone(self) -> list[Entry]:
        """Pairs that have left."""
        left = self.tournament.entries.filter(withdrawn_at__isnull=False, accepted_at__isnull=False)
        return list(with_people(left).order_by("-withdrawn_at"))

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

    def __init__(self, tournament: Tournament, official: User) -> None:
        self.tournament, self.official = tournament, official

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

    @property
    def moved_by_hand(self) -> bool:
        """Whether somebody has put seeds elsewhere than the method says."""
        return any(entry.seed is not None for entry in self.preview.order)

    @cached_property
    def preview(self) -> Preview:
        return preview(self.tournament)

    @cached_property
    def lines(self) -> list[SeedLine]:
        """The entries, best seed first."""
        order = self.preview.order
        return [
            SeedLine(
                seed,
                entry,
                pair_rating(entry, self.tournament),
                seed - 1,
                seed + 1 if seed < len(order) else 0,
            )
            for seed, entry in enumerate(order, 1)
        ]

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

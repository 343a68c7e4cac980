"""The pairs of a tournament as a long list: by how they stand, found by name, a page at a time.

Only the pairs of the page that is shown are read with their players, so a field of a thousand costs what ten do.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from django.core.paginator import Page as Leaf
from django.core.paginator import Paginator
from django.db.models import prefetch_related_objects

from accounts.names import search_key
from tournaments import queries
from tournaments.field import absent, candidates
from tournaments.models import Entry, Member, State, Tournament

A_PAGE = 50
LONGEST = 60
# How a pair can stand; a page lists them in this order.
SHELVES = ("placed", "line", "absent", "pending", "gone")
# Parts of those that have not left: checked in, not checked in, with a place that nobody has claimed.
PARTS = ("here", "away", "unclaimed")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for: a word of a name, pairs of one kind (of `SHELVES` or `PARTS`), a page."""

    words: str = ""
    show: str = ""
    page: str = ""


def wanted_of(query: Mapping[str, str]) -> Wanted:
    """What a query string asks for; what makes no sense is as if it were not there."""
    show = query.get("show", "")
    return Wanted(
        query.get("q", "").strip()[:LONGEST],
        show if show in SHELVES + PARTS else "",
        query.get("page", "")[:6],
    )


@dataclass(frozen=True, slots=True)
class Row:
    """A pair, how it stands, and its place among those."""

    shelf: str
    place: int
    entry: Entry


class Roll:
    """The list. `shelves`: which kinds are on it; others are as if there were none."""

    def __init__(
        self, tournament: Tournament, wanted: Wanted, shelves: Sequence[str] = SHELVES, a_page: int = A_PAGE
    ) -> None:
        self.tournament, self.wanted = tournament, wanted
        self._shelves, self._a_page = shelves, a_page

    # How pairs stand

    @property
    def is_before(self) -> bool:
        """Whether the tournament has not started."""
        return self.tournament.started_at is None

    @cached_property
    def _candidates(self) -> list[Entry]:
        return list(candidates(self.tournament)) if self.is_before else []

    @cached_property
    def placed(self) -> list[Entry]:
        """Those that have a place: by seed once seeds stand, else the earliest first."""
        if not self.is_before:
            return list(self.tournament.entries.filter(seed__isnull=False).order_by("seed"))
        if self.tournament.state == State.READY:
            return queries.entrants(self.tournament)
        return self._candidates[: self.tournament.capacity]

    @cached_property
    def line(self) -> list[Entry]:
        """The waiting list, whose turn is next first."""
        return self._candidates[self.tournament.capacity :]

    @cached_property
    def absent(self) -> list[Entry]:
        """Those that lost their place, because they were not there."""
        return absent(self.tournament)

    @cached_property
    def pending(self) -> list[Entry]:
        """Those that lack the partner's word."""
        if not self.is_before:
            return []
        return list(self.tournament.entries.filter(queries.WAITING).order_by("number"))

    @cached_property
    def gone(self) -> list[Entry]:
        """Those that have left before they were given a seed, the newest first."""
        left = self.tournament.entries.filter(
            withdrawn_at__isnull=False, accepted_at__isnull=False, seed__isnull=True
        )
        return list(left.order_by("-withdrawn_at", "-number"))

    def shelf(self, name: str) -> list[Entry]:
        """The pairs that stand so."""
        found: dict[str, list[Entry]] = {
            "placed": self.placed,
            "line": self.line,
            "absent": self.absent,
            "pending": self.pending,
        }
        return self.gone if name == "gone" else found[name]

    @cached_property
    def unclaimed(self) -> set[int]:
        """Keys of the pairs with a place that nobody has claimed."""
        free = Member.objects.filter(tournament=self.tournament, user=None, place__lt=2)
        return set(free.values_list("entry", flat=True))

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many stand so, and how many of those in are checked in, are not, lack a player."""
        living = {row.entry.pk for row in self._rows if row.shelf != "gone"}
        here = sum(entry.checked_in_at is not None for entry in self.placed)
        return {
            **{name: len(self.shelf(name)) for name in self._shelves},
            "here": here,
            "away": len(self.placed) - here,
            "unclaimed": len(self.unclaimed & living),
        }

    def __len__(self) -> int:
        return len(self._rows)

    # What is shown

    @cached_property
    def _rows(self) -> list[Row]:
        return [
            Row(name, place, entry)
            for name in self._shelves
            for place, entry in enumerate(self.shelf(name), 1)
        ]

    @cached_property
    def found(self) -> list[Row]:
        """All that fit what is looked for."""
        rows: Iterable[Row] = (row for row in self._rows if self._is_shown(row))
        if not self.wanted.words:
            return list(rows)
        listed, named = list(rows), self._named
        return [row for row in listed if self._key and self._number(row) == self._key] or [
            row for row in listed if row.entry.pk in named
        ]

    @property
    def _key(self) -> str:
        return search_key(self.wanted.words)

    def _number(self, row: Row) -> str:
        """The number that the page shows beside a pair; who types it means that pair alone."""
        if row.shelf != "placed":
            return ""
        return str(row.place if self.is_before else row.entry.seed)

    def _is_shown(self, row: Row) -> bool:
        show = self.wanted.show
        if show in ("here", "away"):
            return row.shelf == "placed" and (row.entry.checked_in_at is not None) == (show == "here")
        if show == "unclaimed":
            return row.shelf != "gone" and row.entry.pk in self.unclaimed
        return show in ("", row.shelf)

    @cached_property
    def _named(self) -> set[int]:
        """Keys of the pairs whose name, club or player the words are part of; or whose id they are."""
        key = self._key
        if not key:
            return set()
        entries = self.tournament.entries.values_list("pk", "number", "name", "club")
        found = {
            pk
            for pk, number, name, club in entries
            if key == f"e{number}" or key in search_key(name) or key in search_key(club)
        }
        members = Member.objects.filter(tournament=self.tournament)
        for pk, name, username in members.values_list("entry", "name", "user__username"):
            if key in search_key(username or name):
                found.add(pk)
        return found

    @cached_property
    def leaf(self) -> "Leaf[Row]":
        """A page of them, their players at hand."""
        leaf = Paginator(self.found, self._a_page).get_page(self.wanted.page or 1)
        prefetch_related_objects([row.entry for row in leaf.object_list], "members__user")
        return leaf

    @property
    def blocks(self) -> list[tuple[str, list[Row]]]:
        """The rows of the page, kind by kind."""
        return [(name, list(rows)) for name, rows in groupby(self.leaf.object_list, lambda row: row.shelf)]

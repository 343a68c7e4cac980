"""The officials' console: what needs a human, and what can be done about which match and which pair."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from django.core.paginator import Page as Leaf
from django.core.paginator import Paginator
from django.utils.functional import Promise

from accounts.names import search_key
from games.models import Phase, Table
from tournaments.formats.names import read_name
from tournaments.formats.results import Pairing
from tournaments.matters import Matter, matters
from tournaments.models import Entry, Pace, PairingTable, TableState
from tournaments.pages import Page
from tournaments.services.actions import Action, Desk
from tournaments.words import REASONS

A_PAGE = 40
# What can be asked for: matches that are played, that wait, that are held back, that are over.
STATES = ("live", "ready", "held", "done")


@dataclass(frozen=True, slots=True)
class Match:
    """A pairing and its two sides, each with its points and whether it won.

    `open`: it may be decided; otherwise its result may be corrected. `actions`: what this official may do now.
    """

    id: str
    name: str
    lines: tuple[tuple[Entry, int | None, bool], ...]
    open: bool
    reason: str | Promise
    live: Table | None
    held: Table | None
    actions: tuple[Action, ...]

    @property
    def sides(self) -> list[Entry]:
        return [entry for entry, _points, _won in self.lines]

    @property
    def kinds(self) -> set[str]:
        """The kinds of what may be done."""
        return {action.kind for action in self.actions}

    @property
    def fields(self) -> set[str]:
        """What must still be said of them."""
        return {name for action in self.actions for name in action.fields}


@dataclass(frozen=True, slots=True)
class Search:
    """What an official looks for. `objection`: the number of the one that a decision is to answer."""

    words: str = ""
    state: str = ""
    round: str = ""
    page: str = ""
    pairs_page: str = ""
    objection: str = ""


@dataclass
class Console(Page):
    """The page of a tournament as an official sees it."""

    search: Search = field(default_factory=Search)

    @cached_property
    def desk(self) -> Desk:
        assert self.reader is not None
        return Desk(self.reader, self.tournament, self.plan)

    def may(self, act: str) -> bool:
        """Whether this official's role allows an act."""
        return self.desk.may(act)

    @cached_property
    def acts(self) -> dict[str, Action]:
        """What may be done about the whole tournament now, by kind."""
        return {action.kind: action for action in self.desk.on_tournament()}

    @property
    def can_run(self) -> bool:
        """Whether this official runs the tournament."""
        return self.may("settings")

    @property
    def can_decide(self) -> bool:
        """Whether this official decides matches."""
        return self.may("decide")

    @property
    def can_rule(self) -> bool:
        """Whether this official answers objections."""
        return self.may("objections")

    @property
    def accepts_plan(self) -> bool:
        """Whether a plan that differs waits for this official's word."""
        return "accept-plan" in self.acts

    # What needs a human

    @cached_property
    def matters(self) -> list[Matter]:
        """What needs a human now, the most urgent first."""
        return matters(self)

    # Matches

    @cached_property
    def rows(self) -> dict[str, PairingTable]:
        """The newest table of each pairing that counts."""
        if not self.started:
            return {}
        rows = self.tournament.tables.exclude(state=TableState.VOID).select_related("table")
        return {row.pairing: row for row in rows.order_by("pairing", "attempt")}

    @property
    def open_rows(self) -> Iterable[PairingTable]:
        """Those whose match is not over for the tournament."""
        return (row for row in self.rows.values() if row.state == TableState.OPEN)

    @cached_property
    def round_names(self) -> list[tuple[str, str]]:
        """The rounds that can be asked for."""
        return [(key, self.names.round(key)) for key in self.course.rounds] if self.course else []

    @cached_property
    def leaf(self) -> "Leaf[Pairing]":
        """A page of the pairings that are looked for: those in play first, then the newest decided."""
        found = [pairing for pairing in (self.plan.pairings if self.plan else ()) if self._is_found(pairing)]
        ordered = [p for p in found if p.status == "ready"] + [
            p for p in reversed(found) if p.status == "done"
        ]
        return Paginator(ordered, A_PAGE).get_page(self.search.page or 1)

    @cached_property
    def matches(self) -> list[Match]:
        """The matches of that page."""
        return [self._match(pairing) for pairing in self.leaf.object_list]

    def _is_found(self, pairing: Pairing) -> bool:
        if None in pairing.sides or pairing.status not in ("ready", "done"):
            return False
        if self.search.round and read_name(pairing.id).key != self.search.round:
            return False
        if self.search.state and self._state(pairing) != self.search.state:
            return False
        return not self.search.words or self._is_named(pairing)

    def _state(self, pairing: Pairing) -> str:
        row = self.rows.get(pairing.id)
        if pairing.status == "done":
            return "done"
        if row is not None and row.state == TableState.HELD:
            return "held"
        return "live" if self.live(pairing) else "ready"

    def _is_named(self, pairing: Pairing) -> bool:
        words = self.search.words.strip()
        row = self.rows.get(pairing.id)
        if words.upper() == pairing.id or (row is not None and words in (str(row.number), row.table.code)):
            return True
        return any(self._is_called(self.by_ident[side]) for side in pairing.sides if side in self.by_ident)

    def _is_called(self, entry: Entry) -> bool:
        key = search_key(self.search.words)
        names = [entry.name, *(member.shown for member in entry.members.all())]
        return self.search.words.strip() == entry.ident or any(
            key and key in search_key(name) for name in names
        )

    def _match(self, pairing: Pairing) -> Match:
        points = pairing.score or (None, None)
        row = self.rows.get(pairing.id)
        lines = tuple(
            (self.by_ident[side], points[place], side == pairing.winner)
            for place, side in enumerate(pairing.sides)
            if side
        )
        return Match(
            pairing.id,
            self.names.pairing(pairing.id),
            lines,
            pairing.status == "ready",
            REASONS.get(pairing.decided_by or "", ""),
            self.live(pairing),
            row.table if row is not None and row.state == TableState.HELD else None,
            self.desk.on_pairing(pairing),
        )

    def live(self, pairing: Pairing) -> Table | None:
        """The table where a pairing is being played."""
        row = self.rows.get(pairing.id)
        if row is None or row.state != TableState.OPEN or row.table.phase == Phase.OVER:
            return None
        return row.table

    # Pairs

    @cached_property
    def pairs_leaf(self) -> "Leaf[Entry]":
        """A page of the pairs that are looked for."""
        found: Sequence[Entry] = self.entries
        if self.search.words:
            named = self._named_sides()
            found = [entry for entry in found if entry.ident in named or self._is_called(entry)]
        return Paginator(found, A_PAGE).get_page(self.search.pairs_page or 1)

    def _named_sides(self) -> set[str]:
        """The sides of the match that is looked for by its name."""
        words = self.search.words.strip().upper()
        pairings = self.plan.pairings if self.plan else ()
        return {side for pairing in pairings if pairing.id == words for side in pairing.sides if side}

    @cached_property
    def pairs(self) -> list[tuple[Entry, tuple[Action, ...], int]]:
        """The pairs of that page, each with what may be done about it and its place among all."""
        places = {entry.pk: place for place, entry in enumerate(self.entries, 1)}
        listed = self.pairs_leaf.object_list
        return [(entry, self.desk.on_entrant(entry), places[entry.pk]) for entry in listed]

    @property
    def is_by_rounds(self) -> bool:
        return self.tournament.pace == Pace.ROUNDS

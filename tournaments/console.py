"""The officials' console: what needs a human, and what can be done about which match and which pair."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.core.paginator import Page as Leaf
from django.core.paginator import Paginator
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from accounts.names import search_key
from games.models import Phase, Table
from tournaments.cards import score_of
from tournaments.console_parts import COUNTED, TALLIES, Match, Search, Tally
from tournaments.formats.names import read_name
from tournaments.formats.results import Pairing
from tournaments.hindrances import Hindrances, with_last_sign
from tournaments.matters import Matter, matters, shortened
from tournaments.models import Entry, ObjectionState, Pace, PairingTable, TableState
from tournaments.pages import Page
from tournaments.queries import said_of, settings_of
from tournaments.series import fact_words, facts
from tournaments.services.actions import Action, Desk
from tournaments.timetable import RoundLine
from tournaments.words import REASONS

A_PAGE = 40
# What can be asked for: matches that need a human, that are played, that wait, that are held back, that are over.
STATES = ("matter", "live", "ready", "held", "done")


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
    def can_open_rounds(self) -> bool:
        """Whether this official opens rounds."""
        return self.may("rounds")

    @property
    def rounds_to_come(self) -> list[RoundLine]:
        """The rounds that are not over."""
        return [line for line in self.timetable if line.state != "done"]

    @property
    def accepts_plan(self) -> bool:
        """Whether a plan that differs waits for this official's word."""
        return "accept-plan" in self.acts

    # What needs a human

    @cached_property
    def _matters(self) -> list[list[Matter]]:
        return matters(self)

    @property
    def matters(self) -> list[Matter]:
        """What needs a human now, the most urgent first; many of one kind are counted."""
        return shortened(self._matters)

    @cached_property
    def needing(self) -> set[str]:
        """The pairings that need a human."""
        return {matter.pairing for kind in self._matters for matter in kind if matter.pairing}

    @cached_property
    def hindrances(self) -> Hindrances:
        """Why matches are not being played."""
        return Hindrances(self)

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many matches are in each state, and how many need a human."""
        known = [pairing for pairing in (self.plan.pairings if self.plan else ()) if self._is_match(pairing)]
        found = Counter(self._state(pairing) for pairing in known)
        return {state: found[state] for state in STATES} | {"matter": len(self.needing)}

    @property
    def tallies(self) -> list[Tally]:
        """How it stands, in numbers that lead to what they count."""
        listed = [Tally(self.counts[state], words, state, state == "matter") for state, words in TALLIES]
        if self.can_rule:
            listed.insert(1, Tally(self.objections, gettext_lazy("objections"), urgent=True))
        return listed

    @cached_property
    def objections(self) -> int:
        """How many objections wait for an answer."""
        return self.tournament.objections.filter(state=ObjectionState.OPEN).count()

    # Matches

    @cached_property
    def rows(self) -> dict[str, PairingTable]:
        """The newest table of each pairing that counts."""
        if not self.started:
            return {}
        rows = with_last_sign(self.tournament.tables.exclude(state=TableState.VOID).select_related("table"))
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

    def _is_match(self, pairing: Pairing) -> bool:
        return None not in pairing.sides and pairing.status in ("ready", "done")

    def _is_found(self, pairing: Pairing) -> bool:
        if not self._is_match(pairing):
            return False
        if self.search.round and read_name(pairing.id).key != self.search.round:
            return False
        if self.search.state == "matter":
            if pairing.id not in self.needing:
                return False
        elif self.search.state and self._state(pairing) != self.search.state:
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
        points = score_of(pairing) or (None, None)
        row, actions = self.rows.get(pairing.id), self.desk.on_pairing(pairing)
        may_confirm = any(action.kind == "confirm" for action in actions)
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
            actions,
            self.hindrances.why(pairing),
            pairing.id in self.needing,
            row.number if row is not None and row.state == TableState.OPEN else None,
            row.table if row is not None and may_confirm else None,
            self.desk.neutrality.is_own(pairing.sides),
            self._recorded(pairing, actions),
            pairing.dead_tables > 0,
        )

    def _recorded(self, pairing: Pairing, actions: Iterable[Action]) -> tuple[tuple[int, str], ...]:
        if not any("match" in action.fields for action in actions):
            return ()
        listed = facts(pairing, self._said.get(pairing.id, ()))[: pairing.recorded]
        return tuple((number, fact_words(item)) for number, item in enumerate(listed, 1))

    @cached_property
    def _said(self) -> dict[str, list[Mapping[str, Any]]]:
        """What the log has of the matches of that page of which one among several may be corrected."""
        asked = {p.id for p in self.leaf.object_list if p.recorded > (p.status == "done")}
        said: dict[str, list[Mapping[str, Any]]] = {}
        for item in said_of(self.tournament, asked) if asked else ():
            said.setdefault(item["pairing"], []).append(item)
        return said

    @property
    def figures(self) -> list[tuple[str, str | Promise]]:
        """What tie-breaks count beside the points, so that who enters a result is asked for it."""
        own = settings_of(self.tournament)
        listed = {name for stage in own.get("stages", [own]) for name in stage.get("tiebreaks") or ()}
        return [(name, words) for name, tiebreak, words in COUNTED if tiebreak in listed]

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
        return [(entry, self._decisions(entry), places[entry.pk]) for entry in listed]

    def _decisions(self, entry: Entry) -> tuple[Action, ...]:
        """What may be decided about a pair; what the registration desk does is done there."""
        return tuple(action for action in self.desk.on_entrant(entry) if action.item is not None)

    @property
    def unplayed_rounds(self) -> list[tuple[str, str]]:
        """The rounds in which this official may let two pairs change places."""
        action = self.acts.get("round")
        return [(key, self.names.round(key)) for key in action.options] if action else []

    @property
    def living(self) -> list[Entry]:
        """The pairs that have not left."""
        return [entry for entry in self.entries if entry.withdrawn_at is None]

    @property
    def is_by_rounds(self) -> bool:
        return self.tournament.pace == Pace.ROUNDS

"""The organiser's console: what needs a human, and what can be decided about which match."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from accounts.text import isolate
from games.live.state import AWAY_AFTER
from games.models import Phase, Table
from tournaments.formats.plan import Plan
from tournaments.formats.results import Pairing
from tournaments.models import Entry, State, TableState
from tournaments.pages import Page, versus
from tournaments.queries import pair_name
from tournaments.words import REASONS, pairing_name


@dataclass(frozen=True, slots=True)
class Matter:
    """Something a human should look at. `table`, `pairing`: where."""

    sentence: str
    table: Table | None = None
    pairing: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """A pairing and its two sides, each with its points and whether it won.

    `open`: it may be decided; otherwise its result may be corrected.
    """

    id: str
    name: str
    lines: tuple[tuple[Entry, int | None, bool], ...]
    open: bool
    reason: str | Promise
    live: Table | None

    @property
    def sides(self) -> list[Entry]:
        return [entry for entry, _points, _won in self.lines]


@dataclass(frozen=True, slots=True)
class Change:
    """A pairing as it is and as it would be. `stakes`: played or in play, so that it may be let stand."""

    id: str
    name: str
    before: str
    after: str
    stakes: bool
    live: Table | None


class Console(Page):
    """The page of a tournament as its organiser sees it."""

    @cached_property
    def matters(self) -> list[Matter]:
        """What needs a human now, the most urgent first."""
        return [*self._absences(), *self._replays(), *self._unanswered()]

    @cached_property
    def matches(self) -> list[Match]:
        """The pairings that something can be decided about: those in play first, then the newest decided."""
        if self.plan is None:
            return []
        between_two = [p for p in self.plan.pairings if None not in p.sides and p.status in ("ready", "done")]
        matches = [self._match(pairing) for pairing in between_two]
        return [*(m for m in matches if m.open), *reversed([m for m in matches if not m.open])]

    @cached_property
    def can_undo(self) -> bool:
        """Whether a correction is left to take back."""
        kinds = [item.item["type"] for item in self.tournament.log.order_by("number")]
        return kinds.count("correct") > kinds.count("undo")

    def changes(self, before: Plan, after: Plan, touched: Sequence[str]) -> list[Change]:
        """The touched pairings in words."""
        was = {pairing.id: pairing for pairing in before.pairings}
        will = {pairing.id: pairing for pairing in after.pairings}
        return [self._change(was[id_], will[id_]) for id_ in touched if id_ in was and id_ in will]

    def _change(self, was: Pairing, will: Pairing) -> Change:
        live = self._live(was)
        stakes = live is not None or (was.status == "done" and was.decided_by not in ("bye", "walkover"))
        name = pairing_name(was.id, was.round, self.last)
        return Change(
            was.id, name, self._words(was), self._words(will), stakes and was.sides != will.sides, live
        )

    def _words(self, pairing: Pairing) -> str:
        sides = versus([self._name(side) for side in pairing.sides], pairing.score)
        if pairing.status == "waiting":
            return _("%(sides)s: waiting") % {"sides": sides}
        if pairing.status == "ready":
            return _("%(sides)s: to be played") % {"sides": sides}
        if pairing.status == "void":
            return _("nobody can reach it")
        return _("%(sides)s: %(winner)s went through (%(reason)s)") % {
            "sides": sides,
            "winner": self._name(pairing.winner) if pairing.winner else _("nobody"),
            "reason": REASONS.get(pairing.decided_by or "", ""),
        }

    def _name(self, ident: str | None) -> str:
        return isolate(pair_name(self.by_ident[ident])) if ident else "—"

    def _match(self, pairing: Pairing) -> Match:
        points = pairing.score or (None, None)
        return Match(
            pairing.id,
            pairing_name(pairing.id, pairing.round, self.last),
            tuple(
                (self.by_ident[side], points[place], side == pairing.winner)
                for place, side in enumerate(pairing.sides)
                if side
            ),
            pairing.status == "ready",
            REASONS.get(pairing.decided_by or "", ""),
            self._live(pairing),
        )

    def _live(self, pairing: Pairing) -> Table | None:
        for row in self.tables.get(pairing.id, ()):
            if row.state == TableState.OPEN and row.table.phase != Phase.OVER:
                return row.table
        return None

    def _absences(self) -> list[Matter]:
        matters = []
        for match in self.matches:
            away = sum(idle >= AWAY_AFTER for idle in match.live.idle) if match.live else 0
            if away:
                said = _("%(pairing)s: players away from the table: %(count)s.")
                matters.append(Matter(said % {"pairing": match.name, "count": away}, match.live, match.id))
        return matters

    def _replays(self) -> list[Matter]:
        if self.plan is None:
            return []
        said = _("%(pairing)s is replayed after a table without a result: another one puts both sides out.")
        return [
            Matter(said % {"pairing": pairing_name(p.id, p.round, self.last)}, self._live(p), p.id)
            for p in self.plan.pairings
            if p.status == "ready" and p.dead_tables
        ]

    def _unanswered(self) -> list[Matter]:
        if self.tournament.state != State.OPEN:
            return []
        said = _("%(pair)s: the partner has not answered yet.")
        return [Matter(said % {"pair": isolate(pair_name(entry))}) for entry in self.waiting]

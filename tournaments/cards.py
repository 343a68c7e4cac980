"""Pairings as pages show them: who against whom, how it stands and why. Only what a page shows is read."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from accounts.text import isolate
from games.models import Phase, Table
from tournaments.because import because
from tournaments.course import Course
from tournaments.feeding import feeds
from tournaments.formats.names import read_name
from tournaments.formats.results import Pairing, Score
from tournaments.models import Entry, PairingTable, TableState, Tournament
from tournaments.queries import pair_name, said_of, with_members
from tournaments.words import REASONS, SENTENCES


@dataclass(frozen=True, slots=True)
class Line:
    """One side of a card. `entry` None: nobody yet, or nobody; `empty` says which. `score`: points, or matches won."""

    entry: Entry | None
    won: bool
    lost: bool
    score: int | None
    mine: bool
    followed: bool
    empty: str


@dataclass(frozen=True, slots=True)
class Card:
    """One pairing. `live`: its table while it is played; `played`: its finished tables, in order.

    `facts`: what decided it, with its numbers. `standing`: how sure its result is. `zoom`: it leads to a further
    part of the bracket.
    """

    id: str
    name: str
    number: str
    status: str
    lines: tuple[Line, ...]
    reason: str | Promise
    sentence: str | Promise
    facts: str
    live: Table | None
    table_number: int | None
    played: tuple[Table, ...]
    replayed: bool
    standing: str
    note: str = ""
    zoom: bool = False

    @property
    def mine(self) -> bool:
        return any(line.mine for line in self.lines)

    @property
    def followed(self) -> bool:
        return any(line.followed for line in self.lines)


@dataclass
class Cards:
    """The cards of some pairings of a tournament. `mine`, `followed`: an entrant's id."""

    tournament: Tournament
    course: Course
    mine: str | None = None
    followed: str | None = None
    entries: dict[str, Entry] = field(default_factory=dict)
    tables: dict[str, list[PairingTable]] = field(default_factory=dict)
    items: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)

    def read(self, pairings: Collection[Pairing], others: Iterable[str] = ()) -> "Cards":
        """Reads what the cards of these pairings show, and these entrants; three questions to the database."""
        idents = {side for pairing in pairings for side in pairing.sides if side} | set(others)
        ids = [pairing.id for pairing in pairings]
        self.entries |= entries_of(self.tournament, idents - self.entries.keys())
        rows = self.tournament.tables.filter(pairing__in=ids).select_related("table")
        for row in rows.order_by("pairing", "attempt"):
            self.tables.setdefault(row.pairing, []).append(row)
        for item in said_of(self.tournament, set(ids)):
            self.items.setdefault(item["pairing"], []).append(item)
        return self

    def name(self, ident: str | None) -> str:
        """An entrant inside a sentence."""
        entry = self.entries.get(ident or "")
        return isolate(pair_name(entry)) if entry else _("nobody")

    def card(self, pairing: Pairing, *, zoom: bool = False) -> Card:
        """The card of a pairing that was read."""
        decided_by = pairing.decided_by or ""
        rows = self.tables.get(pairing.id, [])
        counted = [row for row in rows if row.state == TableState.RECORDED]
        open_ = next((row for row in rows if row.state in (TableState.OPEN, TableState.HELD)), None)
        name = read_name(pairing.id)
        return Card(
            pairing.id,
            self.course.names.pairing(pairing.id),
            str(name.number) if name.number and len(self.course.rounds[name.key]) > 1 else "",
            pairing.status,
            self._lines(pairing),
            REASONS.get(decided_by, ""),
            SENTENCES.get(decided_by, ""),
            self.facts(pairing),
            open_.table if open_ and _in_play(open_) else None,
            open_.number if open_ else None,
            tuple(row.table for row in counted if row.table.result_kind),
            pairing.status == "ready" and pairing.dead_tables > 0,
            standing_of(open_ or (counted[-1] if counted else None), self.tournament),
            self._note(pairing),
            zoom,
        )

    def _note(self, pairing: Pairing) -> str:
        if pairing.id in self.course.again:
            return _("The two have met before: a round without a rematch was not possible.")
        if pairing.id in self.course.rests_again:
            return _("A second rest: nobody was left who had not rested yet.")
        if pairing.id in self.course.unwanted:
            return _("The two were to be kept apart: it was not possible.")
        return ""

    def facts(self, pairing: Pairing) -> str:
        """What decided a pairing that was read, in a sentence with its numbers."""
        return because(
            pairing,
            self.items.get(pairing.id, ()),
            self.name,
            target=self.tournament.target,
            cap=self.tournament.round_cap,
            best_of=self.course.stage_settings(read_name(pairing.id).stage).get("best_of", 1),
        )

    def _lines(self, pairing: Pairing) -> tuple[Line, ...]:
        if pairing.decided_by == "bye":
            # The side that is there; of two places that nobody reached the first.
            return (self._line(pairing, 0 if pairing.sides[0] or not pairing.sides[1] else 1),)
        return self._line(pairing, 0), self._line(pairing, 1)

    def _line(self, pairing: Pairing, side: int) -> Line:
        ident = pairing.sides[side]
        done = pairing.status == "done" and ident is not None
        drawn = pairing.decided_by == "draw"
        score = score_of(pairing)
        return Line(
            self.entries.get(ident) if ident else None,
            done and ident == pairing.winner,
            done and ident != pairing.winner and not drawn,
            None if score is None else score[side],
            ident is not None and ident == self.mine,
            ident is not None and ident == self.followed,
            "" if ident else self._empty(pairing, side),
        )

    def _empty(self, pairing: Pairing, side: int) -> str:
        feed = feeds(pairing.id, self.course.names)[side] if pairing.status == "waiting" else None
        if feed is None:
            return _("not known yet") if pairing.status == "waiting" else _("nobody")
        said = {"pairing": self.course.names.pairing(feed.pairing)}
        if feed.takes == "loser":
            return _("loser of %(pairing)s") % said
        return _("winner of %(pairing)s") % said


def score_of(pairing: Pairing) -> Score | None:
    """What a pairing's sides have beside their names: points; in a best of several matches, also while it goes on."""
    return pairing.won if pairing.status == "ready" and any(pairing.won) else pairing.score


def entries_of(tournament: Tournament, idents: Collection[str]) -> dict[str, Entry]:
    """These entrants of a tournament, by their ids."""
    numbers = [int(ident.removeprefix("e")) for ident in idents]
    if not numbers:
        return {}
    return {entry.ident: entry for entry in with_members(tournament.entries.filter(number__in=numbers))}


def standing_of(row: PairingTable | None, tournament: Tournament) -> str:
    """How sure the newest result of a pairing is; empty where results need no confirmation, or there is none yet."""
    if row is None or not tournament.holds_results:
        return ""
    if row.state == TableState.HELD:
        return "provisional"
    if row.state != TableState.RECORDED:
        return ""
    if row.final_at is not None and row.final_at <= timezone.now():
        return "final"
    return "confirmed" if all(row.confirmed) else ""


def _in_play(row: PairingTable) -> bool:
    return row.state == TableState.OPEN and row.table.phase != Phase.OVER


def cards_of(cards: Cards, pairings: Sequence[Pairing]) -> list[Card]:
    """The cards of pairings, read now."""
    cards.read(pairings)
    return [cards.card(pairing) for pairing in pairings]

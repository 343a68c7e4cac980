"""What the page of a tournament shows, and to whom: the next step, standings, decisions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.text import isolate
from games.models import Phase
from tournaments import queries
from tournaments.bracket import Bracket, bracket
from tournaments.formats.plan import Plan
from tournaments.formats.results import Pairing
from tournaments.joining import Joining
from tournaments.models import Entry, LogItem, PairingTable, State, TableState, Tournament
from tournaments.words import REASONS, pairing_name


@dataclass(frozen=True, slots=True)
class Step:
    """What is next for the reader. `kind` chooses the words; the rest is what they speak of."""

    kind: str
    table: PairingTable | None = None
    entry: Entry | None = None
    opponent: Entry | None = None
    place: str = ""
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the standings. `where` is the round one went out in."""

    rank: int
    entry: Entry
    still_in: bool
    where: str
    mine: bool


@dataclass(frozen=True, slots=True)
class Decision:
    """Something people decided, in words."""

    sentence: str
    reason: str
    item: LogItem


@dataclass
class Page:
    """One tournament for one reader; each part is read once, when it is first asked for."""

    tournament: Tournament
    reader: User | None
    first: int | None = field(default=None)

    @cached_property
    def started(self) -> bool:
        return self.tournament.started_at is not None

    @cached_property
    def entries(self) -> list[Entry]:
        return queries.entrants(self.tournament)

    @cached_property
    def waiting(self) -> list[Entry]:
        """Entries that lack the partner's word."""
        return list(queries.with_members(self.tournament.entries.filter(queries.WAITING)).order_by("number"))

    @cached_property
    def by_ident(self) -> dict[str, Entry]:
        return {entry.ident: entry for entry in self.entries}

    @cached_property
    def plan(self) -> Plan | None:
        return queries.plan_of(self.tournament) if self.started else None

    @cached_property
    def tables(self) -> dict[str, list[PairingTable]]:
        return queries.tables_by_pairing(self.tournament) if self.started else {}

    @cached_property
    def mine(self) -> Entry | None:
        """The reader's entry among those that take part."""
        return next((entry for entry in self.entries if _has(entry, self.reader)), None)

    @cached_property
    def bracket(self) -> Bracket | None:
        if self.plan is None:
            return None
        mine = self.mine.ident if self.mine else None
        return bracket(self.plan, self.by_ident, self.tables, mine=mine, first=self.first)

    @cached_property
    def last(self) -> int:
        return queries.final_round(self.plan) if self.plan else 0

    @cached_property
    def in_play(self) -> int:
        """How many tables are being played."""
        rows = [row for rows in self.tables.values() for row in rows]
        return sum(row.state == TableState.OPEN and row.table.phase != Phase.OVER for row in rows)

    @cached_property
    def to_play(self) -> int:
        """How many pairings are not decided."""
        return (
            sum(pairing.status in ("ready", "waiting") for pairing in self.plan.pairings) if self.plan else 0
        )

    @cached_property
    def champion(self) -> Entry | None:
        return self.by_ident.get(self.plan.champion or "") if self.plan else None

    @cached_property
    def standings(self) -> list[Place]:
        if self.plan is None:
            return []
        return [
            Place(
                standing.rank,
                self.by_ident[standing.entrant],
                standing.still_in,
                "" if standing.still_in else self._where_out(standing.entrant),
                self.mine is not None and self.mine.ident == standing.entrant,
            )
            for standing in self.plan.standings
        ]

    @cached_property
    def decisions(self) -> list[Decision]:
        """What people decided, newest first."""
        items = self.tournament.log.exclude(actor=None).select_related("actor").order_by("-number")
        return [Decision(self.sentence(item.item), item.item.get("reason", ""), item) for item in items]

    @cached_property
    def joining(self) -> Joining:
        """Entering it, and what belongs to the reader's own pair."""
        own = self.mine if self.started else None
        return Joining(self.tournament, self.reader, timezone.now(), own)

    @cached_property
    def step(self) -> Step:
        if self.tournament.state == State.CANCELLED:
            return Step("watch")
        if not self.started:
            return Step("before")
        return self._step_after(self.mine) if self.mine else Step("watch")

    def _step_after(self, entry: Entry) -> Step:
        assert self.plan is not None
        if self.champion == entry:
            return Step("champion", entry=entry)
        pairing = next(
            (p for p in self.plan.pairings if entry.ident in p.sides and p.status in ("ready", "waiting")),
            None,
        )
        standing = next(place for place in self.standings if place.entry == entry)
        if pairing is None:
            return Step("next" if standing.still_in else "out", entry=entry, place=standing.where)
        opponent = next((self.by_ident[side] for side in pairing.sides if side and side != entry.ident), None)
        name = pairing_name(pairing.id, pairing.round, self.last)
        row = next((row for row in self.tables.get(pairing.id, ()) if row.state == TableState.OPEN), None)
        if row is None:
            kind = "consolation" if pairing.id == "P3" else "next"
            return Step(kind, entry=entry, opponent=opponent, place=name)
        kind = "table" if row.table.phase != Phase.OVER else "counting"
        replayed = bool(pairing.dead_tables)
        return Step(kind, table=row, entry=entry, opponent=opponent, place=name, replayed=replayed)

    def _where_out(self, ident: str) -> str:
        assert self.plan is not None
        there: list[Pairing] = [pairing for pairing in self.plan.pairings if ident in pairing.sides]
        lost = max(there, key=lambda pairing: pairing.round, default=None)
        if lost is None or self.plan.champion == ident:
            return ""
        return pairing_name(lost.id, lost.round, self.last)

    def sentence(self, item: Mapping[str, Any]) -> str:
        """A log item in words."""
        names = {ident: isolate(queries.pair_name(entry)) for ident, entry in self.by_ident.items()}
        return decision_sentence(item, names, self.last)


def decision_sentence(item: Mapping[str, Any], names: Mapping[str, str], last: int) -> str:
    """An item that people put into the log, in words. `names` goes by entrant id; `last` is the final's round."""
    match item["type"]:
        case "withdraw":
            return _("%(pair)s withdrew.") % {"pair": names.get(item["entrant"], "")}
        case "disqualify":
            return _("%(pair)s were disqualified.") % {"pair": names.get(item["entrant"], "")}
        case "reenter":
            return _("%(pair)s came back.") % {"pair": names.get(item["entrant"], "")}
        case "undo":
            return _("The newest correction was taken back.")
        case "correct":
            return _("%(pairing)s was corrected: %(outcome)s.") % {
                "pairing": _pairing_words(item, last),
                "outcome": _outcome_words(item, names),
            }
    return _("%(pairing)s was decided: %(outcome)s.") % {
        "pairing": _pairing_words(item, last),
        "outcome": _outcome_words(item, names),
    }


def _pairing_words(item: Mapping[str, Any], last: int) -> str:
    pairing: str = item["pairing"]
    round_ = last if pairing == "P3" else int(pairing.lstrip("R").partition(".")[0])
    return pairing_name(pairing, round_, last)


def _outcome_words(item: Mapping[str, Any], names: Mapping[str, str]) -> str:
    sides = [names.get(side, "") for side in item.get("sides") or ("", "")]
    if "winner" in item:
        return _("%(pair)s go through by ruling") % {"pair": sides[item["winner"]]}
    if item.get("side") == "both":
        return _("both sides forfeit")
    if "side" in item:
        return _("%(pair)s forfeit") % {"pair": sides[item["side"]]}
    return f"{versus(sides, item['score'])} ({_reason(item['kind'])})"


def versus(names: Sequence[str], score: Sequence[int] | None) -> str:
    """Two sides, each with its points behind its name, so that neither language has to guess whose they are."""
    if score is None:
        return " – ".join(names)
    return " – ".join(f"{name} {points_words(points)}" for name, points in zip(names, score, strict=True))


def points_words(points: int) -> str:
    """A number of points inside a sentence: left to right, with a true minus."""
    return isolate(f"\N{LEFT-TO-RIGHT MARK}{points}".replace("-", "\N{MINUS SIGN}"))


def _reason(kind: str) -> str | Promise:
    return REASONS.get("last-round" if kind == "draw" else kind, kind)


def _has(entry: Entry, user: User | None) -> bool:
    return user is not None and any(member.user == user for member in entry.members.all())

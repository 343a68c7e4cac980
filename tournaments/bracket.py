"""An elimination as its page draws it: a column a round, a card a pairing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from games.models import Phase, Table
from tournaments.formats.plan import Plan
from tournaments.formats.results import Pairing
from tournaments.models import Entry, PairingTable, TableState
from tournaments.words import REASONS, SENTENCES, pairing_name, round_name

THIRD = "P3"
# A bracket with more first pairings than this opens at the round being played.
WIDE = 32
# With more rounds than this a bracket is printed round by round.
DEEP = 5


@dataclass(frozen=True, slots=True)
class Line:
    """One side of a card. `entry` None: nobody yet, or nobody; `empty` says which. `score` in points."""

    entry: Entry | None
    won: bool
    lost: bool
    score: int | None
    mine: bool
    empty: str


@dataclass(frozen=True, slots=True)
class Card:
    """One pairing. `live`: its table while it is played; `played`: its finished tables, in order."""

    id: str
    name: str
    number: str
    status: str
    lines: tuple[Line, ...]
    reason: str | Promise
    sentence: str | Promise
    live: Table | None
    played: tuple[Table, ...]
    replayed: bool

    @property
    def mine(self) -> bool:
        return any(line.mine for line in self.lines)


@dataclass(frozen=True, slots=True)
class Column:
    """One round, its cards from top to bottom; None where nobody can ever stand."""

    round: int
    name: str
    cards: tuple[Card | None, ...]
    current: bool
    shown: bool


@dataclass(frozen=True, slots=True)
class Bracket:
    """All rounds; those before `first` are folded away. `third`: the match for the third place, if there is one."""

    columns: tuple[Column, ...]
    third: Card | None
    first: int

    @property
    def shown(self) -> list[Column]:
        return [column for column in self.columns if column.shown]

    @property
    def is_deep(self) -> bool:
        """Whether it is too wide to be printed as a tree."""
        return len(self.shown) > DEEP


def bracket(
    plan: Plan,
    entries: Mapping[str, Entry],
    tables: Mapping[str, Sequence[PairingTable]],
    *,
    mine: str | None = None,
    first: int | None = None,
) -> Bracket:
    """The bracket of a plan. `entries` and `mine` go by entrant id; `first` is the first round to show."""
    last = max((pairing.round for pairing in plan.pairings), default=0)
    draw = _Drawing(last, entries, tables, mine)
    by_id = {pairing.id: pairing for pairing in plan.pairings}
    current = current_round(plan)
    if first is None:
        first = current if 2 ** (last - 1) > WIDE else 1
    first = min(max(first, 1), max(last, 1))
    columns = tuple(
        Column(
            round_,
            round_name(last - round_),
            tuple(draw.card(by_id.get(f"R{round_}.{n}")) for n in range(1, 2 ** (last - round_) + 1)),
            round_ == current and not plan.finished,
            round_ >= first,
        )
        for round_ in range(1, last + 1)
    )
    return Bracket(columns, draw.card(by_id.get(THIRD)), first)


def current_round(plan: Plan) -> int:
    """The first round in which something is still to be played; the last one when nothing is."""
    unfinished = [pairing.round for pairing in plan.pairings if pairing.status in ("waiting", "ready")]
    return min(unfinished, default=max((pairing.round for pairing in plan.pairings), default=1))


@dataclass(frozen=True, slots=True)
class _Drawing:
    last: int
    entries: Mapping[str, Entry]
    tables: Mapping[str, Sequence[PairingTable]]
    mine: str | None

    def card(self, pairing: Pairing | None) -> Card | None:
        if pairing is None:
            return None
        rows = self.tables.get(pairing.id, ())
        counted = [row for row in rows if row.state == TableState.RECORDED]
        decided_by = pairing.decided_by or ""
        return Card(
            pairing.id,
            pairing_name(pairing.id, pairing.round, self.last),
            pairing.id.rpartition(".")[2] if "." in pairing.id and pairing.round < self.last else "",
            pairing.status,
            self._lines(pairing),
            REASONS.get(decided_by, ""),
            SENTENCES.get(decided_by, ""),
            next((row.table for row in rows if _in_play(row)), None),
            tuple(row.table for row in counted if row.table.result_kind),
            pairing.status == "ready" and pairing.dead_tables > 0,
        )

    def _lines(self, pairing: Pairing) -> tuple[Line, ...]:
        if pairing.decided_by == "bye":
            return (self._line(pairing, 0),)
        return self._line(pairing, 0), self._line(pairing, 1)

    def _line(self, pairing: Pairing, side: int) -> Line:
        ident = pairing.sides[side]
        done = pairing.status == "done"
        return Line(
            self.entries.get(ident) if ident else None,
            done and ident is not None and ident == pairing.winner,
            done and ident is not None and ident != pairing.winner,
            None if pairing.score is None else pairing.score[side],
            ident is not None and ident == self.mine,
            "" if ident else self._empty(pairing, side),
        )

    def _empty(self, pairing: Pairing, side: int) -> str:
        if pairing.status != "waiting":
            return _("nobody")
        if pairing.id == THIRD:
            loser = f"R{self.last - 1}.{side + 1}"
            return _("loser of %(pairing)s") % {"pairing": pairing_name(loser, self.last - 1, self.last)}
        number = 2 * int(pairing.id.rpartition(".")[2]) - 1 + side
        feeder = pairing_name(f"R{pairing.round - 1}.{number}", pairing.round - 1, self.last)
        return _("winner of %(pairing)s") % {"pairing": feeder}


def _in_play(row: PairingTable) -> bool:
    return row.state == TableState.OPEN and row.table.phase != Phase.OVER

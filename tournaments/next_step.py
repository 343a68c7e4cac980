"""What is next for a pair in a tournament that has started."""

from dataclasses import dataclass

from games.models import Phase
from tournaments.cards import Cards
from tournaments.formats.names import read_name
from tournaments.formats.results import Pairing
from tournaments.models import Entry, PairingTable, TableState
from tournaments.ranking import where_out


@dataclass(frozen=True, slots=True)
class Step:
    """What is next for the reader. `kind` chooses the words; the rest is what they speak of.

    `confirmed`: the reader's side has said that the result is right; `score`: its own points, and the others'.
    """

    kind: str
    table: PairingTable | None = None
    entry: Entry | None = None
    opponent: Entry | None = None
    place: str = ""
    replayed: bool = False
    confirmed: bool = False
    score: tuple[int, int] | None = None


def step_of(entry: Entry, cards: Cards) -> Step:
    """The next step of an entry that takes part."""
    course = cards.course
    if course.plan.champion == entry.ident:
        return Step("champion", entry=entry)
    own = course.of_entrant.get(entry.ident, [])
    pairing = next((pairing for pairing in own if pairing.status in ("ready", "waiting")), None)
    if pairing is not None:
        return _step_to(entry, pairing, cards)
    standing = course.standing_of.get(entry.ident)
    still_in = standing is not None and standing.still_in and not course.plan.finished
    place = "" if still_in else where_out(course, entry.ident)
    return Step("next" if still_in else "out", entry=entry, place=place)


def _step_to(entry: Entry, pairing: Pairing, cards: Cards) -> Step:
    against = [side for side in pairing.sides if side and side != entry.ident]
    cards.read([pairing])
    opponent = cards.entries.get(against[0]) if against else None
    name = cards.course.names.pairing(pairing.id)
    states = {row.state: row for row in cards.tables.get(pairing.id, ())}
    held = states.get(TableState.HELD)
    if held is not None and entry.ident in held.sides:
        side = held.sides.index(entry.ident)
        points = held.table.score
        return Step(
            "held",
            table=held,
            entry=entry,
            opponent=opponent,
            place=name,
            confirmed=held.confirmed[side],
            score=(points[side], points[1 - side]),
        )
    row = states.get(TableState.OPEN)
    if row is None:
        kind = _awaited(entry, pairing, cards)
        return Step(kind, entry=entry, opponent=opponent, place=name)
    kind = "table" if row.table.phase != Phase.OVER else "counting"
    return Step(
        kind, table=row, entry=entry, opponent=opponent, place=name, replayed=bool(pairing.dead_tables)
    )


def _awaited(entry: Entry, pairing: Pairing, cards: Cards) -> str:
    """How a pairing that has no table yet is spoken of; a pair with one defeat in a double elimination is told so."""
    name = read_name(pairing.id)
    if name.part == "P":
        return "consolation"
    own = cards.course.of_entrant.get(entry.ident, [])
    lost = any(one.status == "done" and one.winner not in (None, entry.ident) for one in own)
    return "second" if name.part == "L" and lost else "next"

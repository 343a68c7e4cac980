"""What is next for a pair in a tournament that has started."""

from dataclasses import dataclass

from games.models import Phase
from tournaments.cards import Cards
from tournaments.formats.results import Pairing
from tournaments.models import Entry, PairingTable, TableState
from tournaments.ranking import where_out


@dataclass(frozen=True, slots=True)
class Step:
    """What is next for the reader. `kind` chooses the words; the rest is what they speak of."""

    kind: str
    table: PairingTable | None = None
    entry: Entry | None = None
    opponent: Entry | None = None
    place: str = ""
    replayed: bool = False


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
    row = next((row for row in cards.tables.get(pairing.id, ()) if row.state == TableState.OPEN), None)
    if row is None:
        kind = "consolation" if pairing.id.endswith("P3") else "next"
        return Step(kind, entry=entry, opponent=opponent, place=name)
    kind = "table" if row.table.phase != Phase.OVER else "counting"
    return Step(
        kind, table=row, entry=entry, opponent=opponent, place=name, replayed=bool(pairing.dead_tables)
    )

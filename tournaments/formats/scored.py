"""What round robin and Swiss have in common: pairings that give points, standings by them, play-offs."""

from collections.abc import Mapping, Sequence
from typing import Literal

from tournaments.formats.entrants import Entrant, in_seed_order
from tournaments.formats.fixtures import Fixtures
from tournaments.formats.records import Fixture
from tournaments.formats.results import Enter, Item, Pairing, PlanError, PlayOff, Standing
from tournaments.formats.settings import Settings, Tiebreak
from tournaments.formats.tables import Table, group_tables
from tournaments.formats.tiebreaks import Term, Tiebreaks, Value

LAST_WAVE = 1_000_000


class Scored:
    """The format behind `plan`, but for who meets whom."""

    def __init__(self, settings: Settings, tiebreaks: Sequence[Tiebreak]) -> None:
        self._settings = settings
        self._listed = tiebreaks if settings.tiebreaks is None else settings.tiebreaks
        self._entrants: tuple[Entrant, ...] = ()
        self._fixtures = Fixtures(settings)
        self._play_offs: list[Fixture] = []
        self._tables: list[Table] | None = None

    # What the format says

    def fields(self) -> list[list[str]]:
        """The entrants, best seed first, of each group."""
        raise NotImplementedError

    def take(self, item: Item) -> None:
        """One log item that is not a play-off."""
        raise NotImplementedError

    # What `plan` asks

    def apply(self, item: Item) -> None:
        """Takes a log item whole, or raises PlanError and changes nothing."""
        if isinstance(item, PlayOff):
            self._add_play_off(item.entrants)
        else:
            self.take(item)
        self._tables = None

    def pairings(self) -> tuple[Pairing, ...]:
        """All pairings as they stand, in the order listed."""
        return self._fixtures.pairings()

    def standings(self) -> tuple[Standing, ...]:
        """All entrants, best first; of several groups by rank, then group."""
        return group_tables(self.tables())

    def finished(self) -> bool:
        """Whether every pairing is done."""
        return not self._fixtures.open()

    def choose(self, later: Mapping[str, Literal["stand", "replay"]]) -> None:
        """What a correction in an earlier stage says of pairings here."""
        self._fixtures.choose(later)
        self._tables = None

    def terms(self, tiebreak: Value, entrant: str) -> Sequence[Term]:
        """What adds up to an entrant's points, or to the value of a tie-break; nothing for who is not here."""
        table = next((table for table in self.tables() if entrant in table), None)
        return () if table is None else table.terms(tiebreak, entrant)

    def tables(self) -> list[Table]:
        """The groups' standings, with what makes them."""
        if self._tables is None:
            fixtures = self._fixtures
            values = Tiebreaks(fixtures.records, fixtures.adjusted, self._settings.seed)
            self._tables = [Table(values, field, self._listed, fixtures.gone) for field in self.fields()]
        return self._tables

    # Entrants and play-offs

    def seat(self, entrants: Sequence[Entrant]) -> None:
        """These take part from now on."""
        self._entrants = in_seed_order(entrants)
        self._fixtures.know(entrant.id for entrant in entrants)
        self._tables = None

    def check_newcomer(self, enter: Enter) -> None:
        """Raises PlanError where the late entry is not a further entrant."""
        newcomer = enter.entrant
        if newcomer.id in {entrant.id for entrant in self._entrants}:
            raise PlanError("not-allowed", f"{newcomer.id} takes part already")
        if newcomer.seed is not None and newcomer.seed in {entrant.seed for entrant in self._entrants}:
            raise PlanError("not-allowed", f"another entrant has the seed {newcomer.seed}")

    def _add_play_off(self, entrants: tuple[str, str]) -> None:
        self._check_play_off(entrants)
        number = len(self._play_offs) + 1
        last = max((record.line.round for record in self._fixtures.records), default=0)
        fixture = Fixture(f"PO{number}", last + 1, entrants, LAST_WAVE + number, play_off=True)
        self._play_offs.append(fixture)
        self._fixtures.add([fixture])

    def _check_play_off(self, entrants: tuple[str, str]) -> None:
        for entrant in entrants:
            self._fixtures.check_entrant(entrant)
        first, second = entrants
        if "play_off" not in self._listed or len(self.tables()) > 1:
            raise PlanError("not-allowed", "play-offs decide nothing here: no tie-break play_off, or groups")
        if first == second or not self.finished():
            raise PlanError("not-allowed", "two entrants play off when everything else is done")
        if {first, second} & self._fixtures.gone.keys():
            raise PlanError("not-allowed", f"{first} and {second} are not both here")
        table = self.tables()[0]
        if not (first in table and second in table and table.points(first) == table.points(second)):
            raise PlanError("not-allowed", f"{first} and {second} are not level on points")

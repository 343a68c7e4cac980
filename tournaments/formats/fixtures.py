"""The pairings of a round robin or a Swiss under their log: their sides are fixed, whatever happens.

Each pairing is a function of what is recorded for it and of who has left, so one more result costs one look.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Literal

from tournaments.formats.ledger import Ledger, check_sides, place_to_correct
from tournaments.formats.records import Fixture, Gone, Record, Worth, look
from tournaments.formats.results import (
    Adjust,
    Correct,
    Disqualify,
    Fact,
    Forfeit,
    Item,
    Pairing,
    PlanError,
    Reenter,
    Result,
    Rule,
    Undo,
    Withdraw,
)
from tournaments.formats.settings import Settings

Later = Mapping[str, Literal["stand", "replay"]]


class Fixtures:
    """Pairings, who has left, and points given. `apply` takes an item whole, or raises and changes nothing."""

    def __init__(self, settings: Settings) -> None:
        self._worth = Worth(settings.best_of, settings.points)
        self._ledger = Ledger()
        self._known: set[str] = set()
        self._gone: dict[str, Literal["withdrawn", "disqualified"]] = {}
        self._fixtures: dict[str, Fixture] = {}
        self._records: dict[str, Record] = {}
        self._of: dict[str, list[str]] = defaultdict(list)
        self._open: set[str] = set()
        self._closed: dict[str, str | None] = {}
        self._adjusted: dict[str, int] = defaultdict(int)

    @property
    def gone(self) -> Gone:
        """Entrants who have left and not come back."""
        return self._gone

    @property
    def adjusted(self) -> Mapping[str, int]:
        """Points given or taken besides the pairings."""
        return self._adjusted

    @property
    def records(self) -> Collection[Record]:
        """Every pairing as it stands, in the order listed."""
        return self._records.values()

    def pairings(self) -> tuple[Pairing, ...]:
        """Every pairing's line, in the order listed."""
        return tuple(record.line for record in self._records.values())

    def open(self) -> bool:
        """Whether a pairing is still to be played."""
        return bool(self._open)

    # What is listed

    def know(self, entrants: Iterable[str]) -> None:
        """From now on the log may name these."""
        self._known.update(entrants)

    def check_entrant(self, entrant: str) -> None:
        """Raises PlanError `unknown-entrant` where the log may not name them."""
        if entrant not in self._known:
            raise PlanError("unknown-entrant", f"there is no entrant {entrant}")

    def add(self, fixtures: Iterable[Fixture]) -> None:
        """Lists further pairings, behind all others."""
        for fixture in fixtures:
            self._fixtures[fixture.id] = fixture
            for side in fixture.sides:
                if side is not None:
                    self._of[side].append(fixture.id)
            self._refresh(fixture.id)

    def replace(self, fixtures: Iterable[Fixture]) -> None:
        """Lists these and no others, under the same record."""
        self._fixtures, self._records, self._open = {}, {}, set()
        self._of.clear()
        self.add(fixtures)

    def drop(self, round_: int) -> None:
        """A round is not listed any more."""
        for pairing in [id_ for id_, fixture in self._fixtures.items() if fixture.round == round_]:
            for side in self._fixtures.pop(pairing).sides:
                if side is not None:
                    self._of[side].remove(pairing)
            del self._records[pairing]
            self._open.discard(pairing)

    def close(self) -> None:
        """What was decided because somebody did not come stays so, whoever comes back."""
        for record in self._records.values():
            if record.line.decided_by in ("walkover", "double-forfeit") and record.decided_at is None:
                self._closed[record.line.id] = record.line.winner

    def touched(self, round_: int) -> bool:
        """Whether anything is recorded of the pairings of a round."""
        return any(
            self._ledger.facts(fixture.id, fixture.sides)
            for fixture in self._fixtures.values()
            if fixture.round == round_
        )

    # The log

    def apply(self, item: Item) -> None:
        """Takes one log item.

        Raises:
            PlanError: the item is refused, and nothing has changed.
        """
        match item:
            case Result() | Forfeit() | Rule():
                self._add_fact(item)
            case Correct():
                self._correct(item)
            case Undo():
                self._refresh(*self._ledger.undo())
            case Withdraw(entrant):
                self._leave(entrant, "withdrawn")
            case Disqualify(entrant):
                self._leave(entrant, "disqualified")
            case Reenter(entrant):
                self._reenter(entrant)
            case Adjust(entrant, points):
                self.check_entrant(entrant)
                self._adjusted[entrant] += points
            case _:
                raise PlanError("not-allowed", f"this format takes no {type(item).__name__.lower()} item")

    def _add_fact(self, fact: Fact) -> None:
        line = self._record(fact.pairing).line
        if line.status == "done":
            raise PlanError("already-done", f"{line.id} is already done")
        check_sides(line, fact)
        self._ledger.add(line.id, line.sides, fact)
        self._refresh(line.id)

    def _record(self, pairing: str) -> Record:
        if pairing not in self._records:
            raise PlanError("unknown-pairing", f"there is no pairing {pairing}")
        return self._records[pairing]

    # Corrections

    def _correct(self, correct: Correct) -> None:
        record = self._record(correct.pairing)
        at = place_to_correct(self._ledger, record.line, record.decided_at, correct)
        for pairing in correct.later:
            self._record(pairing)
            if self._fixtures[pairing].wave <= self._fixtures[correct.pairing].wave:
                raise PlanError("not-allowed", f"{pairing} does not come after {correct.pairing}")
        self._ledger.correct(correct, record.line.sides, at)
        self._say_of(correct.later)
        self._refresh(correct.pairing, *correct.later)

    def choose(self, later: Later) -> None:
        """What a correction in an earlier stage says of pairings here.

        Raises:
            PlanError: it is refused, and nothing has changed.
        """
        for pairing in later:
            self._record(pairing)
        self._ledger.choose()
        self._say_of(later)
        self._refresh(*later)

    def _say_of(self, later: Later) -> None:
        """Here every pairing stands as it is listed; only a replay changes anything."""
        for pairing, choice in later.items():
            if choice == "replay":
                self._ledger.replay(pairing)

    # Leaving and coming back

    def _leave(self, entrant: str, how: Literal["withdrawn", "disqualified"]) -> None:
        self.check_entrant(entrant)
        if self._gone.get(entrant) in (how, "disqualified"):
            raise PlanError("already-done", f"{entrant} is already {self._gone[entrant]}")
        if entrant not in self._gone:
            self._keep_walkovers(entrant)
        self._gone[entrant] = how
        self._refresh(*self._of[entrant])

    def _keep_walkovers(self, winner: str) -> None:
        """What was won before leaving stays won."""
        for pairing in self._of[winner]:
            line = self._records[pairing].line
            if line.decided_by == "walkover" and line.winner == winner:
                self._ledger.keep_walkover(pairing, line.sides, winner)

    def _reenter(self, entrant: str) -> None:
        self.check_entrant(entrant)
        if entrant not in self._gone:
            raise PlanError("not-allowed", f"{entrant} has not left")
        del self._gone[entrant]
        self._ledger.forget_walkovers(entrant)
        self._refresh(*self._of[entrant])

    def _refresh(self, *pairings: str) -> None:
        for pairing in pairings:
            if pairing in self._fixtures:
                record = look(self._fixtures[pairing], self._ledger, self._gone, self._worth, self._closed)
                self._records[pairing] = record
                (self._open.discard if record.line.status == "done" else self._open.add)(pairing)

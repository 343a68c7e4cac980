"""What was recorded of each pairing.

A fact belongs to a pairing *and its two sides*: it counts whenever they meet there.
No fact is ever erased but by `undo`, so those whose sides went away count again when they come back.
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from tournaments.formats.bracket import Empty
from tournaments.formats.fixed import Fixed
from tournaments.formats.results import Correct, Fact, Pairing, PlanError, Sides

Slots = tuple[str | Empty, str | Empty]


@dataclass(frozen=True, slots=True)
class _Entry(Fixed):
    """`at` is None for a fact added at the end, else the place of the fact it replaces."""

    number: int
    sides: Sides
    fact: Fact
    at: int | None = None


@dataclass(frozen=True, slots=True)
class Stand(Fixed):
    """A pairing that keeps its slots. `seats`: the first-round sides it came from; `shape`: of what bracket."""

    number: int
    pairing: str
    slots: Slots
    seats: Mapping[str, Slots]
    shape: Hashable


class Ledger:
    """Facts by pairing, numbered as they came, with the corrections that can be taken back, newest last."""

    def __init__(self) -> None:
        self._number = 0
        self._entries: dict[str, list[_Entry]] = defaultdict(list)
        self._replays: dict[str, list[int]] = defaultdict(list)
        self._stands: dict[str, list[Stand]] = defaultdict(list)
        self._corrections: list[tuple[int, set[str]]] = []
        self._walkovers: dict[tuple[str, Sides], str] = {}

    def facts(self, pairing: str, sides: Sides) -> list[Fact]:
        """What counts for this pairing between these sides, in order, corrections applied."""
        if pairing not in self._entries:
            return []
        counted: list[Fact] = []
        since = self._since(pairing)
        for entry in self._entries[pairing]:
            if entry.sides != sides or entry.number < since:
                continue
            if entry.at is None or entry.at >= len(counted):
                counted.append(entry.fact)
            else:
                counted[entry.at] = entry.fact
        return counted

    def standing(self, pairing: str) -> Stand | None:
        """What a correction let stand in this pairing, whatever its feeders say."""
        stands = self._stands.get(pairing)
        if not stands or stands[-1].number < self._since(pairing):
            return None
        return stands[-1]

    def all_standing(self) -> list[Stand]:
        """Whatever stands, oldest first."""
        found = (self.standing(pairing) for pairing in self._stands)
        return sorted((stand for stand in found if stand is not None), key=lambda stand: stand.number)

    def add(self, pairing: str, sides: Sides, fact: Fact) -> None:
        """Records a fact after all others."""
        self._number += 1
        self._entries[pairing].append(_Entry(self._number, sides, fact))

    def correct(self, correct: Correct, sides: Sides, at: int) -> None:
        """Replaces the fact at place `at`, and remembers that this can be taken back."""
        self.choose()
        self._entries[correct.pairing].append(_Entry(self._number, sides, correct.fact, at))
        self._corrections[-1][1].add(correct.pairing)

    def choose(self) -> None:
        """A correction that has only something to say of later pairings: it was made in an earlier stage."""
        self._number += 1
        self._corrections.append((self._number, set()))

    def stand(
        self, pairing: str, slots: Slots, seats: Mapping[str, Slots] | None = None, shape: Hashable = None
    ) -> None:
        """As part of the newest correction: the pairing keeps these sides, whatever its feeders say."""
        number, pairings = self._corrections[-1]
        pairings.add(pairing)
        self._stands[pairing].append(Stand(number, pairing, slots, seats or {}, shape))

    def replay(self, pairing: str) -> None:
        """As part of the newest correction: nothing recorded of the pairing so far counts any more."""
        number, pairings = self._corrections[-1]
        pairings.add(pairing)
        self._replays[pairing].append(number)

    def undo(self) -> set[str]:
        """Takes the newest correction back, with all it said of later pairings, and returns which it spoke of.

        Raises:
            PlanError: `nothing-to-undo`.
        """
        if not self._corrections:
            raise PlanError("nothing-to-undo", "no correction is left to take back")
        number, pairings = self._corrections.pop()
        for pairing in pairings:
            self._entries[pairing] = [entry for entry in self._entries[pairing] if entry.number != number]
            self._replays[pairing] = [replay for replay in self._replays[pairing] if replay != number]
            self._stands[pairing] = [stand for stand in self._stands[pairing] if stand.number != number]
        return pairings

    def keep_walkover(self, pairing: str, sides: Sides, winner: str) -> None:
        """The winner has left, but did so after this walkover."""
        self._walkovers[pairing, sides] = winner

    def kept_walkover(self, pairing: str, sides: Sides) -> str | None:
        """Who has won this pairing by a walkover and left since; it holds where no fact decides."""
        return self._walkovers.get((pairing, sides))

    def forget_walkovers(self, loser: str) -> None:
        """The loser of these kept walkovers is back."""
        lost = [key for key, winner in self._walkovers.items() if loser in key[1] and loser != winner]
        for key in lost:
            del self._walkovers[key]

    def _since(self, pairing: str) -> int:
        replays = self._replays.get(pairing)
        return replays[-1] if replays else 0


def shown(slots: Slots) -> Sides:
    """Slots as a plan shows them: an empty side is None, and stands second once it is known to stay empty."""
    first, second = slots
    if isinstance(first, str):
        return first, second if isinstance(second, str) else None
    if not isinstance(second, str):
        return None, None
    return (None, second) if first is Empty.UNKNOWN else (second, None)


def check_sides(pairing: Pairing, fact: Fact) -> None:
    """Raises:
    PlanError: `not-allowed`, for a fact that names other sides than the pairing's.
    """
    if fact.sides is not None and fact.sides != pairing.sides:
        raise PlanError(
            "not-allowed", f"{pairing.id} is between {list(pairing.sides)}, not {list(fact.sides)}"
        )


def place_to_correct(ledger: Ledger, pairing: Pairing, decided_at: int | None, correct: Correct) -> int:
    """The place of the fact that a correction of this pairing replaces. `decided_at`: of the one that ended it.

    While the pairing is not done only a correction that names the match has something to replace.

    Raises:
        PlanError: `not-ready`, `not-allowed`.
    """
    if pairing.status != "done" and (pairing.status != "ready" or correct.match is None):
        raise PlanError("not-ready", f"{pairing.id} is {pairing.status}: there is nothing to correct")
    if None in pairing.sides:
        raise PlanError("not-allowed", f"{pairing.id} was decided without an opponent")
    check_sides(pairing, correct.fact)
    recorded = len(ledger.facts(pairing.id, pairing.sides))
    if correct.match is not None:
        if correct.match > recorded:
            raise PlanError("not-allowed", f"{pairing.id} has no match {correct.match}")
        return correct.match - 1
    return recorded if decided_at is None else decided_at

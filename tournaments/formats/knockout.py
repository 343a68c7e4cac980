"""An elimination in progress: who stands where, and what every log item changes.

Each pairing is a function of its two sides, of what is recorded for them, and of who has left. A change is
worked through the pairings it feeds, so one more result costs the depth of the bracket, not its size.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from tournaments.formats.bracket import Empty, Feeder, Node, Source
from tournaments.formats.ledger import Ledger, Stand, check_sides, place_to_correct
from tournaments.formats.protocol import Later
from tournaments.formats.results import (
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
from tournaments.formats.roads import Held, Roads
from tournaments.formats.spots import OPEN, Spot, look, taken


class Knockout:
    """A bracket's pairings under its log. `apply` takes an item whole, or raises and changes nothing."""

    def __init__(
        self, nodes: Sequence[Node], entrants: Collection[str], best_of: int, *, one_road: bool = False
    ) -> None:
        """`one_road`: who was let stand in a pairing comes nowhere else beside it (`roads.Held`)."""
        self._best_of = best_of
        self._one_road = one_road
        self._ledger = Ledger()
        self._gone: dict[str, Literal["withdrawn", "disqualified"]] = {}
        self.reseat(nodes, entrants)

    def reseat(self, nodes: Sequence[Node], entrants: Collection[str]) -> None:
        """Another bracket under the same record."""
        self._roads = Roads(nodes)
        self._nodes = self._roads.nodes
        self._shape = tuple(self._nodes)
        self._held = self._hold()
        self._entrants = frozenset(entrants)
        self._spots: dict[str, Spot] = {}
        self._open = 0
        for node in nodes:
            self._put(node.id, self._look(node))

    @property
    def gone(self) -> Collection[str]:
        """Entrants who have left and not come back."""
        return self._gone.keys()

    def pairings(self) -> tuple[Pairing, ...]:
        """Every pairing as it stands, in the bracket's order."""
        return tuple(spot.pairing for spot in self._spots.values())

    def finished(self) -> bool:
        """Whether every pairing is done, or nobody can reach it."""
        return not self._open

    def standing(self, nodes: Sequence[Node]) -> list[Stand]:
        """What stands and would in such a bracket, oldest first."""
        shape = tuple(node.id for node in nodes)
        return [stand for stand in self._ledger.all_standing() if stand.shape == shape]

    def apply(self, item: Item) -> None:
        """Takes one log item.

        Raises:
            PlanError: the item is refused, and nothing has changed.
        """
        match item:
            case Result() | Forfeit() | Rule():
                self._record(item)
            case Correct():
                self._correct(item)
            case Undo():
                self._undo()
            case Withdraw(entrant):
                self._leave(entrant, "withdrawn")
            case Disqualify(entrant):
                self._leave(entrant, "disqualified")
            case Reenter(entrant):
                self._reenter(entrant)
            case _:
                raise PlanError("not-allowed", f"an elimination takes no {type(item).__name__.lower()} item")

    # Results

    def _record(self, fact: Fact) -> None:
        pairing = self._spot(fact.pairing).pairing
        if pairing.status == "done":
            raise PlanError("already-done", f"{pairing.id} is already done")
        if pairing.status != "ready":
            raise PlanError("not-ready", f"{pairing.id} is {pairing.status}")
        check_sides(pairing, fact)
        self._ledger.add(pairing.id, pairing.sides, fact)
        self._refresh([pairing.id])

    def _spot(self, pairing: str) -> Spot:
        if pairing not in self._spots:
            raise PlanError("unknown-pairing", f"there is no pairing {pairing}")
        return self._spots[pairing]

    # Corrections

    def _correct(self, correct: Correct) -> None:
        spot = self._spot(correct.pairing)
        at = place_to_correct(self._ledger, spot.pairing, spot.decided_at, correct)
        below = self._roads.below(correct.pairing)
        for pairing in correct.later:
            self._spot(pairing)
            if pairing not in below:
                raise PlanError("not-allowed", f"{pairing} does not come after {correct.pairing}")
        self._check_later(correct.later)
        self._ledger.correct(correct, spot.pairing.sides, at)
        self._say_of(correct.later)
        self._settle([correct.pairing, *correct.later])

    def choose(self, later: Later) -> None:
        """What a correction in an earlier stage says of pairings here.

        Raises:
            PlanError: it is refused, and nothing has changed.
        """
        self._check_later(later)
        self._ledger.choose()
        self._say_of(later)
        self._settle(later)

    def _say_of(self, later: Later) -> None:
        slots = {pairing: self._spots[pairing].slots for pairing in later}
        for pairing, choice in later.items():
            if choice == "stand":
                self._ledger.stand(pairing, slots[pairing], self._roads.seats(pairing), self._shape)
            else:
                self._ledger.replay(pairing)

    def _check_later(self, later: Later) -> None:
        for pairing, choice in later.items():
            status = self._spot(pairing).pairing.status
            if choice == "stand" and status not in ("ready", "done"):
                raise PlanError("not-ready", f"{pairing} is {status}: there is nothing to let stand")

    def _undo(self) -> None:
        self._settle(pairing for pairing in self._ledger.undo() if pairing in self._nodes)

    def _settle(self, corrected: Iterable[str]) -> None:
        """Works a correction through; where something stands, the roads of all may be others."""
        before, self._held = self._held, self._hold()
        self._refresh(self._nodes if before or self._held else corrected)

    def _hold(self) -> Held:
        stands = self._ledger.all_standing() if self._one_road else []
        return Held(self._roads, (stand for stand in stands if stand.shape == self._shape))

    # Leaving and coming back

    def _leave(self, entrant: str, how: Literal["withdrawn", "disqualified"]) -> None:
        self._check_entrant(entrant)
        if self._gone.get(entrant) in (how, "disqualified"):
            raise PlanError("already-done", f"{entrant} is already {self._gone[entrant]}")
        if entrant not in self._gone:
            self._keep_walkovers(entrant)
        self._gone[entrant] = how
        self._refresh(self._pairings_of(entrant))

    def _keep_walkovers(self, winner: str) -> None:
        """What was won before leaving stays won."""
        for pairing in self._pairings_of(winner):
            line = self._spots[pairing].pairing
            if line.decided_by == "walkover" and line.winner == winner:
                self._ledger.keep_walkover(pairing, line.sides, winner)

    def _reenter(self, entrant: str) -> None:
        self._check_entrant(entrant)
        if entrant not in self._gone:
            raise PlanError("not-allowed", f"{entrant} has not left")
        lost = [pairing for pairing in self._pairings_of(entrant) if self._lost_by_leaving(pairing, entrant)]
        for pairing in lost:
            built_upon = self._played_after(pairing)
            if built_upon is not None:
                raise PlanError(
                    "not-allowed",
                    f"{entrant} left {pairing} to an opponent who has since played {built_upon}",
                )
        del self._gone[entrant]
        self._ledger.forget_walkovers(entrant)
        self._refresh(self._pairings_of(entrant))

    def _lost_by_leaving(self, pairing: str, entrant: str) -> bool:
        spot = self._spots[pairing]
        ended = spot.pairing.status in ("done", "void") and spot.decided_at is None
        return ended and spot.pairing.winner != entrant

    def _played_after(self, pairing: str) -> str | None:
        """The first pairing decided by play on the strength of this one that was not."""
        for fed in self._roads.fed[pairing]:
            spot = self._spots[fed]
            if spot.decided_at is not None:
                return fed
            if spot.pairing.status in ("done", "void"):
                further = self._played_after(fed)
                if further is not None:
                    return further
        return None

    def _check_entrant(self, entrant: str) -> None:
        if entrant not in self._entrants:
            raise PlanError("unknown-entrant", f"there is no entrant {entrant}")

    def _pairings_of(self, entrant: str) -> list[str]:
        return [id_ for id_, spot in self._spots.items() if entrant in spot.pairing.sides]

    # Working a change through the bracket

    def _refresh(self, pairings: Iterable[str]) -> None:
        queue = list(pairings)
        for pairing in queue:
            before = self._spots[pairing]
            now = self._look(self._nodes[pairing])
            self._put(pairing, now)
            was_open, is_open = before.pairing.status in OPEN, now.pairing.status in OPEN
            # Out of an open pairing nobody comes, whoever plays in it.
            if not (was_open and is_open) and (before.slots != now.slots or before.pairing != now.pairing):
                queue += self._roads.fed[pairing]

    def _put(self, pairing: str, spot: Spot) -> None:
        before = self._spots.get(pairing)
        self._open += (spot.pairing.status in OPEN) - (before is not None and before.pairing.status in OPEN)
        self._spots[pairing] = spot

    def _look(self, node: Node) -> Spot:
        first, second = node.sources
        stand = self._ledger.standing(node.id)
        if stand is not None and stand.shape == self._shape:
            slots = stand.slots
        else:
            slots = (self._slot(first), self._slot(second))
        return look(node, slots, self._ledger, self._gone, self._best_of)

    def _slot(self, source: Source) -> str | Empty:
        if not isinstance(source, Feeder):
            return source
        spot = self._spots[source.pairing]
        return self._held.taken(spot, source.takes) if self._held else taken(spot, source.takes)

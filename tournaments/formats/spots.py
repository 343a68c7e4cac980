"""One pairing of a bracket under its record: what its sides, its facts and those who left make of it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tournaments.formats.adjudicate import Decision, Tally, tally
from tournaments.formats.bracket import Empty, Node, Takes
from tournaments.formats.fixed import Fixed
from tournaments.formats.ledger import Ledger, Slots, shown
from tournaments.formats.results import Pairing, Sides

OPEN = ("waiting", "ready")


@dataclass(frozen=True, slots=True)
class Spot(Fixed):
    """A pairing as it stands. `decided_at`: the place of the recorded fact that ended it, or None."""

    pairing: Pairing
    slots: Slots
    decided_at: int | None = None


def look(
    node: Node,
    slots: Slots,
    ledger: Ledger,
    gone: Collection[str],
    best_of: int,
    *,
    draws_stand: bool = False,
) -> Spot:
    """The pairing between these slots, by what is recorded for its sides and by who has left."""
    sides = shown(slots)
    if Empty.UNKNOWN in slots:
        return Spot(Pairing(node.id, node.round, sides, "waiting"), slots)
    counted = tally(ledger.facts(node.id, sides), best_of, draws_stand=draws_stand)
    if counted.decision is not None:
        return Spot(_decided(node, sides, counted, counted.decision), slots, counted.decision.at)
    winner = ledger.kept_walkover(node.id, sides)
    if winner is not None:
        return Spot(Pairing(node.id, node.round, sides, "done", winner, "walkover"), slots)
    here = [side for side in sides if side is not None and side not in gone]
    if None in sides:
        return Spot(_alone(node, sides, slots, bool(here)), slots)
    return Spot(_between_two(node, sides, here, counted), slots)


def taken(spot: Spot, takes: Takes) -> str | Empty:
    """Who comes out of a pairing to a further one, or why nobody does."""
    if takes == "winner":
        return winner_of(spot.pairing)
    if takes == "loser":
        return loser_of(spot.pairing)
    if spot.pairing.status in OPEN:
        return Empty.UNKNOWN
    if spot.pairing.winner is None or spot.pairing.winner != spot.slots[1]:
        return Empty.OUT
    return spot.slots[0 if takes == "first again" else 1]


def winner_of(pairing: Pairing) -> str | Empty:
    """Who goes through, or why nobody does."""
    if pairing.status in OPEN:
        return Empty.UNKNOWN
    return pairing.winner or Empty.OUT


def loser_of(pairing: Pairing) -> str | Empty:
    """Who drops out, or why nobody does."""
    if pairing.status in OPEN:
        return Empty.UNKNOWN
    if pairing.decided_by == "bye":
        return Empty.BYE
    if pairing.winner is None:
        return Empty.OUT
    return next((side for side in pairing.sides if side not in (None, pairing.winner)), None) or Empty.OUT


def _decided(node: Node, sides: Sides, counted: Tally, decision: Decision) -> Pairing:
    winner = None if decision.winner is None else sides[decision.winner]
    return Pairing(
        node.id,
        node.round,
        sides,
        "done",
        winner,
        decision.decided_by,
        decision.score,
        counted.won,
        counted.dead_tables,
        counted.recorded,
    )


def _alone(node: Node, sides: Sides, slots: Slots, here: bool) -> Pairing:
    alone = sides[0]
    if alone is not None and Empty.BYE in slots:
        return Pairing(node.id, node.round, sides, "done", alone, "bye")
    if here:
        return Pairing(node.id, node.round, sides, "done", alone, "walkover")
    return Pairing(node.id, node.round, sides, "void")


def _between_two(node: Node, sides: Sides, here: Sequence[str], counted: Tally) -> Pairing:
    if len(here) == 2:
        return Pairing(
            node.id,
            node.round,
            sides,
            "ready",
            won=counted.won,
            dead_tables=counted.dead_tables,
            recorded=counted.recorded,
        )
    if here:
        return Pairing(node.id, node.round, sides, "done", here[0], "walkover")
    return Pairing(node.id, node.round, sides, "done", decided_by="double-forfeit")

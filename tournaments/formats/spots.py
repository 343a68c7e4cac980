"""One pairing of a bracket under its record: what its sides, its facts and those who left make of it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from tournaments.formats.adjudicate import Decision, Tally, tally
from tournaments.formats.bracket import Empty, Node, Takes
from tournaments.formats.ledger import Ledger, Slots, shown
from tournaments.formats.results import Pairing

OPEN = ("waiting", "ready")


@dataclass(frozen=True, slots=True)
class Spot:
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
    pairing = Pairing(node.id, node.round, shown(slots), "waiting")
    if Empty.UNKNOWN in slots:
        return Spot(pairing, slots)
    counted = tally(ledger.facts(node.id, pairing.sides), best_of, draws_stand=draws_stand)
    if counted.decision is not None:
        return Spot(_decided(pairing, counted, counted.decision), slots, counted.decision.at)
    winner = ledger.kept_walkover(node.id, pairing.sides)
    if winner is not None:
        return Spot(replace(pairing, status="done", winner=winner, decided_by="walkover"), slots)
    here = [side for side in pairing.sides if side is not None and side not in gone]
    if None in pairing.sides:
        return Spot(_alone(pairing, slots, bool(here)), slots)
    return Spot(_between_two(pairing, here, counted), slots)


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


def _decided(pairing: Pairing, counted: Tally, decision: Decision) -> Pairing:
    return replace(
        pairing,
        status="done",
        winner=None if decision.winner is None else pairing.sides[decision.winner],
        decided_by=decision.decided_by,
        score=decision.score,
        won=counted.won,
        dead_tables=counted.dead_tables,
    )


def _alone(pairing: Pairing, slots: Slots, here: bool) -> Pairing:
    alone = pairing.sides[0]
    if alone is not None and Empty.BYE in slots:
        return replace(pairing, status="done", winner=alone, decided_by="bye")
    if here:
        return replace(pairing, status="done", winner=alone, decided_by="walkover")
    return replace(pairing, status="void")


def _between_two(pairing: Pairing, here: Sequence[str], counted: Tally) -> Pairing:
    if len(here) == 2:
        return replace(pairing, status="ready", won=counted.won, dead_tables=counted.dead_tables)
    if here:
        return replace(pairing, status="done", winner=here[0], decided_by="walkover")
    return replace(pairing, status="done", decided_by="double-forfeit")

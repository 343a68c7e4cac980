"""One pairing of a round robin or a Swiss under its record: its line, and what it is worth in the standings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tournaments.formats.adjudicate import Tally, tally
from tournaments.formats.fixed import Fixed
from tournaments.formats.ledger import Ledger
from tournaments.formats.results import Fact, Pairing, Result, Score, Sides
from tournaments.formats.settings import Points

Gone = Mapping[str, Literal["withdrawn", "disqualified"]]
PLAYED = ("target", "round-cap", "last-round", "draw", "ruling")
NOTHING: Score = (0, 0)


@dataclass(frozen=True, slots=True)
class Fixture(Fixed):
    """Who meets whom, whatever happens; without a second side it is a bye.

    `wave`: what may follow from a pairing has a greater one. A play-off (`play_off`) is for the order of two.
    """

    id: str
    round: int
    sides: Sides
    wave: int = 0
    play_off: bool = False


@dataclass(frozen=True, slots=True)
class Record(Fixed):
    """A pairing as it stands, with what the standings read of it, by side.

    `met`: played at a table, so that either counts as the other's opponent. `last_gained`: drawn matches whose
    last counted round the side gained. `decided_at`: the place of the recorded fact that ended it, or None.
    """

    line: Pairing
    points: Score = NOTHING
    met: bool = False
    deals: Score = NOTHING
    contracts: Score = NOTHING
    last_gained: Score = NOTHING
    decided_at: int | None = None


@dataclass(frozen=True, slots=True)
class Worth(Fixed):
    """What a pairing is decided by: how many matches it is, and what each outcome is worth."""

    best_of: int
    points: Points


def look(
    fixture: Fixture, ledger: Ledger, gone: Gone, worth: Worth, closed: Mapping[str, str | None]
) -> Record:
    """The pairing by what is recorded for it and by who has left.

    Args:
        fixture: the pairing.
        ledger: what was recorded.
        gone: who has left, and how.
        worth: best of how many; points.
        closed: who won the walkovers of rounds that are over; None where neither side came.
    """
    line = Pairing(fixture.id, fixture.round, fixture.sides, "ready")
    if None in fixture.sides:
        return _bye(line, worth.points)
    facts = ledger.facts(fixture.id, fixture.sides)
    counted = tally(facts, worth.best_of, draws_stand=not fixture.play_off)
    if counted.decision is not None:
        line = _sent_away(_decided(line, counted), gone)
        return _counted(line, facts, worth.points, counted.decision.at)
    line = replace(line, won=counted.won, dead_tables=counted.dead_tables, recorded=counted.recorded)
    return _scored(_undecided(line, ledger, gone, closed), worth.points)


def _bye(line: Pairing, points: Points) -> Record:
    alone = replace(line, status="done", winner=line.sides[0], decided_by="bye")
    return Record(alone, (points.bye, 0))


def _decided(line: Pairing, counted: Tally) -> Pairing:
    decision = counted.decision
    assert decision is not None
    return replace(
        line,
        status="done",
        winner=None if decision.winner is None else line.sides[decision.winner],
        decided_by=decision.decided_by,
        score=decision.score,
        won=counted.won,
        dead_tables=counted.dead_tables,
        recorded=counted.recorded,
    )


def _sent_away(line: Pairing, gone: Gone) -> Pairing:
    """What the disqualified played counts as their forfeit."""
    clean = [side for side in line.sides if side is not None and gone.get(side) != "disqualified"]
    if len(clean) == 2 or line.decided_by not in PLAYED:
        return line
    winner = clean[0] if clean else None
    decided_by: Literal["forfeit", "double-forfeit"] = "forfeit" if clean else "double-forfeit"
    return replace(line, winner=winner, decided_by=decided_by, score=None, won=NOTHING)


def _undecided(line: Pairing, ledger: Ledger, gone: Gone, closed: Mapping[str, str | None]) -> Pairing:
    """A pairing that no fact decides: open, unless somebody does not come."""
    kept = closed[line.id] if line.id in closed else ledger.kept_walkover(line.id, line.sides)
    here = [side for side in line.sides if side is not None and side not in gone]
    if len(here) == 2 and line.id not in closed:
        return line
    winner = kept if kept is not None or line.id in closed else next(iter(here), None)
    return replace(
        line, status="done", winner=winner, decided_by="double-forfeit" if winner is None else "walkover"
    )


def _scored(line: Pairing, points: Points) -> Record:
    if line.status != "done":
        return Record(line)
    return Record(line, (_points(line, 0, points), _points(line, 1, points)))


def _counted(line: Pairing, facts: Sequence[Fact], points: Points, decided_at: int) -> Record:
    scored = _scored(line, points)
    if line.decided_by not in PLAYED:
        return replace(scored, decided_at=decided_at)
    played = [fact for fact in facts[: decided_at + 1] if isinstance(fact, Result)]
    gained = [fact.last_gainer for fact in played if fact.kind == "draw"]
    return Record(
        line,
        scored.points,
        True,
        _sum(fact.deals for fact in played),
        _sum(fact.contracts for fact in played),
        (gained.count(0), gained.count(1)),
        decided_at,
    )


def _points(line: Pairing, side: int, points: Points) -> int:
    if line.decided_by == "draw":
        return points.draw
    if line.winner is not None and line.winner == line.sides[side]:
        return points.win
    return points.loss if line.decided_by in PLAYED else points.forfeit


def _sum(scores: Iterable[Score | None]) -> Score:
    told = [score for score in scores if score is not None]
    return sum(score[0] for score in told), sum(score[1] for score in told)

"""How matches decide a pairing: the one place that says who goes through, and why."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.formats.results import DecidedBy, Fact, Forfeit, Kind, PlanError, Result, Rule, Score


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished match as its table knows it: points by side; winner and last gainer are sides or None."""

    kind: Kind
    score: Score
    winner: int | None = None
    last_gainer: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a match means for its pairing: the log item to append, the side that won it, and why.

    `replay` is true for a dead table that is to be played once more; winner and reason are None then.
    """

    item: Result
    winner: int | None
    decided_by: DecidedBy | None
    replay: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """How a pairing ended; `at` is the place of the fact that ended it."""

    winner: int | None
    decided_by: DecidedBy
    score: Score | None
    at: int


@dataclass(frozen=True, slots=True)
class Tally:
    """A pairing's facts, counted: `decision` is None while more is to be played."""

    decision: Decision | None
    won: Score = (0, 0)
    dead_tables: int = 0


def adjudicate(
    outcome: Outcome, *, pairing: str, sides: tuple[str, str] | None = None, dead_tables: int = 0
) -> Verdict:
    """What a finished match means in an elimination.

    Target reached: its winner. Round cap: more points. Level at the cap: recorded as a draw, and the side
    that gained in the last counted round goes through. Dead table: replayed once, then both sides are out.

    Args:
        outcome: the match's facts.
        pairing: id of the pairing it was played for.
        sides: the entrants who sat down, side 0 first; a plan refuses the item once the pairing is others'.
        dead_tables: how many dead tables this pairing has had before (`Pairing.dead_tables`).

    Raises:
        PlanError: `malformed`, where the facts contradict each other.
    """
    last_gainer = outcome.last_gainer if outcome.kind == "draw" else None
    item = Result(pairing, outcome.kind, outcome.score, last_gainer, sides)
    if outcome.kind == "no-result":
        return Verdict(item, None, "double-forfeit" if dead_tables else None, replay=not dead_tables)
    winner, decided_by = match_winner(item)
    claimed = None if outcome.kind == "draw" else winner
    if outcome.winner != claimed:
        raise PlanError(
            "malformed", f"a {outcome.kind} at {list(outcome.score)} was not won by {outcome.winner}"
        )
    return Verdict(item, winner, decided_by)


def match_winner(result: Result) -> tuple[int, DecidedBy]:
    """The side that goes through after a match that was played out, and the reason.

    Raises:
        ValueError: a dead table has no winner.
    """
    if result.kind == "no-result" or result.score is None:
        raise ValueError("a dead table has no winner")
    if result.kind == "draw" and result.last_gainer is not None:
        return result.last_gainer, "last-round"
    winner = 0 if result.score[0] > result.score[1] else 1
    return winner, "target" if result.kind == "target" else "round-cap"


def tally(facts: Sequence[Fact], best_of: int) -> Tally:
    """The facts of one pairing and its two sides, counted in order until they decide it."""
    won = [0, 0]
    dead_tables = 0
    for at, fact in enumerate(facts):
        if not isinstance(fact, Result):
            return Tally(_settled(fact, at), (won[0], won[1]), dead_tables)
        if fact.kind == "no-result":
            dead_tables += 1
            if dead_tables == 2:
                return Tally(Decision(None, "double-forfeit", None, at), (won[0], won[1]), dead_tables)
            continue
        winner, decided_by = match_winner(fact)
        won[winner] += 1
        if won[winner] > best_of // 2:
            score = fact.score if best_of == 1 else (won[0], won[1])
            return Tally(Decision(winner, decided_by, score, at), (won[0], won[1]), dead_tables)
    return Tally(None, (won[0], won[1]), dead_tables)


def _settled(fact: Forfeit | Rule, at: int) -> Decision:
    """What decides without a match."""
    if isinstance(fact, Rule):
        return Decision(fact.winner, "ruling", None, at)
    if fact.side == "both":
        return Decision(None, "double-forfeit", None, at)
    return Decision(1 - fact.side, "forfeit", None, at)

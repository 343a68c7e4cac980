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
    """A pairing's facts, counted: `decision` is None while more is to be played. `recorded`: how many there are."""

    decision: Decision | None
    won: Score = (0, 0)
    dead_tables: int = 0
    recorded: int = 0


NOTHING = Tally(None)


def adjudicate(
    outcome: Outcome,
    *,
    pairing: str,
    sides: tuple[str, str] | None = None,
    dead_tables: int = 0,
    draws_stand: bool = False,
) -> Verdict:
    """What a finished match means for its pairing.

    Target reached: its winner. Round cap: more points. Level at the cap: recorded as a draw; in an elimination
    the side that gained in the last counted round goes through. Dead table: replayed once, then both are out.

    Args:
        outcome: the match's facts.
        pairing: id of the pairing it was played for.
        sides: the entrants who sat down, side 0 first; a plan refuses the item once the pairing is others'.
        dead_tables: how many dead tables this pairing has had before (`Pairing.dead_tables`).
        draws_stand: whether the format leaves a draw a draw (`plan.draws_stand`).

    Raises:
        PlanError: `malformed`, where the facts contradict each other.
    """
    last_gainer = outcome.last_gainer if outcome.kind == "draw" else None
    item = Result(pairing, outcome.kind, outcome.score, last_gainer, sides)
    if outcome.kind == "no-result":
        return Verdict(item, None, "double-forfeit" if dead_tables else None, replay=not dead_tables)
    winner, decided_by = match_winner(item, draws_stand=draws_stand)
    claimed = None if outcome.kind == "draw" else winner
    if outcome.winner != claimed:
        raise PlanError(
            "malformed", f"a {outcome.kind} at {list(outcome.score)} was not won by {outcome.winner}"
        )
    return Verdict(item, winner, decided_by)


def match_winner(result: Result, *, draws_stand: bool = False) -> tuple[int | None, DecidedBy]:
    """The side that a match which was played out goes to, and the reason; None for a draw that stands.

    Raises:
        ValueError: a dead table has no winner.
    """
    if result.kind == "no-result" or result.score is None:
        raise ValueError("a dead table has no winner")
    if result.kind == "draw" and draws_stand:
        return None, "draw"
    if result.kind == "draw" and result.last_gainer is not None:
        return result.last_gainer, "last-round"
    winner = 0 if result.score[0] > result.score[1] else 1
    return winner, "target" if result.kind == "target" else "round-cap"


def tally(facts: Sequence[Fact], best_of: int, *, draws_stand: bool = False) -> Tally:
    """The facts of one pairing and its two sides, counted in order until they decide it.

    Where draws stand, a drawn match counts for neither side; when all matches of a best-of are played without
    a majority, more wins take it, and level is a draw.
    """
    if not facts:
        return NOTHING
    count = _Count(best_of, draws_stand)
    for at, fact in enumerate(facts):
        decision = count.take(fact, at)
        if decision is not None:
            return Tally(decision, (count.won[0], count.won[1]), count.dead_tables, len(facts))
    return Tally(None, (count.won[0], count.won[1]), count.dead_tables, len(facts))


class _Count:
    """The matches of one pairing, as they are counted."""

    def __init__(self, best_of: int, draws_stand: bool) -> None:
        self.won = [0, 0]
        self.dead_tables = 0
        self._reasons: list[DecidedBy] = ["draw", "draw"]
        self._left = best_of
        self._majority = best_of // 2 + 1
        self._best_of = best_of
        self._draws_stand = draws_stand

    def take(self, fact: Fact, at: int) -> Decision | None:
        """One fact more: what it decides, or None."""
        if not isinstance(fact, Result):
            return _settled(fact, at)
        if fact.kind == "no-result":
            self.dead_tables += 1
            return Decision(None, "double-forfeit", None, at) if self.dead_tables == 2 else None
        winner, decided_by = match_winner(fact, draws_stand=self._draws_stand)
        self._left -= 1
        if winner is not None:
            self.won[winner] += 1
            self._reasons[winner] = decided_by
        if self._left and max(self.won) < self._majority:
            return None
        return self._ended(fact, at)

    def _ended(self, last: Result, at: int) -> Decision:
        score = last.score if self._best_of == 1 else (self.won[0], self.won[1])
        if self.won[0] == self.won[1]:
            return Decision(None, "draw", score, at)
        winner = 0 if self.won[0] > self.won[1] else 1
        return Decision(winner, self._reasons[winner], score, at)


def _settled(fact: Forfeit | Rule, at: int) -> Decision:
    """What decides without a match."""
    if isinstance(fact, Rule):
        return Decision(fact.winner, "ruling", None, at)
    if fact.side == "both":
        return Decision(None, "double-forfeit", None, at)
    return Decision(1 - fact.side, "forfeit", None, at)

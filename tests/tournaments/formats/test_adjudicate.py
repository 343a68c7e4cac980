from typing import Any

import pytest

from tournaments.formats.adjudicate import Outcome, Verdict, adjudicate, match_winner
from tournaments.formats.entrants import Entrant
from tournaments.formats.plan import plan
from tournaments.formats.results import PlanError, Result
from tournaments.formats.settings import Settings


@pytest.mark.parametrize(
    ("outcome", "winner", "decided_by"),
    [
        (Outcome("target", (31, 12), winner=0), 0, "target"),
        (Outcome("target", (-9, 33), winner=1, last_gainer=1), 1, "target"),
        (Outcome("round-cap", (30, 29), winner=0, last_gainer=1), 0, "round-cap"),
        (Outcome("round-cap", (-4, -3), winner=1), 1, "round-cap"),
        (Outcome("draw", (28, 28), last_gainer=0), 0, "last-round"),
        (Outcome("draw", (-5, -5), last_gainer=1), 1, "last-round"),
    ],
)
def test_adjudicate_names_the_winner_and_the_reason(outcome: Outcome, winner: int, decided_by: str) -> None:
    verdict = adjudicate(outcome, pairing="R1.1", sides=("e1", "e2"))
    assert (verdict.winner, verdict.decided_by, verdict.replay) == (winner, decided_by, False)
    computed = plan(Settings(), [Entrant("e1", seed=1), Entrant("e2", seed=2)], [verdict.item]).pairings[0]
    assert (computed.winner, computed.decided_by) == (f"e{winner + 1}", decided_by)
    assert computed.score == outcome.score


def test_adjudicate_records_a_draw_as_a_draw() -> None:
    verdict = adjudicate(Outcome("draw", (28, 28), last_gainer=1), pairing="R2.1", sides=("e4", "e2"))
    item = Result("R2.1", "draw", (28, 28), last_gainer=1, sides=("e4", "e2"))
    assert verdict == Verdict(item, winner=1, decided_by="last-round")


def test_adjudicate_replays_a_dead_table_once_and_then_both_are_out() -> None:
    entrants = [Entrant("e1"), Entrant("e2")]
    dead_table = Outcome("no-result", (3, -7))
    first = adjudicate(dead_table, pairing="R1.1")
    assert (first.winner, first.decided_by, first.replay) == (None, None, True)
    pairing = plan(Settings(), entrants, [first.item]).pairings[0]
    assert (pairing.status, pairing.dead_tables) == ("ready", 1)
    second = adjudicate(dead_table, pairing="R1.1", dead_tables=pairing.dead_tables)
    assert (second.winner, second.decided_by, second.replay) == (None, "double-forfeit", False)
    pairing = plan(Settings(), entrants, [first.item, second.item]).pairings[0]
    assert (pairing.status, pairing.winner, pairing.decided_by) == ("done", None, "double-forfeit")


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome("target", (31, 12), winner=1),
        Outcome("target", (31, 12)),
        Outcome("round-cap", (20, 20), winner=0),
        Outcome("round-cap", (20, 21), winner=0),
        Outcome("draw", (20, 21), last_gainer=0),
        Outcome("draw", (20, 20)),
        Outcome("draw", (20, 20), winner=0, last_gainer=0),
    ],
)
def test_adjudicate_refuses_facts_that_contradict_each_other(outcome: Outcome) -> None:
    with pytest.raises(PlanError) as refusal:
        adjudicate(outcome, pairing="R1.1")
    assert refusal.value.code == "malformed"


def test_a_dead_table_has_no_winner() -> None:
    with pytest.raises(ValueError, match="a dead table has no winner"):
        match_winner(Result("R1.1", "no-result"))


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "target", "score": None},
        {"kind": "target", "score": (31, 31)},
        {"kind": "round-cap", "score": (5, 5)},
        {"kind": "draw", "score": (5, 6), "last_gainer": 0},
        {"kind": "draw", "score": (5, 5)},
        {"kind": "draw", "score": (5, 5), "last_gainer": 2},
    ],
)
def test_a_result_that_contradicts_itself_is_malformed(fields: dict[str, Any]) -> None:
    with pytest.raises(PlanError) as refusal:
        Result("R1.1", **fields)
    assert refusal.value.code == "malformed"

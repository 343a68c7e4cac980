"""What pages say of a table and its rounds."""

from typing import Any

import pytest

from tests.tournaments.formats.notes import drawn, plan_of, tournament, won
from tournaments.formats.explain import forbidden_meetings, rematches, terms
from tournaments.formats.swiss import most_rounds, usual_rounds
from tournaments.formats.tiebreaks import Term

Json = dict[str, Any]


def test_a_value_is_told_term_by_term() -> None:
    log = [won("R1.1", 0), drawn("R1.2", 0), won("R2.1", 0), won("R2.2", 0)]
    running = tournament(4, *log, format="swiss", tiebreaks=["buchholz"])
    assert [(one.entrant, one.points, dict(one.tiebreaks)) for one in running.plan().standings] == [
        ("e1", 4, {"buchholz": 1}),
        ("e4", 3, {"buchholz": 1}),
        ("e2", 1, {"buchholz": 7}),
        ("e3", 0, {"buchholz": 7}),
    ]
    assert terms(running, "e2", "buchholz") == (Term("e4", "R1.2", 3), Term("e1", "R2.1", 4))
    assert terms(running, "e2", "points") == (Term("e4", "R1.2", 1), Term("e1", "R2.1", 0))
    assert terms(running, "e9", "points") == ()


def test_an_elimination_has_no_values_to_tell() -> None:
    assert terms(tournament(4, won("R1.1", 0)), "e1", "points") == ()


def test_a_stage_names_pairings_as_the_plan_does() -> None:
    stages: list[Json] = [{"format": "round_robin"}, {"format": "single_elimination", "qualify": 2}]
    running = tournament(3, won("1:G1R1.1", 0), format="stages", stages=stages)
    assert terms(running, "e2", "points", stage=1) == (Term("e3", "1:G1R1.1", 2),)
    assert terms(running, "e2", "lot", stage=1)[0].pairing is None
    assert terms(running, "e2", "points", stage=2) == ()


def test_forbidden_pairs_that_met_all_the_same_are_reported() -> None:
    forbidden: Json = {"forbidden": [["e1", "e2"], ["e1", "e3"]]}
    log = [won(f"R1.{n}", 0) for n in (1, 2)] + [won(f"R2.{n}", 0) for n in (1, 2)]
    pairs = frozenset(map(frozenset, forbidden["forbidden"]))
    first = plan_of(4, format="swiss", rounds=3, **forbidden)
    assert forbidden_meetings(first.pairings, pairs) == ()
    assert first.pairings[0].sides == ("e1", "e4")
    last = plan_of(4, *log, format="swiss", rounds=3, **forbidden)
    assert len(forbidden_meetings(last.pairings, pairs)) == 2


def test_rematches_are_reported_with_the_meeting_before() -> None:
    plan = plan_of(2, won("R1.1", 0), won("R2.1", 0), format="swiss", rounds=3)
    assert rematches(plan.pairings) == {"R2.1": "R1.1", "R3.1": "R2.1"}
    assert rematches(plan_of(3, won("R1.1", 0), format="swiss").pairings) == {}


@pytest.mark.parametrize(
    ("entrants", "usual", "most"), [(0, 1, 1), (2, 1, 1), (3, 2, 3), (6, 3, 5), (8, 3, 7), (9, 4, 9)]
)
def test_how_many_rounds_are_usual_and_how_many_possible(entrants: int, usual: int, most: int) -> None:
    assert (usual_rounds(entrants), most_rounds(entrants)) == (usual, most)

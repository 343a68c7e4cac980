"""A corrected result, what it takes with it, and what comes back when it is undone."""

from typing import Any

import pytest

from tests.tournaments.formats.notes import (
    UNDO,
    correct,
    dead,
    drawn,
    forfeit,
    line,
    lines,
    plan_of,
    printed,
    ranks,
    rule,
    withdraw,
    won,
)

ROUND_1 = [won("R1.1", 0), won("R1.2", 0)]
PLAYED = [*ROUND_1, won("R2.1", 1), won("P3", 0)]


def four(*log: dict[str, Any]) -> dict[str, str]:
    return lines(4, *log, third_place=True)


def test_a_correction_of_the_winner_takes_later_results_with_it() -> None:
    assert four(*PLAYED) == {
        "R1.1": "e1 - e4  done: e1 by target 31:12",
        "R1.2": "e2 - e3  done: e2 by target 31:12",
        "R2.1": "e1 - e2  done: e2 by target 12:31",
        "P3": "e4 - e3  done: e4 by target 31:12",
    }
    log = [*PLAYED, correct(won("R1.1", 1))]
    assert four(*log) == {
        "R1.1": "e1 - e4  done: e4 by target 12:31",
        "R1.2": "e2 - e3  done: e2 by target 31:12",
        "R2.1": "e4 - e2  ready",
        "P3": "e1 - e3  ready",
    }
    plan = plan_of(4, *log, third_place=True)
    assert (plan.touched, plan.finished, plan.champion) == (("R1.1", "R2.1", "P3"), False, None)
    assert ranks(plan) == "1 e1, 1 e2, 1 e3, 1 e4"


def test_undo_brings_back_what_the_correction_took() -> None:
    plan = plan_of(4, *PLAYED, correct(won("R1.1", 1)), UNDO, third_place=True)
    assert plan.touched == ("R1.1", "R2.1", "P3")
    before = printed(4, *PLAYED, third_place=True)
    assert printed(4, *PLAYED, correct(won("R1.1", 1)), UNDO, third_place=True) == before | {
        "touched": ["R1.1", "R2.1", "P3"]
    }


def test_a_correction_of_the_score_alone_touches_nothing_else() -> None:
    fixed = correct(won("R1.1", 0) | {"score": [33, 5]})
    assert four(*PLAYED, fixed) == four(*PLAYED) | {"R1.1": "e1 - e4  done: e1 by target 33:5"}
    assert plan_of(4, *PLAYED, fixed, third_place=True).touched == ("R1.1",)


def test_a_correction_that_says_the_same_still_names_its_pairing() -> None:
    assert plan_of(4, *PLAYED[:3], correct(won("R1.1", 0))).touched == ("R1.1",)


def test_only_corrections_and_departures_touch() -> None:
    assert plan_of(4, *ROUND_1).touched == ()
    assert plan_of(4, won("R1.1", 0), correct(won("R1.1", 1)), won("R1.2", 0)).touched == ()
    assert plan_of(4, withdraw("e4")).touched == ("R1.1", "R2.1")


def test_a_chain_of_results_falls_and_comes_back_as_the_sides_do() -> None:
    played = [won(f"R1.{n}", 0) for n in (1, 2, 3, 4)] + [won("R2.1", 0), won("R2.2", 0), won("R3.1", 0)]
    fallen = lines(8, *played, correct(won("R1.1", 1)))
    assert fallen["R2.1"] == "e8 - e4  ready"
    assert fallen["R3.1"] == ". - e2  waiting"
    assert fallen["R2.2"] == "e2 - e3  done: e2 by target 31:12"
    assert plan_of(8, *played, correct(won("R1.1", 1))).touched == ("R1.1", "R2.1", "R3.1")
    # e4 beats e8 instead of e1: the final is between others than those who played it.
    assert lines(8, *played, correct(won("R1.1", 1)), won("R2.1", 1))["R3.1"] == "e4 - e2  ready"
    assert lines(8, *played, correct(won("R1.1", 1)), correct(won("R1.1", 0))) == lines(8, *played)


def test_results_of_a_corrected_bracket_rest_when_the_correction_is_undone() -> None:
    changed = [*ROUND_1, won("R2.1", 0), correct(won("R1.2", 1)), won("R2.1", 1)]
    assert lines(4, *changed)["R2.1"] == "e1 - e3  done: e3 by target 12:31"
    assert lines(4, *changed, UNDO)["R2.1"] == "e1 - e2  done: e1 by target 31:12"
    assert lines(4, *changed, UNDO, correct(won("R1.2", 1)))["R2.1"] == "e1 - e3  done: e3 by target 12:31"


def test_corrections_are_undone_one_by_one_newest_first() -> None:
    log = [*PLAYED, correct(won("R1.1", 1)), correct(won("R1.2", 1)), correct(rule("R1.1", 0))]
    assert four(*log)["R2.1"] == "e1 - e3  ready"
    assert four(*log, UNDO) == four(*log[:-1])
    assert four(*log, UNDO, UNDO) == four(*log[:-2])
    assert four(*log, UNDO, UNDO, UNDO) == four(*PLAYED)


@pytest.mark.parametrize(
    ("fix", "expected"),
    [
        (drawn("R1.1", 1), "e1 - e4  done: e4 by last-round 28:28"),
        (won("R1.1", 1) | {"kind": "round-cap"}, "e1 - e4  done: e4 by round-cap 12:31"),
        (forfeit("R1.1", 0), "e1 - e4  done: e4 by forfeit"),
        (forfeit("R1.1", "both"), "e1 - e4  done: nobody by double-forfeit"),
        (rule("R1.1", 1), "e1 - e4  done: e4 by ruling"),
        (dead("R1.1"), "e1 - e4  ready"),
    ],
)
def test_a_correction_may_be_a_result_a_forfeit_or_a_ruling(fix: dict[str, Any], expected: str) -> None:
    assert lines(4, *ROUND_1, correct(fix))["R1.1"] == expected


def test_a_correction_to_a_double_forfeit_hands_a_walkover_up_and_takes_it_back() -> None:
    log = [*PLAYED, correct(forfeit("R1.1", "both"))]
    assert four(*log) == {
        "R1.1": "e1 - e4  done: nobody by double-forfeit",
        "R1.2": "e2 - e3  done: e2 by target 31:12",
        "R2.1": "e2 - .  done: e2 by walkover",
        "P3": "e3 - .  done: e3 by walkover",
    }
    assert plan_of(4, *log, third_place=True).champion == "e2"
    assert four(*log, UNDO) == four(*PLAYED)


def test_a_pairing_reopened_by_a_correction_can_be_played_and_the_undo_restores_it() -> None:
    reopened = [*PLAYED, correct(dead("R1.1"))]
    assert four(*reopened)["R2.1"] == ". - e2  waiting"
    assert four(*reopened, dead("R1.1"))["R1.1"] == "e1 - e4  done: nobody by double-forfeit"
    replayed = [*reopened, won("R1.1", 1)]
    assert four(*replayed)["R2.1"] == "e4 - e2  ready"
    assert four(*replayed, UNDO) == four(*PLAYED)


def test_a_later_pairing_that_stands_keeps_its_sides_and_its_result() -> None:
    log = [*PLAYED, correct(won("R1.1", 1), R2_1="stand")]
    assert four(*log) == {
        "R1.1": "e1 - e4  done: e4 by target 12:31",
        "R1.2": "e2 - e3  done: e2 by target 31:12",
        "R2.1": "e1 - e2  done: e2 by target 12:31",
        "P3": "e1 - e3  ready",
    }
    plan = plan_of(4, *log, third_place=True)
    assert (plan.touched, ranks(plan)) == (("R1.1", "P3"), "1 e1, 1 e2, 1 e3, 3 e4 out")
    assert four(*log, UNDO) == four(*PLAYED)


def test_a_pairing_in_play_can_stand_too() -> None:
    log = [*ROUND_1, correct(won("R1.1", 1), R2_1="stand")]
    assert lines(4, *log)["R2.1"] == "e1 - e2  ready"
    assert lines(4, *log, won("R2.1", 0))["R2.1"] == "e1 - e2  done: e1 by target 31:12"
    assert plan_of(4, *log, won("R2.1", 0)).champion == "e1"
    assert lines(4, *log, won("R2.1", 0), UNDO)["R2.1"] == "e1 - e2  done: e1 by target 31:12"


def test_what_stands_stands_through_later_corrections_until_it_is_replayed() -> None:
    log = [*PLAYED[:3], correct(won("R1.1", 1), R2_1="stand"), correct(won("R1.2", 1))]
    assert lines(4, *log)["R2.1"] == "e1 - e2  done: e2 by target 12:31"
    released = [*log, correct(won("R1.2", 0), R2_1="replay")]
    assert lines(4, *released)["R2.1"] == "e4 - e2  ready"
    assert lines(4, *released, UNDO) == lines(4, *log)


def test_a_walkover_that_stands_stays_a_walkover() -> None:
    log = [won("R1.2", 0), forfeit("R1.1", "both"), correct(won("R1.1", 1), R2_1="stand")]
    assert lines(4, *log)["R2.1"] == "e2 - .  done: e2 by walkover"
    assert lines(4, *log, UNDO) == lines(4, *log[:2])
    assert lines(4, *log, withdraw("e2"))["R2.1"] == "e2 - .  done: e2 by walkover"


def test_a_later_pairing_is_replayed_though_its_sides_are_the_same() -> None:
    fixed = won("R1.1", 0) | {"score": [31, 30]}
    log = [*PLAYED[:3], correct(fixed, R2_1="replay")]
    assert lines(4, *log)["R2.1"] == "e1 - e2  ready"
    assert plan_of(4, *log).touched == ("R1.1", "R2.1")
    assert lines(4, *log, won("R2.1", 0))["R2.1"] == "e1 - e2  done: e1 by target 31:12"
    assert lines(4, *log, UNDO) == lines(4, *PLAYED[:3])


def test_a_replay_that_is_asked_for_does_not_count_a_result_that_comes_back() -> None:
    first = [*PLAYED[:3], correct(won("R1.1", 1))]
    assert lines(4, *first, correct(won("R1.1", 0)))["R2.1"] == "e1 - e2  done: e2 by target 12:31"
    assert lines(4, *first, correct(won("R1.1", 0), R2_1="replay"))["R2.1"] == "e1 - e2  ready"


def test_a_correction_of_a_later_pairing_belongs_to_its_sides_too() -> None:
    log = [*PLAYED[:3], correct(won("R2.1", 0)), correct(won("R1.1", 1))]
    assert lines(4, *log)["R2.1"] == "e4 - e2  ready"
    assert lines(4, *log, UNDO)["R2.1"] == "e1 - e2  done: e1 by target 31:12"
    assert lines(4, *log, UNDO, UNDO)["R2.1"] == "e1 - e2  done: e2 by target 12:31"


def test_in_a_best_of_the_deciding_match_is_corrected_or_the_one_named() -> None:
    played = [won("R1.1", 0), won("R1.1", 1), won("R1.1", 0)]
    assert lines(2, *played, correct(won("R1.1", 1)), best_of=3)["R1.1"] == "e1 - e2  done: e2 by target 1:2"
    third_was_idle = correct(won("R1.1", 0)) | {"match": 2}
    assert lines(2, *played, third_was_idle, best_of=3)["R1.1"] == "e1 - e2  done: e1 by target 2:0"
    two_nil = [won("R1.1", 0), won("R1.1", 0), correct(won("R1.1", 1)) | {"match": 1}]
    assert lines(2, *two_nil, best_of=3)["R1.1"] == "e1 - e2  ready"
    assert lines(2, *two_nil, won("R1.1", 1), best_of=3)["R1.1"] == "e1 - e2  done: e2 by target 1:2"


def test_a_match_of_a_best_of_that_goes_on_is_corrected_by_its_number() -> None:
    first_wrong = [won("R1.1", 0), correct(won("R1.1", 1)) | {"match": 1}]
    level = [won("R1.1", 0), won("R1.1", 1), correct(won("R1.1", 0)) | {"match": 2}]
    assert lines(2, *first_wrong, won("R1.1", 1), best_of=3)["R1.1"] == "e1 - e2  done: e2 by target 0:2"
    assert lines(2, *first_wrong, UNDO, won("R1.1", 0), best_of=3)["R1.1"] == (
        "e1 - e2  done: e1 by target 2:0"
    )
    assert lines(2, *level, best_of=3)["R1.1"] == "e1 - e2  done: e1 by target 2:0"
    assert lines(2, *level, UNDO, best_of=3)["R1.1"] == "e1 - e2  ready"


@pytest.mark.parametrize("format_", ["single_elimination", "round_robin", "swiss"])
def test_a_dead_table_that_was_none_is_corrected_while_its_replay_is_awaited(format_: str) -> None:
    name = "G1R1.1" if format_ == "round_robin" else "R1.1"
    log = [dead(name), correct(won(name, 1)) | {"match": 1}]
    [pairing] = plan_of(2, *log, format=format_, **({"rounds": 1} if format_ == "swiss" else {})).pairings
    assert (pairing.winner, pairing.decided_by, pairing.score) == (pairing.sides[1], "target", (12, 31))
    assert [plan_of(2, *log[:n], format=format_).pairings[0].recorded for n in (0, 1, 2)] == [0, 1, 1]


def test_a_correction_finds_its_pairing_after_a_dead_table() -> None:
    log = [dead("R1.1"), won("R1.1", 0), correct(won("R1.1", 1))]
    assert line(plan_of(2, *log).pairings[0]) == "e1 - e2  done: e2 by target 12:31"

"""Entrants who withdraw, are disqualified, and come back, before and after their results."""

import pytest

from tests.tournaments.formats.notes import (
    UNDO,
    correct,
    disqualify,
    drawn,
    forfeit,
    lines,
    plan_of,
    ranks,
    reenter,
    rule,
    tournament,
    withdraw,
    won,
)
from tournaments.formats.notation import read_item
from tournaments.formats.results import PlanError


@pytest.mark.parametrize("leave", [withdraw, disqualify])
def test_a_pairing_not_yet_done_becomes_a_walkover(leave: object) -> None:
    assert callable(leave)
    plan = plan_of(4, leave("e4"))
    assert lines(4, leave("e4")) == {
        "R1.1": "e1 - e4  done: e1 by walkover",
        "R1.2": "e2 - e3  ready",
        "R2.1": "e1 - .  waiting",
    }
    assert (plan.touched, ranks(plan)) == (("R1.1", "R2.1"), "1 e1, 1 e2, 1 e3, 3 e4 out")


def test_results_stand_and_the_next_pairing_is_a_walkover_once_its_opponent_is_known() -> None:
    log = [won("R1.1", 0), withdraw("e1")]
    assert lines(4, *log)["R1.1"] == "e1 - e4  done: e1 by target 31:12"
    assert lines(4, *log)["R2.1"] == "e1 - .  waiting"
    assert ranks(plan_of(4, *log)) == "1 e2, 1 e3, 2 e1 out, 3 e4 out"
    assert plan_of(4, *log).touched == ()
    plan = plan_of(4, *log, drawn("R1.2", 1))
    assert lines(4, *log, drawn("R1.2", 1))["R2.1"] == "e1 - e3  done: e3 by walkover"
    assert (plan.champion, ranks(plan)) == ("e3", "1 e3, 2 e1 out, 3 e2 out, 3 e4 out")


def test_a_walkover_won_before_leaving_stays_won() -> None:
    log = [withdraw("e4"), withdraw("e1")]
    assert lines(4, *log) == {
        "R1.1": "e1 - e4  done: e1 by walkover",
        "R1.2": "e2 - e3  ready",
        "R2.1": "e1 - .  waiting",
    }
    assert lines(4, *log, won("R1.2", 0))["R2.1"] == "e1 - e2  done: e2 by walkover"


def test_a_champion_by_walkover_who_leaves_afterwards_stays_champion() -> None:
    plan = plan_of(2, withdraw("e1"), withdraw("e2"))
    assert (plan.finished, plan.champion, ranks(plan)) == (True, "e2", "1 e2 out, 2 e1 out")


def test_when_the_last_opponent_left_and_nobody_comes_the_final_is_void() -> None:
    log = [won("R1.1", 0), withdraw("e1"), forfeit("R1.2", "both")]
    assert lines(4, *log)["R2.1"] == "e1 - .  void"
    plan = plan_of(4, *log)
    assert (plan.finished, plan.champion) == (True, None)
    assert ranks(plan) == "2 e1 out, 3 e2 out, 3 e3 out, 3 e4 out"


def test_everyone_leaves_one_after_the_other() -> None:
    plan = plan_of(8, *(withdraw(f"e{n}") for n in range(1, 9)))
    assert (plan.finished, plan.champion) == (True, "e8")
    assert [pairing.decided_by for pairing in plan.pairings] == ["walkover"] * 7


def test_a_loser_who_left_gives_a_walkover_for_the_third_place() -> None:
    log = [won("R1.1", 0), won("R1.2", 0)]
    assert lines(4, *log, withdraw("e4"), third_place=True)["P3"] == "e4 - e3  done: e3 by walkover"
    assert lines(4, withdraw("e4"), log[1], third_place=True)["P3"] == "e4 - e3  done: e3 by walkover"
    plan = plan_of(4, *log, withdraw("e4"), third_place=True)
    assert ranks(plan) == "1 e1, 1 e2, 3 e3 out, 4 e4 out"


def test_a_forfeit_loses_the_pairing_but_not_the_place_in_the_event() -> None:
    assert lines(4, forfeit("R1.1", 1), won("R1.2", 0), third_place=True)["P3"] == "e4 - e3  ready"


def test_two_who_both_left_before_they_met_are_both_out() -> None:
    log = [withdraw("e4"), withdraw("e3")]
    assert lines(4, *log, third_place=True)["P3"] == "e4 - e3  done: nobody by double-forfeit"
    assert ranks(plan_of(4, *log, third_place=True)) == "1 e1, 1 e2, 3 e3 out, 3 e4 out"


def test_a_correction_for_a_loser_who_left_sends_the_walkover_on() -> None:
    log = [won("R1.1", 0), withdraw("e4"), won("R1.2", 0), won("R2.1", 0), correct(won("R1.1", 1))]
    assert lines(4, *log) == {
        "R1.1": "e1 - e4  done: e4 by target 12:31",
        "R1.2": "e2 - e3  done: e2 by target 31:12",
        "R2.1": "e4 - e2  done: e2 by walkover",
    }
    assert plan_of(4, *log).champion == "e2"
    assert lines(4, *log, UNDO)["R2.1"] == "e1 - e2  done: e1 by target 31:12"


def test_a_correction_that_brings_two_together_who_both_left_leaves_nobody() -> None:
    log = [won("R1.1", 0), won("R1.2", 0), withdraw("e4"), withdraw("e3")]
    log += [correct(won("R1.1", 1)), correct(won("R1.2", 1))]
    plan = plan_of(4, *log)
    assert lines(4, *log)["R2.1"] == "e4 - e3  done: nobody by double-forfeit"
    assert (plan.finished, plan.champion) == (True, None)
    assert lines(4, *log, UNDO)["R2.1"] == "e4 - e2  done: e2 by walkover"
    assert lines(4, *log, UNDO, UNDO)["R2.1"] == "e1 - e2  ready"


def test_a_walkover_may_be_corrected() -> None:
    log = [withdraw("e4"), correct(rule("R1.1", 1))]
    assert lines(4, *log)["R1.1"] == "e1 - e4  done: e4 by ruling"
    assert lines(4, *log, UNDO)["R1.1"] == "e1 - e4  done: e1 by walkover"


def test_disqualified_after_withdrawing_is_not_a_second_departure() -> None:
    plan = plan_of(4, withdraw("e4"), disqualify("e4"))
    assert plan.touched == ()
    assert lines(4, withdraw("e4"), disqualify("e4")) == lines(4, withdraw("e4"))


@pytest.mark.parametrize("leave", [withdraw, disqualify])
def test_who_comes_back_plays_what_nobody_has_built_upon(leave: object) -> None:
    assert callable(leave)
    assert lines(4, leave("e4"), reenter("e4")) == lines(4)
    assert plan_of(4, leave("e4"), reenter("e4")).touched == ()
    waiting = [won("R1.1", 0), leave("e1"), reenter("e1"), won("R1.2", 0)]
    assert lines(4, *waiting)["R2.1"] == "e1 - e2  ready"


def test_who_comes_back_to_an_opponent_who_left_meanwhile_gets_the_walkover() -> None:
    log = [withdraw("e4"), withdraw("e1"), reenter("e4")]
    assert lines(4, *log)["R1.1"] == "e1 - e4  done: e4 by walkover"
    assert lines(4, *log)["R2.1"] == "e4 - .  waiting"


def test_an_exit_that_others_have_built_upon_is_final() -> None:
    log = [withdraw("e8"), won("R1.2", 0), won("R2.1", 1)]
    chained = [withdraw("e8"), won("R1.2", 0), withdraw("e1"), won("R1.3", 0), won("R1.4", 0)]
    chained += [won("R2.2", 0), won("R3.1", 0)]
    for built_upon in (log, chained):
        running = tournament(8, *built_upon)
        before = running.plan()
        with pytest.raises(PlanError) as refusal:
            running.add(read_item(reenter("e8")))
        assert (refusal.value.code, running.plan()) == ("not-allowed", before)


def test_a_loser_comes_back_to_nothing_but_a_correction() -> None:
    log = [won("R1.1", 0), withdraw("e4"), reenter("e4")]
    assert lines(4, *log) == lines(4, log[0])
    assert lines(4, *log, correct(won("R1.1", 1)), won("R1.2", 0))["R2.1"] == "e4 - e2  ready"

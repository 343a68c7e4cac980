"""Whole brackets as lines: what stands there at the start, and what every kind of result makes of it."""

from typing import Any

import pytest

from tests.tournaments.formats.notes import dead, drawn, forfeit, lines, plan_of, printed, ranks, rule, won


def test_a_bracket_of_five_lists_every_round_from_the_start() -> None:
    assert lines(5, third_place=True) == {
        "R1.1": "e1 - .  done: e1 by bye",
        "R1.2": "e4 - e5  ready",
        "R1.3": "e2 - .  done: e2 by bye",
        "R1.4": "e3 - .  done: e3 by bye",
        "R2.1": "e1 - .  waiting",
        "R2.2": "e2 - e3  ready",
        "R3.1": ". - .  waiting",
        "P3": ". - .  waiting",
    }


def test_a_plan_prints_its_pairings_standings_and_what_was_touched() -> None:
    assert printed(3, won("R1.2", 1)) == {
        "ok": True,
        "finished": False,
        "champion": None,
        "pairings": [
            {
                "id": "R1.1",
                "round": 1,
                "sides": ["e1", None],
                "status": "done",
                "winner": "e1",
                "decided_by": "bye",
                "score": None,
            },
            {
                "id": "R1.2",
                "round": 1,
                "sides": ["e2", "e3"],
                "status": "done",
                "winner": "e3",
                "decided_by": "target",
                "score": [12, 31],
            },
            {
                "id": "R2.1",
                "round": 2,
                "sides": ["e1", "e3"],
                "status": "ready",
                "winner": None,
                "decided_by": None,
                "score": None,
            },
        ],
        "standings": [
            {"entrant": "e1", "rank": 1, "points": 0, "tiebreaks": {}, "in": True},
            {"entrant": "e3", "rank": 1, "points": 0, "tiebreaks": {}, "in": True},
            {"entrant": "e2", "rank": 3, "points": 0, "tiebreaks": {}, "in": False},
        ],
        "touched": [],
    }


@pytest.mark.parametrize(
    ("entrants", "pairings", "champion", "standing"),
    [(0, [], None, ""), (1, [], "e1", "1 e1"), (2, ["R1.1"], None, "1 e1, 1 e2")],
)
def test_the_smallest_brackets(
    entrants: int, pairings: list[str], champion: str | None, standing: str
) -> None:
    plan = plan_of(entrants, third_place=True)
    assert [pairing.id for pairing in plan.pairings] == pairings
    assert (plan.finished, plan.champion, ranks(plan)) == (not pairings, champion, standing)


@pytest.mark.parametrize("entrants", [2, 3, 4, 5, 8, 9, 13, 64, 100])
def test_every_round_is_half_the_one_before(entrants: int) -> None:
    counts: dict[int, int] = {}
    for pairing in plan_of(entrants).pairings:
        counts[pairing.round] = counts.get(pairing.round, 0) + 1
    assert list(counts.values()) == [2**power for power in reversed(range(len(counts)))]


def test_the_third_place_is_between_the_losers_of_the_semi_finals_and_has_the_finals_round() -> None:
    log = [won("R1.1", 0), won("R1.2", 1), won("R2.1", 0)]
    plan = plan_of(4, *log, third_place=True)
    assert lines(4, *log, third_place=True) == {
        "R1.1": "e1 - e4  done: e1 by target 31:12",
        "R1.2": "e2 - e3  done: e3 by target 12:31",
        "R2.1": "e1 - e3  done: e1 by target 31:12",
        "P3": "e4 - e2  ready",
    }
    assert (plan.pairings[-1].round, plan.finished, plan.champion) == (2, False, None)
    assert ranks(plan) == "1 e1, 1 e2, 1 e4, 2 e3 out"
    plan = plan_of(4, *log, won("P3", 0), third_place=True)
    assert (plan.finished, plan.champion, ranks(plan)) == (True, "e1", "1 e1, 2 e3 out, 3 e4 out, 4 e2 out")


def test_with_three_entrants_the_third_place_is_a_bye() -> None:
    assert lines(3, third_place=True)["P3"] == ". - .  waiting"
    assert lines(3, won("R1.2", 0), third_place=True)["P3"] == "e3 - .  done: e3 by bye"


def result(kind: str, score: list[int] | None, **more: Any) -> dict[str, Any]:
    return {"type": "result", "pairing": "R1.1", "kind": kind, "score": score, **more}


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        ([result("target", [31, 30])], "e1 - e2  done: e1 by target 31:30"),
        ([result("target", [-12, 31])], "e1 - e2  done: e2 by target -12:31"),
        ([result("round-cap", [20, 21])], "e1 - e2  done: e2 by round-cap 20:21"),
        ([drawn("R1.1", 0)], "e1 - e2  done: e1 by last-round 28:28"),
        ([drawn("R1.1", 1)], "e1 - e2  done: e2 by last-round 28:28"),
        ([result("no-result", None)], "e1 - e2  ready"),
        ([dead("R1.1"), result("target", [31, 3])], "e1 - e2  done: e1 by target 31:3"),
        ([dead("R1.1"), dead("R1.1")], "e1 - e2  done: nobody by double-forfeit"),
        ([forfeit("R1.1", 0)], "e1 - e2  done: e2 by forfeit"),
        ([forfeit("R1.1", 1)], "e1 - e2  done: e1 by forfeit"),
        ([forfeit("R1.1", "both")], "e1 - e2  done: nobody by double-forfeit"),
        ([rule("R1.1", 1)], "e1 - e2  done: e2 by ruling"),
        ([dead("R1.1"), rule("R1.1", 0)], "e1 - e2  done: e1 by ruling"),
        ([result("target", [31, 30], sides=["e1", "e2"])], "e1 - e2  done: e1 by target 31:30"),
    ],
)
def test_what_decides_a_pairing(log: list[dict[str, Any]], expected: str) -> None:
    assert lines(2, *log) == {"R1.1": expected}


def test_nobody_is_champion_of_a_final_both_lost() -> None:
    plan = plan_of(2, dead("R1.1"), dead("R1.1"))
    assert (plan.finished, plan.champion, ranks(plan)) == (True, None, "2 e1 out, 2 e2 out")


def test_both_out_gives_the_next_opponent_a_walkover() -> None:
    log = [dead("R1.2"), dead("R1.2")]
    assert lines(4, *log, third_place=True) == {
        "R1.1": "e1 - e4  ready",
        "R1.2": "e2 - e3  done: nobody by double-forfeit",
        "R2.1": ". - .  waiting",
        "P3": ". - .  waiting",
    }
    plan = plan_of(4, *log, won("R1.1", 1), third_place=True)
    assert lines(4, *log, won("R1.1", 1), third_place=True) == {
        "R1.1": "e1 - e4  done: e4 by target 12:31",
        "R1.2": "e2 - e3  done: nobody by double-forfeit",
        "R2.1": "e4 - .  done: e4 by walkover",
        "P3": "e1 - .  done: e1 by walkover",
    }
    assert (plan.finished, plan.champion) == (True, "e4")
    assert ranks(plan) == "1 e4, 3 e1 out, 4 e2 out, 4 e3 out"


def test_an_empty_side_stands_second_though_its_feeder_is_the_first() -> None:
    log = [won("R1.2", 0), forfeit("R1.1", "both")]
    assert lines(4, log[0])["R2.1"] == ". - e2  waiting"
    assert lines(4, *log)["R2.1"] == "e2 - .  done: e2 by walkover"


def test_pairings_nobody_can_reach_any_more_are_void() -> None:
    log = [forfeit("R1.1", "both"), forfeit("R1.2", "both"), forfeit("R1.3", "both")]
    assert lines(8, *log, third_place=True) == {
        "R1.1": "e1 - e8  done: nobody by double-forfeit",
        "R1.2": "e4 - e5  done: nobody by double-forfeit",
        "R1.3": "e2 - e7  done: nobody by double-forfeit",
        "R1.4": "e3 - e6  ready",
        "R2.1": ". - .  void",
        "R2.2": ". - .  waiting",
        "R3.1": ". - .  waiting",
        "P3": ". - .  waiting",
    }
    everyone = lines(8, *log, forfeit("R1.4", "both"), third_place=True)
    assert [everyone[pairing] for pairing in ("R2.1", "R2.2", "R3.1", "P3")] == [". - .  void"] * 4
    survivor = lines(8, *log, won("R1.4", 0), third_place=True)
    assert survivor["R2.2"] == "e3 - .  done: e3 by walkover"
    assert survivor["R3.1"] == "e3 - .  done: e3 by walkover"
    assert survivor["P3"] == ". - .  void"
    assert plan_of(8, *log, won("R1.4", 0)).champion == "e3"


def test_double_forfeits_of_both_semi_finals_leave_no_champion() -> None:
    plan = plan_of(4, forfeit("R1.1", "both"), forfeit("R1.2", "both"), third_place=True)
    assert (plan.finished, plan.champion) == (True, None)
    assert ranks(plan) == "3 e1 out, 3 e2 out, 3 e3 out, 3 e4 out"


@pytest.mark.parametrize(
    ("winners", "expected"),
    [
        ([0], "e1 - e2  ready"),
        ([0, 0], "e1 - e2  done: e1 by target 2:0"),
        ([0, 1], "e1 - e2  ready"),
        ([0, 1, 1], "e1 - e2  done: e2 by target 1:2"),
    ],
)
def test_a_best_of_three_ends_with_the_second_win(winners: list[int], expected: str) -> None:
    assert lines(2, *(won("R1.1", winner) for winner in winners), best_of=3) == {"R1.1": expected}


def test_a_best_of_five_counts_draws_for_the_last_gainer_and_replays_one_dead_table() -> None:
    log = [drawn("R1.1", 1), dead("R1.1"), won("R1.1", 1), won("R1.1", 0)]
    pairing = plan_of(2, *log, best_of=5).pairings[0]
    assert (pairing.status, pairing.won, pairing.dead_tables) == ("ready", (1, 2), 1)
    assert lines(2, *log, drawn("R1.1", 1), best_of=5) == {"R1.1": "e1 - e2  done: e2 by last-round 1:3"}
    assert lines(2, *log, dead("R1.1"), best_of=5) == {"R1.1": "e1 - e2  done: nobody by double-forfeit"}


def test_a_finished_bracket_ranks_by_the_round_of_exit() -> None:
    log = [won(f"R1.{n}", 0) for n in range(1, 5)] + [won("R2.1", 0), won("R2.2", 1), won("R3.1", 1)]
    assert ranks(plan_of(8, *log)) == (
        "1 e3, 2 e1 out, 3 e2 out, 3 e4 out, 5 e5 out, 5 e6 out, 5 e7 out, 5 e8 out"
    )


def test_who_goes_out_has_the_rank_of_that_round_whatever_the_others_do() -> None:
    assert ranks(plan_of(8, won("R1.4", 1))) == "1 e1, 1 e2, 1 e4, 1 e5, 1 e6, 1 e7, 1 e8, 5 e3 out"


def test_among_1024_the_better_seeds_win_and_the_best_meet_last() -> None:
    rounds = [(round_, 2 ** (10 - round_)) for round_ in range(1, 11)]
    plan = plan_of(1024, *(won(f"R{round_}.{n}", 0) for round_, count in rounds for n in range(1, count + 1)))
    first_sides = {pairing.sides[0] for pairing in plan.pairings if pairing.round == 1}
    assert first_sides == {f"e{seed}" for seed in range(1, 513)}
    for pairing in plan.pairings:
        first, second = (int(str(side).removeprefix("e")) for side in pairing.sides)
        assert first + second == 2 ** (11 - pairing.round) + 1
    assert plan.champion == "e1"

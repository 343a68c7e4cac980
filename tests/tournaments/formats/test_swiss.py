"""A Swiss under its log: rounds that come, byes, who leaves, comes back and comes late, rounds as published."""

import json
import os
import subprocess
import sys
from itertools import permutations
from random import Random
from typing import Any

import pytest

from tests.tournaments.formats.notes import (
    UNDO,
    correct,
    dead,
    disqualify,
    drawn,
    forfeit,
    plan_of,
    reenter,
    rule,
    tournament,
    withdraw,
    won,
)
from tests.tournaments.formats.notes import lines as lines_of
from tournaments.formats.event import print_plan
from tournaments.formats.notation import read_item
from tournaments.formats.plan import Plan, Tournament
from tournaments.formats.results import Pairing, PlanError

Json = dict[str, Any]
SWISS: Json = {"format": "swiss", "tiebreaks": []}


def lines(entrants: int, *log: Json, **settings: Any) -> dict[str, str]:
    return lines_of(entrants, *log, **{**SWISS, **settings})


def swiss(entrants: int, *log: Json, **settings: Any) -> Plan:
    return plan_of(entrants, *log, **{**SWISS, **settings})


def points(plan: Plan) -> dict[str, int]:
    return {standing.entrant: standing.points for standing in plan.standings}


def enter(entrant: str) -> Json:
    return {"type": "enter", "entrant": {"id": entrant, "name": "late"}}


def stated(round_: int, *pairs: str, bye: str | None = None) -> Json:
    pairings = [list(pair.split("-")) for pair in pairs]
    return {"type": "round", "round": round_, "pairings": pairings, "bye": bye}


def refused(entrants: int, *log: Json, **settings: Any) -> str:
    *before, last = log
    running = tournament(entrants, *before, **{**SWISS, **settings})
    plan = running.plan()
    with pytest.raises(PlanError) as caught:
        running.add(read_item(last))
    assert print_plan(running.plan()) == print_plan(plan)
    return caught.value.code


def play_round(running: Tournament, chance: Random, upsets: float = 0.3) -> list[Pairing]:
    """Decides every ready pairing; the better seed wins mostly."""
    ready = [pairing for pairing in running.plan().pairings if pairing.status == "ready"]
    for pairing in ready:
        better = 0 if seed_of(pairing.sides[0]) < seed_of(pairing.sides[1]) else 1
        side = better if chance.random() > upsets else 1 - better
        item = drawn(pairing.id, side) if chance.random() < 0.1 else won(pairing.id, side)
        running.add(read_item(item))
    return ready


def seed_of(entrant: str | None) -> int:
    return int((entrant or "")[1:])


# Rounds


def test_round_one_is_listed_at_once_and_the_upper_half_meets_the_lower() -> None:
    assert lines(6) == {"R1.1": "e1 - e4  ready", "R1.2": "e2 - e5  ready", "R1.3": "e3 - e6  ready"}


def test_the_next_round_is_made_when_the_last_pairing_of_a_round_is_done() -> None:
    log = [won("R1.2", 0), won("R1.1", 0)]
    assert list(lines(4, *log[:1])) == ["R1.1", "R1.2"]
    assert lines(4, *log) == {
        "R1.1": "e1 - e3  done: e1 by target 31:12",
        "R1.2": "e2 - e4  done: e2 by target 31:12",
        "R2.1": "e1 - e2  ready",
        "R2.2": "e3 - e4  ready",
    }


@pytest.mark.parametrize(
    ("entrants", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (16, 4), (33, 6)]
)
def test_without_a_number_there_are_as_many_rounds_as_find_one_unbeaten(entrants: int, rounds: int) -> None:
    running = tournament(entrants, **SWISS)
    while play_round(running, Random(1)):
        pass
    plan = running.plan()
    assert (plan.finished, plan.pairings[-1].round) == (True, rounds)


@pytest.mark.parametrize(("entrants", "champion"), [(0, None), (1, "e1")])
def test_with_nobody_to_meet_there_is_nothing_to_play(entrants: int, champion: str | None) -> None:
    plan = swiss(entrants)
    assert (plan.finished, plan.champion, plan.pairings) == (True, champion, ())


def test_the_order_of_arrival_within_a_round_changes_nothing() -> None:
    items = [won("R1.1", 0), drawn("R1.2", 1), won("R1.3", 1), dead("R1.4")]
    second = [dead("R1.4"), forfeit("R1.4", 1)]
    plans = {
        json.dumps(print_plan(swiss(8, *order, second[1]))) for order in permutations([*items[:3], second[0]])
    }
    assert len(plans) == 1


def test_rounds_are_the_same_in_every_process() -> None:
    script = (
        "from tests.tournaments.formats.test_swiss import *\n"
        "running, chance = tournament(301, format='swiss', rounds=7, seed=5), Random(3)\n"
        "while play_round(running, chance): pass\n"
        "print([pairing.sides for pairing in running.plan().pairings])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            env=dict(os.environ, PYTHONHASHSEED=hash_seed),
            capture_output=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_a_correction_changes_standings_and_rounds_not_made_but_none_that_is_listed() -> None:
    log = [won("R1.1", 0), won("R1.2", 0)]
    before = swiss(4, *log)
    after = swiss(4, *log, correct(won("R1.1", 1)))
    assert after.touched == ("R1.1",)
    assert after.pairings[1:] == before.pairings[1:]
    assert points(after) == {"e3": 2, "e2": 2, "e1": 0, "e4": 0}
    assert swiss(4, *log, correct(won("R1.1", 1)), UNDO).pairings == before.pairings


def test_a_round_whose_correction_opens_a_pairing_waits_for_it() -> None:
    log = [won("R1.1", 0), won("R1.2", 0), correct(dead("R1.1")), won("R2.1", 0), won("R2.2", 0)]
    assert list(lines(4, *log, rounds=3))[-1] == "R2.2"
    assert list(lines(4, *log, won("R1.1", 1), rounds=3))[-1] == "R3.2"


def test_a_later_pairing_may_be_replayed_and_an_undo_brings_its_result_back() -> None:
    log = [won("R1.1", 0), won("R1.2", 0), won("R2.1", 0), correct(won("R1.1", 1), R2_1="replay")]
    assert lines(4, *log)["R2.1"] == "e1 - e2  ready"
    assert lines(4, *log, UNDO)["R2.1"] == "e1 - e2  done: e1 by target 31:12"
    assert lines(4, *log[:3], correct(won("R1.1", 1), R2_1="stand"))["R2.1"].endswith("e1 by target 31:12")
    assert refused(4, *log[:3], correct(won("R2.1", 1), R1_2="replay")) == "not-allowed"


def test_two_dead_tables_give_both_the_points_of_a_forfeit_and_both_play_on() -> None:
    log = [dead("R1.1"), dead("R1.1"), won("R1.2", 0)]
    plan = swiss(4, *log, points={"forfeit": -1})
    assert lines(4, *log)["R1.1"] == "e1 - e3  done: nobody by double-forfeit"
    assert points(plan) == {"e2": 2, "e4": 0, "e1": -1, "e3": -1}
    assert [pairing.status for pairing in plan.pairings[2:]] == ["ready", "ready"]


def test_a_best_of_three_may_end_level() -> None:
    log = [won("R1.1", 0), drawn("R1.1", 0), won("R1.1", 1)]
    assert lines(2, *log, best_of=3)["R1.1"] == "e1 - e2  done: nobody by draw 1:1"
    assert lines(2, *log[:2], drawn("R1.1", 1), best_of=3)["R1.1"] == "e1 - e2  done: e1 by target 1:0"


# Byes


def test_a_bye_counts_at_once_as_a_win_and_gives_no_opponent() -> None:
    log = [won("R1.1", 0)]
    assert lines(3)["R1.2"] == "e3 - .  done: e3 by bye"
    settings = {"tiebreaks": ["wins", "buchholz", "sonneborn_berger", "score_difference"], "rounds": 3}
    before = {standing.entrant: standing for standing in swiss(3, **settings).standings}
    assert (before["e3"].points, dict(before["e3"].tiebreaks)) == (
        2,
        {"wins": 1, "buchholz": 0, "sonneborn_berger": 0, "score_difference": 0},
    )
    plan = swiss(3, *log, points={"bye": 1}, **settings)
    assert [pairing.sides for pairing in plan.pairings] == [
        ("e1", "e2"),
        ("e3", None),
        ("e1", "e3"),
        ("e2", None),
    ]
    assert points(plan) == {"e1": 2, "e2": 1, "e3": 1}


@pytest.mark.parametrize("entrants", range(3, 34, 2))
def test_the_bye_goes_to_the_lowest_who_may_have_it_and_to_nobody_twice_before_all(entrants: int) -> None:
    for seed in range(8):
        chance = Random(f"{entrants} {seed}")
        running = tournament(entrants, **SWISS, rounds=min(entrants + 2, 11), seed=seed)
        byes: list[str] = []
        unplayed: set[str] = set()
        while not (plan := running.plan()).finished:
            round_, resting = plan.pairings[-1].round, str(plan.pairings[-1].sides[0])
            ranking = ranked_before_the_bye(plan, resting)
            fewest = min(byes.count(entrant) for entrant in ranking)
            candidates = [entrant for entrant in ranking if byes.count(entrant) == fewest]
            if fewest == 0:
                candidates = [entrant for entrant in candidates if entrant not in unplayed] or candidates
            assert resting in candidates
            assert byes[-1:] != [resting]
            if fewest == 0 and 2 * round_ < entrants:
                assert resting == candidates[-1]
            byes.append(resting)
            unplayed |= decide_round(running, chance)


def ranked_before_the_bye(plan: Plan, resting: str) -> list[str]:
    had = points(plan)
    had[resting] -= 2
    return sorted(had, key=lambda entrant: (-had[entrant], seed_of(entrant)))


def decide_round(running: Tournament, chance: Random) -> set[str]:
    """Plays a round in which one may not come; returns who won without play."""
    ready = [pairing for pairing in running.plan().pairings if pairing.status == "ready"]
    absent = chance.choice(ready).id if chance.random() < 0.3 else None
    winners = set()
    for pairing in ready:
        if pairing.id == absent:
            winners.add(str(pairing.sides[1]))
            running.add(read_item(forfeit(pairing.id, 0)))
        else:
            running.add(read_item(won(pairing.id, chance.randrange(2))))
    return winners


def test_of_seven_in_six_rounds_nobody_rests_twice() -> None:
    for seed in range(120):
        running, chance = tournament(7, **SWISS, rounds=6, seed=seed), Random(seed)
        while play_round(running, chance, 0.5):
            pass
        plan = running.plan()
        byes = [pairing.sides[0] for pairing in plan.pairings if pairing.decided_by == "bye"]
        assert (plan.finished, len(byes), len(set(byes))) == (True, 6, 6)


# Leaving, coming back


@pytest.mark.parametrize("stay", [0, 1, 2])
def test_who_has_withdrawn_is_not_paired_any_more(stay: int) -> None:
    log = [won(f"R1.{n}", 0) for n in (1, 2, 3)]
    log += [withdraw(entrant) for entrant in ("e1", "e2", "e3", "e5", "e6", "e7")]
    last = {0: [withdraw("e8"), withdraw("e4")], 1: [withdraw("e8")], 2: [won("R1.4", 0)]}
    plan = swiss(8, *log, *last[stay])
    later = [pairing for pairing in plan.pairings if pairing.round > 1]
    if stay == 2:
        assert (plan.finished, [pairing.sides for pairing in later]) == (False, [("e4", "e8")])
    else:
        assert (plan.finished, later) == (True, [])
        assert [standing.still_in for standing in plan.standings].count(True) == stay


def test_a_pairing_of_a_listed_round_becomes_a_walkover_at_once() -> None:
    plan = swiss(4, won("R1.1", 0), withdraw("e4"))
    assert plan.touched == ("R1.2", "R2.1", "R2.2")
    assert lines(4, won("R1.1", 0), withdraw("e4"))["R1.2"] == "e2 - e4  done: e2 by walkover"
    assert points(plan) == {"e1": 2, "e2": 2, "e3": 2, "e4": 0}
    assert plan.pairings[-1].sides == ("e3", None)


def test_who_left_during_a_round_comes_back_into_it_but_not_into_one_that_is_over() -> None:
    log = [withdraw("e4"), reenter("e4")]
    assert lines(4, *log)["R1.2"] == "e2 - e4  ready"
    log = [withdraw("e4"), won("R1.1", 0), reenter("e4")]
    assert lines(4, *log, rounds=3)["R1.2"] == "e2 - e4  done: e2 by walkover"
    plan = swiss(4, *log, won("R2.1", 0), rounds=3)
    assert sorted(side or "" for pairing in plan.pairings[-2:] for side in pairing.sides) == [
        "e1",
        "e2",
        "e3",
        "e4",
    ]


def test_the_results_of_the_disqualified_count_as_their_forfeits() -> None:
    log = [won("R1.1", 0), drawn("R1.2", 0), won("R2.1", 0), won("R2.2", 0)]
    assert lines(4, *log, disqualify("e1"))["R1.1"] == "e1 - e3  done: e3 by forfeit"
    plan = swiss(4, *log, disqualify("e1"), tiebreaks=["buchholz", "score_difference"])
    assert plan.touched == ("R1.1", "R2.1")
    assert [pairing.sides for pairing in plan.pairings[2:]] == [("e1", "e2"), ("e4", "e3")]
    assert {one.entrant: (one.points, *one.tiebreaks.values()) for one in plan.standings} == {
        "e2": (3, 3, 0),
        "e4": (3, 5, 19),
        "e3": (2, 3, -19),
        "e1": (0, 0, 0),
    }
    back = swiss(4, *log, disqualify("e1"), reenter("e1"))
    assert back.pairings == swiss(4, *log).pairings


def test_a_played_pairing_of_two_disqualified_is_a_double_forfeit() -> None:
    log = [won("R1.1", 0), disqualify("e1"), disqualify("e3")]
    assert lines(4, *log)["R1.1"] == "e1 - e3  done: nobody by double-forfeit"


def test_no_points_without_play_are_taken_by_a_disqualification() -> None:
    log = [forfeit("R1.1", 1), won("R1.2", 0), disqualify("e1")]
    assert lines(4, *log)["R1.1"] == "e1 - e3  done: e1 by forfeit"


def test_withdrawn_entrants_without_points_rank_behind_active_ones_with_some() -> None:
    log = [won(f"R1.{n}", 0) for n in (1, 2, 3)] + [withdraw("e6"), withdraw("e2")]
    running = tournament(6, *log, **SWISS)
    while play_round(running, Random(2)):
        pass
    order = [(standing.entrant, standing.points, standing.still_in) for standing in running.plan().standings]
    assert [points for _, points, _ in order] == sorted((points for _, points, _ in order), reverse=True)
    assert order[-1][0] == "e6"


# Coming late


def test_a_late_entry_is_paired_from_the_next_round_without_points() -> None:
    plan = swiss(4, enter("new"), won("R1.1", 0), won("R1.2", 0), rounds=3)
    assert points(plan)["new"] == 2
    assert plan.pairings[-1].sides == ("new", None)
    assert [pairing.id for pairing in plan.pairings[2:]] == ["R2.1", "R2.2", "R2.3"]


@pytest.mark.parametrize(("rounds", "late_in"), [(1, 1), (2, 2), (3, 2), (4, 3), (5, 3)])
def test_half_of_the_rounds_is_too_late_to_enter(rounds: int, late_in: int) -> None:
    running = tournament(6, format="swiss", rounds=rounds)
    for round_ in range(1, late_in):
        running.add(read_item(enter(f"n{round_}")))
        play_round_of_anybody(running)
    with pytest.raises(PlanError) as caught:
        running.add(read_item(enter("late")))
    assert caught.value.code == "not-allowed"


def play_round_of_anybody(running: Tournament) -> None:
    for pairing in running.plan().pairings:
        if pairing.status == "ready":
            running.add(read_item(won(pairing.id, 0)))


@pytest.mark.parametrize("newcomer", [enter("e1"), {"type": "enter", "entrant": {"id": "x", "seed": 2}}])
def test_who_is_there_or_has_a_seed_that_is_taken_does_not_enter(newcomer: Json) -> None:
    assert refused(4, newcomer, rounds=4) == "not-allowed"


def test_a_second_entrant_makes_an_event_of_one_begin() -> None:
    assert lines(1, enter("new")) == {"R1.1": "e1 - new  ready"}


# Rounds as published


def test_a_stated_round_takes_the_place_of_the_one_computed() -> None:
    log = [stated(1, "e4-e1", "e3-e2"), won("R1.1", 0), won("R1.2", 0)]
    assert lines(4, *log[:1]) == {"R1.1": "e4 - e1  ready", "R1.2": "e3 - e2  ready"}
    assert lines(4, *log)["R2.1"] == "e3 - e4  ready" or lines(4, *log)["R2.1"] == "e4 - e3  ready"
    again = stated(2, "e1-e2", "e3-e4")
    assert list(lines(4, *log, again).values())[2:] == ["e1 - e2  ready", "e3 - e4  ready"]


def test_a_stated_round_may_hold_a_rematch_for_it_is_published() -> None:
    log = [won("R1.1", 0), won("R1.2", 0), stated(2, "e1-e3", "e2-e4")]
    assert lines(4, *log)["R2.1"] == "e1 - e3  ready"


@pytest.mark.parametrize(
    ("entrants", "log", "code"),
    [
        (4, [stated(1, "e1-e2")], "not-allowed"),
        (4, [stated(1, "e1-e2", "e3-e3")], "not-allowed"),
        (4, [stated(1, "e1-e2", "e1-e4")], "not-allowed"),
        (4, [stated(1, "e1-e2", "e3-e9")], "unknown-entrant"),
        (4, [stated(1, "e1-e2", bye="e3")], "not-allowed"),
        (3, [stated(1, "e1-e2")], "not-allowed"),
        (4, [stated(2, "e1-e2", "e3-e4")], "not-ready"),
        (4, [won("R1.1", 0), stated(1, "e1-e2", "e3-e4")], "already-done"),
        (4, [won("R1.1", 0), won("R1.2", 0), stated(1, "e1-e2", "e3-e4")], "already-done"),
        (4, [won("R1.1", 0), won("R1.2", 0), stated(3, "e1-e2", "e3-e4")], "not-ready"),
        (4, [withdraw("e4"), stated(1, "e1-e2", "e3-e4")], "not-allowed"),
        (2, [won("R1.1", 0), stated(2, "e1-e2")], "not-ready"),
    ],
)
def test_a_stated_round_names_everybody_once_and_comes_in_time(
    entrants: int, log: list[Json], code: str
) -> None:
    assert refused(entrants, *log) == code


def test_a_round_is_stated_again_after_somebody_left_before_its_first_result() -> None:
    log = [withdraw("e4"), stated(1, "e2-e3", bye="e1")]
    assert lines(4, *log) == {"R1.1": "e2 - e3  ready", "R1.2": "e1 - .  done: e1 by bye"}


# Points given, play-offs


def test_points_given_count_in_the_standings_and_for_opponents() -> None:
    given = {"type": "adjust", "entrant": "e2", "points": 3, "reason": "a wrong pairing"}
    plan = swiss(2, won("R1.1", 0), given, tiebreaks=["buchholz"])
    assert [(one.entrant, one.points, dict(one.tiebreaks)) for one in plan.standings] == [
        ("e2", 3, {"buchholz": 2}),
        ("e1", 2, {"buchholz": 3}),
    ]
    assert refused(2, {**given, "entrant": "e9"}) == "unknown-entrant"


def test_a_play_off_parts_two_who_are_level() -> None:
    play_off = {"type": "play_off", "entrants": ["e2", "e1"]}
    settings: Json = {"tiebreaks": ["play_off"]}
    level = swiss(2, drawn("R1.1", 0), **settings)
    assert (level.finished, level.champion) == (True, None)
    log = [drawn("R1.1", 0), play_off]
    assert lines(2, *log, **settings)["PO1"] == "e2 - e1  ready"
    assert (swiss(2, *log, **settings).finished, swiss(2, *log, **settings).pairings[-1].round) == (False, 2)
    played = swiss(2, *log, drawn("PO1", 0), **settings)
    assert (played.champion, points(played)) == ("e2", {"e2": 1, "e1": 1})
    assert lines(2, *log, drawn("PO1", 0), **settings)["PO1"] == "e2 - e1  done: e2 by last-round 28:28"


@pytest.mark.parametrize(
    ("log", "settings"),
    [
        ([won("R1.1", 0)], {"tiebreaks": ["play_off"]}),
        ([], {"tiebreaks": ["play_off"]}),
        ([drawn("R1.1", 0)], {}),
        ([drawn("R1.1", 0), withdraw("e1")], {"tiebreaks": ["play_off"]}),
    ],
)
def test_a_play_off_needs_two_who_are_level_at_the_end_and_a_tie_break_it_counts_for(
    log: list[Json], settings: Json
) -> None:
    assert refused(2, *log, {"type": "play_off", "entrants": ["e1", "e2"]}, **settings) == "not-allowed"


def test_a_ruling_counts_as_met_and_a_forfeit_does_not() -> None:
    plan = swiss(4, rule("R1.1", 0), forfeit("R1.2", 1), rounds=1, tiebreaks=["buchholz", "sonneborn_berger"])
    assert {one.entrant: tuple(one.tiebreaks.values()) for one in plan.standings} == {
        "e1": (0, 0),
        "e3": (2, 0),
        "e2": (0, 0),
        "e4": (0, 0),
    }


def test_more_rounds_than_opponents_are_played_with_the_oldest_rematches() -> None:
    for entrants, rounds in [(2, 3), (4, 5), (6, 7), (8, 9)]:
        running = tournament(entrants, format="swiss", rounds=rounds)
        while play_round(running, Random(entrants)):
            pass
        plan = running.plan()
        assert (plan.finished, plan.pairings[-1].round) == (True, rounds)
        for pairing in plan.pairings:
            earlier = [p for p in plan.pairings if p.round < pairing.round]
            met = [p for p in earlier if set(p.sides) == set(pairing.sides)]
            assert len(met) <= (pairing.round - 1) // (entrants - 1) + 1


@pytest.mark.parametrize(("entrants", "rounds"), [(6, 5), (8, 7)])
def test_as_many_rounds_as_opponents_are_always_played_to_the_end(entrants: int, rounds: int) -> None:
    for seed in range(40):
        running, chance = tournament(entrants, format="swiss", rounds=rounds, seed=seed), Random(seed)
        while play_round(running, chance, 0.4):
            pass
        plan = running.plan()
        assert (plan.finished, plan.pairings[-1].round) == (True, rounds)
        assert len(plan.pairings) == rounds * entrants // 2

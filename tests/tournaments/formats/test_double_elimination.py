"""Double elimination: who loses once goes on in L, and the last of both meet."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tests.tournaments.formats.chances import chances, next_item, offer, play_out, with_later
from tests.tournaments.formats.double_oracle import DoubleOracle
from tests.tournaments.formats.notes import (
    Json,
    correct,
    disqualify,
    drawn,
    forfeit,
    line,
    plan_of,
    ranks,
    rule,
    tournament,
    unhurried,
    withdraw,
    won,
)
from tournaments.formats.bracket import Feeder
from tournaments.formats.double_bracket import double_elimination
from tournaments.formats.event import print_plan
from tournaments.formats.plan import Plan, Tournament
from tournaments.formats.seeding import first_round


def double(entrants: int, *log: Json, **settings: Any) -> Tournament:
    return tournament(entrants, *log, format="double_elimination", **settings)


def double_lines(entrants: int, *log: Json, **settings: Any) -> dict[str, str]:
    plan = plan_of(entrants, *log, format="double_elimination", **settings)
    return {pairing.id: line(pairing) for pairing in plan.pairings}


FOUR_TO_THE_FINAL = [won("W1.1", 0), won("W1.2", 0), won("W2.1", 0), won("L1.1", 0), won("L2.1", 0)]


def test_all_pairings_of_five_are_listed_but_those_nobody_can_reach() -> None:
    assert double_lines(5) == {
        "W1.1": "e1 - .  done: e1 by bye",
        "W1.2": "e4 - e5  ready",
        "W1.3": "e2 - .  done: e2 by bye",
        "W1.4": "e3 - .  done: e3 by bye",
        "W2.1": "e1 - .  waiting",
        "W2.2": "e2 - e3  ready",
        "W3.1": ". - .  waiting",
        "L1.1": ". - .  waiting",
        "L2.1": ". - .  waiting",
        "L2.2": ". - .  waiting",
        "L3.1": ". - .  waiting",
        "L4.1": ". - .  waiting",
        "GF1": ". - .  waiting",
        "GF2": ". - .  waiting",
    }


def test_rounds_are_the_numbers_in_the_names_and_the_grand_finals_come_after_w() -> None:
    rounds = {pairing.id: pairing.round for pairing in double(8).plan().pairings}
    finals = {"GF1": rounds.pop("GF1"), "GF2": rounds.pop("GF2")}
    assert rounds == {id_: int(id_[1:].split(".")[0]) for id_ in rounds}
    assert finals == {"GF1": 4, "GF2": 5}


def test_losers_rest_where_nobody_was_to_come_to_l() -> None:
    lines = double_lines(5, won("W1.2", 0), won("W2.2", 0), won("W2.1", 0))
    assert lines["L1.1"] == "e5 - .  done: e5 by bye"
    assert lines["L2.1"] == "e3 - e5  ready"
    assert lines["L2.2"] == "e4 - .  done: e4 by bye"


def test_two_entrants_meet_until_one_has_lost_twice() -> None:
    assert double_lines(2, won("W1.1", 1)) == {
        "W1.1": "e1 - e2  done: e2 by target 12:31",
        "GF1": "e2 - e1  ready",
        "GF2": ". - .  waiting",
    }
    final = double_lines(2, won("W1.1", 1), won("GF1", 1), won("GF2", 0))
    assert final["GF2"] == "e2 - e1  done: e2 by target 31:12"
    plan = plan_of(2, won("W1.1", 1), won("GF1", 1), won("GF2", 0), format="double_elimination")
    assert (plan.finished, plan.champion, ranks(plan)) == (True, "e2", "1 e2, 2 e1 out")


@pytest.mark.parametrize(
    ("log", "final", "again", "champion"),
    [
        ([won("GF1", 0)], "e1 - e2  done: e1 by target 31:12", ". - .  void", "e1"),
        ([won("GF1", 1)], "e1 - e2  done: e2 by target 12:31", "e1 - e2  ready", None),
        ([drawn("GF1", 1)], "e1 - e2  done: e2 by last-round 28:28", "e1 - e2  ready", None),
        ([rule("GF1", 1)], "e1 - e2  done: e2 by ruling", "e1 - e2  ready", None),
        ([forfeit("GF1", 0)], "e1 - e2  done: e2 by forfeit", "e1 - e2  ready", None),
        ([forfeit("GF1", "both")], "e1 - e2  done: nobody by double-forfeit", ". - .  void", None),
        ([withdraw("e1")], "e1 - e2  done: e2 by walkover", "e1 - e2  done: e2 by walkover", "e2"),
        ([withdraw("e2")], "e1 - e2  done: e1 by walkover", ". - .  void", "e1"),
        (
            [won("GF1", 1), won("GF2", 0)],
            "e1 - e2  done: e2 by target 12:31",
            "e1 - e2  done: e1 by target 31:12",
            "e1",
        ),
    ],
)
def test_the_grand_final_is_played_again_when_who_came_from_l_has_won_it(
    log: list[Json], final: str, again: str, champion: str | None
) -> None:
    lines = double_lines(4, *FOUR_TO_THE_FINAL, *log)
    assert (lines["GF1"], lines["GF2"]) == (final, again)
    plan = plan_of(4, *FOUR_TO_THE_FINAL, *log, format="double_elimination")
    assert (plan.champion, plan.finished) == (champion, "ready" not in again)


def test_without_reset_one_grand_final_decides() -> None:
    plan = plan_of(4, *FOUR_TO_THE_FINAL, won("GF1", 1), format="double_elimination", reset=False)
    assert [pairing.id for pairing in plan.pairings][-1] == "GF1"
    assert (plan.champion, ranks(plan)) == ("e2", "1 e2, 2 e1 out, 3 e4 out, 4 e3 out")


def test_a_correction_of_the_first_grand_final_takes_the_second_back_and_undo_restores_it() -> None:
    log = [*FOUR_TO_THE_FINAL, won("GF1", 1), won("GF2", 1)]
    assert double_lines(4, *log, correct(won("GF1", 0)))["GF2"] == ". - .  void"
    again = double_lines(4, *log, correct(won("GF1", 0)), {"type": "undo"})
    assert again == double_lines(4, *log)


def test_a_double_forfeit_in_w_puts_both_out_of_the_event() -> None:
    log = [forfeit("W1.1", "both"), won("W1.2", 0)]
    lines = double_lines(4, *log)
    assert lines["W2.1"] == "e2 - .  done: e2 by walkover"
    assert lines["L1.1"] == "e3 - .  done: e3 by walkover"
    assert lines["L2.1"] == "e3 - .  done: e3 by walkover"
    plan = plan_of(4, *log, won("GF1", 0), format="double_elimination")
    assert ranks(plan) == "1 e2, 2 e3 out, 4 e1 out, 4 e4 out"


def test_who_forfeits_in_w_drops_and_who_leaves_does_not_play_on() -> None:
    dropped = double_lines(4, forfeit("W1.1", 1), won("W1.2", 0))
    assert dropped["L1.1"] == "e4 - e3  ready"
    left = double_lines(4, disqualify("e4"), won("W1.2", 0))
    assert left["W1.1"] == "e1 - e4  done: e1 by walkover"
    assert left["L1.1"] == "e4 - e3  done: e3 by walkover"


def test_nobody_is_champion_when_both_are_out_of_the_grand_final() -> None:
    log = [*FOUR_TO_THE_FINAL, forfeit("GF1", "both")]
    plan = plan_of(4, *log, format="double_elimination")
    assert (plan.finished, plan.champion) == (True, None)
    assert ranks(plan) == "2 e1 out, 2 e2 out, 3 e4 out, 4 e3 out"


@pytest.mark.parametrize(
    ("entrants", "expected"),
    [
        (0, []),
        (1, [1]),
        (2, [1, 2]),
        (3, [1, 2, 3]),
        (6, [1, 2, 3, 4, 5, 5]),
        (7, [1, 2, 3, 4, 5, 5, 7]),
        (8, [1, 2, 3, 4, 5, 5, 7, 7]),
        (13, [1, 2, 3, 4, 5, 5, 7, 7, 9, 9, 9, 9, 13]),
        (16, [1, 2, 3, 4, 5, 5, 7, 7, 9, 9, 9, 9, 13, 13, 13, 13]),
    ],
)
def test_ranks_are_shared_by_those_who_go_out_in_one_round_of_l(entrants: int, expected: list[int]) -> None:
    running = double(entrants)
    plan = play_quietly(running, Random(entrants))
    assert [standing.rank for standing in plan.standings] == expected


def play_quietly(running: Tournament, chance: Random) -> Plan:
    """Matches with a winner, or a draw, until nothing is left."""
    while ready := [pairing.id for pairing in running.plan().pairings if pairing.status == "ready"]:
        for id_ in ready:
            side = chance.randrange(2)
            happened = chance.choice([won(id_, side), drawn(id_, side), forfeit(id_, side), rule(id_, side)])
            assert offer(running, happened)
    return running.plan()


@unhurried
@given(st.integers(2, 70), st.sampled_from([1, 3]), chances)
def test_with_reset_everyone_but_the_champion_loses_twice(
    entrants: int, best_of: int, chance: Random
) -> None:
    running = double(entrants, best_of=best_of)
    plan = play_quietly(running, chance)
    lost = {f"e{number}": 0 for number in range(1, entrants + 1)}
    for pairing in plan.pairings:
        for side in pairing.sides:
            if side is not None and pairing.status == "done" and pairing.winner != side:
                lost[side] += 1
    assert plan.champion is not None
    assert lost.pop(plan.champion) in (0, 1)
    assert set(lost.values()) == {2}
    ranked = [standing.rank for standing in plan.standings]
    assert ranked == [1 + sum(other < rank for other in ranked) for rank in ranked]


@unhurried
@given(st.integers(2, 70), st.booleans(), chances)
def test_every_double_elimination_ends_with_one_champion_or_with_nobody_left(
    entrants: int, reset: bool, chance: Random
) -> None:
    running = double(entrants, reset=reset)
    for _ in range(chance.randrange(3 * entrants)):
        plan = running.plan()
        offer(running, with_later(next_item(plan, chance, corrections=True, returns=True), plan, chance))
    plan = play_out(running, chance)
    assert plan.finished
    assert {pairing.status for pairing in plan.pairings} <= {"done", "void"}
    finals = [
        pairing for pairing in plan.pairings if pairing.id.startswith("GF") and pairing.status != "void"
    ]
    assert plan.champion == (finals[-1].winner if finals else None)
    if plan.champion is None:
        assert not finals or finals[-1].decided_by == "double-forfeit"
    assert {standing.entrant for standing in plan.standings if standing.still_in} <= {plan.champion}


@unhurried
@given(st.integers(2, 40), chances)
def test_nobody_is_in_two_open_pairings_and_nobody_meets_himself(entrants: int, chance: Random) -> None:
    running = double(entrants)
    for _ in range(3 * entrants):
        offer(running, next_item(running.plan(), chance, corrections=True, returns=True))
        pairings = running.plan().pairings
        waiting_or_ready = [
            side
            for pairing in pairings
            if pairing.status in ("waiting", "ready")
            for side in pairing.sides
            if side is not None
        ]
        assert len(waiting_or_ready) == len(set(waiting_or_ready))
        assert not [pairing for pairing in pairings if pairing.sides[0] == pairing.sides[1] is not None]


@hypothesis_settings(deadline=None, max_examples=300)
@given(st.integers(2, 16), chances)
def test_nobody_has_two_roads_whatever_was_let_stand(entrants: int, chance: Random) -> None:
    """Who stands in a pairing may have to play again on the way to it, and nowhere else."""
    running = double(entrants)
    nodes = double_elimination(first_round([f"e{number}" for number in range(1, entrants + 1)]), True)
    ways = {
        node.id: {source.pairing for source in node.sources if isinstance(source, Feeder)} for node in nodes
    }

    def leads(first: str, second: str) -> bool:
        return any(feeder == first or leads(first, feeder) for feeder in ways[second])

    for _ in range(4 * entrants):
        plan = running.plan()
        offer(running, with_later(next_item(plan, chance, corrections=True, returns=True), plan, chance))
        places: dict[str, list[str]] = {}
        for pairing in running.plan().pairings:
            first, second = pairing.sides
            assert first is None or first != second
            for side in {first, second} - {None} if pairing.status in ("waiting", "ready") else ():
                places.setdefault(side, []).append(pairing.id)
        for ids in places.values():
            assert all(leads(first, second) for first, second in pairwise(ids))
    assert play_out(running, chance).finished


@unhurried
@given(st.integers(2, 24), st.booleans(), chances)
def test_every_line_of_both_brackets_is_what_the_oracle_works_out_anew(
    entrants: int, reset: bool, chance: Random
) -> None:
    running, oracle = double(entrants, reset=reset), DoubleOracle(entrants, False, reset=reset)
    for _ in range(3 * entrants):
        item = next_item(running.plan(), chance, corrections=True, returns=True)
        if offer(running, item):
            oracle.add(item)
            lines = [oracle.line(id_) for id_ in oracle.ids()]
            assert print_plan(running.plan())["pairings"] == lines

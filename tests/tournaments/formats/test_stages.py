"""Stages: who comes through goes on, and a correction reaches back."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tests.tournaments.formats.chances import chances, next_item, offer, play_out, with_later
from tests.tournaments.formats.notes import (
    UNDO,
    Json,
    dead,
    disqualify,
    document,
    line,
    ranks,
    reenter,
    tournament,
    withdraw,
    won,
)
from tests.tournaments.formats.stage_oracle import StageOracle
from tournaments.formats.event import fold_event, print_plan
from tournaments.formats.notation import read_item
from tournaments.formats.plan import Plan, Tournament, draws_stand
from tournaments.formats.qualification import over_all, qualified
from tournaments.formats.results import PlanError, Standing
from tournaments.formats.settings import Settings

GROUPS = [
    {"format": "round_robin", "groups": 2},
    {"format": "single_elimination", "qualify": 2},
]


def staged(entrants: int, *log: Json, stages: Sequence[Json] = GROUPS, **settings: Any) -> Tournament:
    return tournament(entrants, *log, format="stages", stages=list(stages), **settings)


def by_seed(running: Tournament, stage: str = "") -> list[Json]:
    """Everything ready in a stage is won by the better seed, until nothing is."""
    log: list[Json] = []
    while ready := [
        pairing
        for pairing in running.plan().pairings
        if pairing.status == "ready" and pairing.id.startswith(stage)
    ]:
        for pairing in ready:
            first, second = (int(str(side)[1:]) for side in pairing.sides)
            log.append(won(pairing.id, 0 if first < second else 1))
            running.add(read_item(log[-1]))
    return log


def shown(plan: Plan, stage: str) -> dict[str, str]:
    return {pairing.id: line(pairing) for pairing in plan.pairings if pairing.id.startswith(stage)}


def code(running: Tournament, item: Json) -> str:
    before = running.plan()
    with pytest.raises(PlanError) as refusal:
        running.add(read_item(item))
    assert running.plan() == before
    return refusal.value.code


def correction(pairing: str, side: int, **more: Any) -> Json:
    return {**won(pairing, side), "type": "correct", **more}


# Who qualifies


def test_a_stage_begins_with_those_who_came_through_the_one_before() -> None:
    running = staged(6)
    assert shown(running.plan(), "2:") == {}
    by_seed(running, "1:")
    assert shown(running.plan(), "2:") == {
        "2:R1.1": "e1 - e3  ready",
        "2:R1.2": "e2 - e4  ready",
        "2:R2.1": ". - .  waiting",
    }
    by_seed(running)
    plan = running.plan()
    assert (plan.finished, plan.champion) == (True, "e1")
    assert ranks(plan) == "1 e1, 2 e2 out, 3 e4 out, 3 e3 out, 5 e5 out, 5 e6 out"


def standing(entrant: str, rank: int, group: int | None = None) -> Standing:
    return Standing(entrant, rank, group=group)


@pytest.mark.parametrize(
    ("standings", "count", "left", "expected"),
    [
        ([standing("a", 1), standing("b", 2), standing("c", 3)], 2, "", "ab"),
        ([standing("a", 1), standing("b", 2), standing("c", 3)], 2, "a", "bc"),
        ([standing("a", 1), standing("b", 2)], 4, "", "ab"),
        ([standing("a", 1), standing("b", 1), standing("c", 3)], 1, "", "a"),
        (
            [standing("a", 1, 1), standing("x", 1, 2), standing("b", 2, 1), standing("y", 2, 2)],
            2,
            "",
            "axby",
        ),
        (
            [standing("a", 1, 1), standing("x", 1, 2), standing("b", 2, 1), standing("y", 2, 2)],
            1,
            "x",
            "ay",
        ),
    ],
)
def test_those_qualify_by_place_then_by_group(
    standings: list[Standing], count: int, left: str, expected: str
) -> None:
    assert qualified(standings, count, set(left)) == tuple(expected)


def test_who_did_not_come_through_stands_behind_by_place_and_equals_of_several_groups_share() -> None:
    groups = [standing("a", 1, 1), standing("x", 1, 2), standing("b", 2, 1), standing("y", 2, 2)]
    groups += [standing("c", 3, 1)]
    table = over_all([[standing("x", 1), standing("a", 2)], groups])
    assert [(row.entrant, row.rank, row.still_in, row.group) for row in table] == [
        ("x", 1, True, None),
        ("a", 2, True, None),
        ("b", 3, False, None),
        ("y", 3, False, None),
        ("c", 5, False, None),
    ]


def test_nobody_is_first_by_an_earlier_stage() -> None:
    assert [row.rank for row in over_all([[], [standing("a", 1), standing("b", 2)]])] == [2, 2]
    plan = staged(0).plan()
    assert (plan.finished, plan.champion) == (True, None)


# Leaving


def test_who_left_does_not_qualify_and_the_next_moves_up() -> None:
    running = staged(6)
    log = by_seed(running, "1:")
    running = staged(6, *log[:-1], withdraw("e4"), log[-1])
    assert shown(running.plan(), "2:")["2:R1.2"] == "e2 - e5  ready"


def test_a_finished_stage_is_frozen_when_somebody_leaves() -> None:
    running = staged(6)
    by_seed(running, "1:")
    before = running.plan()
    running.add(read_item(disqualify("e3")))
    plan = running.plan()
    assert shown(plan, "1:") == shown(before, "1:")
    assert shown(plan, "2:")["2:R1.1"] == "e1 - e3  done: e1 by walkover"
    assert plan.touched == ("2:R1.1", "2:R2.1")
    running.add(read_item(reenter("e3")))
    assert shown(running.plan(), "2:") == shown(before, "2:")


def test_who_did_not_qualify_may_leave_and_is_passed_over_by_corrections() -> None:
    running = staged(6)
    by_seed(running, "1:")
    running.add(read_item(withdraw("e5")))
    assert code(running, withdraw("e5")) == "already-done"
    assert code(running, reenter("e6")) == "not-allowed"
    third = next(
        pairing
        for pairing in running.plan().pairings
        if set(pairing.sides) == {"e4", "e5"} and pairing.id.startswith("1:")
    )
    running.add(read_item(correction(third.id, third.sides.index("e5"))))
    assert shown(running.plan(), "2:")["2:R1.2"] == "e2 - e4  ready"
    assert code(running, reenter("e5")) == "not-allowed"
    running.add(read_item(UNDO))
    running.add(read_item(reenter("e5")))
    running.add(read_item(correction(third.id, third.sides.index("e5"))))
    assert shown(running.plan(), "2:")["2:R1.2"] == "e2 - e5  ready"


def test_who_left_a_stage_that_was_open_again_has_not_qualified() -> None:
    running = staged(6)
    by_seed(running, "1:")
    pairing, _ = upset(running, "e1", "e4")
    running.add(read_item({**dead(pairing), "type": "correct"}))
    running.add(read_item(withdraw("e1")))
    assert shown(running.plan(), "2:") == {
        "2:R1.1": "e4 - e3  ready",
        "2:R1.2": "e2 - e5  ready",
        "2:R2.1": ". - .  waiting",
    }


# Corrections


def upset(running: Tournament, first: str, second: str) -> tuple[str, int]:
    """The pairing of these two in stage 1, and the side of the second."""
    found = next(
        pairing
        for pairing in running.plan().pairings
        if pairing.id.startswith("1:") and set(pairing.sides) == {first, second}
    )
    return found.id, found.sides.index(second)


def test_a_correction_seats_the_next_stage_anew_and_undo_restores_what_was_played() -> None:
    running = staged(6)
    by_seed(running)
    before = running.plan()
    pairing, side = upset(running, "e4", "e5")
    running.add(read_item(correction(pairing, side)))
    assert shown(running.plan(), "2:") == {
        "2:R1.1": "e1 - e3  done: e1 by target 31:12",
        "2:R1.2": "e2 - e5  ready",
        "2:R2.1": "e1 - .  waiting",
    }
    assert running.plan().touched == (pairing, "2:R1.2", "2:R2.1")
    assert not running.plan().finished
    running.add(read_item(UNDO))
    assert shown(running.plan(), "2:") == shown(before, "2:")
    assert running.plan().standings == before.standings


def test_a_later_stage_lets_a_pairing_stand_and_seats_nobody_twice() -> None:
    running = staged(6)
    by_seed(running)
    before = shown(running.plan(), "2:")
    pairing, side = upset(running, "e1", "e4")
    running.add(read_item(correction(pairing, side, later={"2:R1.1": "stand"})))
    assert shown(running.plan(), "2:") == before
    other, side = upset(running, "e2", "e6")
    running.add(read_item(correction(other, side)))
    running.add(read_item(UNDO))
    assert shown(running.plan(), "2:") == before
    running.add(read_item(UNDO))
    assert shown(running.plan(), "2:") == before


def test_where_one_stands_who_no_longer_qualified_the_newcomer_does_not_play() -> None:
    running = staged(6)
    by_seed(running, "1:")
    pairing, side = upset(running, "e4", "e5")
    running.add(read_item(correction(pairing, side, later={"2:R1.2": "stand"})))
    assert shown(running.plan(), "2:")["2:R1.2"] == "e2 - e4  ready"
    by_seed(running)
    assert (running.plan().finished, running.plan().champion) == (True, "e1")


def test_a_stage_that_is_open_again_hides_the_next_unless_it_was_let_stand() -> None:
    running = staged(6)
    by_seed(running)
    finished = running.plan()
    pairing, side = upset(running, "e4", "e5")
    replay = {**dead(pairing), "type": "correct"}
    running.add(read_item(replay))
    assert shown(running.plan(), "2:") == {}
    assert code(running, won("2:R1.1", 0)) == "unknown-pairing"
    running.add(read_item(won(pairing, 1 - side)))
    assert shown(running.plan(), "2:") == shown(finished, "2:")
    running.add(read_item(UNDO))
    running = staged(6)
    by_seed(running)
    running.add(read_item({**replay, "later": {"2:R1.2": "stand"}}))
    assert shown(running.plan(), "2:") == shown(finished, "2:")
    assert not running.plan().finished
    running.add(read_item(won(pairing, side)))
    assert shown(running.plan(), "2:") == shown(finished, "2:")
    running.add(read_item(UNDO))
    assert shown(running.plan(), "2:") == shown(finished, "2:")


@pytest.mark.parametrize(
    ("item", "refused"),
    [
        (won("R1.1", 0), "unknown-pairing"),
        (won("3:R1.1", 0), "unknown-pairing"),
        (won("2:R9.1", 0), "unknown-pairing"),
        (won("1:G1R1.1", 0), "already-done"),
        (won("2:R2.1", 0), "not-ready"),
        (withdraw("e9"), "unknown-entrant"),
        (UNDO, "nothing-to-undo"),
        (correction("2:R1.1", 0), "not-ready"),
        (correction("1:G1R1.1", 0, later={"2:R2.1": "stand"}), "not-ready"),
        (correction("1:G1R1.1", 0, later={"2:R1.1": "stand", "2:R2.1": "stand"}), "not-ready"),
        (correction("1:G1R1.1", 0, later={"2:R9.1": "replay"}), "unknown-pairing"),
        (correction("1:G1R1.1", 0, later={"1:G1R2.1": "replay"}), "not-allowed"),
        ({"type": "enter", "entrant": {"id": "e9", "name": "late"}}, "not-allowed"),
        ({"type": "round", "round": 1, "pairings": []}, "not-allowed"),
        ({"type": "adjust", "entrant": "e1", "points": 1}, None),
        ({"type": "play_off", "entrants": ["e1", "e2"]}, "not-allowed"),
    ],
)
def test_what_stages_refuse_changes_nothing(item: Json, refused: str | None) -> None:
    running = staged(6)
    by_seed(running, "1:")
    if refused is None:
        assert offer(running, item)
    else:
        assert code(running, item) == refused


def test_a_correction_of_a_later_stage_has_nothing_to_say_of_an_earlier_one() -> None:
    running = staged(6)
    by_seed(running)
    assert code(running, correction("2:R1.1", 1, later={"1:G1R1.1": "stand"})) == "not-allowed"


@pytest.mark.parametrize(
    ("settings", "refused"),
    [
        ({"stages": []}, "malformed"),
        ({"stages": [{"format": "round_robin"}, {"format": "single_elimination"}]}, "malformed"),
        ({"stages": [{"format": "ladder"}]}, "malformed"),
        ({"stages": [{"format": "swiss", "forbidden": [["e1", "e9"]]}]}, "unknown-entrant"),
    ],
)
def test_settings_of_stages_are_checked(settings: Json, refused: str) -> None:
    with pytest.raises(PlanError) as refusal:
        fold_event(document(4, **{"format": "stages", **settings}))
    assert refusal.value.code == refused


def test_a_draw_stands_in_groups_and_is_decided_in_the_knock_out() -> None:
    stages = (Settings("round_robin"), Settings("double_elimination", qualify=2))
    settings = Settings("stages", stages=stages)
    assert [draws_stand(settings, id_) for id_ in ("1:G1R1.1", "1:PO1", "2:W1.1")] == [True, False, False]
    assert [draws_stand(Settings("swiss"), id_) for id_ in ("R1.1", "PO1")] == [True, False]


def test_forbidden_pairs_of_the_tournament_hold_in_every_stage() -> None:
    running = staged(8, stages=[GROUPS[0], {"format": "single_elimination", "qualify": 4}])
    by_seed(running, "1:")
    met = next(pairing.sides for pairing in running.plan().pairings if pairing.id == "2:R1.2")
    forbidden = staged(
        8, stages=[GROUPS[0], {"format": "single_elimination", "qualify": 4}], forbidden=[list(met)]
    )
    by_seed(forbidden, "1:")
    meetings = [set(pairing.sides) for pairing in forbidden.plan().pairings if pairing.id.startswith("2:R1.")]
    assert set(met) not in meetings


# Random events


FIRST = [
    {"format": "round_robin"},
    {"format": "round_robin", "groups": 2, "double": True},
    {"format": "round_robin", "groups": 3},
    {"format": "swiss", "rounds": 3},
    {"format": "single_elimination", "third_place": True},
    {"format": "double_elimination"},
]


@hypothesis_settings(deadline=None, max_examples=150)
@given(st.integers(2, 11), st.sampled_from(FIRST), st.integers(1, 4), chances)
def test_every_line_of_both_stages_is_what_the_chained_oracle_works_out(
    entrants: int, first: Json, qualify: int, chance: Random
) -> None:
    running = staged(entrants, stages=[first, {"format": "single_elimination", "qualify": qualify}])
    oracle = StageOracle(entrants, qualify, first)
    for _ in range(6 * entrants):
        item = next_item(running.plan(), chance, corrections=True, returns=True)
        if offer(running, item):
            oracle.add(item)
            assert print_plan(running.plan())["pairings"] == oracle.lines()


@hypothesis_settings(deadline=None, max_examples=70)
@given(st.integers(4, 12), st.sampled_from(FIRST), st.sampled_from(["single", "double"]), chances)
def test_nobody_has_two_seats_in_a_later_stage_whatever_was_let_stand(
    entrants: int, first: Json, shape: str, chance: Random
) -> None:
    second = {"format": f"{shape}_elimination", "qualify": chance.randrange(2, 9)}
    running = staged(entrants, stages=[first, second])
    for _ in range(8 * entrants):
        plan = running.plan()
        offer(running, with_later(next_item(plan, chance, corrections=True, returns=True), plan, chance))
        seats = [
            side
            for pairing in running.plan().pairings
            if pairing.id.startswith(("2:R1.", "2:W1."))
            for side in pairing.sides
            if side is not None
        ]
        assert len(seats) == len(set(seats))
        assert not [
            pairing for pairing in running.plan().pairings if pairing.sides[0] == pairing.sides[1] is not None
        ]
    assert play_out(running, chance).finished

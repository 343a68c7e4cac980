"""Round robin: who meets whom when, in groups, and what late entries and departures change."""

from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from tests.tournaments.formats.notes import (
    correct,
    disqualify,
    drawn,
    forfeit,
    plan_of,
    reenter,
    tournament,
    withdraw,
    won,
)
from tests.tournaments.formats.notes import lines as lines_of
from tournaments.formats.entrants import Entrant
from tournaments.formats.event import print_plan
from tournaments.formats.groups import draw_groups
from tournaments.formats.notation import read_item
from tournaments.formats.plan import Plan
from tournaments.formats.results import Pairing, PlanError, Result
from tournaments.formats.round_robin import RoundRobin
from tournaments.formats.schedule import berger
from tournaments.formats.settings import Settings

Json = dict[str, Any]

# The Berger tables of the FIDE Handbook, C.05 annex 1: white first.
FIDE = {
    4: ["1-4 2-3", "4-3 1-2", "2-4 3-1"],
    6: ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"],
    8: [
        "1-8 2-7 3-6 4-5",
        "8-5 6-4 7-3 1-2",
        "2-8 3-1 4-7 5-6",
        "8-6 7-5 1-4 2-3",
        "3-8 4-2 5-1 6-7",
        "8-7 1-6 2-5 3-4",
        "4-8 5-3 6-2 7-1",
    ],
}


def round_robin(entrants: int, *log: Json, **settings: Any) -> Plan:
    return plan_of(entrants, *log, format="round_robin", **settings)


def lines(entrants: int, *log: Json, **settings: Any) -> dict[str, str]:
    return lines_of(entrants, *log, format="round_robin", **settings)


def refused(entrants: int, *log: Json, **settings: Any) -> str:
    *before, last = log
    running = tournament(entrants, *before, format="round_robin", **settings)
    plan = running.plan()
    with pytest.raises(PlanError) as caught:
        running.add(read_item(last))
    assert print_plan(running.plan()) == print_plan(plan)
    return caught.value.code


def enter(entrant: str) -> Json:
    return {"type": "enter", "entrant": {"id": entrant, "name": "late"}}


def by_round(pairings: tuple[Pairing, ...]) -> dict[int, list[tuple[str | None, str | None]]]:
    rounds: dict[int, list[tuple[str | None, str | None]]] = {}
    for pairing in pairings:
        rounds.setdefault(pairing.round, []).append(pairing.sides)
    return rounds


# The schedule


@pytest.mark.parametrize("size", sorted(FIDE))
@pytest.mark.parametrize("missing", [0, 1])
def test_the_rounds_are_those_of_the_published_tables(size: int, missing: int) -> None:
    for number, pairs in enumerate(berger(size - missing)):
        published = [tuple(int(n) for n in pair.split("-")) for pair in FIDE[size][number].split()]
        expected = {pair for pair in published if size not in pair or not missing}
        assert {(a + 1, b + 1) for a, b in pairs} == expected


@pytest.mark.parametrize("entrants", [*range(2, 13), 33, 64, 129])
@pytest.mark.parametrize("double", [False, True])
def test_each_pair_meets_once_a_leg_and_each_entrant_once_a_round(entrants: int, double: bool) -> None:
    plan = round_robin(entrants, double=double)
    rounds = by_round(plan.pairings)
    legs = 2 if double else 1
    assert {pairing.status for pairing in plan.pairings} == {"ready"}
    everybody = [f"e{n}" for n in range(1, entrants + 1)]
    pairs = Counter(frozenset(pairing.sides) for pairing in plan.pairings)
    assert pairs == dict.fromkeys(map(frozenset, combinations(everybody, 2)), legs)
    rests: Counter[str] = Counter()
    for sides in rounds.values():
        playing = [side for pair in sides for side in pair]
        assert len(playing) == len(set(playing)) == entrants // 2 * 2
        rests.update(set(everybody) - set(playing))
    assert len(rounds) == legs * (entrants - 1 + entrants % 2)
    assert set(rests.values()) == (set() if entrants % 2 == 0 else {legs})


@pytest.mark.parametrize("entrants", [*range(2, 13), 33, 64])
def test_everybody_is_first_side_as_often_as_second(entrants: int) -> None:
    first = Counter(pairing.sides[0] for pairing in round_robin(entrants).pairings)
    second = Counter(pairing.sides[1] for pairing in round_robin(entrants).pairings)
    everybody = [f"e{n}" for n in range(1, entrants + 1)]
    assert {abs(first[entrant] - second[entrant]) for entrant in everybody} == {1 - entrants % 2}
    twice = round_robin(entrants, double=True).pairings
    first = Counter(pairing.sides[0] for pairing in twice)
    assert set(first.values()) == {entrants - 1}


@pytest.mark.parametrize("entrants", range(2, 13))
def test_the_second_leg_is_the_first_with_sides_exchanged(entrants: int) -> None:
    rounds = by_round(round_robin(entrants, double=True).pairings)
    half = len(rounds) // 2
    for number in range(1, half + 1):
        assert rounds[number + half] == [(second, first) for first, second in rounds[number]]


@pytest.mark.parametrize(("entrants", "champion"), [(0, None), (1, "e1")])
def test_with_nobody_to_meet_there_is_nothing_to_play(entrants: int, champion: str | None) -> None:
    plan = round_robin(entrants)
    assert (plan.finished, plan.champion, plan.pairings) == (True, champion, ())


def test_names_say_group_round_and_number() -> None:
    assert lines(3) == {"G1R1.1": "e2 - e3  ready", "G1R2.1": "e1 - e2  ready", "G1R3.1": "e3 - e1  ready"}
    assert list(lines(6, groups=2)) == [
        *("G1R1.1", "G1R2.1", "G1R3.1"),
        *("G2R1.1", "G2R2.1", "G2R3.1"),
    ]


# Groups


def test_seeds_go_forth_and_back_over_the_groups() -> None:
    seeded = [f"e{n}" for n in range(1, 11)]
    assert draw_groups(seeded, 3) == [["e1", "e6", "e7"], ["e2", "e5", "e8"], ["e3", "e4", "e9", "e10"]]


@pytest.mark.parametrize("groups", [2, 3, 4])
def test_relatives_come_into_different_groups_where_an_exchange_does_it(groups: int) -> None:
    seeded = [f"e{n}" for n in range(1, 13)]
    plain = draw_groups(seeded, groups)
    forbidden = {frozenset(pair) for group in plain for pair in [group[:2], group[-2:]]}
    drawn_ = draw_groups(seeded, groups, forbidden)
    assert [len(group) for group in drawn_] == [len(group) for group in plain]
    assert not [pair for pair in forbidden for group in drawn_ if pair <= set(group)]


def test_two_exchanges_in_turn_part_whom_no_single_one_does() -> None:
    pairs = [("e1", "e3"), ("e1", "e4"), ("e3", "e4"), ("e3", "e8"), ("e4", "e8"), ("e5", "e9")]
    drawn_ = draw_groups([f"e{n}" for n in range(1, 10)], 3, set(map(frozenset, pairs)))
    assert not [pair for pair in pairs for group in drawn_ if set(pair) <= set(group)]


def test_a_field_in_which_nobody_should_meet_anybody_is_drawn_all_the_same() -> None:
    seeded = [f"e{n}" for n in range(130)]
    forbidden = set(map(frozenset, combinations(seeded, 2)))
    assert draw_groups(seeded, 4, forbidden) == draw_groups(seeded, 4)


def test_groups_have_ranks_and_numbers_of_their_own_and_no_champion() -> None:
    plan = round_robin(4, won("G1R1.1", 0), won("G2R1.1", 1), groups=2, tiebreaks=[])
    assert [(one.rank, one.group, one.entrant, one.points) for one in plan.standings] == [
        (1, 1, "e1", 2),
        (1, 2, "e3", 2),
        (2, 1, "e4", 0),
        (2, 2, "e2", 0),
    ]
    assert (plan.finished, plan.champion) == (True, None)
    assert {standing["group"] for standing in print_plan(plan)["standings"]} == {1, 2}
    assert "group" not in print_plan(round_robin(4))["standings"][0]


def test_more_groups_than_entrants_leave_some_empty() -> None:
    plan = round_robin(2, groups=4)
    assert (plan.pairings, len(plan.standings)) == ((), 2)


# Results


def test_a_draw_stands_and_points_are_as_settled() -> None:
    log = [drawn("G1R1.1", 1), won("G1R2.1", 0), forfeit("G1R3.1", 0)]
    plan = round_robin(3, *log, points={"win": 3, "loss": 1, "forfeit": -2}, tiebreaks=[])
    assert lines(3, *log)["G1R1.1"] == "e2 - e3  done: nobody by draw 28:28"
    assert {one.entrant: one.points for one in plan.standings} == {"e1": 6, "e2": 2, "e3": -1}
    assert (plan.finished, plan.champion) == (True, "e1")


def test_equals_at_the_top_leave_no_champion() -> None:
    log = [drawn("G1R1.1", 0), drawn("G1R2.1", 0), drawn("G1R3.1", 0)]
    plan = round_robin(3, *log, tiebreaks=["wins"])
    assert (plan.finished, plan.champion, [one.rank for one in plan.standings]) == (True, None, [1, 1, 1])


def test_every_pairing_may_be_played_in_any_order() -> None:
    ids = [pairing.id for pairing in round_robin(5).pairings]
    log = [won(id_, len(id_) % 2) for id_ in ids]
    assert round_robin(5, *log) == round_robin(5, *log[::-1])


# Leaving and coming back


def test_after_a_withdrawal_results_stand_and_what_is_left_are_walkovers() -> None:
    log = [won("G1R1.1", 1), withdraw("e4")]
    assert lines(4, *log) == {
        "G1R1.1": "e1 - e4  done: e4 by target 12:31",
        "G1R1.2": "e2 - e3  ready",
        "G1R2.1": "e4 - e3  done: e3 by walkover",
        "G1R2.2": "e1 - e2  ready",
        "G1R3.1": "e2 - e4  done: e2 by walkover",
        "G1R3.2": "e3 - e1  ready",
    }
    assert round_robin(4, *log).touched == ("G1R2.1", "G1R3.1")


def test_two_who_leave_one_after_the_other_give_the_second_a_walkover() -> None:
    log = [withdraw("e4"), withdraw("e3")]
    assert lines(4, *log)["G1R2.1"] == "e4 - e3  done: e3 by walkover"
    assert lines(4, *log, reenter("e4"))["G1R2.1"] == "e4 - e3  done: e4 by walkover"
    assert lines(4, *log, reenter("e4"), reenter("e3"))["G1R2.1"] == "e4 - e3  ready"


def test_all_results_of_the_disqualified_count_as_forfeits_and_come_back_with_them() -> None:
    log = [won("G1R1.1", 0), drawn("G1R2.2", 0), won("G1R1.2", 0), disqualify("e1")]
    assert lines(4, *log) == {
        "G1R1.1": "e1 - e4  done: e4 by forfeit",
        "G1R1.2": "e2 - e3  done: e2 by target 31:12",
        "G1R2.1": "e4 - e3  ready",
        "G1R2.2": "e1 - e2  done: e2 by forfeit",
        "G1R3.1": "e2 - e4  ready",
        "G1R3.2": "e3 - e1  done: e3 by walkover",
    }
    plan = round_robin(4, *log)
    assert plan.touched == ("G1R1.1", "G1R2.2", "G1R3.2")
    assert {one.entrant: one.points for one in plan.standings} == {"e2": 4, "e3": 2, "e4": 2, "e1": 0}
    assert round_robin(4, *log, reenter("e1")).pairings == round_robin(4, *log[:3]).pairings


def test_nothing_comes_after_a_pairing_of_a_round_robin() -> None:
    log = [won("G1R1.1", 0), correct(won("G1R1.1", 1), G1R2_1="replay")]
    assert refused(4, *log) == "not-allowed"


def test_a_round_is_not_stated_for_all_are_known() -> None:
    stated = {"type": "round", "round": 1, "pairings": [["e1", "e2"], ["e3", "e4"]]}
    assert refused(4, stated) == "not-allowed"


# Coming late


def test_into_an_odd_group_a_late_entry_comes_where_others_would_rest() -> None:
    assert lines(3, enter("new")) == {
        "G1R1.1": "e2 - e3  ready",
        "G1R2.1": "e1 - e2  ready",
        "G1R3.1": "e3 - e1  ready",
        "G1R1.2": "e1 - new  ready",
        "G1R2.2": "new - e3  ready",
        "G1R3.2": "e2 - new  ready",
    }


def test_into_an_even_group_a_late_entry_brings_further_rounds() -> None:
    added = {id_: line for id_, line in lines(4, enter("new")).items() if "new" in line}
    assert added == {
        "G1R4.1": "e1 - new  ready",
        "G1R5.1": "new - e2  ready",
        "G1R6.1": "e3 - new  ready",
        "G1R7.1": "new - e4  ready",
    }


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("entrants", range(1, 10))
def test_everybody_still_meets_everybody_once_a_leg_after_late_entries(entrants: int, double: bool) -> None:
    newcomers = [enter(f"n{n}") for n in range(3)]
    plan = round_robin(entrants, *newcomers, double=double)
    everybody = [standing.entrant for standing in plan.standings]
    legs = 2 if double else 1
    pairs = Counter(frozenset(pairing.sides) for pairing in plan.pairings)
    assert pairs == dict.fromkeys(map(frozenset, combinations(everybody, 2)), legs)
    assert len({pairing.id for pairing in plan.pairings}) == len(plan.pairings)
    if double:
        assert set(Counter(pairing.sides for pairing in plan.pairings).values()) == {1}
    for sides in by_round(plan.pairings).values():
        playing = [side for pair in sides for side in pair]
        assert len(playing) == len(set(playing))


def test_a_late_entry_comes_into_the_smallest_group_before_its_half() -> None:
    log = [won("G1R1.1", 0), won("G1R2.1", 0)]
    assert "new" in lines(7, enter("new"), groups=2)["G1R1.2"]
    assert "new" in lines(7, *log, enter("new"), groups=2)["G2R4.1"]


def test_half_of_the_pairings_is_too_late_to_enter() -> None:
    log = [won("G1R1.1", 0), won("G1R1.2", 0), won("G1R2.1", 0)]
    assert refused(4, *log, enter("new")) == "not-allowed"
    assert len(round_robin(4, *log[:2], enter("new")).standings) == 5
    assert refused(4, enter("e2")) == "not-allowed"


# In a later stage


def test_others_under_the_same_record_and_back_restore_every_line() -> None:
    event = RoundRobin(Settings("round_robin"), [Entrant(f"e{n}", seed=n) for n in range(1, 5)])
    event.apply(Result("G1R1.1", "target", (31, 4)))
    before = (event.pairings(), event.standings())
    event.reseat([Entrant("e1", seed=1), Entrant("e9", seed=2), Entrant("e3", seed=3), Entrant("e4", seed=4)])
    changed = {pairing.id: pairing for pairing in event.pairings()}
    assert (changed["G1R1.1"].status, changed["G1R1.2"].sides) == ("done", ("e9", "e3"))
    event.reseat([Entrant(f"e{n}", seed=5 - n) for n in range(1, 5)])
    assert {pairing.status for pairing in event.pairings()} == {"ready"}
    event.reseat([Entrant(f"e{n}", seed=n) for n in range(1, 5)])
    assert (event.pairings(), event.standings()) == before


def test_a_play_off_needs_one_group() -> None:
    log = [drawn("G1R1.1", 0), {"type": "play_off", "entrants": ["e1", "e2"]}]
    assert lines(2, *log, tiebreaks=["play_off"])["PO1"] == "e1 - e2  ready"
    level = [drawn("G1R1.1", 0), drawn("G2R1.1", 0), {"type": "play_off", "entrants": ["e1", "e4"]}]
    assert refused(4, *level, groups=2, tiebreaks=["play_off"]) == "not-allowed"

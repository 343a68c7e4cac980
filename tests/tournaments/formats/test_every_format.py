"""What holds of every format, whatever happens in it."""

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tests.tournaments.formats.chances import (
    Json,
    any_item,
    any_settings,
    chances,
    fact,
    offer,
    play_out,
)
from tests.tournaments.formats.notes import UNDO, document, tournament
from tournaments.formats.event import print_plan
from tournaments.formats.names import read_name
from tournaments.formats.plan import Plan, Tournament, diff
from tournaments.formats.stream import stream

often = hypothesis_settings(deadline=None, max_examples=300)


def in_the_middle(entrants: int, settings: Json, chance: Random) -> tuple[Tournament, list[Json]]:
    """A tournament to which something has happened, and its log."""
    running = tournament(entrants, **settings)
    log: list[Json] = []
    for _ in range(chance.randrange(2 * min(entrants, 24) + 1)):
        item = any_item(running.plan(), chance)
        if offer(running, item):
            log.append(item)
    return running, log


def untouched(plan: Plan) -> Plan:
    return replace(plan, touched=())


@often
@given(st.integers(0, 33), chances)
def test_every_event_ends_and_no_pairing_waits_for_ever(entrants: int, chance: Random) -> None:
    settings = any_settings(chance)
    running, _ = in_the_middle(entrants, settings, chance)
    plan = play_out(running, chance)
    assert plan.finished
    assert {pairing.status for pairing in plan.pairings} <= {"done", "void"}
    first = [standing.entrant for standing in plan.standings if standing.rank == 1]
    assert plan.champion == (first[0] if len(first) == 1 else None)
    listed = [standing.entrant for standing in plan.standings]
    assert len(listed) == len(set(listed))
    assert {f"e{number}" for number in range(1, entrants + 1)} <= set(listed)


@hypothesis_settings(deadline=None, max_examples=30)
@given(st.integers(34, 130), chances)
def test_large_events_end_too(entrants: int, chance: Random) -> None:
    running = tournament(entrants, **any_settings(chance))
    if len(running.plan().pairings) > 1500:
        return
    assert_sound(running.plan())
    plan = play_out(running, chance)
    assert plan.finished
    assert len({standing.entrant for standing in plan.standings}) == entrants
    assert_sound(plan)


@often
@given(st.integers(2, 20), chances)
def test_nobody_meets_himself_and_lines_agree_with_themselves(entrants: int, chance: Random) -> None:
    running, _ = in_the_middle(entrants, any_settings(chance), chance)
    assert_sound(running.plan())


@often
@given(st.integers(2, 20), chances)
def test_a_copy_goes_its_own_way_and_goes_it_as_the_first_would(entrants: int, chance: Random) -> None:
    settings = any_settings(chance)
    first, log = in_the_middle(entrants, settings, chance)
    before, copy = first.plan(), first.copy()
    later: list[Json] = []
    for _ in range(8):
        item = any_item(copy.plan(), chance)
        if offer(copy, item):
            later.append(item)
    assert first.plan() == before
    assert copy.plan() == tournament(entrants, *log, *later, **settings).plan()
    assert [offer(first, item) for item in later] == [True] * len(later)
    assert first.plan() == copy.plan()


def assert_sound(plan: Plan) -> None:
    """Each pairing is listed once, between two, and its line says nothing against itself."""
    ids = [pairing.id for pairing in plan.pairings]
    assert len(ids) == len(set(ids))
    for pairing in plan.pairings:
        first, second = pairing.sides
        assert first is None or first != second
        assert pairing.winner is None or pairing.winner in pairing.sides
        assert (pairing.decided_by is None) == (pairing.status != "done")
        nobody = pairing.status != "done" or pairing.decided_by in ("double-forfeit", "draw")
        assert (pairing.winner is None) == nobody
        assert pairing.status != "ready" or None not in pairing.sides


@hypothesis_settings(deadline=None, max_examples=30)
@given(st.sampled_from(["single_elimination", "double_elimination", "swiss"]), st.integers(2, 130), chances)
def test_everybody_is_in_each_round_that_is_for_all(format_: str, entrants: int, chance: Random) -> None:
    plan = play_out(tournament(entrants, format=format_), chance)
    rounds: dict[str, list[str]] = {}
    for pairing in plan.pairings:
        rounds.setdefault(read_name(pairing.id).key, []).extend(filter(None, pairing.sides))
    for_all = rounds if format_ == "swiss" else {"R1", "W1"} & rounds.keys()
    everybody = sorted(f"e{number}" for number in range(1, entrants + 1))
    assert [sorted(rounds[key]) for key in for_all] == [everybody] * max(1, len(for_all))


@hypothesis_settings(deadline=None, max_examples=60)
@given(st.integers(2, 40), st.integers(1, 6), st.booleans(), chances)
def test_in_a_round_robin_every_two_of_a_group_meet(
    entrants: int, groups: int, is_double: bool, chance: Random
) -> None:
    running = tournament(entrants, format="round_robin", groups=min(groups, entrants), double=is_double)
    plan = play_out(running, chance)
    group = {standing.entrant: standing.group for standing in plan.standings}
    of_one_group = [pair for pair in combinations(group, 2) if group[pair[0]] == group[pair[1]]]
    met = Counter(frozenset(pairing.sides) for pairing in plan.pairings if None not in pairing.sides)
    assert met == Counter({frozenset(pair): 1 + is_double for pair in of_one_group})


@often
@given(st.integers(2, 20), chances)
def test_correction_then_undo_gives_the_identical_plan(entrants: int, chance: Random) -> None:
    running, _ = in_the_middle(entrants, any_settings(chance), chance)
    seen: list[Plan] = []
    for _ in range(12):
        plan = running.plan()
        item = any_item(plan, chance)
        if item["type"] == "correct" and offer(running, item):
            seen.append(plan)
    while seen:
        assert offer(running, UNDO)
        assert untouched(running.plan()) == untouched(seen.pop())


@often
@given(st.integers(2, 20), chances)
def test_the_order_in_which_a_round_arrives_does_not_matter(entrants: int, chance: Random) -> None:
    settings = any_settings(chance)
    running, log = in_the_middle(entrants, settings, chance)
    other = tournament(entrants, *log, **settings)
    facts = [fact(pairing.id, chance) for pairing in running.plan().pairings if pairing.status == "ready"]
    for item in facts:
        assert offer(running, item)
    for item in chance.sample(facts, len(facts)):
        assert offer(other, item)
    assert running.plan() == other.plan()


@often
@given(st.integers(0, 16), chances)
def test_one_go_is_item_by_item_and_what_is_refused_changes_nothing(entrants: int, chance: Random) -> None:
    settings = any_settings(chance)
    running = tournament(entrants, **settings)
    items: list[Json] = [UNDO]
    for _ in range(2 * entrants):
        plan = running.plan()
        items.append(any_item(plan, chance))
        if not offer(running, items[-1]):
            assert running.plan() == plan
    lines = [json.dumps(line).encode() for line in [document(entrants, **settings), *items]]
    first, *answers = stream(lines)
    assert first == print_plan(tournament(entrants, **settings).plan())
    taken = [item for item, answer in zip(items, answers, strict=True) if answer["ok"]]
    assert tournament(entrants, *taken, **settings).plan() == running.plan()
    assert [answer for answer in answers if answer["ok"]][-1:] in ([], [print_plan(running.plan())])


@often
@given(st.integers(2, 16), chances)
def test_touched_is_every_listed_pairing_that_changed(entrants: int, chance: Random) -> None:
    running, _ = in_the_middle(entrants, any_settings(chance), chance)
    for _ in range(10):
        before = running.plan()
        item = any_item(before, chance)
        if offer(running, item):
            plan = running.plan()
            changed = set(diff(before, plan)) & {pairing.id for pairing in plan.pairings}
            if item["type"] == "correct":
                changed.add(item["pairing"])
            touching = item["type"] in ("correct", "undo", "withdraw", "disqualify")
            assert set(plan.touched) == (changed if touching else set())

"""What holds of every bracket and every log that a plan takes."""

import json
from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.formats.chances import (
    Json,
    chances,
    next_item,
    offer,
    play_out,
    with_later,
)
from tests.tournaments.formats.notes import UNDO, document, tournament, unhurried
from tests.tournaments.formats.oracle import Oracle
from tournaments.formats.event import print_plan
from tournaments.formats.plan import Plan, diff
from tournaments.formats.results import Pairing
from tournaments.formats.stream import stream


@unhurried
@given(st.integers(2, 70), st.booleans(), st.sampled_from([1, 3, 5]), chances)
def test_every_bracket_ends_with_one_champion_or_with_nobody_left(
    entrants: int, third_place: bool, best_of: int, chance: Random
) -> None:
    running = tournament(entrants, third_place=third_place, best_of=best_of)
    for _ in range(chance.randrange(2 * entrants)):
        plan = running.plan()
        offer(running, with_later(next_item(plan, chance, corrections=True, returns=True), plan, chance))
    plan = play_out(running, chance)
    final = next(pairing for pairing in reversed(plan.pairings) if pairing.id != "P3")
    assert plan.finished
    assert plan.champion == final.winner
    assert (final.status == "void" or final.decided_by == "double-forfeit") == (plan.champion is None)
    assert not [pairing for pairing in plan.pairings if pairing.status == "waiting"]
    assert {standing.entrant for standing in plan.standings if standing.still_in} <= {plan.champion}
    assert [standing.rank for standing in plan.standings] == sorted(
        standing.rank for standing in plan.standings
    )


@unhurried
@given(st.integers(2, 20), st.booleans(), chances)
def test_every_line_is_what_the_oracle_works_out_anew(
    entrants: int, third_place: bool, chance: Random
) -> None:
    running, oracle = tournament(entrants, third_place=third_place), Oracle(entrants, third_place)
    for _ in range(2 * entrants):
        item = next_item(running.plan(), chance, corrections=True, returns=True)
        if offer(running, item):
            oracle.add(item)
        assert print_plan(running.plan())["pairings"] == [oracle.line(id_) for id_ in oracle.ids()]


@unhurried
@given(st.integers(2, 40), st.booleans(), chances)
def test_a_plan_is_the_fold_of_the_log_that_was_taken(
    entrants: int, third_place: bool, chance: Random
) -> None:
    running = tournament(entrants, third_place=third_place)
    log: list[Json] = []
    for _ in range(2 * entrants):
        plan = running.plan()
        item = with_later(next_item(plan, chance, corrections=True, returns=True), plan, chance)
        if offer(running, item):
            log.append(item)
        else:
            assert running.plan() == plan
    assert tournament(entrants, *log, third_place=third_place).plan() == running.plan()


@unhurried
@given(st.integers(2, 40), chances)
def test_undo_restores_every_line_and_every_standing(entrants: int, chance: Random) -> None:
    running = tournament(entrants, third_place=True)
    seen: list[Plan] = []
    for _ in range(2 * entrants):
        plan = running.plan()
        item = with_later(next_item(plan, chance, corrections=True, returns=True), plan, chance)
        if not offer(running, item) or item["type"] not in ("correct", "undo"):
            seen = [] if running.plan() != plan else seen
            continue
        if item["type"] == "correct":
            seen.append(plan)
        elif seen:
            assert replace(running.plan(), touched=()) == replace(seen.pop(), touched=())


@unhurried
@given(st.integers(2, 40), chances)
def test_touched_is_what_changed_and_the_pairing_corrected(entrants: int, chance: Random) -> None:
    running = tournament(entrants)
    for _ in range(2 * entrants):
        before = running.plan()
        item = next_item(before, chance, corrections=True, returns=True)
        if offer(running, item):
            changed = set(diff(before, running.plan()))
            if item["type"] == "correct":
                changed.add(item["pairing"])
            touching = item["type"] in ("correct", "undo", "withdraw", "disqualify")
            assert set(running.plan().touched) == (changed if touching else set())


@unhurried
@given(st.integers(2, 33), chances)
def test_what_leaves_a_pairing_arrives_in_the_next(entrants: int, chance: Random) -> None:
    running = tournament(entrants, third_place=True)
    for _ in range(2 * entrants):
        offer(running, next_item(running.plan(), chance, corrections=True, returns=True))
        by_id = {pairing.id: pairing for pairing in running.plan().pairings}
        for pairing in by_id.values():
            assert_lines_agree(pairing, by_id)


def assert_lines_agree(pairing: Pairing, by_id: dict[str, Pairing]) -> None:
    if pairing.winner is not None:
        assert pairing.winner in pairing.sides
    assert (pairing.decided_by is None) == (pairing.status != "done")
    assert (pairing.winner is None) == (pairing.status != "done" or pairing.decided_by == "double-forfeit")
    if pairing.id == "P3" or pairing.round == 1:
        return
    n = int(pairing.id.split(".")[1])
    feeders = [by_id[f"R{pairing.round - 1}.{feeder}"] for feeder in (2 * n - 1, 2 * n)]
    assert sorted(filter(None, pairing.sides)) == sorted(feeder.winner for feeder in feeders if feeder.winner)
    open_feeders = any(feeder.status in ("waiting", "ready") for feeder in feeders)
    assert (pairing.status == "waiting") == open_feeders


@unhurried
@given(st.integers(2, 70), chances)
def test_a_bracket_played_without_absence_ranks_by_the_round_of_exit(entrants: int, chance: Random) -> None:
    running = tournament(entrants)
    size = 2 ** (entrants - 1).bit_length()
    out_in: dict[str, int] = {}
    byes = [pairing for pairing in running.plan().pairings if pairing.decided_by == "bye"]
    assert [pairing.sides[0] for pairing in byes] == [f"e{n}" for n in sorted_by_line(byes)]
    assert len(byes) == size - entrants
    while ready := [pairing for pairing in running.plan().pairings if pairing.status == "ready"]:
        for pairing in ready:
            side = chance.randrange(2)
            score = [31, 4] if side == 0 else [4, 31]
            item = {"type": "result", "pairing": pairing.id, "kind": "target", "score": score}
            assert offer(running, item)
            loser = pairing.sides[1 - side]
            assert loser is not None
            out_in[loser] = pairing.round
    plan = running.plan()
    assert plan.champion is not None
    rounds = (entrants - 1).bit_length()
    expected = {entrant: 1 + 2 ** (rounds - round_) for entrant, round_ in out_in.items()} | {
        plan.champion: 1
    }
    assert {standing.entrant: standing.rank for standing in plan.standings} == expected
    ranks = sorted(expected.values())
    assert ranks == [1 + sum(other < rank for other in ranks) for rank in ranks]
    path = [pairing for pairing in plan.pairings if plan.champion in pairing.sides]
    assert [pairing.round for pairing in path] == list(range(1, rounds + 1))
    assert {pairing.winner for pairing in path} == {plan.champion}


PLAYED = ("target", "round-cap", "last-round", "forfeit", "ruling")


@unhurried
@given(st.integers(2, 16), chances)
def test_nobody_comes_back_at_the_cost_of_what_was_played(entrants: int, chance: Random) -> None:
    running = tournament(entrants, third_place=True)
    for _ in range(3 * entrants):
        before = running.plan()
        item = next_item(before, chance, corrections=True, returns=True)
        if offer(running, item) and item["type"] == "reenter":
            kept = running.plan().pairings
            assert [
                now for was, now in zip(before.pairings, kept, strict=True) if was.decided_by in PLAYED
            ] == [was for was in before.pairings if was.decided_by in PLAYED]


def sorted_by_line(byes: list[Pairing]) -> list[int]:
    """The top seeds, in the order of the bracket."""
    return sorted(range(1, len(byes) + 1), key=lambda seed: [p.sides[0] for p in byes].index(f"e{seed}"))


@unhurried
@given(st.integers(0, 12), chances)
def test_a_stream_prints_what_the_file_so_far_would(entrants: int, chance: Random) -> None:
    running = tournament(entrants)
    items: list[Json] = [UNDO]
    for _ in range(entrants):
        plan = running.plan()
        items.append(next_item(plan, chance, corrections=True, returns=True))
        offer(running, items[-1])
    lines = [json.dumps(line).encode() for line in [document(entrants), *items]]
    taken: list[Json] = []
    first, *answers = stream(lines)
    assert first == print_plan(tournament(entrants).plan())
    for item, answer in zip(items, answers, strict=True):
        if answer["ok"]:
            taken.append(item)
            assert answer == print_plan(tournament(entrants, *taken).plan())
        else:
            assert list(answer["error"]) == ["code", "message"]

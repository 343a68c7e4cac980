"""What holds of every round robin and every Swiss, and of every log that their plans take."""

import json
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest

from tests.tournaments.formats.notes import UNDO, reenter
from tests.tournaments.formats.scored_oracle import ScoredOracle
from tournaments.formats.event import FORMAT, fold_event, print_plan
from tournaments.formats.notation import read_item
from tournaments.formats.plan import Tournament
from tournaments.formats.results import PlanError

Json = dict[str, Any]
VALUES = [
    "head_to_head",
    "score_difference",
    "wins",
    "buchholz",
    "median_buchholz",
    "sonneborn_berger",
    "last_round",
    "match_points",
    "play_off",
]


def event(chance: Random, format_: str, largest: int) -> Json:
    entrants = chance.choice([2, 3, 4, 5, 6, 7, 8, chance.randint(2, largest)])
    ids = [f"e{number}" for number in range(1, entrants + 1)]
    settings: Json = {
        "format": format_,
        "best_of": chance.choice([1, 1, 3, 5]),
        "seed": chance.randrange(1000),
        "tiebreaks": chance.sample(VALUES, chance.randint(0, len(VALUES))),
        "forbidden": [chance.sample(ids, 2) for _ in range(chance.choice([0, 0, 1, 3]))],
        "points": chance.choice([{}, {"win": 3}, {"win": 10, "draw": 4, "loss": 1, "bye": 5, "forfeit": -1}]),
    }
    if format_ == "swiss" and chance.random() < 0.7:
        settings["rounds"] = chance.randint(1, min(entrants + 1, 9))
    if format_ == "round_robin":
        settings |= {"groups": chance.choice([1, 1, 2, 3]), "double": chance.random() < 0.3}
    people = [{"id": id_, "name": "", "seed": seed} for seed, id_ in enumerate(ids, 1)]
    return {"format": FORMAT, "settings": settings, "entrants": people, "log": []}


def fact(pairing: str, chance: Random) -> Json:
    points = chance.randrange(-20, 31)
    happened: Json = chance.choice(
        [
            {"type": "result", "kind": "target", "score": [31, points]},
            {"type": "result", "kind": "target", "score": [points, 31]},
            {"type": "result", "kind": "target", "score": [31, 7]},
            {"type": "result", "kind": "round-cap", "score": [points, points + 1]},
            {"type": "result", "kind": "draw", "score": [points, points], "last_gainer": chance.randrange(2)},
            {"type": "result", "kind": "no-result", "score": [0, 0]},
            {"type": "forfeit", "side": chance.choice([0, 1, "both"])},
            {"type": "rule", "winner": chance.randrange(2), "reason": "late"},
        ]
    )
    if points == 31:
        happened = {"type": "result", "kind": "target", "score": [31, 30]}
    return {**happened, "pairing": pairing}


def next_item(plan: Json, chance: Random, number: int) -> Json:
    """An item that might come next; it may be refused."""
    ready = [line["id"] for line in plan["pairings"] if line["status"] == "ready"]
    done = [line["id"] for line in plan["pairings"] if line["status"] == "done"]
    entrants = [standing["entrant"] for standing in plan["standings"]]
    luck = chance.random()
    if luck < 0.04:
        return {"type": chance.choice(["withdraw", "disqualify"]), "entrant": chance.choice(entrants)}
    if luck < 0.06:
        return reenter(chance.choice(entrants))
    if luck < 0.08:
        return {"type": "adjust", "entrant": chance.choice(entrants), "points": chance.randint(-3, 3)}
    if luck < 0.11:
        return {"type": "enter", "entrant": {"id": f"late{number}", "name": ""}}
    if luck < 0.14 or not ready:
        level = [
            [one["entrant"], other["entrant"]]
            for one, other in combinations(plan["standings"], 2)
            if one["points"] == other["points"]
        ]
        if level and chance.random() < 0.8:
            return {"type": "play_off", "entrants": chance.choice(level)}
    if luck < 0.18:
        return UNDO
    if done and luck < 0.26:
        correct = {**fact(chance.choice(done), chance), "type": "correct"}
        later = {id_: chance.choice(["stand", "replay"]) for id_ in ready + done if chance.random() < 0.02}
        return {**correct, "later": later} if later else correct
    return fact(chance.choice(ready or done or ["R1.1"]), chance)


def offer(running: Tournament, item: Json) -> bool:
    try:
        running.add(read_item(json.loads(json.dumps(item))))
    except PlanError:
        return False
    return True


def seed_order(plan: Json, oracle: ScoredOracle) -> list[list[str]]:
    """The groups, each in seed order: as many as the standings know."""
    groups: dict[int, list[str]] = {}
    for standing in plan["standings"]:
        groups.setdefault(standing.get("group") or 1, []).append(standing["entrant"])
    return [sorted(group, key=oracle.entrants.index) for _, group in sorted(groups.items())]


def assert_as_worked_out(plan: Json, oracle: ScoredOracle) -> None:
    lines = [{key: value for key, value in line.items() if key != "round"} for line in plan["pairings"]]
    assert lines == oracle.lines()
    found = []
    for number, group in enumerate(seed_order(plan, oracle), 1):
        for place, (entrant, rank, points, values) in enumerate(oracle.table(group)):
            found.append((rank, number, place, entrant, points, values))
    expected = [
        (entrant, rank, points, values, entrant not in oracle.away)
        for rank, _, _, entrant, points, values in sorted(found, key=lambda row: row[:3])
    ]
    assert expected == [
        (
            standing["entrant"],
            standing["rank"],
            standing["points"],
            {key: Fraction(value) for key, value in standing["tiebreaks"].items()},
            standing["in"],
        )
        for standing in plan["standings"]
    ]


@pytest.mark.parametrize("format_", ["round_robin", "swiss"])
@pytest.mark.parametrize("block", range(6))
def test_every_line_and_every_value_is_what_the_oracle_works_out_anew(format_: str, block: int) -> None:
    for seed in range(block * 40, block * 40 + 40):
        chance = Random(f"{format_} {seed}")
        document = event(chance, format_, 12)
        running, oracle = fold_event(document), ScoredOracle(document)
        log: list[Json] = []
        plan = print_plan(running.plan())
        oracle.see(plan)
        for number in range(chance.randint(5, 60)):
            item = next_item(plan, chance, number)
            if not offer(running, item):
                assert print_plan(running.plan()) | {"touched": []} == plan | {"touched": []}
                continue
            log.append(item)
            oracle.add(item)
            plan = print_plan(running.plan())
            oracle.see(plan)
            assert_as_worked_out(plan, oracle)
        again = print_plan(fold_event({**document, "log": log}).plan())
        assert again == plan


def assert_a_swiss_is_fair(plan: Json) -> None:
    """Nobody meets himself or plays twice in a round, one rests at most, and nobody twice before all."""
    rounds: dict[int, list[list[str]]] = {}
    for line in plan["pairings"]:
        if not line["id"].startswith("PO"):
            rounds.setdefault(line["round"], []).append([side for side in line["sides"] if side])
    assert list(rounds) == list(range(1, len(rounds) + 1))
    for sides in rounds.values():
        playing = [side for pair in sides for side in pair]
        assert len(playing) == len(set(playing))
        assert sum(len(pair) == 1 for pair in sides) == len(playing) % 2


def round_of(plan: Json, number: int) -> list[list[str]]:
    lines = [line for line in plan["pairings"] if line["round"] == number and line["id"].startswith("R")]
    return [line["sides"] for line in lines if line["sides"][1]]


def all_could_meet_somebody_new(people: list[str], met: set[frozenset[str]]) -> bool:
    """By plain search, first come, first paired, with backtracking."""
    if not people:
        return True
    first, rest = people[0], people[1:]
    return any(
        all_could_meet_somebody_new([id_ for id_ in rest if id_ != other], met)
        for other in rest
        if frozenset((first, other)) not in met
    )


@pytest.mark.parametrize("block", range(8))
def test_every_swiss_keeps_its_rounds_and_repeats_no_meeting_it_could_avoid(block: int) -> None:
    for seed in range(block * 60, block * 60 + 60):
        chance = Random(f"rounds {seed}")
        document = event(chance, "swiss", 16 if seed % 10 else 130)
        running = fold_event(document)
        plan = print_plan(running.plan())
        met: set[frozenset[str]] = set()
        seen = 0
        for number in range(40 + 6 * len(document["entrants"])):
            offer(running, next_item(plan, chance, number))
            after = print_plan(running.plan())
            assert [line["sides"] for line in after["pairings"][: len(plan["pairings"])]] == [
                line["sides"] for line in plan["pairings"]
            ]
            plan = after
            last = max((line["round"] for line in plan["pairings"] if line["id"][0] == "R"), default=0)
            if last > seen:
                seen = last
                pairs = round_of(plan, last)
                again = [pair for pair in pairs if frozenset(pair) in met]
                people = [id_ for pair in pairs for id_ in pair]
                assert not again or not all_could_meet_somebody_new(people, met)
                met |= {frozenset(pair) for pair in pairs}
            if plan["finished"]:
                break
        assert_a_swiss_is_fair(plan)
        ready = [line for line in plan["pairings"] if line["status"] == "ready"]
        assert plan["finished"] == (not ready)


@pytest.mark.parametrize("format_", ["round_robin", "swiss"])
def test_what_arrives_within_a_round_may_arrive_in_any_order(format_: str) -> None:
    for seed in range(60):
        chance = Random(f"order {format_} {seed}")
        document = event(chance, format_, 20)
        one, other = fold_event(document), fold_event(document)
        for _ in range(4):
            ready = [line["id"] for line in print_plan(one.plan())["pairings"] if line["status"] == "ready"]
            items = [fact(pairing, chance) for pairing in ready]
            for running, order in ((one, items), (other, chance.sample(items, len(items)))):
                for item in order:
                    assert offer(running, item)
            assert print_plan(one.plan()) == print_plan(other.plan())


@pytest.mark.parametrize("format_", ["round_robin", "swiss"])
def test_a_correction_taken_back_leaves_the_identical_plan(format_: str) -> None:
    corrected = 0
    for seed in range(150):
        chance = Random(f"undo {format_} {seed}")
        running = fold_event(event(chance, format_, 20))
        for number in range(chance.randint(3, 40)):
            offer(running, next_item(print_plan(running.plan()), chance, number))
        before = print_plan(running.plan())
        done = [line["id"] for line in before["pairings"] if line["status"] == "done"]
        for _ in range(5 if done else 0):
            correct = {**fact(chance.choice(done), chance), "type": "correct"}
            if offer(running, correct):
                corrected += 1
                touched = print_plan(running.plan())["touched"]
                changed = {
                    new["id"]
                    for old, new in zip(
                        before["pairings"], print_plan(running.plan())["pairings"], strict=False
                    )
                    if old != new
                }
                assert set(touched) == changed | {correct["pairing"]}
                assert offer(running, UNDO)
                assert print_plan(running.plan()) | {"touched": []} == before | {"touched": []}
    assert corrected > 300


@pytest.mark.parametrize("format_", ["round_robin", "swiss"])
def test_every_event_that_is_played_ends_and_nobody_waits_for_ever(format_: str) -> None:
    for seed in range(80):
        chance = Random(f"end {format_} {seed}")
        running = fold_event(event(chance, format_, 130 if seed % 20 == 0 and format_ == "swiss" else 14))
        for number in range(chance.randint(0, 30)):
            offer(running, next_item(print_plan(running.plan()), chance, number))
        while ready := [line for line in print_plan(running.plan())["pairings"] if line["status"] == "ready"]:
            for line in ready:
                assert offer(running, fact(line["id"], chance))
        plan = print_plan(running.plan())
        first = [standing["entrant"] for standing in plan["standings"] if standing["rank"] == 1]
        groups = {standing.get("group") for standing in plan["standings"]}
        assert plan["finished"]
        if len(groups) == 1:
            assert plan["champion"] == (first[0] if len(first) == 1 else None)

"""The pairing of one round: against every matching there is, for small fields; and what large ones must keep."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

import pytest

from tournaments.formats.score_groups import Bracket, brackets, parts
from tournaments.formats.swiss_round import Contender, Draw, Meeting, bye_candidates, draw_round

Foes = dict[str, set[str]]


class Cost(NamedTuple):
    """What a round is judged by, the most important first."""

    rematches: int
    ages: int
    forbidden: int
    apart: int


def matchings(ids: Sequence[str]) -> Iterator[list[tuple[str, str]]]:
    """Every way to pair them off."""
    if not ids:
        yield []
        return
    first, rest = ids[0], ids[1:]
    for at, other in enumerate(rest):
        for others in matchings([*rest[:at], *rest[at + 1 :]]):
            yield [(first, other), *others]


def cost(pairs: Sequence[tuple[str, str]], field: dict[str, Contender], foes: Foes) -> Cost:
    met = [field[one].met[other] for one, other in pairs if other in field[one].met]
    apart = [abs(field[one].points - field[other].points) for one, other in pairs]
    return Cost(
        len(met),
        sum(meeting.last for meeting in met),
        sum(other in foes.get(one, ()) for one, other in pairs),
        sum(gap * gap for gap in apart),
    )


def random_field(size: int, rounds: int, chance: Random) -> tuple[list[Contender], Foes]:
    """Some rounds played at random, not even by Swiss rules, so that dead ends are common."""
    ids = [f"e{number}" for number in range(size)]
    points = dict.fromkeys(ids, 0)
    met: dict[str, dict[str, Meeting]] = {id_: {} for id_ in ids}
    byes: dict[str, list[int]] = {id_: [] for id_ in ids}
    for round_ in range(1, rounds + 1):
        drawn = chance.sample(ids, size)
        if size % 2:
            byes[drawn.pop()].append(round_)
        for one, other in zip(drawn[::2], drawn[1::2], strict=True):
            if other not in met[one]:
                met[one][other] = met[other][one] = Meeting(1, round_, True)
            gained = chance.choice([(2, 0), (0, 2), (1, 1)])
            points[one] += gained[0]
            points[other] += gained[1]
    order = sorted(ids, key=lambda id_: -points[id_])
    foes: Foes = {}
    for _ in range(chance.choice([0, 0, 1, 4])):
        one, other = chance.sample(ids, 2)
        foes.setdefault(one, set()).add(other)
        foes.setdefault(other, set()).add(one)
    field = [
        Contender(id_, points[id_], met[id_], tuple(byes[id_]), lot=chance.randrange(1, 2**31 - 1))
        for id_ in order
    ]
    return field, foes


@pytest.mark.parametrize("size", [2, 4, 6, 8])
def test_no_matching_is_better_than_the_one_drawn(size: int) -> None:
    for seed in range(250 if size < 8 else 120):
        chance = Random(f"{size} {seed}")
        contenders, foes = random_field(size, chance.randint(0, 2 * size), chance)
        field = {contender.id: contender for contender in contenders}
        drawn = cost(draw_round(contenders, foes).pairs, field, foes)
        assert drawn == min(cost(pairs, field, foes) for pairs in matchings(list(field)))


def test_of_ten_nobody_meets_again_whenever_a_matching_avoids_it() -> None:
    forced = 0
    for seed in range(120):
        chance = Random(f"ten {seed}")
        contenders, foes = random_field(10, chance.randint(8, 25), chance)
        field = {contender.id: contender for contender in contenders}
        drawn = cost(draw_round(contenders, foes).pairs, field, foes)
        fewest = min(cost(pairs, field, foes)[:2] for pairs in matchings(list(field)))
        assert drawn[:2] == fewest
        forced += fewest[0] > 0
    assert 10 < forced < 110


def test_in_an_odd_field_the_lowest_rests_for_whom_the_others_need_not_meet_again() -> None:
    moved_up = 0
    for seed in range(300):
        chance = Random(f"odd {seed}")
        contenders, foes = random_field(chance.choice([3, 5, 7]), chance.randint(0, 5), chance)
        draw = draw_round(contenders, foes)
        candidates = bye_candidates(contenders)
        fewest = [fewest_rematches(contenders, resting.id) for resting in candidates]
        expected = fewest.index(min(fewest))
        assert draw.bye == candidates[expected].id
        moved_up += expected > 0
    assert moved_up > 10


def fewest_rematches(contenders: Sequence[Contender], resting: str) -> int:
    field = {contender.id: contender for contender in contenders if contender.id != resting}
    return min(cost(pairs, field, {}).rematches for pairs in matchings(list(field)))


def test_who_may_rest_is_the_lowest_without_bye_and_without_points_without_play() -> None:
    field = [
        Contender("a", 8, {}),
        Contender("b", 6, {}, unplayed_win=True),
        Contender("c", 4, {}),
        Contender("d", 2, {}, byes=(1,)),
        Contender("e", 0, {}, unplayed_win=True),
    ]
    assert [contender.id for contender in bye_candidates(field)] == ["c", "a"]
    assert [contender.id for contender in bye_candidates([field[1], *field[3:]])] == ["e", "b"]


def test_when_all_have_rested_it_is_who_did_least_often_and_longest_ago() -> None:
    field = [
        Contender("a", 8, {}, byes=(2,)),
        Contender("b", 6, {}, byes=(1, 4)),
        Contender("c", 4, {}, byes=(3,)),
    ]
    assert [contender.id for contender in bye_candidates(field)] == ["a", "c"]


def test_a_meeting_that_never_came_to_a_table_is_repeated_before_one_that_did() -> None:
    played, unplayed = Meeting(1, 1, True), Meeting(1, 2, False)
    met = {
        "a": {"b": played, "c": unplayed, "d": played},
        "b": {"a": played, "c": played, "d": unplayed},
        "c": {"a": unplayed, "b": played, "d": played},
        "d": {"a": played, "b": unplayed, "c": played},
    }
    draw = draw_round([Contender(id_, 0, met[id_], lot=5) for id_ in "abcd"], {})
    assert draw == Draw([("a", "c"), ("b", "d")], None, 2)


def test_of_rematches_the_oldest_is_played_again() -> None:
    rounds = {("a", "b"): 1, ("c", "d"): 1, ("a", "c"): 2, ("b", "d"): 2, ("a", "d"): 3, ("b", "c"): 3}
    met: dict[str, dict[str, Meeting]] = {id_: {} for id_ in "abcd"}
    for (one, other), round_ in rounds.items():
        met[one][other] = met[other][one] = Meeting(1, round_, True)
    draw = draw_round([Contender(id_, 0, met[id_], lot=7) for id_ in "abcd"], {})
    assert draw.pairs == [("a", "b"), ("c", "d")]


def test_equals_meet_the_one_half_a_score_group_below() -> None:
    field = [Contender(f"e{n}", 2 if n <= 4 else 0, {}, lot=n) for n in range(1, 9)]
    assert draw_round(field, {}).pairs == [("e1", "e3"), ("e2", "e4"), ("e5", "e7"), ("e6", "e8")]


def test_nobody_floats_down_twice_running_where_it_can_be_avoided() -> None:
    field = [Contender(f"e{n}", 2 if n <= 3 else 0, {}, lot=n) for n in range(1, 7)]
    assert draw_round(field, {}).pairs == [("e1", "e2"), ("e3", "e4"), ("e5", "e6")]
    floated = {"e3": -1, "e4": 1}
    again = [
        Contender(contender.id, contender.points, {}, floated=floated.get(contender.id, 0), lot=contender.lot)
        for contender in field
    ]
    assert draw_round(again, {}).pairs == [("e1", "e3"), ("e2", "e5"), ("e4", "e6")]


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([], []),
        ([0, 0], [(0, 2)]),
        ([4, 4, 2, 2], [(0, 2), (2, 4)]),
        ([4, 4, 4, 2, 2, 0], [(0, 2), (2, 4), (4, 6)]),
        ([4, 2, 2, 0], [(0, 2), (2, 4)]),
        ([6, 4, 2, 0], [(0, 2), (2, 4)]),
        ([6, 4, 4, 4, 2, 0], [(0, 2), (2, 4), (4, 6)]),
        ([4, 4, 4, 2, 2, 2, 2, 2], [(0, 2), (2, 4), (4, 8)]),
    ],
)
def test_the_last_of_an_odd_score_group_floats_to_the_next(
    points: list[int], expected: list[tuple[int, int]]
) -> None:
    assert brackets(points) == [Bracket(start, end) for start, end in expected]


@pytest.mark.parametrize("size", [2, 500, 1024, 1026, 5000, 10_000])
def test_parts_hold_everybody_once_are_even_and_not_small(size: int) -> None:
    chance = Random(size)
    points = sorted((sum(chance.choice([0, 1, 2]) for _ in range(4)) for _ in range(size)), reverse=True)
    found = parts(brackets(points), 128)
    assert sorted(place for part in found for place in part) == list(range(size))
    assert {len(part) % 2 for part in found} == {0}
    assert min(len(part) for part in found) >= min(size, 128)
    assert max(len(part) for part in found) <= 1024 + 128


@pytest.mark.parametrize("size", [130, 301, 1500, 2600])
def test_a_large_field_meets_nobody_twice_and_few_float(size: int) -> None:
    chance = Random(size)
    points = {f"e{n}": 0 for n in range(size)}
    met: dict[str, dict[str, Meeting]] = {id_: {} for id_ in points}
    byes: dict[str, tuple[int, ...]] = dict.fromkeys(points, ())
    floating = 0
    for round_ in range(1, 9):
        order = sorted(points, key=lambda id_: -points[id_])
        field = [
            Contender(id_, points[id_], met[id_], byes[id_], lot=chance.randrange(1, 2**31 - 1))
            for id_ in order
        ]
        draw = draw_round(field, {})
        assert draw.rematches == 0
        assert sorted(
            [id_ for pair in draw.pairs for id_ in pair] + ([draw.bye] if draw.bye else [])
        ) == sorted(points)
        floating += sum(points[one] != points[other] for one, other in draw.pairs)
        for one, other in draw.pairs:
            assert other not in met[one]
            met[one][other] = met[other][one] = Meeting(1, round_, True)
            points[chance.choice([one, other])] += 2
        if draw.bye:
            assert not byes[draw.bye]
            byes[draw.bye] = (round_,)
            points[draw.bye] += 2
    assert floating <= 8 * 8


def test_forbidden_pairs_are_parted_in_a_large_field() -> None:
    clubs = {f"e{n}": n % 7 for n in range(400)}
    foes = {id_: {other for other in clubs if clubs[other] == clubs[id_]} - {id_} for id_ in clubs}
    field = [Contender(id_, 0, {}, lot=n + 1) for n, id_ in enumerate(clubs)]
    draw = draw_round(field, foes)
    assert not [pair for pair in draw.pairs if clubs[pair[0]] == clubs[pair[1]]]

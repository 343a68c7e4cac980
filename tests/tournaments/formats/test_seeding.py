from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.formats.notes import unhurried
from tournaments.formats.entrants import Entrant, in_seed_order
from tournaments.formats.seeding import bracket_order, first_round


@pytest.mark.parametrize(
    ("size", "order"),
    [
        (1, [1]),
        (2, [1, 2]),
        (4, [1, 4, 2, 3]),
        (8, [1, 8, 4, 5, 2, 7, 3, 6]),
        (16, [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11]),
    ],
)
def test_bracket_order_is_the_known_one(size: int, order: list[int]) -> None:
    assert bracket_order(size) == order


@pytest.mark.parametrize("size", [2**power for power in range(1, 12)])
def test_bracket_order_keeps_the_best_apart_in_every_round(size: int) -> None:
    # By brute force: let the better seed win every pairing and look who meets.
    standing = bracket_order(size)
    while len(standing) > 1:
        meetings = [tuple(standing[place : place + 2]) for place in range(0, len(standing), 2)]
        assert sorted(meetings) == [
            (seed, len(standing) + 1 - seed) for seed in range(1, len(standing) // 2 + 1)
        ]
        standing = [min(meeting) for meeting in meetings]
    assert standing == [1]


def test_bracket_order_puts_the_better_half_of_each_pair_in_the_order_of_the_bracket_half_as_big() -> None:
    for size in (2, 4, 8, 16, 32, 1024):
        assert bracket_order(2 * size)[::2] == bracket_order(size)


def names(entrants: int) -> list[str]:
    return [f"e{seed}" for seed in range(1, entrants + 1)]


@pytest.mark.parametrize(
    ("entrants", "pairs"),
    [
        (2, [("e1", "e2")]),
        (3, [("e1", None), ("e2", "e3")]),
        (5, [("e1", None), ("e4", "e5"), ("e2", None), ("e3", None)]),
        (6, [("e1", None), ("e4", "e5"), ("e2", None), ("e3", "e6")]),
        (7, [("e1", None), ("e4", "e5"), ("e2", "e7"), ("e3", "e6")]),
    ],
)
def test_first_round_gives_the_byes_to_the_top_seeds(
    entrants: int, pairs: list[tuple[str, str | None]]
) -> None:
    assert first_round(names(entrants)) == pairs


@unhurried
@given(st.integers(2, 1500))
def test_first_round_has_as_many_byes_as_seeds_are_missing_and_everyone_once(entrants: int) -> None:
    pairs = first_round(names(entrants))
    resting = [better for better, worse in pairs if worse is None]
    assert len(pairs).bit_count() == 1
    assert sorted(resting) == sorted(names(2 * len(pairs) - entrants))
    assert sorted(side for pair in pairs for side in pair if side is not None) == sorted(names(entrants))


@pytest.mark.parametrize(
    ("forbidden", "pairs"),
    [
        ([], [("e1", "e8"), ("e4", "e5"), ("e2", "e7"), ("e3", "e6")]),
        ([("e1", "e2")], [("e1", "e8"), ("e4", "e5"), ("e2", "e7"), ("e3", "e6")]),
        ([("e4", "e5")], [("e1", "e8"), ("e4", "e6"), ("e2", "e7"), ("e3", "e5")]),
        ([("e8", "e1")], [("e1", "e7"), ("e4", "e5"), ("e2", "e8"), ("e3", "e6")]),
        ([("e4", "e5"), ("e4", "e6")], [("e1", "e8"), ("e4", "e7"), ("e2", "e5"), ("e3", "e6")]),
        ([("e4", "e5"), ("e3", "e5")], [("e1", "e8"), ("e4", "e7"), ("e2", "e5"), ("e3", "e6")]),
    ],
)
def test_first_round_parts_forbidden_pairs_by_exchanging_near_seeds(
    forbidden: list[tuple[str, str]], pairs: list[tuple[str, str]]
) -> None:
    assert first_round(names(8), {frozenset(pair) for pair in forbidden}) == pairs


def test_first_round_lets_a_forbidden_pair_meet_that_cannot_be_parted() -> None:
    assert first_round(names(3), {frozenset(("e2", "e3"))}) == [("e1", None), ("e2", "e3")]
    assert first_round(names(4), {frozenset(("e1", "e4")), frozenset(("e1", "e3"))}) == [
        ("e1", "e4"),
        ("e2", "e3"),
    ]


def matchings(tops: list[str], lows: list[str]) -> list[list[frozenset[str]]]:
    if not tops:
        return [[]]
    return [
        [frozenset((tops[0], low)), *rest]
        for low in lows
        for rest in matchings(tops[1:], [other for other in lows if other != low])
    ]


@unhurried
@given(st.integers(2, 10), st.data())
def test_first_round_has_no_more_forbidden_pairs_than_the_best_exchange_of_worse_seeds(
    entrants: int, data: st.DataObject
) -> None:
    every = [frozenset(pair) for pair in combinations(names(entrants), 2)]
    forbidden = data.draw(st.sets(st.sampled_from(every), max_size=12))
    natural = [pair for pair in first_round(names(entrants)) if pair[1] is not None]
    tops, lows = [better for better, _ in natural], [worse for _, worse in natural if worse]
    fewest = min(len(forbidden.intersection(matching)) for matching in matchings(tops, lows))
    assert len(forbidden.intersection(map(frozenset, first_round(names(entrants), forbidden)))) == fewest


def test_in_seed_order_puts_those_without_a_seed_last_as_they_came() -> None:
    entrants = [Entrant("late"), Entrant("third", seed=7), Entrant("later"), Entrant("first", seed=1)]
    assert [entrant.id for entrant in in_seed_order(entrants)] == ["first", "third", "late", "later"]

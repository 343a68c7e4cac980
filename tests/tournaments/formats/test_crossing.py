"""Losers drop crosswise: two who have met meet again as late as can be."""

from itertools import product
from random import Random

import pytest

from tests.tournaments.formats.notes import tournament, won
from tournaments.formats.double_bracket import crossed
from tournaments.formats.notation import read_item


@pytest.mark.parametrize(
    ("entrants", "round_", "places"),
    [
        (8, 2, [2, 1]),
        (8, 3, [1]),
        (16, 2, [3, 4, 1, 2]),
        (16, 3, [1, 2]),
        (32, 2, [5, 6, 7, 8, 1, 2, 3, 4]),
        (32, 3, [2, 1, 4, 3]),
        (32, 4, [2, 1]),
        (64, 3, [3, 4, 1, 2, 7, 8, 5, 6]),
        (64, 4, [4, 3, 2, 1]),
        (64, 5, [1, 2]),
    ],
)
def test_losers_drop_by_the_published_template(entrants: int, round_: int, places: list[int]) -> None:
    rounds = entrants.bit_length() - 1
    assert [crossed(round_, n, rounds) for n in range(1, len(places) + 1)] == places


def rematches(rounds: int, drops: dict[int, list[int]], chance: Random) -> list[int]:
    """The rounds of L in which two meet who have met before; winners fall at random."""
    met: set[frozenset[int]] = set()
    again: list[int] = []

    def play(first: int, second: int, round_: int) -> tuple[int, int]:
        pair = frozenset((first, second))
        if pair in met:
            again.append(round_)
        met.add(pair)
        return (first, second) if chance.random() < 0.5 else (second, first)

    upper, lost = list(range(2**rounds)), {}
    for round_ in range(1, rounds + 1):
        played = [play(first, second, 0) for first, second in zip(upper[::2], upper[1::2], strict=True)]
        upper, lost[round_] = [winner for winner, _ in played], [loser for _, loser in played]
    lower = lost[1]
    for round_ in range(2, rounds + 1):
        pairs = zip(lower[::2], lower[1::2], strict=True)
        lower = [play(first, second, 2 * round_ - 3)[0] for first, second in pairs]
        dropping = [lost[round_][place - 1] for place in drops[round_]]
        lower = [play(*pair, 2 * round_ - 2)[0] for pair in zip(dropping, lower, strict=True)]
    return again


def template(rounds: int) -> dict[int, list[int]]:
    return {
        round_: [crossed(round_, n, rounds) for n in range(1, 2 ** (rounds - round_) + 1)]
        for round_ in range(2, rounds + 1)
    }


def swapped(rounds: int, offsets: tuple[int, ...]) -> dict[int, list[int]]:
    return {
        round_: [((n ^ offset) + 1) for n in range(2 ** (rounds - round_))]
        for round_, offset in zip(range(2, rounds + 1), offsets, strict=True)
    }


@pytest.mark.parametrize("rounds", [3, 4, 5])
def test_no_other_exchange_of_places_parts_them_for_longer(rounds: int) -> None:
    ours = [again for seed in range(400) for again in rematches(rounds, template(rounds), Random(seed))]
    others = product(*(range(2 ** (rounds - round_)) for round_ in range(2, rounds + 1)))
    earliest = {
        offsets: min(
            again for seed in range(60) for again in rematches(rounds, swapped(rounds, offsets), Random(seed))
        )
        for offsets in others
    }
    assert min(ours) == max(earliest.values()) == rounds


@pytest.mark.parametrize("rounds", [3, 4, 5, 6])
def test_crossing_halves_the_rematches_and_leaves_the_early_rounds_none(rounds: int) -> None:
    straight = swapped(rounds, (0,) * (rounds - 1))
    with_crossing = [
        again for seed in range(60) for again in rematches(rounds, template(rounds), Random(seed))
    ]
    without = [again for seed in range(60) for again in rematches(rounds, straight, Random(seed))]
    assert 2 * len(with_crossing) < len(without)
    assert min(with_crossing) >= rounds > min(without) == 2


@pytest.mark.parametrize("entrants", range(4, 65))
def test_where_the_better_seed_wins_nobody_meets_again_before_the_last_round_of_l(entrants: int) -> None:
    running = tournament(entrants, format="double_elimination")
    met: set[frozenset[str | None]] = set()
    while ready := [pairing for pairing in running.plan().pairings if pairing.status == "ready"]:
        for pairing in ready:
            first, second = (int(str(side)[1:]) for side in pairing.sides)
            last = f"L{2 * (entrants - 1).bit_length() - 2}.1"
            assert frozenset(pairing.sides) not in met or pairing.id in (last, "GF1")
            met.add(frozenset(pairing.sides))
            running.add(read_item(won(pairing.id, 0 if first < second else 1)))
    assert running.plan().champion == "e1"

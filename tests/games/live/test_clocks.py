from datetime import UTC, datetime, timedelta

import pytest

from games.live.clocks import bank_left_ms, lag_budget, lag_given, left_ms, own_left_ms, replaced
from games.speeds import SPEEDS, speed_of

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def after(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("measured", "budget", "given"),
    [(0, 3000, 0), (120, 3000, 120), (5000, 3000, 1000), (800, 300, 300), (800, 0, 0), (-5, 3000, 0)],
)
def test_a_turn_is_lengthened_by_the_lag_within_its_limits(measured: int, budget: int, given: int):
    assert lag_given(measured, budget) == given


def test_the_budget_for_lag_runs_dry_and_refills_slowly():
    budget, given = 3000, []
    for _ in range(6):
        given.append(lag_given(1000, budget))
        budget = lag_budget(budget, given[-1])
    assert given == [1000, 1000, 1000, 600, 200, 200]
    for _ in range(100):
        budget = lag_budget(budget, 0)
    assert budget == 3000


@pytest.mark.parametrize(
    ("spent", "own", "bank"),
    [(0, 15000, 60000), (10, 5000, 60000), (15, 0, 60000), (16.5, 0, 58500), (75, 0, 0), (80, 0, 0)],
)
def test_the_bank_is_drawn_only_after_the_turns_own_time(spent: float, own: int, bank: int):
    due_at = after(15 + 60)
    assert own_left_ms(60000, 15, due_at, after(spent)) == own
    assert bank_left_ms(60000, due_at, after(spent)) == bank


def test_what_a_slow_line_is_given_draws_no_bank():
    due_at = after(15 + 60 + 0.8)
    assert (own_left_ms(60000, 15, due_at, NOW), bank_left_ms(60000, due_at, after(15.5))) == (15000, 60000)


def test_a_time_that_is_past_leaves_nothing():
    assert (left_ms(None, NOW), left_ms(after(-1), NOW), left_ms(after(1.5), NOW)) == (0, 0, 1500)


def test_one_of_four_values_is_replaced():
    assert replaced([1, 2, 3, 4], 2, 9) == (1, 2, 9, 4)


def test_a_pace_is_known_by_its_seconds():
    assert [speed_of(*speed) for speed in SPEEDS.values()] == list(SPEEDS)
    assert speed_of(20, 20, 0) == "custom"

"""The clocks of a table: a turn's own seconds, then the seat's time bank, and a small budget for slow lines.

All times are the server's. `due_at` is when the time of the seat in turn is really up: own seconds, bank and
what the budget gives. The bank is drawn only by what of it is missing when the seat acts.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, TypeVar

T = TypeVar("T")

# What a seat may be given for the way of its messages: at most so much a turn, out of a budget that every turn
# of its own refills a little. Milliseconds.
LAG_A_TURN_MS: Final = 1000
LAG_BUDGET_MS: Final = 3000
LAG_REFILL_MS: Final = 200


def lag_given(measured_ms: int, budget_ms: int) -> int:
    """What a turn is lengthened by, in milliseconds: the line's measured lag within its limits."""
    return max(0, min(measured_ms, budget_ms, LAG_A_TURN_MS))


def lag_budget(budget_ms: int, given_ms: int) -> int:
    """The budget once a turn was lengthened by `given_ms`."""
    return min(LAG_BUDGET_MS, budget_ms - given_ms + LAG_REFILL_MS)


def left_ms(due_at: datetime | None, now: datetime) -> int:
    """The milliseconds until a time; 0 once it is past, or where there is none."""
    return 0 if due_at is None else max(0, int((due_at - now) / timedelta(milliseconds=1)))


def bank_left_ms(bank_ms: int, due_at: datetime | None, now: datetime) -> int:
    """What is left at `now` of a bank whose seat's turn ends at `due_at`."""
    return min(bank_ms, left_ms(due_at, now))


def own_left_ms(bank_ms: int, own_seconds: int, due_at: datetime, now: datetime) -> int:
    """What is left of the turn's own time, before its bank is drawn; without what a slow line is given."""
    return min(left_ms(due_at - timedelta(milliseconds=bank_ms), now), 1000 * own_seconds)


def replaced(values: Sequence[T], seat: int, value: T) -> tuple[T, ...]:
    """Four values, by seat, with one of them another."""
    return tuple(value if number == seat else old for number, old in enumerate(values))

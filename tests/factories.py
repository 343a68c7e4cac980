"""Rows for tests, made with as little said as the test needs."""

import functools
import itertools
from datetime import UTC, datetime

from django.contrib.auth.hashers import make_password

from accounts.models import User
from games.models import Ruleset, Seat, SeatKind, Table

PASSWORD = "a-long-pass-phrase"
NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
_numbers = itertools.count(1)


def make_user(name: str = "", **more: object) -> User:
    """An account; its password is PASSWORD."""
    name = name or f"player{next(_numbers)}"
    user = User.objects.create_user(name, email=f"p{next(_numbers)}@example.org", **more)
    user.password = _hashed()
    user.save(update_fields=["password"])
    return user


@functools.cache
def _hashed() -> str:
    # Slow on purpose in production, so once is enough here.
    return make_password(PASSWORD)


def make_users(count: int) -> list[User]:
    """So many accounts."""
    return [make_user() for _ in range(count)]


def make_table(**more: object) -> Table:
    """A table row with its four seats open, waiting for players; no event has happened at it."""
    fields: dict[str, object] = {
        "code": f"T{next(_numbers):05d}",
        "ruleset": Ruleset.KOTCHINA,
        "secret": bytes(32),
        # Of no secret: each table has its own.
        "commitment": f"{next(_numbers):064x}",
        "created_at": NOON,
    }
    table = Table.objects.create(**(fields | more))
    Seat.objects.bulk_create(Seat(table=table, number=number) for number in range(4))
    return table


def seat_user(table: Table, number: int, user: User) -> Seat:
    """That player in that seat, as a row."""
    seat = table.seats.get(number=number)
    seat.kind, seat.user = SeatKind.PLAYER, user
    seat.save()
    return seat

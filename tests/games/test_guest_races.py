"""Presses at the same instant, on a real PostgreSQL."""

import pytest

from accounts.models import User
from accounts.services import make_guest
from games.models import Table
from games.services import guests
from tests.factories import NOON, PASSWORD
from tests.tournaments.test_races import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_presses_at_once_open_one_table() -> None:
    guest = make_guest(language="en", now=NOON)

    def press() -> Table:
        return guests.play_with_bots(user=guest, now=NOON)

    assert at_once(press, press, press) == [Table.objects.get()] * 3


def test_two_guests_who_want_one_name_are_told_apart() -> None:
    both = [make_guest(language="en", now=NOON) for _ in range(2)]
    works = [
        lambda guest=guest, n=n: guests.keep_seat(
            user=guest, name=("Salma", "SALMA")[n], email=f"s{n}@example.org", password=PASSWORD
        )
        for n, guest in enumerate(both)
    ]
    outcomes = at_once(*works)
    assert sorted(getattr(one, "code", "kept") for one in outcomes) == ["kept", "taken"]
    assert User.objects.filter(is_guest=False).count() == 1


def test_forgetting_twice_at_once_forgets_once() -> None:
    make_guest(language="en", now=NOON)
    later = NOON.replace(day=NOON.day + 2)
    assert sorted(at_once(*[lambda: guests.forget(now=later)] * 2)) == [0, 1]

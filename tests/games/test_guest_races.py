"""Presses at the same instant, on a real PostgreSQL."""

from typing import Any

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.db import connection

from accounts.models import User
from accounts.services import make_guest
from games.models import Event, Table
from games.services import guests
from tests.factories import NOON, PASSWORD, make_table
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


class StoresAMove(MD5PasswordHasher):
    """While a password is hashed, which takes its time, its owner's move is stored at some table."""

    algorithm = "stores-a-move"

    def encode(self, password: str, salt: str) -> str:
        guest = User.objects.get(is_guest=True)

        def store() -> None:
            with connection.cursor() as cursor:
                cursor.execute("set lock_timeout = 2000")
            Event.objects.create(table=Table.objects.get(), version=1, kind="act", user=guest, at=NOON)

        assert at_once(store) == [None]
        return str(super().encode(password, salt))


def test_making_an_account_keeps_no_move_from_being_stored(settings: Any) -> None:
    guest = make_guest(language="en", now=NOON)
    make_table()
    settings.PASSWORD_HASHERS = [f"{__name__}.StoresAMove"]
    guests.keep_seat(user=guest, name="Salma", email="s@example.org", password=PASSWORD)
    assert Event.objects.get().user == User.objects.get(username="Salma")


def test_forgetting_twice_at_once_forgets_once() -> None:
    make_guest(language="en", now=NOON)
    later = NOON.replace(day=NOON.day + 2)
    assert sorted(at_once(*[lambda: guests.forget(now=later)] * 2)) == [0, 1]

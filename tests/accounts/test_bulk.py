"""Rows stored by one statement are the rows that Django would have stored one by one."""

from typing import Any

import pytest
from django.db import DataError, IntegrityError, transaction
from django.forms.models import model_to_dict
from django.utils import timezone

from accounts.bulk import insert, insert_all
from accounts.models import Notice
from games.models import Seat, SeatKind, Table
from tests.factories import make_users

pytestmark = pytest.mark.django_db


def tables(count: int, **more: Any) -> list[Table]:
    return [
        Table(
            **{"code": f"T{n}", "secret": bytes([n, 0, 255]), "commitment": f"{n}\\'\"%s{{}}", **more},
            ruleset="kotchina",
            options={"n": n},
            title=f"طاولة {n}",
            created_at=timezone.now(),
        )
        for n in range(count)
    ]


def test_rows_are_as_django_stores_them_and_have_their_keys_in_order():
    rows = tables(5, bank_ms=[1, 2, 3, 4])
    insert_all(rows)
    stored = list(Table.objects.order_by("pk"))
    assert [row.code for row in stored] == ["T0", "T1", "T2", "T3", "T4"]
    assert [row.pk for row in rows] == [row.pk for row in stored]
    assert [model_to_dict(row) for row in stored] == [model_to_dict(row) for row in rows]
    assert [bytes(row.secret) for row in stored] == [row.secret for row in rows]
    assert not any(row._state.adding for row in rows)


@pytest.mark.parametrize("count", [0, 1])
def test_none_and_one_are_stored_too(count: int):
    insert_all(tables(count))
    assert Table.objects.count() == count


def test_arrays_that_differ_are_stored_all_the_same():
    rows = tables(2)
    rows[1].bank_ms = [9, 9, 9, 9]
    insert_all(rows)
    assert list(Table.objects.order_by("pk").values_list("bank_ms", flat=True)) == [[0] * 4, [9] * 4]


@pytest.mark.parametrize(
    ("fields", "error"), [({"code": "T" * 13}, DataError), ({"code": "T"}, IntegrityError)]
)
def test_what_the_database_refuses_is_refused_and_nothing_of_it_stored(
    fields: dict[str, Any], error: type[Exception]
):
    rows = tables(3)
    for row in rows[1:]:
        row.code = fields["code"]
    with pytest.raises(error), transaction.atomic():
        insert_all(rows)
    assert not Table.objects.exists()


def test_columns_that_are_not_named_have_their_defaults_and_unknown_ones_are_an_error():
    (table,) = rows = tables(1)
    insert_all(rows)
    users = make_users(2)
    each = {"table_id": [table.pk] * 2, "number": [0, 1], "user_id": [user.pk for user in users]}
    insert(Seat, each=each, shared={"kind": SeatKind.PLAYER})
    found = [(seat.number, seat.user, seat.bot, seat.engaged) for seat in table.seats.order_by("number")]
    assert found == [(0, users[0], "", False), (1, users[1], "", False)]
    with pytest.raises(TypeError, match="Seat has no colour"):
        insert(Seat, each=each, shared={"colour": "red"})


def test_rows_that_are_there_already_stay_as_they_are():
    users = make_users(3)

    def tell(text: str, told: list[Any]) -> list[int]:
        each = {"user_id": [user.pk for user in told], "text_en": [text] * len(told)}
        return insert(
            Notice,
            each=each,
            shared={"key": "once", "text_ar": "", "at": timezone.now()},
            ignore_conflicts=True,
        )

    assert len(tell("first", users[:2])) == 2
    assert len(tell("second", users)) == 1
    assert list(Notice.objects.order_by("user").values_list("text_en", flat=True)) == [
        "first",
        "first",
        "second",
    ]

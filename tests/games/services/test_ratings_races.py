"""Two workers at once, one that is killed, and what happens without the lock."""

from datetime import timedelta

import pytest
from django.db import connection, transaction

from accounts.models import Rating, RatingChange, Reckoned
from games.models import Void
from games.services import ratings
from tests.factories import NOON, make_users
from tests.games.rated import LATER, picture, played, rate
from tests.games.services.races import at_once, slowed

pytestmark = pytest.mark.django_db(transaction=True)


def many(count: int = 12) -> None:
    users = make_users(6)
    for number in range(count):
        four = [users[(number + step) % 6] for step in (0, 1, 2, 4)]
        played(four, number % 2, minutes=number)


def test_two_workers_come_to_the_same_as_one():
    many()
    found = at_once(*[lambda: ratings.rate_finished(now=LATER)] * 3)
    rate()

    assert not [error for error in found if isinstance(error, Exception)]
    assert (sum(found), Reckoned.objects.count()) == (12, 12)
    assert ratings.differences() == 0


@pytest.mark.parametrize(
    ("locked", "all_went_well"), [(True, True), (False, False)], ids=["locked", "control"]
)
def test_without_the_lock_two_workers_get_in_each_others_way(monkeypatch, locked, all_went_well):
    if not locked:
        monkeypatch.setattr(ratings, "_try_lock", lambda: True)
    # The rows of pairs and of attendance would hold up the second worker, and hide what the lock is for.
    many()
    monkeypatch.setattr(ratings.reliability, "remember", lambda *args, **more: None)
    monkeypatch.setattr(ratings.pairs, "meet", lambda *args: None)
    with slowed_inserts():
        found = at_once(*[lambda: ratings.rate_finished(now=LATER)] * 2)

    assert all(isinstance(outcome, int) for outcome in found) is all_went_well


class slowed_inserts:  # noqa: N801
    def __enter__(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "create function slow_down() returns trigger language plpgsql as"
                " $$ begin perform pg_sleep(0.3); return new; end $$"
            )
            cursor.execute(
                "create trigger slow before insert on accounts_reckoned for each statement"
                " execute function slow_down()"
            )

    def __exit__(self, *error: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute("drop function slow_down() cascade")


def test_a_match_declared_void_while_it_is_rated_does_not_count_in_the_end():
    users = make_users(4)
    tables = [played(users, 0, minutes=number) for number in range(3)]
    rate()

    def declare() -> None:
        with transaction.atomic():
            Void.objects.create(table=tables[1], reason_ar="س", reason_en="r", by=users[0], at=NOON)
            ratings.recompute([tables[1].pk])

    with slowed("accounts_rating", "true"):
        at_once(declare, ratings.recompute_all)
    rate()

    assert set(RatingChange.objects.values_list("table_number", flat=True)) == {tables[0].pk, tables[2].pk}
    assert (Rating.objects.get(user=users[0], speed="all").matches, ratings.differences()) == (2, 0)


def test_the_command_and_the_workers_at_once():
    many()
    rate()
    before = picture()
    found = at_once(
        ratings.recompute_all,
        lambda: ratings.rate_finished(now=LATER),
        lambda: ratings.recompute_all(since=NOON + timedelta(minutes=5)),
    )

    assert not [error for error in found if isinstance(error, Exception)]
    assert picture() == before

"""Nobody plays two matches that count at once, and a tournament's table comes before a casual one."""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from accounts.models import User
from games.models import Event, Seat, Table
from games.services import tables
from games.services.opening import start_match_table
from games.services.refusals import Refused
from tests.factories import make_users
from tests.games.services.races import at_once, slowed

pytestmark = pytest.mark.django_db(transaction=True)

ASKED = {"ruleset": "kotchina", "target": 31, "turn_seconds": 20, "visibility": "public"}


def opened(host: User, *, rated: bool = True) -> Table:
    return tables.open_table(host=host, **ASKED, rated=rated, now=timezone.now())


def sit(table: Table, user: User, seat: int) -> Table:
    return tables.sit(table_code=table.code, user=user, seat=seat, now=timezone.now())


def full(users: list[User], *, rated: bool = True) -> Table:
    table = opened(users[0], rated=rated)
    for seat, user in enumerate(users):
        table = sit(table, user, seat)
    return table


def tournament_table(users: list[User]) -> Table:
    asked: dict[str, Any] = ASKED | {"options": {}, "title": "Cup", "back_url": "/", "first_deal_seconds": 1}
    del asked["visibility"]
    with transaction.atomic():
        return start_match_table(users=users, **asked, now=timezone.now())


def refusal(table: Table, user: User, seat: int) -> str:
    with pytest.raises(Refused) as refused:
        sit(table, user, seat)
    return refused.value.code


def test_the_four_of_a_rated_match_are_bound_to_it_until_it_is_over():
    users = make_users(4)
    table = full(users)
    assert set(table.seats.values_list("engaged", flat=True)) == {True}
    assert refusal(opened(users[0]), users[0], 0) == "at-another-table"
    tables.close_table(table_id=table.pk, now=timezone.now())
    assert set(table.seats.values_list("engaged", flat=True)) == {False}
    assert sit(opened(users[0]), users[0], 0).phase == "waiting"


def test_casual_matches_bind_nobody():
    users = make_users(4)
    assert [full(users, rated=False).phase for _ in range(2)] == ["deal", "deal"]


def test_a_table_that_bots_fill_no_longer_counts():
    users = make_users(1)
    table = sit(opened(users[0]), users[0], 0)
    table = tables.fill(table_code=table.code, user=users[0], now=timezone.now())
    assert (table.phase, table.rated) == ("deal", False)


def test_who_was_called_to_another_rated_match_loses_the_waiting_seat():
    users = make_users(7)
    waiting = opened(users[0])
    for seat, user in enumerate(users[:3]):
        sit(waiting, user, seat)
    full([users[0], *users[4:7]])
    assert sit(waiting, users[3], 3).phase == "waiting"
    assert list(waiting.seats.order_by("number").values_list("kind", flat=True)) == [
        "open",
        *["player"] * 3,
    ]


def test_of_two_rated_matches_that_would_bind_a_player_at_one_instant_one_starts():
    users = make_users(7)
    first, second = opened(users[0]), opened(users[0])
    for table, others in ((first, users[1:3]), (second, users[4:6])):
        sit(table, users[0], 0)
        for seat, user in enumerate(others, start=1):
            sit(table, user, seat)

    def last(table: Table, user: User) -> str:
        try:
            return sit(table, user, 3).phase
        except Refused as refused:
            return refused.code
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(last, (first, second), (users[3], users[6])))
    assert outcomes.count("deal") == 1
    assert Seat.objects.filter(user=users[0], engaged=True).count() == 1


def test_two_rated_matches_that_would_bind_the_same_two_do_not_wait_for_each_other():
    users = make_users(6)
    layla, samir = users[:2]
    one, other = opened(layla), opened(samir)
    for table, seated in ((one, (layla, samir, users[2])), (other, (samir, layla, users[3]))):
        for seat, user in enumerate(seated):
            sit(table, user, seat)

    def last(table: Table, user: User) -> str:
        try:
            return sit(table, user, 3).phase
        except Refused as refused:
            return refused.code

    with slowed("games_seat", "new.engaged and not old.engaged"):
        outcomes = at_once(lambda: last(one, users[4]), lambda: last(other, users[5]))

    assert sorted(outcomes) == ["at-another-table", "deal"]


def test_who_gets_up_while_the_tournament_calls_keeps_nobody_from_playing():
    users = make_users(4)
    casual = sit(opened(users[0], rated=False), users[0], 0)

    def leave() -> str:
        return tables.leave(table_code=casual.code, user=users[0], now=timezone.now()).phase

    def call() -> str:
        time.sleep(0.1)
        return tournament_table(users).phase

    with slowed("games_seat", "old.user_id is not null and new.user_id is null"):
        assert at_once(leave, call) == ["waiting", "deal"]


def test_a_tournament_table_opens_the_waiting_seats_of_its_players():
    users = make_users(4)
    casual = sit(opened(users[0]), users[0], 0)
    tournament_table(users)
    assert set(casual.seats.values_list("kind", flat=True)) == {"open"}


@pytest.mark.parametrize("rated", [True, False])
def test_a_tournament_table_takes_its_players_away_from_casual_ones(rated: bool):
    users = make_users(7)
    casual = full(users[:4], rated=rated)
    tournament_table([users[0], *users[4:]])
    casual.refresh_from_db()
    assert (casual.phase, casual.idle) == ("deal", [3, 0, 0, 0])
    assert Event.objects.filter(table=casual).latest("version").kind == "leave"
    assert not casual.seats.get(number=0).engaged


def test_who_plays_in_a_tournament_takes_no_seat_at_a_rated_table():
    users = make_users(4)
    tournament_table(users)
    assert refusal(opened(users[0]), users[0], 0) == "at-another-table"
    assert sit(opened(users[0], rated=False), users[0], 0).phase == "waiting"

"""Quick match: wishes, partners, pages that close, bots; and many at once with a control."""

import threading
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from accounts.models import Rating, Sanction, User
from games.models import Phase, Seat, SeatKind, Seek, Table
from games.services import quick
from games.services.refusals import Refused
from tests.factories import NOON, make_table, make_user, make_users, seat_user
from tests.games.services.races import at_once, refused

WISH: dict[str, Any] = {"ruleset": "kotchina", "speed": "normal"}


def later(seconds: float) -> Any:
    return NOON + timedelta(seconds=seconds)


def seek(user: User, *, at: float = 0, **more: Any) -> Seek:
    return quick.seek(user=user, now=later(at), **(WISH | more))


def stay(users: list[User], at: float) -> None:
    """The pages of these users say that they are there, every five seconds until then."""
    for second in range(5, int(at) + 1, 5):
        for user in users:
            quick.seen(user=user, now=later(second))


def seated(table: Table) -> list[User | None]:
    return [seat.user for seat in table.seats.select_related("user").order_by("number")]


pytestmark = pytest.mark.django_db
many_at_once = pytest.mark.django_db(transaction=True)


def test_fourth_wish_for_the_same_starts_a_match() -> None:
    users = make_users(4)
    waiting = [seek(user, at=number) for number, user in enumerate(users)]
    table = Table.objects.get()

    assert [wish.table for wish in waiting] == [None, None, None, table]
    assert set(Seek.objects.values_list("table", flat=True)) == {table.pk}
    assert (table.phase, table.host, table.call_seconds, table.turn_seconds, table.bank_seconds) == (
        Phase.DEAL,
        None,
        20,
        15,
        60,
    )
    assert set(seated(table)) == set(users)


@pytest.mark.parametrize(
    "other", [{"ruleset": "classic"}, {"speed": "fast"}, {"rated": True}], ids=["rules", "speed", "rated"]
)
def test_who_wants_something_else_waits_elsewhere(other: dict[str, Any]) -> None:
    for user in make_users(3):
        seek(user)
    seek(make_user(), **other)

    assert not Table.objects.exists()


@pytest.mark.parametrize("rated", [True, False])
def test_four_people_play_rated_where_they_asked_for_it(rated: bool) -> None:
    for user in make_users(4):
        seek(user, rated=rated, bots=True)

    assert Table.objects.get().rated == rated
    assert Seat.objects.filter(engaged=rated).count() == 4


def test_a_new_wish_takes_the_place_of_the_earlier_one() -> None:
    user = make_user()
    seek(user)
    seek(user, at=5, speed="slow")

    assert list(Seek.objects.values_list("user", "speed", "created_at")) == [(user.pk, "slow", later(5))]


def test_a_wish_sent_twice_leads_to_the_match_that_has_begun() -> None:
    users = make_users(4)
    for user in users:
        seek(user)
    table = Table.objects.get()

    assert [seek(user, at=1, speed="fast").table for user in users] == [table] * 4
    Table.objects.update(phase=Phase.OVER)
    assert seek(users[0], at=2).table is None


def test_partners_sit_opposite_once_the_asked_one_agrees() -> None:
    one, partner, *others = make_users(4)
    asked = seek(one, partner=partner)
    for user in others:
        seek(user, at=1)
    assert not Table.objects.exists()
    quick.answer(user=partner, seek_id=asked.pk, yes=True, now=later(2))
    seats = seated(Table.objects.get())

    assert abs(seats.index(one) - seats.index(partner)) == 2


def test_partners_who_ask_each_other_for_the_same_agree_by_that() -> None:
    one, other = make_users(2)
    seek(one, partner=other, bots=True)
    found = seek(other, partner=one, at=1)

    assert (found.user, found.partner, found.accepted, found.bots) == (one, other, True, False)
    assert Seek.objects.count() == 1


def test_partners_who_ask_each_other_for_different_things_are_asked_both() -> None:
    one, other = make_users(2)
    seek(one, partner=other)
    seek(other, partner=one, speed="fast")

    assert list(Seek.objects.values_list("accepted", flat=True)) == [False, False]


def test_agreeing_gives_up_the_own_wish_and_no_other_question() -> None:
    one, two, partner = make_users(3)
    seek(partner)
    first, second = seek(one, partner=partner), seek(two, partner=partner)
    quick.answer(user=partner, seek_id=first.pk, yes=True, now=later(1))

    assert list(Seek.objects.order_by("pk").values_list("pk", "accepted")) == [
        (first.pk, True),
        (second.pk, False),
    ]


def test_a_no_ends_the_wish_that_asked() -> None:
    one, partner = make_users(2)
    asked = seek(one, partner=partner)

    assert quick.answer(user=partner, seek_id=asked.pk, yes=False, now=later(1)) is None
    assert not Seek.objects.exists()


def test_only_who_is_asked_can_answer() -> None:
    one, partner, stranger = make_users(3)
    asked = seek(one, partner=partner)
    quick.answer(user=stranger, seek_id=asked.pk, yes=False, now=later(1))
    for user in (one, stranger):
        with refused("lapsed"):
            quick.answer(user=user, seek_id=asked.pk, yes=True, now=later(1))

    assert Seek.objects.get().accepted is False


def test_a_question_lapses_when_the_page_of_who_asked_is_closed() -> None:
    one, partner = make_users(2)
    asked = seek(one, partner=partner)
    with refused("lapsed"):
        quick.answer(user=partner, seek_id=asked.pk, yes=True, now=later(15))


@pytest.mark.parametrize("who", [0, 1])
def test_either_partner_ends_the_common_wish(who: int) -> None:
    users = make_users(2)
    asked = seek(users[0], partner=users[1])
    quick.answer(user=users[1], seek_id=asked.pk, yes=True, now=later(1))
    quick.stop(user=users[who])

    assert not Seek.objects.exists()


def test_stopping_leaves_alone_who_only_asks() -> None:
    one, partner = make_users(2)
    seek(one, partner=partner)
    quick.stop(user=partner)

    assert Seek.objects.count() == 1


def test_who_closes_the_page_is_dropped() -> None:
    gone, *here = make_users(3)
    for user in (gone, *here):
        seek(user)
    stay(here, 15)
    seek(make_user(), at=15)

    assert not Table.objects.exists()
    assert not Seek.objects.filter(user=gone).exists()
    seek(make_user(), at=16)
    assert gone not in seated(Table.objects.get())


@pytest.mark.parametrize("closed", [0, 1])
def test_pair_is_dropped_when_either_closes_the_page(closed: int) -> None:
    pair = make_users(2)
    asked = seek(pair[0], partner=pair[1])
    quick.answer(user=pair[1], seek_id=asked.pk, yes=True, now=later(0))
    stay([pair[1 - closed]], 20)
    quick.match_waiting(later(20))

    assert not Seek.objects.exists()


def test_a_page_that_is_left_keeps_its_wish_just_long_enough_to_be_loaded_again() -> None:
    again, gone = make_users(2)
    for user in (again, gone):
        seek(user)
        quick.seen(user=user, leaving=True, now=later(1))
    quick.seen(user=again, now=later(3))
    quick.match_waiting(later(7))

    assert list(Seek.objects.values_list("user", flat=True)) == [again.pk]


def test_a_page_that_comes_back_too_late_revives_nothing() -> None:
    user = make_user()
    seek(user)
    quick.seen(user=user, now=later(15))
    quick.match_waiting(later(16))

    assert not Seek.objects.exists()


def test_bots_fill_after_half_a_minute_and_the_match_is_not_rated() -> None:
    user, purist = make_users(2)
    seek(user, rated=True, bots=True)
    seek(purist, rated=True)
    stay([user, purist], 29)
    assert quick.match_waiting(later(29.9)) == 0
    assert quick.match_waiting(later(30)) == 1
    table = Table.objects.get()

    assert (table.rated, table.seats.filter(kind=SeatKind.BOT).count()) == (False, 3)
    assert Seek.objects.get(user=purist).table is None


def test_an_account_that_was_closed_is_not_waited_for() -> None:
    for user in make_users(3):
        seek(user)
    User.objects.update(is_active=False)
    seek(make_user(), at=1)

    assert (Table.objects.count(), Seek.objects.count()) == (0, 1)


def engaged(user: User) -> Table:
    table = make_table(phase=Phase.PLAY)
    seat_user(table, 0, user)
    table.seats.filter(number=0).update(engaged=True)
    return table


def in_a_tournament(user: User) -> Table:
    table = make_table(phase=Phase.DEAL, title="Evening cup")
    seat_user(table, 0, user)
    return table


@pytest.mark.parametrize("bind", [engaged, in_a_tournament])
def test_who_plays_a_match_that_counts_seeks_no_rated_one(bind: Callable[[User], Table]) -> None:
    user = make_user()
    table = bind(user)
    with refused("at-another-table"):
        seek(user, rated=True)

    assert quick.engaged_table(user) == table
    assert seek(user).pk
    Table.objects.update(phase=Phase.OVER)
    assert quick.engaged_table(user) is None


def test_who_is_called_away_meanwhile_is_not_seated_at_a_rated_table() -> None:
    called, *others = make_users(4)
    for user in (called, *others[:2]):
        seek(user, rated=True)
    engaged(called)
    seek(others[2], rated=True, at=1)

    assert not Seek.objects.filter(user=called).exists()
    assert Table.objects.count() == 1


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"ruleset": "whist"}, "bad-options"),
        ({"speed": "custom"}, "bad-options"),
        ({"rated": True}, "guests-only-casual"),
    ],
)
def test_refused_wish_changes_nothing(wish: dict[str, Any], code: str) -> None:
    guest = make_user(is_guest=True)
    seek(guest)
    with refused(code):
        seek(guest, **wish)

    assert Seek.objects.values_list("speed", "rated").get() == ("normal", False)


def test_nobody_is_their_own_partner() -> None:
    user = make_user()
    with refused("own-partner"):
        seek(user, partner=user)


def test_guests_ask_nobody_to_be_their_partner() -> None:
    with refused("guests-cannot-invite"):
        seek(make_user(is_guest=True), partner=make_user())


def test_found_match_is_kept_in_sight_for_a_while() -> None:
    for user in make_users(4):
        seek(user)
    quick.match_waiting(later(299))
    assert Seek.objects.count() == 4
    quick.match_waiting(later(301))
    assert not Seek.objects.exists()


@pytest.mark.parametrize("waiting", [1, 3])
def test_looking_costs_the_same_whoever_waits(
    waiting: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number, user in enumerate(make_users(waiting)):
        seek(user, speed=("fast", "normal", "slow")[number])
    # Is there anyone; the transaction's beginning and end; the lock; all of them; who does not want to meet whom.
    with django_assert_num_queries(6):
        quick.match_waiting(later(1))


def test_nobody_waiting_costs_one_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(1):
        quick.match_waiting(NOON)


# Many at once


def faults(outcomes: list[Any]) -> list[Any]:
    return [outcome for outcome in outcomes if isinstance(outcome, Exception)]


def times_seated() -> list[int]:
    """At how many tables each player of a quick match sits, without those who sit at none."""
    seats = Seat.objects.filter(user__isnull=False)
    return list(Counter(seats.values_list("user", flat=True)).values())


@many_at_once
def test_wishes_at_once_seat_everybody_once() -> None:
    users = make_users(16)
    wishes = [lambda user=user: seek(user) for user in users]
    looks = [lambda: quick.match_waiting(later(1))] * 4
    outcomes = at_once(*wishes, *looks)
    quick.match_waiting(later(1))

    assert faults(outcomes) == []
    assert times_seated() == [1] * 16
    assert Table.objects.count() == 4


@many_at_once
def test_partners_and_changes_of_mind_at_once_neither_stall_nor_double() -> None:
    users = make_users(12)
    asked = {user: seek(user, partner=partner) for user, partner in zip(users[:4], users[4:8], strict=True)}
    works: list[Callable[[], Any]] = [
        lambda wish=wish: quick.answer(user=wish.partner, seek_id=wish.pk, yes=True, now=later(1))
        for wish in asked.values()
    ]
    works += [lambda user=user: seek(user, at=1) for user in users[4:]]
    works += [lambda user=user: seek(user, at=1, partner=users[0]) for user in users[1:4]]
    works += [lambda user=user: quick.stop(user=user) for user in users[8:10]]
    outcomes = at_once(*works)

    assert {type(fault) for fault in faults(outcomes)} <= {Refused}
    assert set(times_seated()) <= {1}
    waiting = Seek.objects.filter(table=None, accepted=True)
    people = Counter(one for pair in waiting.values_list("user", "partner") for one in pair if one)
    assert set(people.values()) <= {1}


@many_at_once
def test_without_the_lock_two_looks_at_once_seat_people_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: the same race without the lock, held where both have read and neither has written."""
    Seek.objects.bulk_create(Seek(user=user, created_at=NOON, seen_at=NOON, **WISH) for user in make_users(4))
    both_have_read, read = threading.Barrier(2), quick.all_wishes

    def read_both() -> list[Seek]:
        found = read()
        both_have_read.wait(10)
        return found

    monkeypatch.setattr(quick, "lock", lambda: None)
    monkeypatch.setattr(quick, "all_wishes", read_both)
    at_once(*[lambda: quick.match_waiting(later(1))] * 2)

    assert times_seated() == [2] * 4


def test_players_closest_in_strength_are_brought_together() -> None:
    users = make_users(5)
    for user, points in zip(users, (1500, 2400, 1510, 1490, 1520), strict=True):
        row = {"ruleset": "kotchina", "speed": "all", "mu": 25, "sigma": 5, "matches": 9, "last_at": NOON}
        Rating.objects.create(user=user, points=points, **row)
    Seek.objects.bulk_create(
        Seek(user=user, created_at=later(number), seen_at=later(9), **WISH)
        for number, user in enumerate(users)
    )
    quick.match_waiting(later(10))

    assert list(Seek.objects.filter(table=None).values_list("user", flat=True)) == [users[1].pk]


def test_who_is_kept_from_playing_while_waiting_waits_no_more() -> None:
    users = make_users(4)
    for number, user in enumerate(users[:3]):
        seek(user, at=number)
    Sanction.objects.create(user=users[1], scope="play", reason_ar="س", reason_en="r", at=NOON)
    seek(users[3], at=3)

    assert (Table.objects.count(), Seek.objects.filter(user=users[1]).exists(), Seek.objects.count()) == (
        0,
        False,
        3,
    )
    with refused("banned"):
        seek(users[1], at=4)

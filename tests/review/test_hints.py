"""Hints at two accounts of one person: what is counted, and that nothing follows from it."""

from datetime import timedelta

import pytest

from accounts.models import Sanction, User
from games.models import Table
from review.hints import MOST_SHARING, hint_of, hints
from review.models import Case, ReviewAct
from review.services.hinting import open_hint
from review.services.refusals import Refused
from tests.factories import NOON, make_table, make_user, make_users
from tests.review.scenes import connected, reviewer

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)
NOW = NOON + timedelta(days=5)


def seen(user: User, at: int, *, kind: str = "came", table: Table | None = None, **marks: str) -> None:
    """The user at a table, so many minutes after noon."""
    connected(table or make_table(), user, kind, NOON + at * MINUTE, **marks)


def counted() -> list[dict[str, int]]:
    return [hint.evidence for hint in hints(now=NOW)]


NOTHING = {"devices": 0, "device_days": 0, "address_days": 0, "tables": 0, "switches": 0}


def test_one_browser_of_two_accounts_is_a_hint() -> None:
    one, other = make_users(2)
    seen(one, 0, device="aaaa")
    seen(other, 60, device="aaaa")
    assert counted() == [NOTHING | {"devices": 1, "device_days": 1}]


def test_a_browser_known_only_by_how_it_names_itself_is_none() -> None:
    for user in make_users(2):
        seen(user, 0, device="~aaaa")
    assert counted() == []


@pytest.mark.parametrize(("days", "found"), [(2, []), (3, [NOTHING | {"address_days": 3}])])
def test_one_address_is_a_hint_from_the_third_day_on(days: int, found: list[dict[str, int]]) -> None:
    one, other = make_users(2)
    for day in range(days):
        seen(one, day * 1440, address="bbbb")
        seen(other, day * 1440 + 90, address="bbbb")
    assert counted() == found


@pytest.mark.parametrize(("pause", "switches"), [(1, 1), (5, 1), (6, 0)])
def test_one_who_goes_as_the_other_comes_is_a_hint(pause: int, switches: int) -> None:
    one, other = make_users(2)
    seen(one, 0, kind="went", address="bbbb", device="aaaa")
    seen(other, pause, address="bbbb", device="aaaa")
    assert counted() == [NOTHING | {"devices": 1, "device_days": 1, "address_days": 1, "switches": switches}]


def test_two_at_one_table_from_one_place_are_counted_by_table() -> None:
    one, other = make_users(2)
    for number in range(2):
        table = make_table()
        for user in (one, other):
            seen(user, number * 30, table=table, device="aaaa", address="bbbb")
    assert counted() == [NOTHING | {"devices": 1, "device_days": 1, "address_days": 1, "tables": 2}]


@pytest.mark.parametrize(("users", "hinted"), [(MOST_SHARING, True), (MOST_SHARING + 1, False)])
def test_a_place_of_many_says_nothing(users: int, hinted: bool) -> None:
    for user in make_users(users):
        seen(user, 0, device="aaaa")
    assert bool(counted()) is hinted


def test_the_turn_of_a_month_hides_nothing() -> None:
    one, other = make_users(2)
    seen(one, 0, kind="went", device="old", address="home", device_before="older", address_before="homes")
    # One word under two keys is one browser; rows before the turn and after it are counted together.
    seen(other, 3, device="new", address="place", device_before="old", address_before="home")
    seen(one, 1440, device="new", address="place", device_before="old", address_before="home")
    seen(other, 1450, device="new", address="place", device_before="old", address_before="home")
    assert counted() == [
        NOTHING | {"devices": 1, "device_days": 2, "address_days": 2, "switches": 1},
    ]


def test_three_months_of_which_two_days_are_seen_are_one_browser() -> None:
    one, other = make_users(2)
    seen(one, 0, device="january", device_before="december")
    seen(one, 1440, device="february", device_before="january")
    seen(other, 2880, device="march", device_before="february")
    assert counted() == [NOTHING | {"devices": 1}]


def test_the_turn_of_a_month_makes_no_place_of_many_a_place_of_few() -> None:
    users = make_users(MOST_SHARING + 1)
    for user in users[:3]:
        seen(user, 0, device="old")
    for user in users[3:]:
        seen(user, 60, device="new", device_before="old")
    assert counted() == []


def test_what_is_long_past_says_nothing() -> None:
    for user in make_users(2):
        seen(user, 0, device="aaaa")
    assert hints(now=NOON + timedelta(days=31)) == []


def test_the_hint_of_two_is_found_whoever_is_named_first() -> None:
    one, other, third = make_users(3)
    for user in (one, other):
        seen(user, 0, device="aaaa")
    assert hint_of(one, other, now=NOW) == hint_of(other, one, now=NOW) != None  # noqa: E711
    assert hint_of(one, third, now=NOW) is None


def test_a_hint_becomes_one_case_and_nothing_else_follows() -> None:
    one, other = make_users(2)
    for user in (one, other):
        seen(user, 0, device="aaaa")
    moderator = reviewer("moderator")
    first = open_hint(actor=moderator, one=one, other=other, now=NOW)
    again = open_hint(actor=reviewer("moderator"), one=other, other=one, now=NOW)
    assert (first, Case.objects.count(), ReviewAct.objects.count()) == (again, 1, 1)
    assert (ReviewAct.objects.get().after["devices"], Sanction.objects.count()) == (1, 0)


def test_where_nothing_speaks_for_it_there_is_no_case() -> None:
    with pytest.raises(Refused) as refused:
        open_hint(actor=reviewer("moderator"), one=make_user(), other=make_user(), now=NOW)
    assert (refused.value.code, Case.objects.count()) == ("no-hint", 0)


def test_nobody_opens_a_case_about_themselves() -> None:
    moderator, other = reviewer("moderator"), make_user()
    for user in (moderator, other):
        seen(user, 0, device="aaaa")
    with pytest.raises(Refused) as refused:
        open_hint(actor=moderator, one=moderator, other=other, now=NOW)
    assert refused.value.code == "own-case"

from datetime import timedelta

import pytest
from django.db import transaction

from accounts import sanctions
from accounts.models import Sanction, Scope, User
from accounts.sanctions import NotDone, banned
from tests.factories import NOON, make_user, make_users
from tests.games.services.races import at_once

pytestmark = pytest.mark.django_db


def impose(user: User, scope: str = Scope.PLAY, minutes: float | None = 10, **more: object) -> Sanction:
    until = None if minutes is None else NOON + timedelta(minutes=minutes)
    return sanctions.impose(
        user, scope, **({"reason_ar": "سبب", "reason_en": "why", "until": until, "now": NOON} | more)
    )


@pytest.mark.parametrize(
    ("scope", "kept_from"),
    [
        (Scope.WARNING, []),
        (Scope.PLAY, ["play"]),
        (Scope.CHAT, ["chat"]),
        (Scope.TOURNAMENTS, ["tournaments"]),
        (Scope.ALL, ["play", "chat", "tournaments"]),
    ],
)
def test_a_sanction_keeps_from_what_it_says(scope, kept_from):
    user, other = make_users(2)
    impose(user, scope)

    doors = ("play", "chat", "tournaments")
    assert [door for door in doors if banned(user, door, NOON)] == kept_from
    assert not any(banned(other, door, NOON) for door in doors)


def test_a_ban_ends_at_its_time():
    user = make_user()
    impose(user, minutes=10)

    end = NOON + timedelta(minutes=10)
    assert (banned(user, "play", end - timedelta(seconds=1)) is None, banned(user, "play", end)) == (
        False,
        None,
    )


def test_of_several_the_longest_is_told():
    user = make_user()
    impose(user, minutes=10)
    longer = impose(user, minutes=20)
    assert banned(user, "play", NOON) == longer
    for_good = impose(user, Scope.ALL, None)
    impose(user, minutes=9999)

    assert banned(user, "play", NOON) == for_good


def test_one_cause_imposes_once():
    user = make_user()
    one, other = (impose(user, cause="conduct:1:1", minutes=minutes) for minutes in (10, 20))

    assert (one, Sanction.objects.count()) == (other, 1)


def test_lifted_is_lifted_once_and_by_whom():
    user, first, second = make_users(3)
    ban = impose(user)
    sanctions.lift(ban.pk, by=first, now=NOON)
    sanctions.lift(ban.pk, by=second, now=NOON + timedelta(minutes=1))

    ban.refresh_from_db()
    assert (banned(user, "play", NOON), ban.lifted_by, ban.lifted_at) == (None, first, NOON)
    with pytest.raises(NotDone) as refused:
        sanctions.lift(impose(user, Scope.WARNING).pk, by=first, now=NOON)
    assert refused.value.code == "warning"


@pytest.mark.django_db(transaction=True)
def test_an_appeal_is_made_once_by_whom_it_is_about_and_answered():
    user, other, reviewer = make_users(3)
    with transaction.atomic():
        ban = impose(user)
    with pytest.raises(NotDone) as refused:
        sanctions.appeal(ban.pk, user=other, text="no", now=NOON)
    assert refused.value.code == "not-yours"
    with pytest.raises(NotDone) as refused:
        sanctions.appeal(ban.pk, user=user, text=" \0 ", now=NOON)
    assert refused.value.code == "empty"
    with pytest.raises(NotDone) as refused, transaction.atomic():
        sanctions.answer_appeal(ban.pk, by=reviewer, text="ok", lifts=True, now=NOON)
    assert refused.value.code == "no-appeal"

    sanctions.appeal(ban.pk, user=user, text="My line broke.", now=NOON)
    assert list(sanctions.open_appeals()) == [ban]
    with pytest.raises(NotDone) as refused:
        sanctions.appeal(ban.pk, user=user, text="And again.", now=NOON)
    assert refused.value.code == "already-appealed"
    with transaction.atomic():
        sanctions.answer_appeal(ban.pk, by=reviewer, text="So it did.", lifts=True, now=NOON)

    ban.refresh_from_db()
    assert (ban.appeal, ban.answer, ban.lifted_by) == ("My line broke.", "So it did.", reviewer)
    assert (list(sanctions.open_appeals()), banned(user, "play", NOON)) == ([], None)


def come_in_while_banned(door, monkeypatch=None):
    """A door and a ban at one instant: whether somebody came in after the ban was committed."""
    user = make_user()
    order: list[str] = []

    def enter() -> None:
        with transaction.atomic():
            if door(user) is None:
                # Whoever was let in takes a while to sit down.
                with transaction.atomic():
                    _sleep()
                order.append("in")

    def ban() -> None:
        _sleep(0.05)
        with transaction.atomic():
            impose(user)
        order.append("banned")

    at_once(enter, ban)
    return order


def _sleep(seconds: float = 0.3) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("select pg_sleep(%s)", [seconds])


def unlocked(user: User) -> Sanction | None:
    return Sanction.objects.filter(sanctions.in_force(NOON), user=user).first()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("door", "order"),
    [(lambda user: banned(user, "play", NOON), ["in", "banned"]), (unlocked, ["banned", "in"])],
    ids=["locked", "control"],
)
def test_nobody_comes_in_once_a_ban_is_imposed(door, order):
    assert come_in_while_banned(door) == order


@pytest.mark.django_db(transaction=True)
def test_two_impose_for_one_cause_at_once():
    user = make_user()

    def ban() -> int:
        with transaction.atomic():
            return impose(user, cause="conduct:1:1").pk

    found = at_once(ban, ban, ban)
    assert (len(set(found)), Sanction.objects.count()) == (1, 1)

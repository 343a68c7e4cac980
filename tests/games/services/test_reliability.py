from datetime import timedelta

import pytest

from accounts.models import Attendance, Conduct, Interruption, Notice, Sanction, Scope, User
from games.models import EventKind, Void
from games.services import bans, ratings, reliability
from games.services.counting import Acts
from games.services.reliability import reliability_of, score
from tests.factories import NOON, make_table, make_user, make_users, seat_user
from tests.games.rated import played, rate

pytestmark = pytest.mark.django_db
GONE, HERE = [3, 0, 0, 0], [0, 0, 0, 0]


@pytest.fixture
def four() -> list[User]:
    return make_users(4)


def conducts() -> dict[int, str]:
    return dict(Attendance.objects.values_list("user", "conduct"))


@pytest.mark.parametrize(
    ("acts", "is_away", "found"),
    [
        (Acts(own=9), False, Conduct.PLAYED),
        (Acts(own=9, clock=3), False, Conduct.PLAYED),
        (Acts(own=9, clock=4), False, Conduct.STALLED),
        (Acts(own=9, clock=1, bot=3), False, Conduct.LEFT),
        (Acts(own=9), True, Conduct.LEFT),
        (Acts(own=0, bot=3), False, Conduct.ABSENT),
        (Acts(own=0, clock=1, bot=1), True, Conduct.LEFT),
        (Acts(), False, Conduct.PLAYED),
    ],
)
def test_conduct_follows_from_who_did_the_acts_and_who_was_there_at_the_end(acts, is_away, found):
    assert reliability.conduct(acts, is_away=is_away) == found


# What was done, newest first, with its age in days.
@pytest.mark.parametrize(
    ("last", "found"),
    [
        ([], 100),
        ([("played", 0)] * 30, 100),
        ([("left", 0)], 80),
        ([("absent", 0)], 80),
        ([("stalled", 0)], 90),
        ([("left", 0)] * 3, 42),
        ([("left", 0)] * 9, 0),
        # It heals with matches: a thirtieth of the mark with each.
        ([("played", 0)] * 15 + [("left", 0)], 90),
        ([("played", 0)] * 29 + [("left", 0)], 99),
        ([("played", 0)] * 30 + [("left", 0)], 100),
        # And with time.
        ([("left", 45)], 90),
        ([("left", 90)], 100),
        ([("left", 400)], 100),
    ],
)
def test_reliability_is_lost_at_once_and_heals_slowly(last, found):
    assert score([(what, NOON - timedelta(days=days)) for what, days in last], NOON) == found


def test_scores_of_many_are_those_of_each(four, django_assert_num_queries):
    for number in range(33):
        acts = {0: "ccc"} if number == 1 else {1: "ms"} if number % 10 == 0 else None
        played(four, minutes=number, acts=acts)
    rate(NOON)
    later = NOON + timedelta(days=20)

    with django_assert_num_queries(2):
        found = reliability.scores([user.pk for user in four], later)
    assert found == {user.pk: reliability_of(user, later).score for user in four}
    assert len(set(found.values())) == 2


def test_each_of_a_match_is_remembered(four):
    played(four, idle=[0, 3, 0, 0], acts={2: "mc", 3: "sss"})
    rate(NOON)

    assert conducts() == dict(
        zip([user.pk for user in four], ["played", "left", "stalled", "absent"], strict=True)
    )


def test_casual_matches_of_people_are_remembered_but_not_those_against_bots(four):
    played([four[0], None, four[1], None], idle=GONE)
    played([four[2], None, None, None], idle=GONE)
    played([four[3], None, four[2], None], kind="", dealt=False, idle=GONE)
    rate(NOON)

    assert conducts() == {four[0].pk: "left", four[1].pk: "played"}


def test_an_outage_is_held_against_nobody(four):
    Interruption.objects.create(at=NOON - timedelta(minutes=3))
    played(four, idle=GONE, acts={1: "ccc"})
    played(four, idle=GONE, minutes=30)
    rate(NOON)

    assert list(Attendance.objects.filter(user=four[0]).values_list("conduct", flat=True)) == ["left"]
    assert sorted(conducts()) == [user.pk for user in four]
    assert Attendance.objects.filter(user=four[1]).count() == 1


def test_a_match_that_ended_in_a_pause_is_held_against_nobody(four):
    played(four, idle=GONE, events=[(EventKind.PAUSE, None, None)])
    played(four, idle=GONE, minutes=1, events=[(EventKind.PAUSE, None, None), (EventKind.RESUME, None, None)])
    rate(NOON)

    assert Attendance.objects.filter(user=four[0]).count() == 1


def test_who_was_called_away_by_a_tournament_is_excused(four):
    called_at = NOON - timedelta(minutes=5)
    seat_user(make_table(title="Cup", started_at=called_at), 0, four[0])
    played(four, idle=GONE, events=[(EventKind.LEAVE, 0, four[0])])
    rate(NOON)
    assert four[0].pk not in conducts()

    played(four, idle=GONE, minutes=30, events=[(EventKind.LEAVE, 0, four[0])])
    rate(NOON)
    assert conducts()[four[0].pk] == "left"


def test_first_a_warning_then_bans_that_grow(four):
    lasted = []
    for number in range(8):
        now = NOON + timedelta(minutes=number)
        played(four, ended_at=now, idle=GONE)
        rate(now)
        newest = Sanction.objects.filter(user=four[0]).order_by("-pk").first()
        lasted.append(newest.until and newest.until - now)
        assert newest.scope == (Scope.PLAY if number else Scope.WARNING)

    assert lasted == [None, *bans.BANS, bans.BANS[-1], bans.BANS[-1]]
    assert lasted == sorted(lasted, key=lambda one: one or timedelta(0))
    assert Sanction.objects.count() == 8
    assert Notice.objects.filter(user=four[0]).count() == 8


def test_a_ban_says_why_in_both_languages(four):
    for number in range(2):
        played(four, minutes=number, idle=GONE, code=f"XYZ{number}")
    rate(NOON)

    ban = Sanction.objects.get(scope=Scope.PLAY)
    assert ban.reason_en == (
        "You left the match at table XYZ1 and did not play it to its end."
        " Those are 2 such matches among your last thirty."
    )
    assert "XYZ1" in ban.reason_ar
    assert ban.reason_ar != ban.reason_en


def test_marks_that_were_forgotten_lead_to_no_ban(four):
    old = NOON - reliability.FORGOTTEN_AFTER
    for days in (0, 1, 2):
        Attendance.objects.create(
            user=four[0], table_number=-days - 1, table_code="", conduct="left", at=old - timedelta(days=days)
        )
    played(four, idle=GONE)
    rate(NOON)

    assert Sanction.objects.get().scope == Scope.WARNING


def test_old_matches_that_are_taken_in_late_ban_nobody(four):
    for number in range(3):
        played(four, minutes=number, idle=GONE)
    rate(NOON + timedelta(days=2))

    assert (Attendance.objects.filter(conduct="left").count(), Sanction.objects.count()) == (3, 0)


def test_of_a_void_match_nothing_is_remembered_and_its_ban_is_lifted(four):
    tables = [played(four, minutes=number, idle=GONE) for number in range(2)]
    rate(NOON)
    ban = Sanction.objects.get(scope=Scope.PLAY)
    Void.objects.create(table=tables[1], reason_ar="س", reason_en="r", by=make_user(), at=NOON)
    ratings.recompute([tables[1].pk])
    rate(NOON)

    ban.refresh_from_db()
    assert ban.lifted_at == NOON
    assert Attendance.objects.filter(user=four[0]).count() == 1


def test_absence_that_a_tournament_notes_is_remembered_once(four):
    table = make_table(title="Cup")
    for _ in range(2):
        reliability.note_absent(table, four[:2], now=NOON)

    assert conducts() == {user.pk: "absent" for user in four[:2]}
    assert Sanction.objects.count() == 2

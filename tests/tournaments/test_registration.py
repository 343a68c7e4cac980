"""From draft to ready: by hand and by the clock, twice and late."""

from datetime import datetime, timedelta

import pytest
from django.test import Client

from accounts.models import Notice
from tests.factories import make_user, make_users
from tests.games.services.races import refused
from tests.tournaments.scenes import NOW, TONIGHT, enter_pair, make_tournament
from tournaments import tasks
from tournaments.field import placed, waiting_list
from tournaments.models import Tournament
from tournaments.services import check_in, entry, registration, rounds, rulings, sweeps

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def ask(tournament: Tournament, at: datetime):
    layla, omar = make_users(2)
    return entry.enter(tournament_id=tournament.pk, user=layla, partner=omar, now=at)


def by_hand(door, tournament: Tournament, at: datetime = NOW) -> str:
    return door(tournament_id=tournament.pk, actor=tournament.organiser, now=at).state


def on_time(tournament: Tournament, at: datetime) -> str:
    """The state after two sweeps at that moment, of which the second changes nothing."""
    registration.sweep(now=at)
    acts = tournament.acts.count()
    registration.sweep(now=at)
    assert tournament.acts.count() == acts
    tournament.refresh_from_db()
    return tournament.state


def told(tournament: Tournament, user) -> list[str]:
    return list(user.notices.order_by("pk").values_list("text_en", flat=True))


def numbers(entries) -> list[int]:
    return [one.number for one in entries]


def test_draft_is_there_for_its_officials_alone_until_it_is_announced():
    tournament, stranger = make_tournament(draft=True), make_user()
    client = Client()

    def status(user) -> int:
        client.force_login(user)
        return client.get(tournament.get_absolute_url()).status_code

    assert (tournament.state, status(stranger), status(tournament.organiser)) == ("draft", 404, 200)
    assert by_hand(registration.publish, tournament) == "open"
    assert status(stranger) == 200
    assert by_hand(registration.publish, tournament) == "open"


def test_registration_opens_at_its_hour_and_takes_nobody_before():
    tournament = make_tournament(draft=True, registration_opens_at=NOW + 30 * MINUTE)
    assert by_hand(registration.publish, tournament) == "published"

    with refused("not-yet-open"):
        ask(tournament, NOW)
    states = [on_time(tournament, NOW + minutes * MINUTE) for minutes in (29, 30)]

    assert states == ["published", "open"]
    ask(tournament, NOW + 30 * MINUTE)


def test_announced_tournament_is_opened_by_hand_before_its_hour():
    tournament = make_tournament(registration_opens_at=NOW + 30 * MINUTE)

    assert (tournament.state, by_hand(registration.open_registration, tournament)) == ("published", "open")
    ask(tournament, NOW)


def test_draft_whose_start_has_passed_is_not_announced():
    tournament = make_tournament(draft=True)

    with refused("start-passed"):
        by_hand(registration.publish, tournament, TONIGHT)


def test_deadline_of_registration_is_one_whether_the_sweep_came_or_not():
    tournament = make_tournament(registration_closes_at=NOW + 30 * MINUTE)
    asked = ask(tournament, NOW)

    with refused("not-open"):
        ask(tournament, NOW + 30 * MINUTE)
    with refused("not-open"):
        entry.accept(
            tournament_id=tournament.pk,
            entry_number=asked.number,
            user=asked.members.get(place=1).user,
            now=NOW + 30 * MINUTE,
        )
    assert on_time(tournament, NOW + 30 * MINUTE) == "ready"


@pytest.mark.parametrize(
    ("fields", "ready"),
    [
        ({}, 120),
        ({"seeding_minutes": 20}, 100),
        ({"registration_closes_at": NOW + 45 * MINUTE}, 45),
        ({"registration_closes_at": NOW + 45 * MINUTE, "check_in_minutes": 30, "seeding_minutes": 10}, 110),
        ({"check_in_minutes": 30, "seeding_minutes": 10}, 110),
    ],
)
def test_field_is_fixed_when_its_time_has_come(fields: dict, ready: int):
    tournament = make_tournament(**fields)

    before = on_time(tournament, NOW + (ready - 1) * MINUTE)

    assert (before, on_time(tournament, NOW + ready * MINUTE)) == ("open", "ready")


def test_tournament_that_starts_itself_does_and_one_that_does_not_waits_and_says_so_once():
    itself, by_organiser = make_tournament(), make_tournament(starts_itself=False)
    for tournament in (itself, by_organiser):
        enter_pair(tournament)
        enter_pair(tournament)

    for _ in range(2):
        registration.sweep(now=TONIGHT)
        sweeps.sweep(now=TONIGHT)
    itself.refresh_from_db()
    by_organiser.refresh_from_db()

    assert (itself.state, by_organiser.state) == ("running", "ready")
    assert told(by_organiser, by_organiser.organiser) == [
        "\u2068Thursday night\u2069 waits for you to start it."
    ]
    assert by_hand(rounds.start, by_organiser, TONIGHT + MINUTE) == "running"


@pytest.mark.parametrize(
    ("pairs", "state"), [(0, "cancelled"), (1, "cancelled"), (2, "running"), (3, "running")]
)
def test_start_of_tiny_fields(pairs: int, state: str):
    tournament = make_tournament(seeding_minutes=10)
    for _ in range(pairs):
        enter_pair(tournament)

    registration.sweep(now=TONIGHT - 10 * MINUTE)
    sweeps.sweep(now=TONIGHT)
    tournament.refresh_from_db()

    assert tournament.state == state


def test_start_by_hand_says_that_pairs_are_there_but_have_not_checked_in():
    tournament = make_tournament(check_in_minutes=30)
    for _ in range(2):
        enter_pair(tournament)

    with refused("too-few-here"):
        by_hand(rounds.start, tournament, TONIGHT - MINUTE)


def test_one_who_is_left_when_all_others_withdraw_before_the_start_plays_nobody():
    tournament = make_tournament(seeding_minutes=10)
    entries = [enter_pair(tournament) for _ in range(3)]
    registration.sweep(now=TONIGHT - 10 * MINUTE)
    for leaving in entries[1:]:
        user = leaving.members.get(place=0).user
        rulings.leave(tournament_id=tournament.pk, user=user, now=TONIGHT - MINUTE)

    with refused("too-few-entries"):
        by_hand(rounds.start, tournament, TONIGHT - MINUTE)
    sweeps.sweep(now=TONIGHT)
    tournament.refresh_from_db()

    assert (tournament.state, tournament.cancel_reason) == ("cancelled", "too-few")


def test_registration_closed_by_hand_counts_everybody_as_there_and_can_be_opened_again_with_a_new_lot():
    tournament = make_tournament(check_in_minutes=30)
    enter_pair(tournament)
    enter_pair(tournament)
    closed = by_hand(registration.close_registration, tournament)
    tournament.refresh_from_db()
    there, lot = numbers(placed(tournament)), tournament.lot

    opened = by_hand(registration.reopen_registration, tournament)
    tournament.refresh_from_db()

    assert (closed, there, opened) == ("ready", [1, 2], "open")
    assert tournament.lot != lot
    assert tournament.entries.exclude(checked_in_at=None).count() == 0
    ask(tournament, NOW)


def test_registration_is_not_opened_again_after_its_deadline():
    tournament = make_tournament(registration_closes_at=NOW + MINUTE)
    on_time(tournament, NOW + MINUTE)

    with refused("deadline-passed"):
        by_hand(registration.reopen_registration, tournament, NOW + MINUTE)


@pytest.mark.parametrize(
    "door",
    [
        registration.publish,
        registration.open_registration,
        registration.close_registration,
        registration.reopen_registration,
        rounds.start,
    ],
)
def test_only_officials_with_the_role_move_a_tournament_on(door):
    tournament = make_tournament()
    scorer = make_user()
    tournament.officials.create(user=scorer, role="scorekeeper", since=NOW)

    for user, code in ((make_user(), "not-organiser"), (scorer, "not-your-role")):
        with refused(code):
            door(tournament_id=tournament.pk, actor=user, now=NOW)


# The waiting list


def test_pairs_beyond_the_places_wait_in_the_order_of_their_acceptance_and_move_up():
    tournament = make_tournament(capacity=2)
    entries = [enter_pair(tournament) for _ in range(4)]
    before = numbers(placed(tournament)), numbers(waiting_list(tournament))

    user = entries[0].members.get(place=1).user
    rulings.leave(tournament_id=tournament.pk, user=user, now=NOW)

    assert before == ([1, 2], [3, 4])
    assert (numbers(placed(tournament)), numbers(waiting_list(tournament))) == ([2, 3], [4])
    moved = [
        Notice.objects.filter(key__startswith="place-", user=m.user).count() for m in entries[2].members.all()
    ]
    stayed = Notice.objects.filter(
        key__startswith="place-", user__memberships__entry__in=[entries[1], entries[3]]
    )
    assert (moved, stayed.count()) == ([1, 1], 0)


def test_pair_reads_its_place_on_the_waiting_list():
    tournament = make_tournament(capacity=2)
    last = [enter_pair(tournament) for _ in range(4)][-1]
    client = Client()
    client.cookies["django_language"] = "en"
    client.force_login(last.members.get(place=0).user)

    assert (
        "You are number 2 on the waiting list." in client.get(tournament.get_absolute_url()).content.decode()
    )


def test_who_waits_does_not_play():
    tournament = make_tournament(capacity=2)
    for _ in range(4):
        enter_pair(tournament)

    by_hand(rounds.start, tournament)

    assert list(
        tournament.entries.exclude(seed=None).order_by("number").values_list("number", flat=True)
    ) == [1, 2]
    assert tournament.members.filter(active=True).count() == 4


# Check-in


def checked(tournament: Tournament, made, at: datetime):
    return check_in.check_in(tournament_id=tournament.pk, user=made.members.get(place=1).user, now=at)


def test_check_in_is_open_in_its_window_only():
    tournament = make_tournament(check_in_minutes=30, seeding_minutes=10)
    one, other = enter_pair(tournament), enter_pair(tournament)

    with refused("check-in-later"):
        checked(tournament, one, NOW + 79 * MINUTE)
    assert checked(tournament, one, NOW + 80 * MINUTE).checked_in_at == NOW + 80 * MINUTE
    assert checked(tournament, one, NOW + 90 * MINUTE).checked_in_at == NOW + 80 * MINUTE
    on_time(tournament, NOW + 110 * MINUTE)
    with refused("check-in-over"):
        checked(tournament, other, NOW + 110 * MINUTE)


def test_who_is_not_checked_in_loses_the_place_to_who_waits_and_is():
    tournament = make_tournament(capacity=2, check_in_minutes=30)
    entries = [enter_pair(tournament) for _ in range(4)]
    at = TONIGHT - 20 * MINUTE
    for here in (entries[1], entries[3]):
        checked(tournament, here, at)

    on_time(tournament, TONIGHT)
    placed_, gone = numbers(placed(tournament)), entries[0].members.get(place=0).user
    up = entries[3].members.get(place=0).user

    assert placed_ == [2, 4]
    assert told(tournament, gone)[-1] == (
        "Your pair was not checked in for \u2068Thursday night\u2069 in time and lost its place. Ask the organiser."
    )
    assert told(tournament, up)[-1] == "A place came free in \u2068Thursday night\u2069: your pair is in now."


def test_reminders_come_as_check_in_opens_and_ten_minutes_before_its_end_once_each_and_late():
    tournament = make_tournament(check_in_minutes=30)
    one, other = enter_pair(tournament), enter_pair(tournament)
    user, checked_user = one.members.get(place=0).user, other.members.get(place=0).user

    def count(minutes: int) -> int:
        on_time(tournament, TONIGHT - minutes * MINUTE)
        return user.notices.filter(key__startswith="check-in-").count()

    counts = [count(minutes) for minutes in (31, 30, 29)]
    checked(tournament, other, TONIGHT - 25 * MINUTE)
    counts += [count(minutes) for minutes in (11, 8, 1)]

    assert counts == [0, 1, 1, 1, 2, 2]
    assert checked_user.notices.filter(key__startswith="check-in-").count() == 1
    assert told(tournament, user)[-1] == (
        "Your pair is not checked in for \u2068Thursday night\u2069: minutes left: 8. Then the place is lost."
    )


def test_who_enters_while_check_in_runs_is_checked_in_by_it():
    tournament = make_tournament(check_in_minutes=30)
    made = ask(tournament, TONIGHT - 5 * MINUTE)
    user = made.members.get(place=1).user
    accepted = {"tournament_id": tournament.pk, "entry_number": made.number, "user": user}

    entry_ = entry.accept(**accepted, now=TONIGHT - 4 * MINUTE)

    assert entry_.checked_in_at == TONIGHT - 4 * MINUTE


def test_official_checks_in_brings_back_while_there_is_room_and_marks_who_is_not_there():
    tournament = make_tournament(capacity=2, check_in_minutes=30)
    entries = [enter_pair(tournament) for _ in range(3)]
    official = {"tournament_id": tournament.pk, "actor": tournament.organiser, "now": TONIGHT}
    check_in.check_in_for(**official, entry_number=1)
    check_in.check_in_for(**official, entry_number=2)
    on_time(tournament, TONIGHT)

    with refused("full"):
        check_in.check_in_for(**official, entry_number=3)
    check_in.check_out(**official, entry_number=1)
    tournament.refresh_from_db()
    left = numbers(placed(tournament))
    check_in.check_in_for(**official, entry_number=3)

    assert (left, numbers(placed(tournament))) == ([2], [2, 3])
    kinds = tournament.acts.exclude(kind="state").order_by("number").values_list("kind", "subject")
    assert [act for act in kinds if act[0] in ("check-in", "check-out")] == [
        ("check-in", "e1"),
        ("check-in", "e2"),
        ("check-out", "e1"),
        ("check-in", "e3"),
    ]
    assert entries[0].members.filter(active=True).count() == 2


def test_pair_with_a_place_that_nobody_claimed_does_not_start():
    tournament = make_tournament()
    for _ in range(2):
        enter_pair(tournament)
    made = entry.new_entry(Tournament.objects.get(pk=tournament.pk), NOW, accepted_at=NOW)
    made.members.create(tournament=tournament, place=0, user=make_user(), active=True)
    made.members.create(tournament=tournament, place=1, name="Nobody yet")

    by_hand(rounds.start, tournament)

    made.refresh_from_db()
    assert (made.seed, tournament.entries.exclude(seed=None).count()) == (None, 2)


def test_task_of_the_sweep_keeps_the_time_of_registration():
    tournament = make_tournament(check_in_minutes=30)
    Tournament.objects.filter(pk=tournament.pk).update(state="published", registration_opens_at=NOW - MINUTE)

    tasks.sweep()
    tournament.refresh_from_db()

    assert tournament.state == "open"


# Called off, left out


def test_everybody_in_is_told_once_when_it_is_called_off_and_the_act_says_why():
    tournament = make_tournament()
    made = enter_pair(tournament)
    official = {"tournament_id": tournament.pk, "actor": tournament.organiser, "now": NOW}

    rounds.cancel(**official, reason="no hall")
    with refused("already-over"):
        rounds.cancel(**official)

    users = [member.user for member in made.members.all()]
    assert [told(tournament, user)[-1] for user in users] == [
        "\u2068Thursday night\u2069 is called off: called off by the organiser."
    ] * 2
    assert tournament.acts.get(kind="state", after="cancelled").reason == "no hall"


def test_certified_tournament_is_not_called_off():
    tournament = make_tournament()
    Tournament.objects.filter(pk=tournament.pk).update(state="certified", started_at=NOW)

    with refused("already-over"):
        rounds.cancel(tournament_id=tournament.pk, actor=tournament.organiser, now=NOW)


def test_who_waited_in_vain_is_told_as_it_starts():
    tournament = make_tournament(capacity=2)
    entries = [enter_pair(tournament) for _ in range(3)]

    by_hand(rounds.start, tournament)

    left_out = Notice.objects.filter(key=f"left-out-{tournament.pk}").values_list("user", flat=True)
    assert sorted(left_out) == sorted(member.user_id for member in entries[2].members.all())


def test_drafts_and_private_tournaments_are_listed_for_who_knows_of_them_alone():
    draft = make_tournament(name="Draft cup", draft=True)
    private = make_tournament(name="Family cup", is_private=True, access="invited")
    guest = make_user()
    private.invited.create(user=guest, at=NOW)

    def listed(user) -> list[str]:
        client = Client()
        client.force_login(user)
        page = client.get("/tournaments/").content.decode()
        return [name for name in ("Draft cup", "Family cup") if name in page]

    assert [listed(user) for user in (draft.organiser, private.organiser, guest, make_user())] == [
        ["Draft cup"],
        ["Family cup"],
        ["Family cup"],
        [],
    ]
    assert Client().get(private.get_absolute_url()).status_code == 404

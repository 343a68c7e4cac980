"""Deadlines and clicks at the same instant, on a real PostgreSQL: each happens once, and nothing is lost."""

import threading
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Notice
from tests.factories import make_users
from tests.games.services.races import at_once, times
from tests.tournaments.scenes import NOW, TONIGHT, enter_pair, make_tournament
from tournaments.field import placed, waiting_list
from tournaments.models import Tournament
from tournaments.services import check_in, entry, registration, rounds, rulings, seeding
from tournaments.services.refusals import Refused

pytestmark = pytest.mark.django_db(transaction=True)
MINUTE = timedelta(minutes=1)
JUST_BEFORE = TONIGHT - timedelta(seconds=1)


def codes(outcomes: list[Any]) -> list[str]:
    return sorted(outcome.code if isinstance(outcome, Refused) else "done" for outcome in outcomes)


def two_pairs_and_one_asked(people: list[Any], **more: Any) -> tuple[Tournament, int]:
    """A tournament of two pairs, and a third that lacks the word of the last player."""
    tournament = make_tournament(**more)
    enter_pair(tournament, *people[:2])
    enter_pair(tournament, *people[2:4])
    asked = entry.enter(tournament_id=tournament.pk, user=people[4], partner=people[5], now=NOW)
    return tournament, asked.number


def test_deadline_and_last_word_at_once_many_times_lose_neither():
    """Either the word came first and the pair plays, or the deadline did and it was told so."""
    people = make_users(6)
    for _ in times(50):
        tournament, number = two_pairs_and_one_asked(people, organiser=people[0])

        def word(t: Tournament = tournament, n: int = number) -> Any:
            return entry.accept(tournament_id=t.pk, entry_number=n, user=people[5], now=JUST_BEFORE)

        def deadline(t: Tournament = tournament) -> Any:
            return rounds.start_due(tournament_id=t.pk, now=TONIGHT)

        outcomes = at_once(word, deadline, deadline)
        tournament.refresh_from_db()

        accepted = tournament.entries.filter(accepted_at__isnull=False).count()
        seeds = sorted(tournament.entries.exclude(seed=None).values_list("seed", flat=True))
        lost = isinstance(outcomes[0], Refused)
        assert (tournament.state, seeds) == ("running", list(range(1, accepted + 1)))
        assert accepted == (2 if lost else 3)
        assert codes(outcomes) == (["done", "done", "not-open"] if lost else ["done"] * 3)
        assert tournament.acts.filter(kind="start").count() == 1
        assert tournament.acts.filter(kind="state", after="ready").count() == 1
        told = Notice.objects.filter(key=f"answer-{tournament.pk}-e3-1")
        assert told.count() == (0 if lost else 1)
        # Players are free for the next one.
        rounds.cancel(tournament_id=tournament.pk, actor=tournament.organiser, now=TONIGHT)


def test_check_in_and_its_end_at_once_leave_a_pair_either_in_or_told_that_it_is_not():
    people, at = make_users(4), TONIGHT - 10 * MINUTE
    for _ in times(20):
        tournament = make_tournament(organiser=people[0], check_in_minutes=30, seeding_minutes=10)
        one, other = enter_pair(tournament, *people[:2]), enter_pair(tournament, *people[2:])
        check_in.check_in(tournament_id=tournament.pk, user=people[0], now=at - MINUTE)

        outcomes = at_once(
            lambda t=tournament: check_in.check_in(tournament_id=t.pk, user=people[2], now=at),
            lambda t=tournament: registration.keep_time(tournament_id=t.pk, now=at),
            lambda t=tournament: registration.keep_time(tournament_id=t.pk, now=at),
        )
        tournament.refresh_from_db()

        lost = isinstance(outcomes[0], Refused)
        field = [entry_.pk for entry_ in placed(tournament)]
        assert (tournament.state, field) == ("ready", [one.pk] if lost else [one.pk, other.pk])
        told = Notice.objects.filter(key__startswith=f"place-lost-{tournament.pk}-").count()
        assert told == (2 if lost else 0)
        rounds.cancel(tournament_id=tournament.pk, actor=people[0], now=at)


def test_two_places_that_come_free_at_once_go_to_the_first_two_who_wait():
    for _ in times(5):
        tournament = make_tournament(capacity=2)
        entries = [enter_pair(tournament) for _ in range(5)]
        leavers = [entry_.members.get(place=0).user for entry_ in entries[:2]]

        at_once(
            *[
                lambda t=tournament, u=user: rulings.leave(tournament_id=t.pk, user=u, now=NOW)
                for user in leavers
            ]
        )

        assert [e.number for e in placed(tournament)] == [3, 4]
        assert [e.number for e in waiting_list(tournament)] == [5]
        told = Notice.objects.filter(key__startswith=f"place-{tournament.pk}-").values_list("user", flat=True)
        moved = [m.user_id for entry_ in entries[2:4] for m in entry_.members.all()]
        assert sorted(told) == sorted(moved)


def test_two_officials_who_bring_a_pair_back_at_once_do_not_overfill_the_field():
    tournament = make_tournament(capacity=2, check_in_minutes=30)
    for _ in range(4):
        enter_pair(tournament)
    official = {"tournament_id": tournament.pk, "actor": tournament.organiser, "now": TONIGHT}
    check_in.check_in_for(**official, entry_number=1)
    registration.keep_time(tournament_id=tournament.pk, now=TONIGHT)

    outcomes = at_once(
        *[lambda n=number: check_in.check_in_for(**official, entry_number=n) for number in (2, 3, 4)]
    )

    tournament.refresh_from_db()
    assert codes(outcomes) == ["done", "full", "full"]
    assert len(placed(tournament)) == 2


def test_start_by_hand_by_the_clock_and_a_moved_seed_at_once_start_once():
    for _ in times(5):
        tournament = make_tournament(seeding_minutes=10, seeding="hand")
        for _ in range(3):
            enter_pair(tournament)
        registration.keep_time(tournament_id=tournament.pk, now=TONIGHT - 10 * MINUTE)
        official = {"tournament_id": tournament.pk, "actor": tournament.organiser, "now": TONIGHT}

        outcomes = at_once(
            lambda o=official: rounds.start(**o),
            lambda t=tournament: rounds.start_due(tournament_id=t.pk, now=TONIGHT),
            lambda o=official: seeding.place(**o, seeds={3: 1}),
        )

        moved = codes(outcomes) == ["done"] * 3
        seeds = tournament.entries.order_by("seed").values_list("number", flat=True)
        assert moved or codes(outcomes) == ["already-started", "done", "done"]
        assert list(seeds) == ([3, 1, 2] if moved else [1, 2, 3])
        assert tournament.acts.filter(kind="start").count() == 1
        assert tournament.tables.count() == 1


def test_without_the_lock_a_field_is_overfilled(monkeypatch: pytest.MonkeyPatch):
    """The control: the same race with the lock off, held where all have counted and none has written."""
    tournament = make_tournament(capacity=2, check_in_minutes=30)
    for _ in range(3):
        enter_pair(tournament)
    official = {"tournament_id": tournament.pk, "actor": tournament.organiser, "now": TONIGHT}
    check_in.check_in_for(**official, entry_number=1)
    registration.keep_time(tournament_id=tournament.pk, now=TONIGHT)
    both_have_counted = threading.Barrier(2)

    def held(*args: Any, **more: Any) -> Any:
        both_have_counted.wait(10)
        number = 1000 + more["now"].microsecond + int(more["subject"].removeprefix("e"))
        return args[0].acts.create(number=number, kind="check-in", actor=more["actor"], at=more["now"])

    monkeypatch.setattr(check_in, "locked", lambda pk: Tournament.objects.get(pk=pk))
    monkeypatch.setattr(check_in, "record_act", held)

    outcomes = at_once(
        *[lambda n=number: check_in.check_in_for(**official, entry_number=n) for number in (2, 3)]
    )

    assert codes(outcomes) == ["done", "done"]
    assert Tournament.objects.get(pk=tournament.pk).entries.exclude(checked_in_at=None).count() == 3

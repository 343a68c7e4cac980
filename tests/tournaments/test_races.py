"""Many at once, on a real PostgreSQL: each change happens once or is refused; what the lock is for is shown too."""

import threading
from typing import Any

import pytest
from django.db import IntegrityError

from games.models import Seat
from games.services import tables
from tests.factories import make_users
from tests.games.services.races import at_once, slowed, times
from tests.tournaments.scenes import (
    NOW,
    TONIGHT,
    awaited,
    end,
    enter_pair,
    lines,
    make_tournament,
    open_table,
    started,
)
from tournaments import field
from tournaments.models import Tournament
from tournaments.services import entry, results, rounds, rulings
from tournaments.services.refusals import Refused

pytestmark = pytest.mark.django_db(transaction=True)


def codes(outcomes: list[Any]) -> list[str]:
    return sorted(outcome.code if isinstance(outcome, Refused) else "done" for outcome in outcomes)


def record(tournament: Tournament) -> int:
    return results.adjudicate(tournament_id=tournament.pk, now=NOW)


def test_adjudications_at_once_record_each_result_once():
    tournament = started(4)
    end(tournament, "R1.1")
    end(tournament, "R1.2")

    outcomes = at_once(*[lambda: record(tournament)] * 6)

    assert sorted(outcomes) == [0, 0, 0, 0, 0, 2]
    assert tournament.log.count() == 2
    assert awaited(tournament) == [("R2.1", 1)]


def test_without_the_lock_adjudications_at_once_collide(monkeypatch: pytest.MonkeyPatch):
    """The control: the same race with the lock off, held where both have read and neither has written."""
    tournament = started(4)
    end(tournament, "R1.1")
    both_have_read, played = threading.Barrier(2), results.played

    def played_after_both_have_read(table_ids: Any) -> Any:
        both_have_read.wait(10)
        return played(table_ids)

    monkeypatch.setattr(results, "locked", lambda pk: Tournament.objects.get(pk=pk))
    monkeypatch.setattr(results, "played", played_after_both_have_read)

    outcomes = at_once(*[lambda: record(tournament)] * 2)

    assert [type(outcome) for outcome in outcomes if outcome != 1] == [IntegrityError]


def test_table_that_ends_while_its_pair_withdraws_counts_once():
    for _ in times(5):
        tournament = started(2)
        row = open_table(tournament, "R1.1")
        leaver = tournament.entries.get(number=int(row.sides[0][1:])).members.get(place=0).user
        end(tournament, "R1.1", (31, 0))

        at_once(
            lambda t=tournament: record(t),
            lambda t=tournament, u=leaver: rulings.leave(tournament_id=t.pk, user=u, now=NOW),
        )

        assert lines(tournament)["R1.1"] == (tuple(row.sides), "done", "target", row.sides[0])
        assert tournament.log.count() == 1


def test_two_invitations_accepted_at_once_leave_one_pair():
    for _ in times(5):
        tournament = make_tournament()
        layla, rana, omar = make_users(3)
        asked = [
            entry.enter(tournament_id=tournament.pk, user=who, partner=omar, now=NOW).number
            for who in (layla, rana)
        ]

        outcomes = at_once(
            *[
                lambda n=number, t=tournament, u=omar: entry.accept(
                    tournament_id=t.pk, entry_number=n, user=u, now=NOW
                )
                for number in asked
            ]
        )

        assert codes(outcomes) == ["done", "lapsed"]
        assert tournament.members.filter(user=omar, active=True).count() == 1


def test_last_place_is_taken_once_and_the_rest_wait():
    tournament = make_tournament(capacity=2)
    enter_pair(tournament)
    pairs = [make_users(2) for _ in range(4)]
    asked = [entry.enter(tournament_id=tournament.pk, user=a, partner=b, now=NOW).number for a, b in pairs]

    outcomes = at_once(
        *[
            lambda n=number, u=pair[1]: entry.accept(
                tournament_id=tournament.pk, entry_number=n, user=u, now=NOW
            )
            for number, pair in zip(asked, pairs, strict=True)
        ]
    )

    placed, line = field.placed(tournament), field.waiting_list(tournament)
    assert (codes(outcomes), len(placed), len(line)) == (["done"] * 4, 2, 3)
    assert len({entry.pk for entry in (*placed, *line)}) == 5


def test_deadline_and_last_word_at_once_lose_neither():
    for _ in times(5):
        tournament = make_tournament()
        enter_pair(tournament)
        enter_pair(tournament)
        layla, omar = make_users(2)
        number = entry.enter(tournament_id=tournament.pk, user=layla, partner=omar, now=NOW).number

        outcomes = at_once(
            lambda t=tournament: rounds.start_due(tournament_id=t.pk, now=TONIGHT),
            lambda t=tournament: rounds.start_due(tournament_id=t.pk, now=TONIGHT),
            lambda t=tournament, n=number, u=omar: entry.accept(
                tournament_id=t.pk, entry_number=n, user=u, now=NOW
            ),
        )

        accepted = tournament.entries.filter(accepted_at__isnull=False)
        assert codes(outcomes) in (["done", "done", "done"], ["done", "done", "not-open"])
        assert accepted.count() == tournament.entries.filter(seed__isnull=False).count()
        assert len(lines(tournament)) == (3 if accepted.count() == 3 else 1)


def test_same_name_at_once_gives_two_addresses():
    outcomes = at_once(
        *[lambda user=user: make_tournament(name="كأس الشام", organiser=user) for user in make_users(4)]
    )

    slugs = sorted(tournament.slug for tournament in outcomes)
    assert slugs == ["كأس-الشام", "كأس-الشام-2", "كأس-الشام-3", "كأس-الشام-4"]


def test_tournaments_that_call_the_players_of_the_same_casual_tables_do_not_wait_for_each_other():
    pairs = make_users(8)
    cups = [make_tournament(), make_tournament()]
    for cup, (one, its_partner, other, other_partner) in zip(cups, (pairs[:4], pairs[4:]), strict=True):
        enter_pair(cup, one, its_partner)
        enter_pair(cup, other, other_partner)
    asked: dict[str, Any] = {"ruleset": "kotchina", "target": 31, "turn_seconds": 20, "visibility": "public"}
    for players in ((pairs[0], pairs[6]), (pairs[2], pairs[4])):
        table = tables.open_table(host=players[0], **asked, now=NOW)
        for seat, user in enumerate(players):
            tables.sit(table_code=table.code, user=user, seat=seat, now=NOW)

    with slowed("games_table", "new.title = ''"):
        outcomes = at_once(
            *[lambda c=cup: rounds.start(tournament_id=c.pk, actor=c.organiser, now=NOW) for cup in cups]
        )

    assert [getattr(outcome, "state", outcome) for outcome in outcomes] == ["running", "running"]
    assert set(Seat.objects.filter(table__title="").values_list("kind", flat=True)) == {"open"}

"""A running tournament, many at once on a real PostgreSQL: workers, officials, deadlines and players."""

import threading
from typing import Any

import pytest
from django.db import transaction

from games.models import Phase, Table
from games.services.moving import hold
from tests.factories import make_users
from tests.games.services.races import at_once, times
from tests.tournaments.scenes import (
    NOW,
    adjudicate,
    arrive,
    awaited,
    deal,
    end,
    enter_pair,
    lines,
    make_tournament,
    minutes,
    open_table,
    running,
)
from tests.tournaments.test_races import codes
from tournaments import tasks
from tournaments.models import PairingTable, Tournament
from tournaments.services import confirming, late, pauses, results, rounds, scoring, sweeps, tables

pytestmark = pytest.mark.django_db(transaction=True)


def held_final() -> Tournament:
    tournament = running(2, holds_results=True)
    end(tournament, "R1.1")
    adjudicate(tournament)
    return tournament


def captains(tournament: Tournament) -> list[Any]:
    sides = tournament.tables.get(pairing="R1.1").sides
    return [tournament.entries.get(number=int(side[1:])).members.get(place=0).user for side in sides]


def confirm(tournament: Tournament, user: Any) -> PairingTable:
    return confirming.confirm(tournament_id=tournament.pk, pairing="R1.1", user=user, now=minutes(1))


def test_two_words_at_one_instant_record_the_result_once():
    for _ in times(16):
        tournament = held_final()

        outcomes = at_once(
            *[lambda user=user, t=tournament: confirm(t, user) for user in captains(tournament)]
        )

        assert [type(outcome) for outcome in outcomes] == [PairingTable, PairingTable]
        tournament.refresh_from_db()
        assert (tournament.log.count(), tournament.state) == (1, "finished")


def test_without_the_lock_one_of_two_words_is_lost(monkeypatch: pytest.MonkeyPatch):
    """The control: the same race with the lock off, held where both have read and neither has written."""
    tournament = held_final()
    both_have_read, disputed = threading.Barrier(2), confirming.disputed

    def disputed_after_both_have_read(rows: Any) -> set[int]:
        both_have_read.wait(10)
        return disputed(rows)

    monkeypatch.setattr(confirming, "locked", lambda pk: Tournament.objects.get(pk=pk))
    monkeypatch.setattr(confirming, "disputed", disputed_after_both_have_read)

    at_once(*[lambda user=user: confirm(tournament, user) for user in captains(tournament)])

    tournament.refresh_from_db()
    assert (tournament.log.count(), tournament.state) == (0, "running")


def test_two_scorers_who_enter_opposite_results_do_not_overwrite_each_other():
    for _ in times(4):
        tournament = running(4)
        scores = ([31, 4], [4, 31])

        outcomes = at_once(
            *[
                lambda score=score, t=tournament: scoring.enter_result(
                    tournament_id=t.pk,
                    actor=t.organiser,
                    pairing="R1.1",
                    result={"kind": "target", "score": score},
                    now=NOW,
                )
                for score in scores
            ]
        )

        assert codes(outcomes) == ["already-done", "done"]
        assert tournament.log.count() == 1
        first = scores[outcomes.index(next(o for o in outcomes if codes([o]) == ["done"]))]
        assert tournament.log.get().item["score"] == first


def test_match_that_ends_while_everything_is_paused_is_recorded_and_nothing_is_opened():
    for _ in times(4):
        tournament = running(4)
        end(tournament, "R1.1")
        end(tournament, "R1.2")

        outcomes = at_once(
            lambda t=tournament: pauses.pause(tournament_id=t.pk, actor=t.organiser, now=NOW),
            lambda t=tournament: results.adjudicate(tournament_id=t.pk, now=NOW),
        )

        tournament.refresh_from_db()
        assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
        assert (tournament.paused_at, tournament.log.count()) == (NOW, 2)
        final = tournament.tables.filter(pairing="R2.1").select_related("table").first()
        # Opened just before the pause it stands still; opened after it there is none.
        assert final is None or final.table.paused_at == NOW


def test_without_the_lock_a_table_is_opened_into_the_pause(monkeypatch: pytest.MonkeyPatch):
    """The control: an adjudication that has read the tournament before the pause and opens tables after it."""
    tournament = running(4)
    end(tournament, "R1.1")
    end(tournament, "R1.2")
    has_read, is_paused = threading.Event(), threading.Event()

    def read_before_the_pause(pk: int) -> Tournament:
        row = Tournament.objects.get(pk=pk)
        has_read.set()
        is_paused.wait(10)
        return row

    def pause() -> Tournament:
        has_read.wait(10)
        paused = pauses.pause(tournament_id=tournament.pk, actor=tournament.organiser, now=NOW)
        is_paused.set()
        return paused

    monkeypatch.setattr(results, "locked", read_before_the_pause)
    monkeypatch.setattr(results, "record_finished", lambda *args, **more: 0)

    at_once(lambda: results.adjudicate(tournament_id=tournament.pk, now=NOW), pause)

    assert [row.table.paused_at for row in tournament.tables.filter(pairing="R2.1")] == [None]


def arrive_as_a_socket_does(table: Table, *numbers: int) -> bool:
    """Whether who arrives is still let in: under the table's row, as the live side does it."""
    with transaction.atomic():
        is_open = hold([table.pk]).exclude(phase=Phase.OVER).exists()
        if is_open:
            arrive(table, *numbers, at=minutes(5))
    return is_open


def test_who_arrives_at_the_last_moment_plays_or_has_forfeited_never_both():
    for _ in times(4):
        tournament = running(2, late_minutes=5)
        row = open_table(tournament, "R1.1")
        arrive(row.table, 0, 1, 2)

        outcomes = at_once(
            lambda: sweeps.sweep(now=minutes(5)),
            lambda: sweeps.sweep(now=minutes(5)),
            lambda row=row: arrive_as_a_socket_does(row.table, 3),
        )

        came_in = outcomes[2]
        decided = "ready" if came_in else "done"
        assert outcomes[:2] == [None, None]
        assert lines(tournament)["R1.1"][1] == decided
        assert tournament.log.count() == (0 if came_in else 1)


def test_without_the_hold_somebody_who_is_there_forfeits(monkeypatch: pytest.MonkeyPatch):
    """The control: the late clock has read who is missing, the last one comes, and the match is forfeited."""
    tournament = running(2, late_minutes=5)
    row = open_table(tournament, "R1.1")
    arrive(row.table, 0, 1, 2)
    has_read, has_come, missing_seats = threading.Event(), threading.Event(), late.missing_seats

    def missing_before_the_last_comes(table_ids: Any) -> dict[int, list[int]]:
        found = missing_seats(table_ids)
        has_read.set()
        has_come.wait(10)
        return found

    def come() -> bool:
        has_read.wait(10)
        came_in = arrive_as_a_socket_does(row.table, 3)
        has_come.set()
        return came_in

    monkeypatch.setattr(late, "hold", lambda table_ids: None)
    monkeypatch.setattr(late, "missing_seats", missing_before_the_last_comes)

    outcomes = at_once(lambda: sweeps.attend(tournament_id=tournament.pk, now=minutes(5)), come)

    assert (outcomes[1], lines(tournament)["R1.1"][1]) == (True, "done")


def end_as_a_match_does(table: Table) -> bool:
    """Whether the last card still counts: under the table's row, as the live side does it."""
    with transaction.atomic():
        is_open = hold([table.pk]).exclude(phase=Phase.OVER).exists()
        if is_open:
            Table.objects.filter(pk=table.pk).update(
                phase=Phase.OVER, score=[33, -7], result_kind="target", winner=0, advances=0, ended_at=NOW
            )
    return is_open


def test_match_that_ends_when_its_time_is_up_has_one_result():
    for _ in times(4):
        tournament = running(2, limit_minutes=40, limit_policy="now")
        row = open_table(tournament, "R1.1")
        deal(row.table, (-7, 7))

        outcomes = at_once(
            lambda: sweeps.sweep(now=minutes(40)),
            lambda: sweeps.sweep(now=minutes(40)),
            lambda row=row: end_as_a_match_does(row.table),
        )
        sweeps.sweep(now=minutes(41))

        ended = outcomes[2]
        item = tournament.log.get().item
        assert outcomes[:2] == [None, None]
        assert (item["kind"], item.get("cause")) == (("target", None) if ended else ("round-cap", "time"))
        assert lines(tournament)["R1.1"][3] == row.sides[0 if ended else 1]


def test_two_tournaments_do_not_call_the_same_player_at_one_instant():
    for _ in times(4):
        pair = make_users(2)
        cups = [make_tournament(), make_tournament()]
        for cup in cups:
            enter_pair(cup, *pair)
            enter_pair(cup)

        outcomes = at_once(
            *[lambda c=cup: rounds.start(tournament_id=c.pk, actor=c.organiser, now=NOW) for cup in cups]
        )

        assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
        assert sorted(len(awaited(cup)) for cup in cups) == [0, 1]


def test_without_their_rows_held_the_same_players_are_called_twice(monkeypatch: pytest.MonkeyPatch):
    """The control: both tournaments have looked before either has opened its table."""
    pair = make_users(2)
    cups = [make_tournament(), make_tournament()]
    for cup in cups:
        enter_pair(cup, *pair)
        enter_pair(cup)
    both_have_looked = threading.Barrier(2)

    def nobody_plays(tournament: Tournament, users: Any) -> set[int]:
        both_have_looked.wait(10)
        return set()

    monkeypatch.setattr(tables, "called_elsewhere", nobody_plays)

    at_once(*[lambda c=cup: rounds.start(tournament_id=c.pk, actor=c.organiser, now=NOW) for cup in cups])

    assert [len(awaited(cup)) for cup in cups] == [1, 1]


def test_worker_that_records_takes_what_ended_meanwhile_and_nobody_waits_for_it(
    monkeypatch: pytest.MonkeyPatch,
):
    tournament = running(4)
    first = end(tournament, "R1.1")
    has_read, other_is_done, played = threading.Event(), threading.Event(), results.played

    def played_after_the_other_has_given_up(table_ids: Any) -> Any:
        has_read.set()
        other_is_done.wait(10)
        return played(table_ids)

    def hear_of_the_second() -> int:
        has_read.wait(10)
        taken = tasks.adjudicate(end(tournament, "R1.2").pk)
        other_is_done.set()
        return taken

    monkeypatch.setattr(results, "played", played_after_the_other_has_given_up)

    outcomes = at_once(lambda: tasks.adjudicate(first.pk), hear_of_the_second)

    assert outcomes == [2, 0]
    assert (tournament.log.count(), awaited(tournament)) == (2, [("R2.1", 1)])


def test_many_workers_that_hear_of_ends_leave_none_unrecorded():
    for _ in times(4):
        tournament = running(8)

        at_once(
            *[
                lambda name=f"R1.{number}", t=tournament: tasks.adjudicate(end(t, name).pk)
                for number in range(1, 5)
            ]
        )

        assert tournament.log.count() == 4
        assert awaited(tournament) == [("R2.1", 1), ("R2.2", 1)]

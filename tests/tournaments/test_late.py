from datetime import datetime

import pytest

from accounts.models import Notice
from games.models import Phase, Table
from tests.tournaments.scenes import (
    NOW,
    adjudicate,
    arrive,
    awaited,
    deal,
    end,
    lines,
    minutes,
    open_table,
    running,
)
from tournaments.models import Act, PairingTable, Tournament
from tournaments.queries import plan_of
from tournaments.services import sweeps

pytestmark = pytest.mark.django_db


def late(**more: object) -> tuple[Tournament, PairingTable]:
    """A final whose table waits five minutes for its players, and calls them after two."""
    tournament = running(2, **({"call_minutes": 2, "late_minutes": 5} | more))
    return tournament, open_table(tournament, "R1.1")


def told(user: object, row: PairingTable) -> list[str]:
    keys = Notice.objects.filter(user=user, key__startswith=f"table-{row.pk}-").order_by("pk")
    return [key.rpartition("-")[2] for key in keys.values_list("key", flat=True)]


def sweep(at: datetime) -> None:
    sweeps.sweep(now=at)
    sweeps.sweep(now=at)


def test_table_waits_for_its_players_and_play_begins_if_nobody_says_that_they_are_late():
    _tournament, row = late()

    assert (row.call_at, row.late_at) == (minutes(2), minutes(5))
    assert row.table.due_at == minutes(6)
    assert row.table.call_url.endswith("/object/")


def test_who_has_not_come_is_called_again_once():
    _tournament, row = late()
    arrive(row.table, 0, 1, 2)
    users = [seat.user for seat in row.table.seats.order_by("number")]

    sweep(minutes(1.9))
    early = [told(user, row) for user in users]
    sweep(minutes(2))

    assert early == [["ready"]] * 4
    assert [told(user, row) for user in users] == [["ready"], ["ready"], ["ready"], ["ready", "called"]]
    row.refresh_from_db()
    assert (row.called_at, row.call_at) == (minutes(2), None)


@pytest.mark.parametrize(
    ("there", "side", "winner"),
    [((0, 2), 1, 0), ((0, 1, 2), 1, 0), ((1, 3), 0, 1), ((0, 1), "both", None), ((), "both", None)],
)
def test_side_that_is_not_complete_in_time_forfeits(
    there: tuple[int, ...], side: int | str, winner: int | None
):
    tournament, row = late()
    arrive(row.table, *there)
    missing = [seat.user.username for seat in row.table.seats.order_by("number") if seat.number not in there]

    sweep(minutes(5))

    [item] = tournament.log.all()
    assert item.item == {
        "type": "forfeit",
        "pairing": "R1.1",
        "side": side,
        "sides": row.sides,
        "cause": "late",
        "late": {"minutes": 5, "missing": missing},
    }
    decided = "double-forfeit" if winner is None else "forfeit"
    champion = None if winner is None else row.sides[winner]
    assert lines(tournament)["R1.1"] == (tuple(row.sides), "done", decided, champion)
    assert Table.objects.get(pk=row.table_id).phase == Phase.OVER
    assert Act.objects.get(kind="late-forfeit").item == item
    assert [told(seat.user, row)[-1] for seat in row.table.seats.order_by("number")] == ["closed"] * 4


def test_late_for_one_match_of_several_is_that_match_lost():
    tournament, row = late(settings={"best_of": 3})
    sides = row.sides
    end(tournament, "R1.1", (31, 12))
    adjudicate(tournament)
    second = open_table(tournament, "R1.1")
    arrive(second.table, 1, 3)
    PairingTable.objects.filter(pk=second.pk).update(late_at=minutes(5))
    sweep(minutes(5))

    item = tournament.log.last()
    assert item.item == {
        "type": "result",
        "pairing": "R1.1",
        "kind": "target",
        "score": [0, 31],
        "sides": sides,
        "cause": "late",
        "late": {
            "minutes": 5,
            "missing": [second.table.seats.get(number=number).user.username for number in (0, 2)],
        },
    }
    [pairing] = plan_of(tournament).pairings
    assert (pairing.status, pairing.won, awaited(tournament)) == ("ready", (1, 1), [("R1.1", 3)])
    assert Table.objects.get(pk=second.table_id).phase == Phase.OVER
    assert [told(seat.user, second)[-1] for seat in second.table.seats.all()] == ["closed"] * 4
    assert tournament.acts.get(kind="late-forfeit").item == item

    third = open_table(tournament, "R1.1")
    arrive(third.table, 0, 2)
    PairingTable.objects.filter(pk=third.pk).update(late_at=minutes(10))
    sweep(minutes(10))
    assert lines(tournament)["R1.1"][1:] == ("done", "target", sides[0])


def test_who_comes_to_none_of_several_matches_forfeits_the_pairing():
    tournament, row = late(settings={"best_of": 3})
    for match in (1, 2):
        table = open_table(tournament, "R1.1")
        arrive(table.table, 1, 3)
        PairingTable.objects.filter(pk=table.pk).update(late_at=minutes(5 * match))
        sweep(minutes(5 * match))

    assert [item["type"] for item in tournament.log.values_list("item", flat=True)] == ["result", "forfeit"]
    assert lines(tournament)["R1.1"][1:] == ("done", "forfeit", row.sides[1])


def test_nobody_forfeits_a_moment_early_or_where_all_have_come():
    tournament, row = late()
    sweep(minutes(4.99))
    assert awaited(tournament) == [("R1.1", 1)]

    arrive(row.table, 0, 1, 2, 3)
    sweep(minutes(60))

    row.refresh_from_db()
    assert (awaited(tournament), row.late_at, tournament.log.count()) == ([("R1.1", 1)], None, 0)


def test_a_real_result_is_never_replaced_by_absence():
    tournament, row = late()
    end(tournament, "R1.1", (31, 4))

    sweep(minutes(60))

    assert lines(tournament)["R1.1"] == (tuple(row.sides), "done", "target", row.sides[0])


@pytest.mark.parametrize("is_dealt", [False, True])
def test_referee_is_told_where_the_policy_says_so_or_play_has_begun(is_dealt: bool):
    tournament, row = late(late_policy="forfeit" if is_dealt else "referee")
    arrive(row.table, 0, 1, 2)
    if is_dealt:
        deal(row.table, (7, -7))

    sweep(minutes(5))
    sweep(minutes(9))

    assert (awaited(tournament), tournament.log.count()) == ([("R1.1", 1)], 0)
    [act] = Act.objects.filter(kind="late")
    absent = row.table.seats.get(number=3).user.username
    assert (act.subject, act.after) == ("R1.1", {"minutes": 5, "missing": [absent]})
    assert told(tournament.organiser, row) == ["late"]


def test_late_pair_lets_the_bracket_move_on():
    tournament = running(4, late_minutes=5)
    end(tournament, "R1.2")
    adjudicate(tournament)
    row = open_table(tournament, "R1.1")
    arrive(row.table, 1, 3)

    sweep(minutes(5))

    assert awaited(tournament) == [("R2.1", 1)]
    assert lines(tournament)["R2.1"][0][0] == row.sides[1]


def test_without_a_late_clock_nobody_waits():
    tournament = running(2)
    row = open_table(tournament, "R1.1")
    sweep(minutes(600))

    assert (row.late_at, awaited(tournament)) == (None, [("R1.1", 1)])
    assert (row.table.due_at - NOW).total_seconds() < 60

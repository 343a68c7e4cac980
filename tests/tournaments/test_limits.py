import pytest

from accounts.models import Notice
from games.models import Phase, Table
from games.services.tables import close_table
from tests.tournaments.scenes import adjudicate, awaited, deal, end, lines, minutes, open_table, running
from tournaments.models import Act, PairingTable, Tournament
from tournaments.services import sweeps

pytestmark = pytest.mark.django_db


def limited(policy: str) -> tuple[Tournament, PairingTable]:
    """A final that may last forty minutes."""
    tournament = running(2, limit_minutes=40, limit_policy=policy)
    return tournament, open_table(tournament, "R1.1")


@pytest.mark.parametrize(
    ("changes", "result", "line"),
    [
        (
            [(7, -7), (-9, 8), (10, -8)],
            {"kind": "round-cap", "score": [8, -7], "deals": [2, 1], "contracts": [2, 0]},
            ("done", "round-cap", 0),
        ),
        (
            [(7, -7), (-8, 8)],
            {"kind": "round-cap", "score": [-1, 1], "deals": [1, 1], "contracts": [1, 0]},
            ("done", "round-cap", 1),
        ),
        (
            [(8, -8), (-8, 8)],
            {"kind": "draw", "score": [0, 0], "last_gainer": 1, "deals": [1, 1], "contracts": [1, 0]},
            ("done", "last-round", 1),
        ),
        (
            [(8, 0), (0, 8), (-1, -1)],
            {"kind": "draw", "score": [7, 7], "last_gainer": 1, "deals": [1, 1], "contracts": [1, 0]},
            ("done", "last-round", 1),
        ),
    ],
)
def test_what_was_played_decides_when_the_time_is_up(
    changes: list[tuple[int, int]], result: dict, line: tuple[str, str, int]
):
    tournament, row = limited("now")
    deal(row.table, *changes)

    sweeps.sweep(now=minutes(40))
    sweeps.sweep(now=minutes(41))

    status, decided, winner = line
    assert lines(tournament)["R1.1"] == (tuple(row.sides), status, decided, row.sides[winner])
    time = {"cause": "time", "time": {"minutes": 40, "rounds": len(changes)}}
    [item] = tournament.log.all()
    assert item.item == {"type": "result", "pairing": "R1.1", "sides": row.sides} | result | time
    assert item.table_id == row.table_id
    assert [act.subject for act in Act.objects.filter(kind="time-limit")] == ["R1.1"]


@pytest.mark.parametrize("policy", ["now", "deal"])
def test_without_a_counted_round_it_is_replayed_once_with_a_limit_of_its_own(policy: str):
    tournament, _row = limited(policy)

    sweeps.sweep(now=minutes(40))
    replay = open_table(tournament, "R1.1")
    sweeps.sweep(now=minutes(79))
    early = lines(tournament)["R1.1"][1]
    sweeps.sweep(now=minutes(80))

    assert (replay.attempt, replay.limit_at, early) == (2, minutes(80), "ready")
    assert lines(tournament)["R1.1"][1:] == ("done", "double-forfeit", None)


def test_nothing_is_stopped_a_moment_early():
    tournament, row = limited("now")
    deal(row.table, (7, -7))

    sweeps.sweep(now=minutes(39.99))

    assert (awaited(tournament), tournament.log.count()) == ([("R1.1", 1)], 0)


def test_the_deal_in_play_is_finished_where_the_policy_says_so():
    tournament, row = limited("deal")
    deal(row.table, (7, -7))
    Table.objects.filter(pk=row.table_id).update(phase=Phase.PLAY)

    sweeps.sweep(now=minutes(40))
    sweeps.sweep(now=minutes(41))
    stopping = (awaited(tournament), Table.objects.get(pk=row.table_id).stops_after_deal)
    close_table(table_id=row.table_id, now=minutes(43))
    adjudicate(tournament)

    assert stopping == ([("R1.1", 1)], True)
    assert lines(tournament)["R1.1"] == (tuple(row.sides), "done", "round-cap", row.sides[0])
    told = Notice.objects.filter(key=f"table-{row.pk}-limit")
    assert told.count() == 4


def test_match_that_ended_of_itself_keeps_its_result():
    tournament, row = limited("now")
    deal(row.table, (-20, 20))
    end(tournament, "R1.1", (31, 12))

    sweeps.sweep(now=minutes(40))

    assert lines(tournament)["R1.1"] == (tuple(row.sides), "done", "target", row.sides[0])
    assert "cause" not in tournament.log.get().item


def test_target_reached_in_the_last_deal_is_a_target_reached():
    tournament, row = limited("deal")
    deal(row.table, (7, -7))
    Table.objects.filter(pk=row.table_id).update(phase=Phase.PLAY)
    sweeps.sweep(now=minutes(40))

    end(tournament, "R1.1", (33, -7))
    adjudicate(tournament)

    item = tournament.log.get().item
    assert (item["kind"], item["score"], item.get("cause")) == ("target", [33, -7], None)

import pytest

from accounts.models import Notice
from games.models import Table
from tests.factories import make_table
from tests.tournaments.scenes import (
    NOW,
    adjudicate,
    awaited,
    close_unplayed,
    end,
    end_dead,
    end_level,
    lines,
    open_table,
    started,
)
from tournaments import tasks
from tournaments.models import Tournament
from tournaments.queries import plan_of
from tournaments.services import results, sweeps

pytestmark = pytest.mark.django_db


def log(tournament: Tournament) -> list[dict]:
    return list(tournament.log.values_list("item", flat=True))


def test_finished_table_is_recorded_and_the_bracket_moves_on():
    tournament = started(4)
    end(tournament, "R1.1", (31, 12))
    end(tournament, "R1.2", (-8, 33))
    first, second = open_table(tournament, "R1.1").sides, open_table(tournament, "R1.2").sides

    recorded = adjudicate(tournament)

    assert recorded == 2
    assert lines(tournament)["R2.1"] == ((first[0], second[1]), "ready", None, None)
    assert awaited(tournament) == [("R2.1", 1)]


def test_log_item_says_what_the_table_said():
    tournament = started(2)
    sides = open_table(tournament, "R1.1").sides
    table = end(tournament, "R1.1", (34, -5))
    adjudicate(tournament)

    assert log(tournament) == [
        {"type": "result", "pairing": "R1.1", "kind": "target", "score": [34, -5], "sides": sides}
    ]
    assert [item.table_id for item in tournament.log.all()] == [table.pk]


@pytest.mark.parametrize("loser", [0, 1])
def test_a_resigned_match_goes_to_the_other_side_as_a_forfeit(loser: int):
    tournament = started(2)
    sides = open_table(tournament, "R1.1").sides
    winner = 1 - loser
    end(tournament, "R1.1", (20, 12), result_kind="resigned", winner=winner, advances=winner)
    adjudicate(tournament)

    assert log(tournament) == [
        {"type": "forfeit", "pairing": "R1.1", "side": loser, "sides": sides, "cause": "resigned"}
    ]
    assert lines(tournament)["R1.1"] == (tuple(sides), "done", "forfeit", sides[winner])


def test_who_resigns_one_match_of_several_loses_that_one_alone():
    tournament = started(2, settings={"best_of": 3})
    sides = open_table(tournament, "R1.1").sides
    end(tournament, "R1.1", (31, 12))
    adjudicate(tournament)
    end(tournament, "R1.1", (22, 29), result_kind="resigned", winner=0, advances=0)
    adjudicate(tournament)

    [pairing] = plan_of(tournament).pairings
    assert (pairing.winner, pairing.decided_by, pairing.score) == (sides[0], "target", (2, 0))
    assert log(tournament)[1] == {
        "type": "result",
        "pairing": "R1.1",
        "kind": "target",
        "score": [31, 29],
        "sides": sides,
        "cause": "resigned",
    }


def test_who_leads_and_resigns_one_match_of_several_plays_the_next():
    tournament = started(2, settings={"best_of": 3})
    end(tournament, "R1.1", (31, 12))
    adjudicate(tournament)
    end(tournament, "R1.1", (30, 12), result_kind="resigned", winner=1, advances=1)
    adjudicate(tournament)

    [pairing] = plan_of(tournament).pairings
    assert (pairing.status, pairing.won) == ("ready", (1, 1))
    assert log(tournament)[1]["score"] == [30, 31]
    assert awaited(tournament) == [("R1.1", 3)]


def test_adjudicating_again_finds_nothing():
    tournament = started(4)
    table = end(tournament, "R1.1")
    adjudicate(tournament)
    before = (log(tournament), awaited(tournament))

    again = [
        adjudicate(tournament),
        tasks.adjudicate(table.pk),
        results.adjudicate_tables(table_ids=[table.pk], now=NOW),
    ]

    assert again == [0, 0, 0]
    assert (log(tournament), awaited(tournament)) == before


def test_table_of_no_tournament_is_nobodys_business():
    assert tasks.adjudicate(make_table().pk) == 0


def test_all_finished_tables_of_a_tournament_are_taken_at_once():
    tournament = started(16)
    for number in range(1, 9):
        end(tournament, f"R1.{number}")

    table = tournament.tables.get(pairing="R1.5").table_id

    assert (tasks.adjudicate(table), len(log(tournament))) == (8, 8)
    assert awaited(tournament) == [(f"R2.{number}", 1) for number in range(1, 5)]


@pytest.mark.parametrize("gainer", [0, 1])
def test_level_at_the_cap_is_a_draw_and_the_last_gainer_goes_through(gainer: int):
    tournament = started(2)
    sides = open_table(tournament, "R1.1").sides
    end_level(tournament, "R1.1", gainer)
    adjudicate(tournament)

    [pairing] = plan_of(tournament).pairings
    assert (pairing.winner, pairing.decided_by, pairing.score) == (sides[gainer], "last-round", (20, 20))
    assert log(tournament)[0] == {
        "type": "result",
        "pairing": "R1.1",
        "kind": "draw",
        "score": [20, 20],
        "last_gainer": gainer,
        "sides": sides,
    }


def test_more_points_at_the_cap_win():
    tournament = started(2)
    sides = open_table(tournament, "R1.1").sides
    end(tournament, "R1.1", (-3, 7), result_kind="round-cap")
    adjudicate(tournament)

    assert lines(tournament)["R1.1"] == (tuple(sides), "done", "round-cap", sides[1])


@pytest.mark.parametrize("dies", [end_dead, close_unplayed])
def test_dead_table_is_replayed_once_and_then_both_are_out(dies):
    tournament = started(4)
    end(tournament, "R1.2")
    through = open_table(tournament, "R1.2").sides[0]
    adjudicate(tournament)

    dies(tournament, "R1.1")
    adjudicate(tournament)
    replay = (lines(tournament)["R1.1"][1], awaited(tournament))
    dies(tournament, "R1.1")
    adjudicate(tournament)

    assert replay == ("ready", [("R1.1", 2)])
    assert lines(tournament)["R1.1"][1:] == ("done", "double-forfeit", None)
    assert lines(tournament)["R2.1"] == ((through, None), "done", "walkover", through)
    tournament.refresh_from_db()
    assert (tournament.state, tournament.champion.ident) == ("finished", through)


def test_replay_that_is_played_counts():
    tournament = started(2)
    end_dead(tournament, "R1.1")
    adjudicate(tournament)
    sides = open_table(tournament, "R1.1").sides
    end(tournament, "R1.1", (10, 31))
    adjudicate(tournament)

    assert lines(tournament)["R1.1"] == (tuple(sides), "done", "target", sides[1])
    assert [row.state for row in tournament.tables.order_by("attempt")] == ["recorded", "recorded"]


def test_final_crowns_the_champion():
    tournament = started(2)
    sides = open_table(tournament, "R1.1").sides
    end(tournament, "R1.1", (5, 31))
    adjudicate(tournament)

    tournament.refresh_from_db()
    assert (tournament.state, tournament.finished_at) == ("finished", NOW)
    assert tournament.champion.ident == sides[1]


def test_final_nobody_plays_has_no_champion():
    tournament = started(2)
    for _ in range(2):
        end_dead(tournament, "R1.1")
        adjudicate(tournament)

    tournament.refresh_from_db()
    assert (tournament.state, tournament.champion) == ("finished", None)


def test_sweep_finds_a_finished_table_that_no_message_told_of():
    tournament = started(4)
    end(tournament, "R1.1")

    sweeps.sweep(now=NOW)
    sweeps.sweep(now=NOW)

    assert len(log(tournament)) == 1


def test_one_table_in_trouble_does_not_hold_up_the_others(caplog: pytest.LogCaptureFixture):
    tournament = started(4)
    broken = end(tournament, "R1.1", (31, 12), winner=1)
    end(tournament, "R1.2")

    sweeps.sweep(now=NOW)
    sweeps.sweep(now=NOW)

    assert [item["pairing"] for item in log(tournament)] == ["R1.2"]
    assert open_table(tournament, "R1.1").table == broken
    said = {record.message for record in caplog.records}
    assert said == {f"table {broken.pk} cannot be recorded: a target at [31, 12] was not won by 1"}
    assert Notice.objects.filter(key__endswith="-contradicts").count() == 1


def test_one_tournament_in_trouble_does_not_hold_up_the_others(caplog: pytest.LogCaptureFixture):
    broken, sound = started(2), started(2)
    broken.log.create(number=0, item={"type": "nonsense"}, at=NOW)
    end(broken, "R1.1")
    end(sound, "R1.1")

    sweeps.sweep(now=NOW)
    sweeps.sweep(now=NOW)

    assert len(log(sound)) == 1
    said = {record.message for record in caplog.records}
    assert said == {f"the log of tournament {broken.pk} cannot be folded"}
    assert Tournament.objects.get(pk=broken.pk).differs_since == NOW
    assert Notice.objects.filter(key__contains="-differs-").count() == 1


def test_table_that_lost_its_pairing_is_not_recorded():
    tournament = started(4)
    row = open_table(tournament, "R1.1")
    row.sides = list(reversed(row.sides))
    row.save()
    end(tournament, "R1.1")

    assert adjudicate(tournament) == 0
    assert tournament.tables.get(pk=row.pk).state == "void"
    assert awaited(tournament) == [("R1.1", 2), ("R1.2", 1)]
    assert Table.objects.get(pk=row.table_id).phase == "over"

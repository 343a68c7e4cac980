from typing import Any

import pytest

from accounts.models import Notice
from games.models import Phase, Table
from tests.factories import make_user
from tests.games.services.races import refused
from tests.tournaments.scenes import NOW, adjudicate, awaited, end, lines, minutes, open_table, running
from tournaments.formats.plan import Plan
from tournaments.models import Act, Official, Tournament
from tournaments.queries import plan_of
from tournaments.services import scoring

pytestmark = pytest.mark.django_db

WON = {"kind": "target", "score": [31, 9]}


def enter(tournament: Tournament, pairing: str = "R1.1", result: Any = WON, **more: Any) -> Plan:
    asked: dict[str, Any] = {"actor": tournament.organiser, "now": minutes(1)} | more
    return scoring.enter_result(tournament_id=tournament.pk, pairing=pairing, result=result, **asked)


def test_entered_result_counts_and_closes_the_match_in_play():
    tournament, scorer = running(4), make_user()
    Official.objects.create(tournament=tournament, user=scorer, role="scorekeeper", since=NOW)
    row = open_table(tournament, "R1.1")
    end(tournament, "R1.2")

    enter(tournament, actor=scorer, reason="Played on paper.", result=WON | {"deals": [4, 2], "note": "x"})

    item = tournament.log.get(item__pairing="R1.1")
    assert item.item == {
        "type": "result",
        "pairing": "R1.1",
        "kind": "target",
        "score": [31, 9],
        "deals": [4, 2],
        "sides": row.sides,
    }
    act = Act.objects.get(kind="score")
    assert (item.actor, act.actor, act.reason, act.item) == (scorer, scorer, "Played on paper.", item)
    assert Table.objects.get(pk=row.table_id).phase == Phase.OVER
    assert lines(tournament)["R1.1"][1:] == ("done", "target", row.sides[0])
    assert awaited(tournament) == [("R2.1", 1)]


@pytest.mark.parametrize(
    ("pairing", "result", "code"),
    [
        ("R1.1", {"kind": "target", "score": [31, 31]}, "malformed"),
        ("R1.1", {"kind": "draw", "score": [20, 20]}, "malformed"),
        ("R1.1", {"kind": "target"}, "malformed"),
        ("R1.1", {"kind": "guess", "score": [1, 2]}, "malformed"),
        ("R1.1", {}, "malformed"),
        ("R2.1", WON, "not-ready"),
        ("R9.1", WON, "unknown-pairing"),
    ],
)
def test_what_cannot_be_a_result_changes_nothing(pairing: str, result: dict, code: str):
    tournament = running(4)

    with refused(code):
        enter(tournament, pairing, result)
    assert (tournament.log.count(), Act.objects.filter(kind="score").count()) == (0, 0)


def test_what_a_table_knows_is_not_replaced():
    tournament = running(4)
    end(tournament, "R1.1", (2, 31))

    with refused("already-done"):
        enter(tournament)
    adjudicate(tournament)
    assert tournament.log.get().item["score"] == [2, 31]


def test_match_of_several_that_is_entered_by_hand_is_not_played_on():
    tournament = running(2, settings={"best_of": 3})
    table = open_table(tournament, "R1.1")
    enter(tournament)

    assert Table.objects.get(pk=table.table_id).phase == Phase.OVER
    assert awaited(tournament) == [("R1.1", 2)]
    assert [pairing.won for pairing in plan_of(tournament).pairings] == [(1, 0)]
    assert open_table(tournament, "R1.1").table.title == "Thursday night · 2/3"
    keys = Notice.objects.filter(key=f"table-{table.pk}-closed").values_list("user", flat=True)
    assert set(keys) == set(table.table.seats.values_list("user", flat=True))


def test_result_for_a_log_that_moved_on_is_refused():
    tournament = running(4)
    end(tournament, "R1.2")

    with refused("moved-on"):
        enter(tournament, seen=0)


@pytest.mark.parametrize(("role", "code"), [("viewer", "not-your-role"), (None, "not-organiser")])
def test_others_enter_no_results(role: str | None, code: str):
    tournament, user = running(4), make_user()
    if role:
        Official.objects.create(tournament=tournament, user=user, role=role, since=NOW)

    with refused(code):
        enter(tournament, actor=user)

"""Every format through the services, from the start to the champion; the file says what the tables said."""

from random import Random
from typing import Any

import pytest

from accounts.models import Notice
from tests.tournaments.scenes import (
    NOW,
    adjudicate,
    awaited,
    end,
    end_level,
    lines,
    minutes,
    running,
)
from tournaments.formats.event import fold_event
from tournaments.models import Tournament
from tournaments.queries import event, plan_of
from tournaments.services import rulings, schedule, sweeps

pytestmark = pytest.mark.django_db

GROUPS_THEN_CUP = {
    "stages": [
        {"format": "round_robin", "groups": 2},
        {"format": "single_elimination", "qualify": 2, "third_place": True},
    ]
}
SWISS_THEN_CUP = {
    "stages": [{"format": "swiss", "rounds": 3}, {"format": "double_elimination", "qualify": 4}]
}
FORMATS = [
    ("single_elimination", {"third_place": True, "best_of": 3}, 5),
    ("double_elimination", {"reset": True}, 6),
    ("round_robin", {"groups": 2, "double": True}, 6),
    ("swiss", {"rounds": 3}, 7),
    ("stages", GROUPS_THEN_CUP, 7),
    ("stages", SWISS_THEN_CUP, 6),
]


def play_on(tournament: Tournament, chance: Random) -> bool:
    """One table more has ended, some of them level; whether there was one."""
    tables = awaited(tournament)
    if not tables:
        return False
    pairing, _attempt = chance.choice(tables)
    if chance.random() < 0.2:
        end_level(tournament, pairing, chance.randrange(2))
    else:
        end(tournament, pairing, chance.choice([(31, 12), (4, 33)]))
    adjudicate(tournament)
    return True


def reload(tournament: Tournament) -> Tournament:
    return Tournament.objects.get(pk=tournament.pk)


@pytest.mark.parametrize("pace", ["free", "rounds"])
@pytest.mark.parametrize(("format_", "settings", "pairs"), FORMATS)
def test_every_format_is_played_to_its_end(format_: str, settings: dict[str, Any], pairs: int, pace: str):
    tournament = running(pairs, format=format_, settings=settings, pace=pace, break_minutes=0)
    chance, ended = Random(pace), 0

    while play_on(tournament, chance):
        ended += 1
        for pairing, _attempt in awaited(tournament):
            assert lines(tournament)[pairing][1] == "ready"

    tournament = reload(tournament)
    plan = plan_of(tournament)
    assert (tournament.state, plan.finished) == ("finished", True)
    assert {line[1] for line in lines(plan).values()} <= {"done", "void"}
    assert ended == tournament.log.filter(item__type="result").count()
    assert fold_event(event(tournament)).plan() == plan


def test_swiss_rounds_are_in_the_log_before_their_results():
    tournament = running(5, format="swiss", settings={"rounds": 3})
    while play_on(tournament, Random(1)):
        pass

    items = list(tournament.log.order_by("number").values_list("item", flat=True))
    kinds = [item["type"] for item in items]
    assert kinds == ["round", "result", "result"] * 3
    assert [item["round"] for item in items if item["type"] == "round"] == [1, 2, 3]
    assert all(item["bye"] for item in items if item["type"] == "round")


def test_in_a_round_robin_a_pair_plays_one_match_at_a_time():
    tournament = running(4, format="round_robin")

    assert len(awaited(tournament)) == 2
    end(tournament, awaited(tournament)[0][0])
    adjudicate(tournament)
    assert len(awaited(tournament)) == 1


def test_when_all_have_withdrawn_the_event_ends():
    tournament = running(8, format="swiss", settings={"rounds": 3})
    while any(pairing.startswith("R1.") for pairing, _attempt in awaited(tournament)):
        end(tournament, awaited(tournament)[0][0])
        adjudicate(tournament)

    for number in range(1, 9):
        if reload(tournament).state == "running":
            leave(tournament, number)

    plan = plan_of(tournament)
    assert (reload(tournament).state, plan.finished, awaited(tournament)) == ("finished", True, [])


def leave(tournament: Tournament, number: int) -> None:
    user = tournament.entries.get(number=number).members.get(place=0).user
    rulings.leave(tournament_id=tournament.pk, user=user, now=NOW)


def test_pair_that_leaves_before_its_table_is_open_gives_the_match_to_the_other_who_is_told():
    tournament = running(4, format="swiss", settings={"rounds": 2})
    schedule.set_round_time(
        tournament_id=tournament.pk, actor=tournament.organiser, key="R2", starts_at=minutes(30), now=NOW
    )
    for pairing, _attempt in awaited(tournament):
        end(tournament, pairing)
    adjudicate(tournament)
    leaver, other = lines(tournament)["R2.1"][0]

    leave(tournament, int(leaver[1:]))
    sweeps.sweep(now=minutes(30))

    assert lines(tournament)["R2.1"][1:] == ("done", "walkover", other)
    assert awaited(tournament) == [("R2.2", 1)]
    told = Notice.objects.filter(key=f"tournament-{tournament.pk}-R2.1-without-{leaver}")
    pair = tournament.entries.get(number=int(other[1:])).members.values_list("user", flat=True)
    assert set(told.values_list("user", flat=True)) == set(pair)

from typing import Any

import pytest

from accounts.models import Notice, User
from tests.factories import make_user
from tests.games.services.races import refused
from tests.tournaments.scenes import NOW, adjudicate, awaited, end, lines, minutes, running
from tournaments.models import Act, Objection, Official, PairingTable, Tournament
from tournaments.services import confirming, objections, results, rulings, sweeps

pytestmark = pytest.mark.django_db


def held(pairs: int = 4, **more: object) -> Tournament:
    """A tournament that holds its results; the first table has ended, 31 to 12."""
    tournament = running(pairs, holds_results=True, **more)
    end(tournament, "R1.1")
    adjudicate(tournament)
    return tournament


def row_of(tournament: Tournament) -> PairingTable:
    return tournament.tables.get(pairing="R1.1")


def player(tournament: Tournament, side: int, place: int = 0) -> User:
    number = int(row_of(tournament).sides[side][1:])
    return tournament.entries.get(number=number).members.get(place=place).user


def confirm(tournament: Tournament, user: User, **more: Any) -> PairingTable:
    return confirming.confirm(
        tournament_id=tournament.pk, pairing="R1.1", user=user, **({"now": minutes(1)} | more)
    )


def object_to(tournament: Tournament, **more: object) -> Objection:
    row = row_of(tournament)
    entry = tournament.entries.get(number=int(row.sides[1][1:]))
    fields = {"pairing": "R1.1", "table": row, "made_by": player(tournament, 1), "made_at": NOW}
    return Objection.objects.create(tournament=tournament, entry=entry, text="He passed twice.", **fields)


def test_held_result_counts_for_nothing_yet():
    tournament = held()

    assert (row_of(tournament).state, tournament.log.count()) == ("held", 0)
    assert (lines(tournament)["R1.1"][1], awaited(tournament)) == ("ready", [("R1.2", 1)])
    assert confirming.to_confirm(tournament, player(tournament, 0, 1)) == [row_of(tournament)]


def test_each_side_is_asked_with_its_own_points_first():
    tournament = running(2, holds_results=True)
    end(tournament, "R1.1", (-5, 32))
    adjudicate(tournament)

    told = [
        Notice.objects.get(user=player(tournament, side), key__endswith="-confirm").text_en for side in (0, 1)
    ]
    plain = ["".join(letter for letter in text if letter.isprintable()) for text in told]
    assert plain == [
        "Thursday night: confirm the result of your match, −5 to 32, or object to it.",
        "Thursday night: confirm the result of your match, 32 to −5, or object to it.",
    ]


@pytest.mark.parametrize("places", [(0, 0), (1, 0), (0, 1), (1, 1)])
def test_held_result_is_recorded_when_somebody_of_each_side_has_confirmed_it(places: tuple[int, int]):
    tournament = held()
    confirm(tournament, player(tournament, 0, places[0]))
    confirm(tournament, player(tournament, 0, 1 - places[0]))
    one_side = (row_of(tournament).state, row_of(tournament).confirmed)
    confirm(tournament, player(tournament, 1, places[1]), score=(31, 12))

    row = row_of(tournament)
    assert one_side == ("held", [True, False])
    assert (row.state, row.confirmed) == ("recorded", [True, True])
    assert lines(tournament)["R1.1"][1:] == ("done", "target", row.sides[0])
    assert confirming.to_confirm(tournament, player(tournament, 0)) == []


def test_held_result_is_recorded_when_nobody_has_objected_in_time():
    tournament = held(objection_minutes=20)

    sweeps.sweep(now=minutes(19.9))
    early = row_of(tournament).state
    sweeps.sweep(now=minutes(20))
    sweeps.sweep(now=minutes(20))

    assert (early, row_of(tournament).state) == ("held", "recorded")
    assert tournament.log.count() == 1


def test_open_objection_keeps_the_result_until_it_is_ruled_on():
    tournament = held()
    objection = object_to(tournament)

    sweeps.sweep(now=minutes(600))
    waiting = row_of(tournament).state
    with refused("disputed"):
        confirm(tournament, player(tournament, 1))
    objection.state, objection.ruled_by = "dismissed", tournament.organiser
    objection.save()
    sweeps.sweep(now=minutes(610))

    assert (waiting, row_of(tournament).state) == ("held", "recorded")


def test_disputed_result_does_not_make_the_sweep_look_again_and_again():
    tournament = held()
    object_to(tournament)
    sweeps.sweep(now=minutes(600))

    assert list(sweeps.to_look_at(minutes(601))) == []


def test_official_confirms_for_both_and_that_is_written_down():
    tournament, scorer = held(), make_user()
    Official.objects.create(tournament=tournament, user=scorer, role="scorekeeper", since=NOW)

    confirm(tournament, scorer)
    confirm(tournament, scorer)

    assert row_of(tournament).state == "recorded"
    acts = Act.objects.filter(kind="confirm").values_list("actor", "subject", "before", "after")
    after = {"confirmed": [True, True], "score": [31, 12]}
    assert list(acts) == [(scorer.pk, "R1.1", {"confirmed": [False, False]}, after)]


def test_nobody_else_confirms():
    tournament, viewer = held(), make_user()
    Official.objects.create(tournament=tournament, user=viewer, role="viewer", since=NOW)
    elsewhere = tournament.tables.get(pairing="R1.2").sides[0]
    other = tournament.entries.get(number=int(elsewhere[1:])).members.get(place=0).user

    for user in (make_user(), viewer, other):
        with refused("not-your-match"):
            confirm(tournament, user)


def test_who_saw_another_score_confirms_nothing():
    tournament = held()

    with refused("other-result"):
        confirm(tournament, player(tournament, 0), score=(12, 31))
    assert row_of(tournament).confirmed == [False, False]


def test_match_in_play_cannot_be_confirmed():
    tournament = running(2, holds_results=True)

    with refused("nothing-to-confirm"):
        confirm(tournament, player(tournament, 0))


def test_last_match_ends_the_tournament_once_it_is_confirmed():
    tournament = held(2)
    tournament.refresh_from_db()
    before = tournament.state
    for side in (0, 1):
        confirm(tournament, player(tournament, side))

    tournament.refresh_from_db()
    assert (before, tournament.state) == ("running", "finished")


def test_held_result_whose_pairing_was_decided_otherwise_is_void():
    tournament = held()
    loser = row_of(tournament).sides[0]
    rulings.decide(
        tournament_id=tournament.pk,
        actor=tournament.organiser,
        item={"type": "withdraw", "entrant": loser},
        now=minutes(1),
    )

    assert row_of(tournament).state == "void"
    assert lines(tournament)["R1.1"][1:] == ("done", "walkover", row_of(tournament).sides[1])


@pytest.mark.parametrize(
    ("confirmed", "disputed", "at", "standing"),
    [
        ([False, False], False, 5, "provisional"),
        ([True, False], False, 5, "provisional"),
        ([True, True], False, 5, "confirmed"),
        ([False, False], False, 15, "final"),
        ([True, True], True, 5, "provisional"),
        ([True, True], True, 99, "provisional"),
    ],
)
def test_result_is_provisional_then_confirmed_then_final(
    confirmed: list[bool], disputed: bool, at: float, standing: str
):
    row = PairingTable(confirmed=confirmed, final_at=minutes(15))

    assert results.standing(row, disputed, minutes(at)) == standing


def test_result_that_is_recorded_at_once_may_still_be_confirmed_and_becomes_final():
    tournament = running(4)
    end(tournament, "R1.1")
    adjudicate(tournament)
    for side in (0, 1):
        confirm(tournament, player(tournament, side))

    row = row_of(tournament)
    assert (row.state, row.confirmed, row.final_at) == ("recorded", [True, True], minutes(15))
    assert tournament.log.count() == 1


@pytest.mark.parametrize("holds", [True, False])
def test_result_can_be_objected_to_until_it_is_final(holds: bool):
    tournament = running(4, holds_results=holds)
    end(tournament, "R1.1")
    adjudicate(tournament)
    said: dict[str, Any] = {"pairing": "R1.1", "user": player(tournament, 1), "text": "He passed twice."}

    with refused("too-late-to-object"):
        objections.object_to(tournament_id=tournament.pk, now=minutes(16), **said)
    made = objections.object_to(tournament_id=tournament.pk, now=minutes(15), **said)

    assert (made.state, results.disputed([row_of(tournament)])) == ("open", {row_of(tournament).pk})

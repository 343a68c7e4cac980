"""Matches of tournaments in the ratings: what was played to its end counts, what officials say instead does not."""

from contextlib import suppress
from random import Random

import pytest

from accounts.models import Rating, RatingChange
from games.models import Overruled
from games.services import ratings
from tests.factories import make_user
from tests.games.rated import LATER, picture, rate
from tests.tournaments.scenes import (
    NOW,
    adjudicate,
    close_unplayed,
    end,
    enter_pair,
    make_tournament,
    open_table,
    started,
)
from tournaments.models import Tournament
from tournaments.queries import plan_of
from tournaments.services import making, rounds, rulings
from tournaments.services.overruling import replaced_in
from tournaments.services.refusals import Refused
from tournaments.services.verification import verify_tournaments

pytestmark = pytest.mark.django_db


def decide(tournament: Tournament, **item) -> None:
    rulings.decide(tournament_id=tournament.pk, actor=tournament.organiser, item=item, now=NOW)


def counted() -> set[int]:
    """The tables that moved ratings, once all is taken in; computed from the beginning they are the same."""
    while rate():
        pass
    assert ratings.differences() == 0
    return set(RatingChange.objects.values_list("table_number", flat=True))


def test_matches_of_a_tournament_move_four_players_and_two_pairs():
    tournament = started(2)
    table = end(tournament, "R1.1")
    adjudicate(tournament)

    assert counted() == {table.pk}
    assert (Rating.objects.filter(pair=None).count(), Rating.objects.filter(user=None).count()) == (4, 2)


def test_matches_of_a_tournament_that_is_not_rated_move_nothing():
    tournament = started(2, rated=False)
    end(tournament, "R1.1")
    adjudicate(tournament)

    assert (counted(), Rating.objects.count()) == (set(), 0)


def test_rated_is_the_owners_to_choose_until_the_start():
    tournament = make_tournament()
    assert tournament.rated
    change = {"tournament_id": tournament.pk, "actor": tournament.organiser, "now": NOW}
    assert making.edit(changes={"rated": False}, **change) == ["rated"]
    for _ in range(2):
        enter_pair(tournament)
    rounds.start(tournament_id=tournament.pk, actor=tournament.organiser, now=NOW)

    with pytest.raises(Refused) as refused:
        making.edit(changes={"rated": True}, **change)
    assert refused.value.code == "settled"
    assert not open_table(tournament, "R1.1").table.rated


def test_a_tournament_like_another_is_rated_as_that_one():
    for is_rated in (True, False):
        origin = make_tournament(rated=is_rated)
        made = making.clone(
            tournament_id=origin.pk, actor=origin.organiser, now=NOW, name="Again", starts_at=origin.starts_at
        )
        assert made.rated == is_rated


@pytest.mark.parametrize(
    "item",
    [
        {"type": "forfeit", "pairing": "R1.1", "side": 0},
        {"type": "forfeit", "pairing": "R1.1", "side": "both"},
        {"type": "rule", "pairing": "R1.1", "winner": 1},
        {"type": "withdraw", "entrant": "e1"},
        {"type": "disqualify", "entrant": "e1"},
    ],
)
def test_what_was_not_played_moves_nothing(item):
    decide(started(2), **item)

    assert counted() == set()


def test_a_table_that_was_closed_moves_nothing():
    tournament = started(2)
    close_unplayed(tournament, "R1.1")
    adjudicate(tournament)

    assert counted() == set()


def test_a_result_that_is_corrected_to_a_ruling_counts_no_more_and_taken_back_as_it_did():
    tournament = started(4)
    tables = [end(tournament, name).pk for name in ("R1.1", "R1.2")]
    adjudicate(tournament)
    assert counted() == set(tables)
    before = picture()

    decide(tournament, type="correct", pairing="R1.1", winner=1)
    assert counted() == {tables[1]}
    decide(tournament, type="undo")
    assert (counted(), picture()) == (set(tables), before)


def test_a_result_that_is_corrected_back_to_what_was_played_counts():
    tournament = started(2)
    table = end(tournament, "R1.1", (31, 12)).pk
    adjudicate(tournament)
    decide(tournament, type="correct", pairing="R1.1", kind="target", score=[12, 31])
    assert counted() == set()

    decide(tournament, type="correct", pairing="R1.1", kind="target", score=[31, 12])
    assert counted() == {table}


def test_of_several_matches_the_one_that_is_corrected_counts_no_more():
    tournament = started(2, settings={"best_of": 3})
    tables = []
    for score in ((31, 12), (12, 31)):
        tables.append(end(tournament, "R1.1", score).pk)
        adjudicate(tournament)
    decide(tournament, type="correct", pairing="R1.1", match=1, winner=1)

    assert counted() == {tables[1]}


def test_a_match_of_others_stays_and_one_that_is_to_be_played_anew_does_not():
    tournament = started(4)
    tables = [end(tournament, name).pk for name in ("R1.1", "R1.2")]
    adjudicate(tournament)
    final = end(tournament, "R2.1").pk
    adjudicate(tournament)
    decide(tournament, type="correct", pairing="R1.1", kind="target", score=[12, 31])
    assert counted() == {tables[1], final}

    decide(tournament, type="undo")
    decide(tournament, type="correct", pairing="R1.1", winner=0, later={"R2.1": "replay"})
    assert counted() == {tables[1]}


def test_a_result_that_waited_and_was_ruled_otherwise_counts_no_more():
    tournament = started(2, holds_results=True)
    table = end(tournament, "R1.1").pk
    adjudicate(tournament)
    assert counted() == {table}
    decide(tournament, type="rule", pairing="R1.1", winner=1)

    assert (counted(), Overruled.objects.get().table_id) == (set(), table)


def test_seeds_stay_as_they_were_at_the_start():
    tournament = started(4, seeding="rating")
    before = list(tournament.entries.order_by("number").values_list("seed", flat=True))
    pairings = [(pairing.id, pairing.sides) for pairing in plan_of(tournament).pairings[:2]]
    end(tournament, "R1.1", (12, 31))
    adjudicate(tournament)
    counted()

    assert list(tournament.entries.order_by("number").values_list("seed", flat=True)) == before
    assert [(pairing.id, pairing.sides) for pairing in plan_of(tournament).pairings[:2]] == pairings


@pytest.mark.parametrize("seed", range(3))
def test_whatever_officials_do_ratings_are_those_of_a_computation_from_the_beginning(seed):
    chance, tournament = Random(seed), started(4, format="round_robin")
    for _ in range(12):
        open_ones = list(tournament.tables.filter(state="open").values_list("pairing", flat=True))
        done = [one.id for one in plan_of(tournament).pairings if one.decided_by in ("target", "ruling")]
        what = chance.choice(["end", "end", "correct", "undo"])
        if what == "end" and open_ones:
            end(tournament, chance.choice(open_ones), chance.choice([(31, 5), (7, 31)]))
            adjudicate(tournament)
        elif what == "correct" and done:
            fact = chance.choice([{"winner": 0}, {"kind": "target", "score": [31, 5]}])
            decide(tournament, type="correct", pairing=chance.choice(done), **fact)
        elif what == "undo" and tournament.log.filter(item__type="correct").exists():
            with suppress(Refused):  # nothing is left to take back
                decide(tournament, type="undo")
        if chance.random() < 0.5:
            rate(LATER)
    told = counted()
    over = tournament.tables.filter(table__phase="over")
    assert told == set(over.values_list("table", flat=True)) - set(
        Overruled.objects.values_list("table", flat=True)
    )
    assert [found.differences for found in verify_tournaments()] == [[]]


def said(pairing: str, table: int | None, **fields) -> tuple[dict, int | None]:
    return {"type": "result", "pairing": pairing, "sides": ["e1", "e2"], "kind": "target"} | fields, table


CORRECT = {"type": "correct", "pairing": "R1.1", "sides": ["e1", "e2"]}


@pytest.mark.parametrize(
    ("log", "found"),
    [
        ([], set()),
        ([said("R1.1", 1, score=[31, 2])], set()),
        ([said("R1.1", 1, score=[31, 2]), (CORRECT | {"winner": 0}, None)], {1}),
        ([said("R1.1", 1, score=[31, 2]), (CORRECT | {"winner": 0}, None), ({"type": "undo"}, None)], set()),
        ([said("R1.1", 1, score=[31, 2]), (CORRECT | {"kind": "target", "score": [31, 2]}, None)], set()),
        (
            [
                said("R1.1", 1, score=[31, 2]),
                said("R1.1", 2, score=[2, 31]),
                (CORRECT | {"match": 1, "winner": 1}, None),
            ],
            {1},
        ),
        (
            [
                said("R1.1", 1, score=[31, 2], sides=["e1", "e3"]),
                said("R1.1", 2, score=[31, 2]),
                (CORRECT | {"winner": 1}, None),
            ],
            {2},
        ),
        # What nobody played is nobody's to lose.
        ([({"type": "rule", "pairing": "R1.1", "winner": 0}, None), (CORRECT | {"winner": 1}, None)], set()),
    ],
)
def test_replaced_are_the_tables_whose_results_corrections_in_force_speak_of(log, found):
    assert replaced_in(log) == found


def test_guests_are_never_rated():
    from games.services.opening import start_match_table

    users = [make_user() for _ in range(3)] + [make_user(is_guest=True)]
    spec = {"ruleset": "kotchina", "target": 31, "options": {}, "turn_seconds": 20, "title": "Cup"}
    told = {"back_url": "/", "first_deal_seconds": 0, "rated": True}
    assert not start_match_table(users=users, now=NOW, **spec, **told).rated

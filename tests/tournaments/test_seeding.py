"""Seeds before the start: by lot, rating and hand; who should not meet; what a start makes of it."""

from hashlib import sha256

import pytest
from django.test import Client

from tests.factories import make_user
from tests.games.services.races import refused
from tests.tournaments.scenes import NOW, enter_pair, lines, make_tournament
from tournaments.field import placed_by, seeded
from tournaments.formats.event import fold_event
from tournaments.models import Entry, Tournament
from tournaments.queries import event, settings_of
from tournaments.rosters import read_roster
from tournaments.services import registration, rounds, rulings, seeding
from tournaments.services.importing import import_entrants
from tournaments.services.matching import Comparison
from tournaments.sheets import read_rows

pytestmark = pytest.mark.django_db


def ready(pairs: int, **more) -> Tournament:
    """A tournament of so many pairs whose field is fixed."""
    tournament = make_tournament(**more)
    for _ in range(pairs):
        enter_pair(tournament)
    return registration.close_registration(tournament_id=tournament.pk, actor=tournament.organiser, now=NOW)


def by(tournament: Tournament, door, **more) -> Tournament:
    return door(tournament_id=tournament.pk, actor=tournament.organiser, now=NOW, **more)


def order(tournament: Tournament) -> list[int]:
    return [entry.number for entry in seeded(Tournament.objects.get(pk=tournament.pk))]


def started_order(tournament: Tournament) -> list[int]:
    by(tournament, rounds.start)
    return list(tournament.entries.exclude(seed=None).order_by("seed").values_list("number", flat=True))


def pair(*numbers: int) -> frozenset[str]:
    return frozenset(f"e{number}" for number in numbers)


def test_lot_orders_by_the_published_digest():
    tournament = ready(5, lot="feed" * 8)
    drawn = sorted(range(1, 6), key=lambda n: sha256(f"{'feed' * 8}|0|e{n}".encode()).digest())

    assert order(tournament) == drawn
    assert started_order(tournament) == drawn


def test_rating_orders_the_known_first_and_equals_by_lot():
    tournament = ready(5, seeding="rating")
    by_lot = [
        entry.number
        for entry in seeded(Tournament(lot=tournament.lot, pk=tournament.pk, seeding="lot", capacity=16))
    ]
    for number, rating in ((2, 1500), (4, 1900), (5, 1500)):
        Entry.objects.filter(tournament=tournament, number=number).update(rating=rating)
    equals = sorted((2, 5), key=by_lot.index)
    unknown = sorted((1, 3), key=by_lot.index)

    assert order(tournament) == [4, *equals, *unknown]
    assert started_order(tournament) == [4, *equals, *unknown]


def test_hand_begins_with_the_order_of_acceptance():
    assert order(ready(4, seeding="hand")) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("seeds", "after"),
    [
        ({4: 1}, [4, 1, 2, 3, 5]),
        ({1: 5}, [2, 3, 4, 5, 1]),
        ({1: 99}, [2, 3, 4, 5, 1]),
        ({5: 0}, [5, 1, 2, 3, 4]),
        ({3: 2}, [1, 3, 2, 4, 5]),
        ({1: 2, 2: 1}, [2, 1, 3, 4, 5]),
        ({1: 5, 2: 4, 3: 3, 4: 2, 5: 1}, [5, 4, 3, 2, 1]),
        ({2: 2}, [1, 2, 3, 4, 5]),
        ({}, [1, 2, 3, 4, 5]),
    ],
)
def test_official_moves_pairs_to_seeds(seeds: dict[int, int], after: list[int]):
    tournament = ready(5, seeding="hand")

    for _ in range(2):
        by(tournament, seeding.place, seeds=seeds)

        assert order(tournament) == after
        if len(seeds) != 1:
            break
    assert tournament.acts.filter(kind="seeds").count() == (after != [1, 2, 3, 4, 5])
    assert started_order(tournament) == after


def test_moved_seeds_are_forgotten_when_a_method_is_chosen_again():
    tournament = ready(4)
    drawn = order(tournament)
    by(tournament, seeding.place, seeds={drawn[-1]: 1})
    moved = order(tournament)

    by(tournament, seeding.choose, method="lot")

    assert (moved, order(tournament)) == ([drawn[-1], *drawn[:-1]], drawn)


def test_seeds_that_were_set_are_not_said_to_be_drawn():
    tournament = ready(4)
    by(tournament, seeding.place, seeds={4: 1})
    moved = placed_by(tournament)
    rounds.start(tournament_id=tournament.pk, actor=tournament.organiser, now=NOW)

    def said(which: Tournament) -> list[bool]:
        client = Client()
        client.cookies["django_language"] = "en"
        tabs = ("entrants", "rules")
        pages = [client.get(f"{which.get_absolute_url()}?tab={tab}").content.decode() for tab in tabs]
        return ["drawn by lot at the start" in pages[0], "The lot, so that anyone can check" in pages[1]]

    drawn_by_lot = ready(4)
    rounds.start(tournament_id=drawn_by_lot.pk, actor=drawn_by_lot.organiser, now=NOW)
    assert (moved, said(tournament), said(drawn_by_lot)) == ("hand", [False, False], [True, True])


def test_seeds_of_a_list_are_not_said_to_be_moved_by_hand():
    tournament = make_tournament()
    for name in ("North", "East", "South", "West"):
        make_user(name)
    rows = read_rows(b"player_1,player_2,seed\nNorth,East,2\nSouth,West,1\n")
    listed = read_roster(rows)
    digest = Comparison(tournament, listed).digest
    actor = tournament.organiser
    import_entrants(tournament_id=tournament.pk, actor=actor, roster=listed, seen=digest, now=NOW)
    of_the_list = placed_by(tournament)
    by(tournament, seeding.choose, method="lot")

    assert (of_the_list, placed_by(tournament)) == ("file", "")


def test_pair_that_moves_up_after_seeds_were_moved_stands_behind_all():
    tournament = ready(4, capacity=3, seeding="hand")
    by(tournament, seeding.place, seeds={3: 1})
    leaving = tournament.entries.get(number=1).members.get(place=0).user

    rulings.leave(tournament_id=tournament.pk, user=leaving, now=NOW)

    assert order(tournament) == [3, 2, 4]
    assert started_order(tournament) == [3, 2, 4]


def test_seeds_move_once_registration_is_closed_and_not_after_the_start():
    tournament = make_tournament()
    enter_pair(tournament)
    enter_pair(tournament)

    with refused("seeds-later"):
        by(tournament, seeding.place, seeds={1: 2})
    by(tournament, rounds.start)
    with refused("already-started"):
        by(tournament, seeding.choose, method="hand")


def test_unknown_pairs_are_neither_moved_nor_kept_apart():
    tournament = ready(3)

    with refused("unknown-entrant"):
        by(tournament, seeding.place, seeds={9: 1})
    with refused("unknown-entrant"):
        by(tournament, seeding.forbid, pairs=[pair(1, 9)])
    with refused("two-pairs"):
        by(tournament, seeding.forbid, pairs=[pair(1, 1)])
    with refused("not-your-role"):
        referee = make_user()
        tournament.officials.create(user=referee, role="referee", since=NOW)
        seeding.forbid(tournament_id=tournament.pk, actor=referee, pairs=[pair(1, 2)], now=NOW)


def meetings(tournament: Tournament) -> set[frozenset[str]]:
    found = seeding.preview(Tournament.objects.get(pk=tournament.pk)).pairings
    return {frozenset(side for side in pairing.sides if side) for pairing in found}


def test_forbidden_pairs_do_not_meet_in_the_first_round_of_preview_nor_play():
    tournament = ready(4, seeding="hand")
    before = meetings(tournament)

    by(tournament, seeding.forbid, pairs=[pair(1, 4)])
    preview = seeding.preview(Tournament.objects.get(pk=tournament.pk))
    shown = meetings(tournament)
    by(tournament, rounds.start)
    tournament.refresh_from_db()

    assert (before, shown) == ({pair(1, 4), pair(2, 3)}, {pair(1, 3), pair(2, 4)})
    assert (preview.forbidden, preview.clashes) == ((pair(1, 4),), ())
    assert {frozenset(line[0]) for name, line in lines(tournament).items() if name.startswith("R1")} == shown
    assert settings_of(tournament)["forbidden"] == [["e1", "e4"]]


def test_meetings_that_cannot_be_avoided_are_reported():
    tournament = ready(2)

    by(tournament, seeding.forbid, pairs=[pair(1, 2)])

    assert seeding.preview(Tournament.objects.get(pk=tournament.pk)).clashes == (pair(1, 2),)
    by(tournament, seeding.allow, pairs=[pair(1, 2)])
    tournament.refresh_from_db()
    assert (seeding.preview(tournament).clashes, tournament.settings) == ((), {})


def test_pairs_of_one_club_are_offered_however_it_is_spelt():
    tournament = ready(4)
    for number, club in ((1, "نادي الشام"), (2, "نادى  الشام"), (3, ""), (4, "")):
        Entry.objects.filter(tournament=tournament, number=number).update(club=club)

    assert seeding.preview(tournament).same_club == (pair(1, 2),)
    by(tournament, seeding.forbid, pairs=[pair(1, 2)])
    assert seeding.preview(Tournament.objects.get(pk=tournament.pk)).same_club == ()


def test_forbidden_pair_that_withdrew_does_not_stand_in_the_files_way():
    tournament = ready(3)
    by(tournament, seeding.forbid, pairs=[pair(1, 2), pair(2, 3)])
    leaving = tournament.entries.get(number=2).members.get(place=0).user
    rulings.leave(tournament_id=tournament.pk, user=leaving, now=NOW)

    by(tournament, rounds.start)
    tournament.refresh_from_db()

    assert "forbidden" not in event(tournament)["settings"]
    assert len(lines(tournament)) == 1


@pytest.mark.parametrize("pairs", [2, 3, 5])
@pytest.mark.parametrize("format_", ["single_elimination", "double_elimination", "round_robin", "swiss"])
def test_odd_and_tiny_fields_have_a_preview_and_start_in_every_format(format_: str, pairs: int):
    tournament = ready(pairs, format=format_)
    order_ = order(tournament)
    shown = {p.id: p.sides for p in seeding.preview(tournament).pairings}

    assert started_order(tournament) == order_
    assert {name: line[0] for name, line in lines(tournament).items() if name in shown} == shown
    assert shown != {}


def test_file_before_the_start_reads_back_whatever_was_moved_and_whoever_left():
    tournament = ready(5, capacity=4, seeding="hand")
    by(tournament, seeding.forbid, pairs=[pair(1, 2), pair(2, 5), pair(3, 4)])
    by(tournament, seeding.place, seeds={4: 1})
    leaving = tournament.entries.get(number=2).members.get(place=0).user
    rulings.leave(tournament_id=tournament.pk, user=leaving, now=NOW)
    tournament.refresh_from_db()

    file = event(tournament)

    assert [(entrant["id"], entrant["seed"]) for entrant in file["entrants"]] == [
        ("e4", 1),
        ("e1", 2),
        ("e3", 3),
        ("e5", 4),
    ]
    assert file["settings"]["forbidden"] == [["e3", "e4"]]
    assert len(fold_event(file).plan().pairings) == 3


def test_stages_have_a_preview_of_their_first_round():
    stages = {
        "stages": [{"format": "round_robin", "groups": 2}, {"format": "single_elimination", "qualify": 1}]
    }
    tournament = ready(4, format="stages", settings=stages, seeding="hand")
    by(tournament, seeding.forbid, pairs=[pair(1, 2)])

    shown = seeding.preview(Tournament.objects.get(pk=tournament.pk)).pairings

    assert {p.id for p in shown} == {"1:G1R1.1", "1:G2R1.1"}
    assert started_order(tournament) == [1, 2, 3, 4]

"""Pairs that an official enters: before the start and late; and who comes back under the old name."""

import pytest

from tests.factories import make_user, make_users
from tests.games.services.races import refused
from tests.tournaments.scenes import NOW, adjudicate, end, enter_pair, lines, make_tournament, started
from tournaments.field import placed, waiting_list
from tournaments.models import Tournament
from tournaments.queries import event, plan_of
from tournaments.services import adding, registration, rulings

pytestmark = pytest.mark.django_db


def add(tournament: Tournament, *players, **more):
    return adding.add(
        tournament_id=tournament.pk,
        actor=more.pop("actor", tournament.organiser),
        players=players or make_users(2),
        now=NOW,
        **more,
    )


def test_official_enters_a_pair_at_once_behind_all_others():
    tournament = make_tournament(capacity=2, verified_only=True)
    Tournament.objects.filter(pk=tournament.pk).update(verified_only=False)
    enter_pair(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(verified_only=True)
    layla, omar = make_users(2)

    second, third = add(tournament, layla, omar, name="Eagles", rating=1600), add(tournament)
    tournament.refresh_from_db()

    assert [[e.number for e in entries] for entries in (placed(tournament), waiting_list(tournament))] == [
        [1, second.number],
        [third.number],
    ]
    assert (second.name, second.rating, second.members.filter(active=True).count()) == ("Eagles", 1600, 2)
    assert layla.notices.get().text_en == "The organiser has entered your pair in \u2068Thursday night\u2069."


def test_nobody_is_entered_twice_nor_by_who_is_no_official():
    tournament = make_tournament()
    made = enter_pair(tournament)
    busy, free = made.members.get(place=0).user, make_user()

    with refused("partner-entered"):
        add(tournament, free, busy)
    with refused("own-partner"):
        add(tournament, free, free)
    with refused("not-organiser"):
        add(tournament, actor=free)


def test_pair_entered_once_registration_is_closed_takes_a_place_that_is_left():
    tournament = make_tournament(capacity=3)
    enter_pair(tournament)
    enter_pair(tournament)
    registration.close_registration(tournament_id=tournament.pk, actor=tournament.organiser, now=NOW)

    made = add(tournament)

    tournament.refresh_from_db()
    assert placed(tournament)[-1] == made
    with refused("full"):
        add(tournament)


@pytest.mark.parametrize("format_", ["swiss", "round_robin"])
def test_late_pair_has_the_last_seed_and_stands_in_the_log(format_: str):
    tournament = started(5, format=format_, settings={"rounds": 4} if format_ == "swiss" else {})

    made = add(tournament, name="Late")
    plan = plan_of(tournament)

    assert (made.seed, made.accepted_at) == (6, NOW)
    assert tournament.log.order_by("-number").filter(item__type="enter").first().item == {
        "type": "enter",
        "entrant": {"id": "e6", "name": "Late", "seed": 6},
    }
    assert "e6" in {standing.entrant for standing in plan.standings}
    assert "e6" not in {entrant["id"] for entrant in event(tournament)["entrants"]}


def test_late_pair_plays_the_next_round_of_a_swiss():
    tournament = started(4, format="swiss", settings={"rounds": 3})
    add(tournament)
    for pairing in ("R1.1", "R1.2"):
        end(tournament, pairing)
    adjudicate(tournament)

    second = [line[0] for name, line in lines(tournament).items() if name.startswith("R2")]

    assert sum("e5" in sides for sides in second) == 1


@pytest.mark.parametrize("format_", ["single_elimination", "double_elimination"])
def test_late_pair_is_refused_where_all_pairings_are_made_and_nothing_stays_of_it(format_: str):
    tournament = started(3, format=format_)

    with refused("not-allowed"):
        add(tournament)

    assert (tournament.entries.count(), tournament.log.count()) == (3, 0)


def test_pair_that_withdrew_registers_again_under_the_same_name_and_its_history_stays():
    tournament = make_tournament()
    layla, omar, rana = make_users(3)
    first = add(tournament, layla, omar, name="نسور الشام")
    rulings.leave(tournament_id=tournament.pk, user=omar, now=NOW)

    same, other = add(tournament, layla, omar, name="نسور الشام"), None
    rulings.leave(tournament_id=tournament.pk, user=layla, now=NOW)
    other = add(tournament, layla, rana, name="نسور الشام")
    tournament.refresh_from_db()

    rows = tournament.entries.order_by("number").values_list("number", "name", "withdrawn_at")
    assert list(rows) == [
        (first.number, "نسور الشام", NOW),
        (same.number, "نسور الشام", NOW),
        (other.number, "نسور الشام", None),
    ]
    assert [e.number for e in placed(tournament)] == [other.number]


def decide(tournament: Tournament, kind: str, ident: str):
    item = {"type": kind, "entrant": ident}
    return rulings.decide(tournament_id=tournament.pk, actor=tournament.organiser, item=item, now=NOW)


def test_pair_that_left_a_swiss_comes_back_and_plays_the_next_round():
    tournament = started(5, format="swiss", settings={"rounds": 3})
    decide(tournament, "withdraw", "e2")
    made = tournament.entries.get(number=2)
    gone = made.withdrawn_at, made.members.filter(active=True).count()

    decide(tournament, "reenter", "e2")
    made.refresh_from_db()
    for row in tournament.tables.filter(state="open"):
        end(tournament, row.pairing)
    adjudicate(tournament)

    assert (gone, made.withdrawn_at, made.members.filter(active=True).count()) == ((NOW, 0), None, 2)
    assert sum("e2" in line[0] for name, line in lines(tournament).items() if name.startswith("R2")) == 1


def test_pair_does_not_come_back_while_one_of_it_plays_with_another_pair():
    tournament = started(5, format="swiss", settings={"rounds": 4})
    decide(tournament, "withdraw", "e2")
    left = tournament.entries.get(number=2).members.get(place=0).user
    add(tournament, left, make_user())
    items = tournament.log.count()

    with refused("partner-entered"):
        decide(tournament, "reenter", "e2")

    assert (tournament.log.count(), tournament.entries.get(number=2).withdrawn_at) == (items, NOW)

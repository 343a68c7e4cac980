"""What tournaments do with ratings, reliability and bans."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Attendance, Rating, Sanction, User
from games.speeds import SPEEDS
from games.strength import Strength, known_until, least, points
from tests.factories import make_user, make_users
from tests.tournaments.scenes import NOW, make_tournament
from tests.tournaments.test_conditions import accepting, entering
from tournaments.field import in_seed_order, with_people
from tournaments.models import Entry, Member, Tournament
from tournaments.ratings import pair_ratings, rating_of

pytestmark = pytest.mark.django_db
FAST = SPEEDS["fast"]


def rated(
    user: User, mu: float, *, matches: int = 30, sigma: float = 2, idle_days: int = 0, **more: str
) -> None:
    strength, last_at = Strength(mu, sigma), timezone.now() - timedelta(days=idle_days)
    Rating.objects.create(
        user=user,
        mu=mu,
        sigma=sigma,
        points=points(strength),
        least=least(strength),
        matches=matches,
        last_at=last_at,
        known_until=known_until(strength, matches, last_at),
        **({"ruleset": "kotchina", "speed": "all"} | more),
    )


def fast(**more: object) -> Tournament:
    return make_tournament(
        call_seconds=FAST.call, turn_seconds=FAST.card, bank_seconds=FAST.bank, seeding="rating", **more
    )


def test_rating_is_that_of_the_tournaments_speed_else_of_all():
    user = make_user()
    tournament = fast()
    assert rating_of(user, tournament) is None
    rated(user, 30, ruleset="classic", speed="fast")
    rated(user, 30, speed="slow")
    assert rating_of(user, tournament) is None
    rated(user, 26)
    assert rating_of(user, tournament) == 1540
    rated(user, 27, speed="fast")
    assert rating_of(user, tournament) == 1580
    assert rating_of(user, make_tournament(turn_seconds=7)) == 1540


@pytest.mark.parametrize("more", [{"matches": 9}, {"sigma": 7}, {"idle_days": 800}])
def test_a_rating_that_is_not_known_well_enough_is_none(more):
    user = make_user()
    rated(user, 30, **more)

    assert rating_of(user, fast()) is None


def entries(tournament: Tournament, count: int) -> list[Entry]:
    users = make_users(2 * count)
    for number, user in enumerate(users):
        rated(user, 20 + number, speed="fast")
    made = [
        Entry.objects.create(tournament=tournament, number=number + 1, created_at=NOW, accepted_at=NOW)
        for number in range(count)
    ]
    Member.objects.bulk_create(
        Member(tournament=tournament, entry=entry, place=place, user=users[2 * number + place], active=True)
        for number, entry in enumerate(made)
        for place in (0, 1)
    )
    return list(with_people(tournament.entries.order_by("number")))


@pytest.mark.parametrize("count", [1, 4])
def test_ratings_of_all_pairs_are_one_question(count, django_assert_num_queries):
    tournament = fast()
    made = entries(tournament, count)

    with django_assert_num_queries(1):
        found = pair_ratings(made, tournament)
    assert found == {number + 1: 1500 + 40 * (2 * number - 5) + 20 for number in range(count)}


def test_seeds_follow_ratings_and_what_the_organiser_entered():
    tournament = fast()
    made = entries(tournament, 4)
    made[0].rating = 1450
    Rating.objects.filter(user=made[3].members.first().user).delete()

    assert [entry.number for entry in in_seed_order(tournament, made)] == [3, 1, 2, 4]


def test_conditions_of_rating_hold_for_what_was_played():
    for mu, code in ((24, "rating-low"), (26, None)):
        first, second = make_users(2)
        rated(first, mu)
        rated(second, 25)
        assert accepting(make_tournament(min_rating=1500), first, second) == code


def test_reliability_is_asked_of_both():
    tournament = make_tournament(min_reliability=85)
    shaky = make_user()
    Attendance.objects.create(user=shaky, table_number=1, table_code="ABC", conduct="left", at=NOW)

    assert entering(tournament, shaky) == "reliability-low"
    assert accepting(tournament, make_user(), shaky) == "reliability-low"
    assert accepting(make_tournament(min_reliability=75), make_user(), shaky) is None


@pytest.mark.parametrize(("scope", "code"), [("tournaments", "banned"), ("all", "banned"), ("play", None)])
def test_who_is_kept_from_tournaments_does_not_enter_one(scope, code):
    user = make_user()
    Sanction.objects.create(user=user, scope=scope, reason_ar="س", reason_en="Why", at=NOW)

    assert entering(make_tournament(), user) == code
    assert accepting(make_tournament(), make_user(), user) == code


def test_a_ban_between_entering_and_accepting_stands_in_the_partners_way():
    tournament = make_tournament()
    first, second = make_users(2)
    assert entering(tournament, first, second) is None
    Sanction.objects.create(user=first, scope="all", reason_ar="س", reason_en="Why", at=NOW)

    assert entering(tournament, second, first) == "partner-banned"

import pytest

from tests.factories import make_users
from tests.tournaments.scenes import NOW, adjudicate, awaited, end, enter_pair, make_tournament, minutes
from tournaments.models import Tournament
from tournaments.services import elsewhere, rounds, sweeps

pytestmark = pytest.mark.django_db


def two_cups() -> tuple[Tournament, Tournament]:
    """Two cups that the same pair plays in; the first has started."""
    pair = make_users(2)
    cups = [make_tournament(name="Cedar cup"), make_tournament(name="River cup")]
    for cup in cups:
        enter_pair(cup, *pair)
        enter_pair(cup)
    start(cups[0])
    return cups[0], cups[1]


def start(cup: Tournament) -> None:
    rounds.start(tournament_id=cup.pk, actor=cup.organiser, now=NOW)


def test_who_plays_in_another_tournament_is_not_called_twice():
    first, second = two_cups()
    start(second)
    sweeps.sweep(now=minutes(1))
    waiting = awaited(second)
    end(first, "R1.1")
    adjudicate(first)
    sweeps.sweep(now=minutes(2))

    assert (waiting, awaited(second)) == ([], [("R1.1", 1)])


def test_the_tournament_that_is_waited_for_is_named():
    first, second = two_cups()
    start(second)
    users = [member.user for member in second.members.all()]

    found = elsewhere.waited_for(second, users)

    assert set(found.values()) == {first}
    assert len(found) == 2
    assert elsewhere.waited_for(first, users) == {}


def test_the_others_play_meanwhile():
    _first, second = two_cups()
    for _ in range(2):
        enter_pair(second)
    start(second)

    assert len(awaited(second)) == 1

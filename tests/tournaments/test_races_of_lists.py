"""Lists, places and settings with many hands on them at once, on a real PostgreSQL."""

import threading
from typing import Any

import pytest
from django.db import IntegrityError

from tests.factories import make_user, make_users
from tests.games.services.races import at_once
from tests.tournaments.scenes import NOW, make_tournament
from tournaments.models import Member, Tournament
from tournaments.rosters import read_roster
from tournaments.services import claims, importing, making
from tournaments.services.matching import Comparison
from tournaments.services.refusals import Refused
from tournaments.sheets import read_rows

pytestmark = pytest.mark.django_db(transaction=True)
LIST = read_roster(read_rows(b"team,player 1,player 2\nEagles,a,b\nHawks,c,d\n"))


def bring(tournament: Tournament, seen: str) -> int:
    """How many pairs the list made."""
    found = importing.import_entrants(
        tournament_id=tournament.pk, actor=tournament.organiser, roster=LIST, seen=seen, now=NOW
    )
    return len(found.new)


def codes(outcomes: list[Any]) -> list[str]:
    return sorted(outcome.code if isinstance(outcome, Refused) else "done" for outcome in outcomes)


def test_list_that_is_confirmed_by_many_clicks_is_brought_in_once():
    tournament = make_tournament()
    seen = Comparison(tournament, LIST).digest

    outcomes = at_once(*[lambda: bring(tournament, seen)] * 5)

    assert sorted(outcomes) == [0, 0, 0, 0, 2]
    assert (tournament.entries.count(), tournament.acts.count()) == (2, 1)


def test_without_the_lock_two_clicks_double_the_pairs_or_collide(monkeypatch: pytest.MonkeyPatch):
    """The control: the same race with the lock off, held where both have compared and neither has written."""
    tournament = make_tournament()
    seen = Comparison(tournament, LIST).digest
    both_have_compared = threading.Barrier(2)

    def compared(*args: Any) -> Comparison:
        found = Comparison(*args)
        both_have_compared.wait(10)
        return found

    monkeypatch.setattr(importing, "locked", lambda pk: Tournament.objects.get(pk=pk))
    monkeypatch.setattr(importing, "Comparison", compared)

    outcomes = at_once(*[lambda: bring(tournament, seen)] * 2)

    collided = any(isinstance(outcome, IntegrityError) for outcome in outcomes)
    assert collided or tournament.entries.count() == 4


def test_place_is_taken_by_one_of_those_who_open_its_link_at_once():
    tournament = make_tournament()
    bring(tournament, Comparison(tournament, LIST).digest)
    token = Member.objects.get(name="a").claim

    outcomes = at_once(
        *[
            lambda user=user: claims.claim(tournament_id=tournament.pk, token=token, user=user, now=NOW)
            for user in make_users(4)
        ]
    )

    assert codes(outcomes) == ["done", "place-taken", "place-taken", "place-taken"]


def test_of_two_officials_who_save_at_once_one_is_told_of_the_other():
    tournament = make_tournament()
    second = make_user()
    tournament.officials.create(user=second, role="organiser", since=NOW)
    seen = making.fingerprint(tournament)

    outcomes = at_once(
        *[
            lambda actor=actor, name=name: making.edit(
                tournament_id=tournament.pk, actor=actor, changes={"name": name}, seen=seen, now=NOW
            )
            for actor, name in ((tournament.organiser, "By the first"), (second, "By the second"))
        ]
    )

    assert codes(outcomes) == ["done", "settings-moved"]
    assert tournament.acts.count() == 1

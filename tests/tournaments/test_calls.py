"""What a tournament takes its players away from when it calls them."""

import pytest

from games.models import Seek
from tests.factories import make_users
from tests.tournaments.scenes import NOW, enter_pair, make_tournament
from tournaments.services import rounds

pytestmark = pytest.mark.django_db(transaction=True)


def test_who_is_called_to_a_tournament_no_longer_waits_for_a_quick_match() -> None:
    alone, its_partner, asked, other, asking, stranger = make_users(6)
    cup = make_tournament()
    enter_pair(cup, alone, its_partner)
    enter_pair(cup, asked, other)
    wish = {"ruleset": "kotchina", "speed": "fast", "created_at": NOW, "seen_at": NOW}
    Seek.objects.create(user=alone, **wish)
    Seek.objects.create(user=asking, partner=asked, accepted=True, partner_seen_at=NOW, **wish)
    kept = Seek.objects.create(user=stranger, **wish)

    rounds.start(tournament_id=cup.pk, actor=cup.organiser, now=NOW)

    assert list(Seek.objects.all()) == [kept]

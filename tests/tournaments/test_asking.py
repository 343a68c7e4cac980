"""Who may ask whom to play in a pair; and how a player who closes the account leaves tournaments."""

import pytest

from accounts import closing
from accounts.models import Block, User
from games.models import Table
from games.services import departing
from games.services.tables import close_table
from tests.factories import make_users
from tests.tournaments.scenes import NOW, enter_pair, make_tournament, running
from tournaments.models import Member, Tournament
from tournaments.queries import plan_of
from tournaments.services import entry
from tournaments.services.refusals import Refused

pytestmark = pytest.mark.django_db(transaction=True)


def test_blocked_player_and_who_is_not_welcome_cannot_ask_to_be_a_pair() -> None:
    cup = make_tournament()
    me, pest = make_users(2)
    Block.objects.create(user=me, blocked=pest, at=NOW)
    with pytest.raises(Refused) as refused:
        entry.enter(tournament_id=cup.pk, user=pest, partner=me, now=NOW)
    assert refused.value.code == "not-invitable"
    Block.objects.all().delete()
    User.objects.filter(pk=me.pk).update(asked_by="nobody")
    with pytest.raises(Refused):
        entry.enter(tournament_id=cup.pk, user=pest, partner=User.objects.get(pk=me.pk), now=NOW)


def test_closing_withdraws_what_has_not_begun_and_declines_what_was_asked() -> None:
    user, partner, other = make_users(3)
    entered, asked = make_tournament(), make_tournament()
    enter_pair(entered, user, partner)
    entry.enter(tournament_id=asked.pk, user=other, partner=user, now=NOW)
    closing.close(user=user, now=NOW)
    assert not Member.objects.filter(user=user, active=True).exists()
    assert [bool(made.withdrawn_at) for made in entered.entries.all()] == [True]
    assert [bool(made.declined_at) for made in asked.entries.all()] == [True]


def test_closing_in_a_running_tournament_gives_the_coming_matches_to_the_opponents() -> None:
    cup = running(4)
    user = Member.objects.filter(tournament=cup, active=True).select_related("user").earliest("pk").user
    assert closing.hindrance(user) == departing.IN_PLAY
    for table in Table.objects.all():
        close_table(table_id=table.pk, now=NOW)
    closing.close(user=user, now=NOW)
    assert not Member.objects.filter(user=user, active=True).exists()
    assert plan_of(Tournament.objects.get(pk=cup.pk)).standings


def test_organiser_of_what_is_not_over_stays() -> None:
    cup = make_tournament()
    with pytest.raises(closing.Staying) as staying:
        closing.close(user=cup.organiser, now=NOW)
    assert cup.name in str(staying.value.message)

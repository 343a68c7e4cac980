import asyncio
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.live.hub import Hub
from games.models import Event, Table
from games.services import tables
from games.services.play import Request, act
from games.services.refusals import Refused
from games.services.steward import play_due
from tests.factories import make_users

pytestmark = pytest.mark.django_db(transaction=True)


@sync_to_async
def four_seated(**more):
    users = make_users(4)
    now = timezone.now()
    asked = {"ruleset": "kotchina", "target": 31, "turn_seconds": 20, "visibility": "public", "now": now}
    table = tables.open_table(host=users[0], **(asked | more))
    for seat, user in enumerate(users):
        table = tables.sit(table_code=table.code, user=user, seat=seat, now=now)
    return table, users


async def steward(live, now=None):
    """One look of a steward that has run for long, a minute later than `now`."""
    now = (now or timezone.now()) + timedelta(minutes=1)
    return await play_due(live, now=now, started_at=now - timedelta(hours=1))


async def test_the_fourth_to_sit_starts_the_match_and_the_steward_deals(live: Hub):
    table, _ = await four_seated()
    assert (table.phase, table.version) == ("deal", 5)
    assert await steward(live) == 1
    state = await live.memo.current(table.pk)
    assert (state.version, state.phase, state.match.hand(0).bit_count()) == (6, "auction", 13)
    cold = await live.store.load(table.pk)
    assert cold.match.legal() == state.match.legal()


async def test_a_whole_match_by_timeouts_ends_without_result(live: Hub):
    table, _ = await four_seated()
    now = timezone.now()
    while await steward(live, now):
        now += timedelta(minutes=1)
    table = await Table.objects.aget(pk=table.pk)
    assert (table.phase, table.result_kind, table.counted) == ("over", "no-result", 0)
    assert await Event.objects.filter(table=table).acount() == table.version == 5 + 8 * 5


async def test_two_acts_at_the_same_instant_make_one_event(live: Hub):
    table, users = await four_seated()
    await steward(live)
    state = await live.memo.current(table.pk)
    user = users[state.turn]
    requests = [Request(user.pk, code, state.version, id=code) for code in ("p", "b7")]
    outcomes = await asyncio.gather(
        *(act(live, table_id=table.pk, request=request, now=timezone.now()) for request in requests),
        return_exceptions=True,
    )
    refused = [outcome for outcome in outcomes if isinstance(outcome, Refused)]
    assert [error.code for error in refused] == ["stale"]
    assert await Event.objects.filter(table=table, kind="act").acount() == 1

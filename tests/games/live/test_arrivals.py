"""The first deal of a table waits for the four who were called to it."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.live.hub import Hub
from games.models import Table
from games.queries import missing_seats
from games.services.arrivals import ARRIVE_SQL, arrive
from games.services.pauses import pause_tables, resume_tables
from tests.games.live.seated import Seen, four_called, four_seated, last_view, look, together

pytestmark = pytest.mark.django_db(transaction=True)

LONG, SOON = timedelta(seconds=300), timedelta(seconds=15)


async def row(table: Table) -> Table:
    return await Table.objects.aget(pk=table.pk)


async def missing(table: Table) -> list[int]:
    found = await sync_to_async(missing_seats)([table.pk])
    return found[table.pk]


async def come(live: Hub, table: Table, user_id: int | None, **more: Any) -> Seen:
    """A socket of a user comes to the table."""
    seen = Seen(user_id)
    await live.watch(table.pk, 0, seen)
    await arrive(live, table_id=table.pk, user_id=user_id, **({"now": timezone.now()} | more))
    return seen


async def test_the_fourth_to_come_brings_the_first_deal_forward(live: Hub):
    table, users = await four_called()
    assert (await row(table)).due_at == table.created_at + LONG
    for number, user in enumerate(users[:3]):
        assert await missing(table) == [0, 1, 2, 3][number:]
        await come(live, table, user.pk)
    assert (await row(table)).due_at == table.created_at + LONG
    now = timezone.now()
    await come(live, table, users[3].pk, now=now)
    after = await row(table)
    assert (after.due_at, after.version, await missing(table)) == (now + SOON, table.version, [])


async def test_nobody_is_waited_for_longer_than_was_said(live: Hub):
    table, users = await four_called()
    await come(live, table, users[2].pk)
    await look(live)
    after = await row(table)
    assert (after.phase, await missing(table)) == ("auction", [0, 1, 3])


async def test_the_fourth_who_comes_at_the_last_moment_puts_nothing_off(live: Hub):
    table, users = await four_called()
    late = table.due_at - timedelta(seconds=2)
    for user in users:
        await come(live, table, user.pk, now=late)
    assert (await row(table)).due_at == table.due_at


async def test_who_comes_twice_or_only_watches_changes_nothing(live: Hub):
    table, users = await four_called()
    first = timezone.now()
    await come(live, table, users[0].pk, now=first)
    await come(live, table, users[0].pk)
    await come(live, table, None)
    await come(live, table, 10**6)
    arrived = [seat.arrived_at async for seat in table.seats.order_by("number")]
    assert arrived == [first, None, None, None]


async def test_who_comes_after_the_first_deal_has_arrived_too(live: Hub):
    table, users = await four_called()
    await look(live)
    due_at = (await row(table)).due_at
    for user in users:
        await come(live, table, user.pk)
    assert (await missing(table), (await row(table)).due_at) == ([], due_at)


async def test_a_table_that_waits_for_nobody_deals_after_its_pause(live: Hub):
    table, users = await four_called(arrival_seconds=None)
    assert table.due_at == table.created_at + SOON
    for user in users:
        await come(live, table, user.pk)
    assert (await row(table)).due_at == table.created_at + SOON


async def test_a_table_to_which_nobody_was_called_waits_for_nobody(live: Hub):
    table, users = await four_seated()
    seen = await come(live, table, users[0].pk)
    assert (last_view(seen)["arrived"], await missing(table)) == (None, [])
    assert await table.seats.filter(arrived_at__isnull=False).acount() == 0


async def test_everybody_sees_who_has_come_until_the_first_deal(live: Hub):
    table, users = await four_called()
    watching = await come(live, table, None)
    assert last_view(watching)["arrived"] == [False] * 4
    for seat in (2, 0):
        await come(live, table, users[seat].pk)
    await asyncio.sleep(0.05)
    view = last_view(watching)
    assert (view["arrived"], view["deadline_ms"] > 200_000) == ([True, False, True, False], True)
    for seat in (1, 3):
        await come(live, table, users[seat].pk)
    await asyncio.sleep(0.05)
    view = last_view(watching)
    assert (view["arrived"], view["deadline_ms"] <= 15_000) == ([True] * 4, True)
    await look(live)
    await asyncio.sleep(0.05)
    assert last_view(watching)["arrived"] is None


async def test_a_lost_word_of_an_arrival_is_healed(live: Hub):
    table, users = await four_called()
    watching = await come(live, table, users[0].pk)
    await asyncio.sleep(0.05)
    await table.seats.filter(number=1).aupdate(arrived_at=timezone.now())
    await live._heal()
    await asyncio.sleep(0.05)
    assert last_view(watching)["arrived"] == [True, True, False, False]


async def test_the_last_two_who_come_at_one_instant_over_two_processes_start_the_match_soon(live: Hub):
    elsewhere = Hub()
    for _ in range(8):
        table, users = await four_called()
        for user in users[:2]:
            await come(live, table, user.pk)
        await elsewhere.memo.current(table.pk)
        now = timezone.now()
        await asyncio.gather(
            *(
                arrive(hub, table_id=table.pk, user_id=user.pk, now=now)
                for hub, user in zip((live, elsewhere), users[2:], strict=True)
            )
        )
        assert (await row(table)).due_at == now + SOON
    await elsewhere.announcer.finish()


async def test_without_the_table_held_two_at_one_instant_would_not_see_each_other(live: Hub):
    table, users = await four_called()
    for user in users[:2]:
        await come(live, table, user.pk)
    asked = [{"now": timezone.now(), "table": table.pk, "user": user.pk} for user in users[2:]]
    slow = ("select pg_sleep(0.2)", [])
    await asyncio.gather(*(live.store.run((ARRIVE_SQL, one), slow) for one in asked))
    assert (await missing(table), (await row(table)).due_at) == ([], table.due_at)


async def test_who_comes_during_a_break_is_waited_for_no_longer_after_it(live: Hub):
    table, users = await four_called()
    paused = timezone.now()
    await together(pause_tables, [table.pk], paused)
    for user in users:
        await come(live, table, user.pk)
    assert ((await row(table)).due_at, await missing(table)) == (None, [])
    resumed = paused + timedelta(hours=1)
    await together(resume_tables, [table.pk], resumed)
    assert (await row(table)).due_at == resumed + SOON

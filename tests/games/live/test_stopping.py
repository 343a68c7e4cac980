"""Matches that end before their time: at once, or after the deal in play."""

import asyncio
from datetime import datetime
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import transaction
from django.utils import timezone

from games.live.hub import Hub
from games.models import Deal, Table
from games.queries import Played, record
from games.rules.record import replay
from games.services.pauses import pause_tables, resume_tables
from games.services.stopping import stop_after_deal, stop_table, stop_tables
from tests.games.live.seated import Seen, dealt, four_seated, last_view, look, together
from tests.games.live.test_races import in_a_thread, kinds, played

pytestmark = pytest.mark.django_db(transaction=True)

NOTHING = (0, 0)


async def row(table: Table) -> Table:
    return await Table.objects.aget(pk=table.pk)


async def a_deal_played(live: Hub, table: Table, users: list[Any]) -> None:
    """Until the deal in play is over: the first to call bids seven, everybody plays what comes first."""
    await played(live, table, users, "b7")
    while (await live.memo.current(table.pk)).phase != "deal":
        await played(live, table, users)


async def test_a_table_stopped_in_its_first_deal_has_counted_nothing(live: Hub):
    table, users = await dealt(live)
    await played(live, table, users, "b7")
    found = await together(stop_table, table.pk, timezone.now())
    assert found == Played(True, NOTHING, 0, None, NOTHING, NOTHING)
    after = await row(table)
    assert (after.phase, after.due_at, after.result_kind, after.score) == ("over", None, "", [0, 0])


async def test_what_was_played_is_told_and_the_deal_in_play_does_not_count(live: Hub):
    table, users = await dealt(live)
    state = await live.memo.current(table.pk)
    declaring = state.turn % 2
    await a_deal_played(live, table, users)
    deal = await Deal.objects.aget(table=table)
    made = deal.change[declaring] > 0
    await look(live)
    await played(live, table, users, "b8")
    found = await together(stop_table, table.pk, timezone.now())
    won = tuple(int(change > 0) for change in deal.change)
    assert found == Played(
        is_over=True,
        score=tuple(deal.change),
        counted=1,
        gained=won.index(1),
        deals_won=won,
        contracts_made=tuple(int(made and side == declaring) for side in (0, 1)),
    )
    after = await row(table)
    assert (after.score, after.counted, (await kinds(table))[-1]) == (deal.change, 1, "close")
    assert await together(stop_table, table.pk, timezone.now()) == found


async def test_many_tables_are_stopped_at_once(live: Hub):
    found = [(await dealt(live))[0] for _ in range(3)]
    facts = await together(stop_tables, [table.pk for table in found], timezone.now())
    assert [facts[table.pk].is_over for table in found] == [True] * 3
    for table in found:
        assert (await kinds(table)).count("close") == 1


async def test_the_deal_in_play_is_finished_and_no_other_is_dealt(live: Hub):
    table, users = await dealt(live)
    seen = Seen(None)
    await live.watch(table.pk, 0, seen)
    found = await together(stop_after_deal, table.pk, timezone.now())
    assert (found.is_over, found.counted) == (False, 0)
    await live.memo.reload(table.pk)
    await a_deal_played(live, table, users)
    await asyncio.sleep(0.05)
    assert (last_view(seen)["last_deal"], last_view(seen)["phase"]) == (True, "deal")
    ended = live.announcer.match_ended
    told: list[int] = []
    live.announcer.match_ended = told.append
    await look(live)
    live.announcer.match_ended = ended
    after = await row(table)
    deal = await Deal.objects.aget(table=table)
    assert (after.phase, after.score, after.counted, told) == ("over", deal.change, 1, [table.pk])
    await asyncio.sleep(0.05)
    view = last_view(seen)
    assert (view["phase"], view["score"], view["result"]) == ("over", deal.change, None)
    final = await together(stop_after_deal, table.pk, timezone.now())
    assert (final.is_over, final.score) == (True, tuple(deal.change))


@pytest.mark.parametrize("deals", [0, 1])
async def test_between_deals_a_table_closes_at_once(live: Hub, deals: int):
    table, users = await four_seated()
    if deals:
        await look(live)
        await a_deal_played(live, table, users)
    found = await together(stop_after_deal, table.pk, timezone.now())
    assert (found.is_over, found.counted) == (True, deals)
    assert (await row(table)).phase == "over"


async def test_the_last_deal_is_announced_once(live: Hub):
    table, _ = await dealt(live)
    for _ in range(2):
        await together(stop_after_deal, table.pk, timezone.now())
    assert (await kinds(table)).count("last") == 1
    assert (await row(table)).stops_after_deal


async def test_a_break_in_the_last_deal_does_not_end_it(live: Hub):
    table, users = await dealt(live)
    await together(stop_after_deal, table.pk, timezone.now())
    await together(pause_tables, [table.pk], timezone.now())
    await together(resume_tables, [table.pk], timezone.now())
    state = await live.memo.reload(table.pk)
    assert (state.paused, state.is_last_deal, state.phase) == (False, True, "auction")
    await a_deal_played(live, table, users)
    await look(live)
    assert (await row(table)).phase == "over"


def last_deal_door(*, table_id: int, now: datetime) -> Played:
    with transaction.atomic():
        return stop_after_deal(table_id, now)


def stop_door(*, table_id: int, now: datetime) -> Played:
    with transaction.atomic():
        return stop_table(table_id, now)


async def test_the_limit_that_comes_at_the_instant_of_a_deal_leaves_no_deal_after_it(live: Hub):
    for _ in range(8):
        table, users = await dealt(live)
        await a_deal_played(live, table, users)
        found, _ = await asyncio.gather(in_a_thread(last_deal_door, table_id=table.pk), look(live))
        events = await kinds(table)
        if found.is_over:
            assert (events.count("deal"), events[-1]) == (1, "close")
        else:
            assert (events.count("deal"), events[-1]) == (2, "last")
        await together(stop_table, table.pk, timezone.now())


async def test_two_who_stop_a_table_at_once_close_it_once(live: Hub):
    for _ in range(4):
        table, _ = await dealt(live)
        found = await asyncio.gather(*(in_a_thread(stop_door, table_id=table.pk) for _ in range(3)))
        assert ([one.is_over for one in found], (await kinds(table)).count("close")) == ([True] * 3, 1)


async def test_a_stopped_match_has_a_record_of_what_was_played(live: Hub):
    table, users = await dealt(live)
    await a_deal_played(live, table, users)
    await look(live)
    await played(live, table, users, "b9")
    await together(stop_table, table.pk, timezone.now())
    stored = await sync_to_async(record)(await row(table))
    read = replay(stored)
    assert (read["ok"], read["score"], len(stored["deals"])) == (True, (await row(table)).score, 2)
    assert not {"result", "ended"} & stored.keys()

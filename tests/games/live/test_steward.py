from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.utils import timezone

from games.live.hub import Hub
from games.models import Deal, Event, Heartbeat, Table
from games.queries import record
from games.rules import players
from games.rules.record import replay
from games.services import steward, tables
from games.services.play import Request, act
from games.services.refusals import Refused
from tests.factories import make_user
from tests.games.live.seated import dealt, four_seated, look

pytestmark = pytest.mark.django_db(transaction=True)


async def events(table: Table) -> list[tuple[str, int | None, str, str]]:
    found = Event.objects.filter(table=table, kind__in=("act", "leave", "back"))
    return [(e.kind, e.seat, e.code, e.by) async for e in found.order_by("version")]


async def test_a_time_out_is_played_by_the_clock(live: Hub):
    table, _ = await dealt(live)
    turn = (await live.memo.current(table.pk)).turn
    await look(live)
    assert await events(table) == [("act", turn, "p", "c")]


async def test_nothing_is_played_before_its_time(live: Hub):
    table, _ = await dealt(live)
    now = timezone.now()
    await steward.play_due(live, now=now, served=steward.Served(now - timedelta(hours=1)))
    assert await events(table) == []


async def test_a_seat_is_away_after_three_time_outs_and_its_player_gets_it_back_by_acting(live: Hub):
    table, users = await dealt(live)
    state = await live.memo.current(table.pk)
    seat, time_outs = state.turn, 0
    while time_outs < 3 or state.turn != seat:
        assert state.is_away(seat) == (time_outs >= 3)
        time_outs += state.turn == seat
        await look(live)
        state = await live.memo.current(table.pk)
    assert state.is_away(seat)
    assert state.due_at - state.last_at <= timedelta(seconds=settings.TABLE_AWAY_SECONDS)
    request = Request(users[seat].pk, "p", state.version, "back")
    after, _ = await act(live, table_id=table.pk, request=request, now=timezone.now())
    assert not after.is_away(seat)


async def test_who_leaves_in_play_is_away_until_coming_back(live: Hub):
    table, users = await dealt(live)
    state = await live.memo.current(table.pk)
    user, now = users[state.turn], timezone.now()
    await sync_to_async(tables.leave)(table_code=table.code, user=user, now=now)
    away = await live.memo.reload(table.pk)
    assert away.is_away(state.turn)
    assert away.due_at <= now + timedelta(seconds=settings.TABLE_AWAY_SECONDS)
    await sync_to_async(tables.come_back)(table_code=table.code, user=user, now=now)
    back = await live.memo.reload(table.pk)
    assert (back.is_away(state.turn), back.due_at) == (False, now + timedelta(seconds=20))
    assert [kind for kind, *_ in await events(table)] == ["leave", "back"]
    # Nobody's act is made stale by this.
    request = Request(user.pk, "p", state.version, "x")
    assert (await act(live, table_id=table.pk, request=request, now=now))[1]


async def test_leaving_and_coming_back_gives_a_turn_twice_its_time_at_most(live: Hub):
    table, users = await dealt(live)
    state = await live.memo.current(table.pk)
    user, began = users[state.turn], state.last_at
    for seconds in (15, 30):
        now = began + timedelta(seconds=seconds)
        await sync_to_async(tables.leave)(table_code=table.code, user=user, now=now)
        await sync_to_async(tables.come_back)(table_code=table.code, user=user, now=now)
    due = (await live.memo.reload(table.pk)).due_at
    assert due == began + timedelta(seconds=2 * 20)


async def test_who_comes_and_goes_without_end_is_slowed(live: Hub):
    table, users = await dealt(live)
    now = timezone.now()
    for _ in range(3):
        await sync_to_async(tables.leave)(table_code=table.code, user=users[0], now=now)
        await sync_to_async(tables.come_back)(table_code=table.code, user=users[0], now=now)
    with pytest.raises(Refused) as refused:
        await sync_to_async(tables.leave)(table_code=table.code, user=users[0], now=now)
    assert refused.value.code == "too-fast"
    await sync_to_async(tables.leave)(table_code=table.code, user=users[1], now=now)
    later = now + tables.WITHIN
    await sync_to_async(tables.leave)(table_code=table.code, user=users[0], now=later)
    assert len(await events(table)) == 8


async def test_time_in_which_nobody_served_the_table_is_not_charged(live: Hub):
    table, _ = await dealt(live)
    restarted = timezone.now() + timedelta(minutes=10)
    await steward.play_due(live, now=restarted, served=steward.Served(restarted))
    assert await events(table) == []
    due_at = (await Table.objects.aget(pk=table.pk)).due_at
    assert due_at == restarted + steward.GRACE
    later = due_at + timedelta(seconds=1)
    await steward.play_due(live, now=later, served=steward.Served(restarted))
    assert [by for *_, by in await events(table)] == ["c"]


async def bots_table(**more: object) -> Table:
    @sync_to_async
    def opened() -> Table:
        user, now = make_user(), timezone.now()
        asked = {"ruleset": "kotchina", "target": 31, "turn_seconds": 20, "visibility": "public"}
        table = tables.open_table(host=user, **(asked | more), now=now)
        return tables.fill(table_code=table.code, user=user, now=now)

    return await opened()


@pytest.mark.parametrize("ruleset", ["kotchina", "egyptian", "kings"])
async def test_four_bots_play_a_match_whose_record_replays_to_the_same_result(live: Hub, ruleset: str):
    table = await bots_table(ruleset=ruleset)
    while await look(live):
        pass
    table = await Table.objects.aget(pk=table.pk)
    assert (table.phase, table.result_kind) == ("over", "target")
    stored = await sync_to_async(record)(table)
    read = replay(stored)
    assert (read["ok"], read["score"], read["result"]["winner"]) == (True, table.score, table.winner)
    changes = [deal.change async for deal in Deal.objects.filter(table=table) if deal.change]
    assert read["changes"] == changes
    assert {letter for deal in stored["deals"] for letter in deal["by"]} == {"b"}


@pytest.mark.parametrize("fault", [lambda view, chance: "ZZ", lambda view, chance: 1 // 0])
async def test_a_failing_bot_cannot_stall_a_table(live: Hub, monkeypatch, fault):
    table = await bots_table()
    monkeypatch.setitem(players.PLAYERS, "cautious", fault)
    for _ in range(8):
        assert await look(live) == 1
    assert [(code, by) for _, _, code, by in await events(table)][:4] == [("p", "b")] * 4


async def test_a_table_that_nobody_starts_closes_by_itself(live: Hub):
    table = await sync_to_async(_waiting)()
    await look(live)
    table = await Table.objects.aget(pk=table.pk)
    assert (table.phase, table.result_kind, table.due_at, table.version) == ("over", "", None, 1)


def _waiting() -> Table:
    asked = {"ruleset": "kotchina", "target": 31, "turn_seconds": 20, "visibility": "public"}
    return tables.open_table(host=make_user(), **asked, now=timezone.now())


async def test_the_steward_notes_that_it_lives(live: Hub):
    now = timezone.now()
    await steward.sign_of_life(live, now=now)
    await steward.sign_of_life(live, now=now - timedelta(seconds=5))
    assert (await Heartbeat.objects.aget(name="steward")).at == now


async def test_a_deal_is_stored_before_it_is_shown_and_never_dealt_anew(live: Hub):
    table, _ = await four_seated()
    await look(live)
    before = (await live.memo.current(table.pk)).match
    again = Hub()
    try:
        after = (await again.memo.current(table.pk)).match
    finally:
        await again.announcer.finish()
    assert [after.hand(seat) for seat in range(4)] == [before.hand(seat) for seat in range(4)]

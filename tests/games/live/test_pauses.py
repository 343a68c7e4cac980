"""A break for everybody: nothing is played, no clock runs, and it goes on where it stopped."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from games.live.hub import Hub
from games.models import Event, Table
from games.queries import record
from games.services import chat, tables
from games.services.pauses import LEAST_AFTERWARDS, pause_tables, resume_tables
from games.services.play import Request, act
from games.services.playout import play_out
from games.services.steward import GRACE, Served, play_due
from games.services.votes import vote
from tests.games.live.seated import Seen, dealt, four_seated, last_view, look, together
from tests.games.live.test_races import in_a_thread, kinds, overdue, played, quietly
from tests.games.live.test_steward import _waiting
from tests.games.services.races import refused
from tests.tampering import erase

pytestmark = pytest.mark.django_db(transaction=True)

HOUR = timedelta(hours=1)


async def row(table: Table) -> Table:
    return await Table.objects.aget(pk=table.pk)


async def pause(table: Table, at: datetime) -> list[int]:
    return await together(pause_tables, [table.pk], at)


async def resume(table: Table, at: datetime) -> list[int]:
    return await together(resume_tables, [table.pk], at)


def asked(user: User, version: int, action: str = "p") -> Request:
    return Request(user.pk, action, version, f"r{version}")


@pytest.mark.parametrize(("left", "given"), [(17.5, 17.5), (10, 10), (3, 10), (0, 10), (-2, 10)])
async def test_the_running_turn_gets_back_what_was_left_of_it(live: Hub, left: float, given: float):
    table, _ = await dealt(live)
    before = await live.memo.current(table.pk)
    at = before.due_at - timedelta(seconds=left)
    await pause(table, at)
    held = await row(table)
    assert (held.due_at, held.paused_at, held.paused_ms) == (None, at, max(0, 1000 * left))
    await resume(table, at + HOUR)
    after = await row(table)
    assert (after.due_at, after.paused_at, after.paused_ms) == (
        at + HOUR + timedelta(seconds=given),
        None,
        None,
    )
    state = await live.memo.reload(table.pk)
    assert (state.turn, state.bank_ms, state.lag_ms) == (before.turn, before.bank_ms, before.lag_ms)


async def test_a_second_break_within_the_first_changes_nothing(live: Hub):
    table, _ = await dealt(live)
    at = timezone.now()
    assert [await pause(table, at), await pause(table, at + HOUR)] == [[table.pk], []]
    held = await row(table)
    assert [await resume(table, at + HOUR), await resume(table, at + HOUR)] == [[table.pk], []]
    assert (held.paused_at, await kinds(table)) == (at, [*["sit"] * 4, "start", "deal", "pause", "resume"])


async def test_only_tables_in_play_are_paused(live: Hub):
    waiting = await sync_to_async(_waiting)()
    over, _ = await dealt(live)
    await sync_to_async(tables.close_table)(table_id=over.pk, now=timezone.now())
    in_play, _ = await dealt(live)
    ids = [waiting.pk, over.pk, in_play.pk]
    assert await together(pause_tables, ids, timezone.now()) == [in_play.pk]
    assert await together(resume_tables, ids, timezone.now()) == [in_play.pk]


async def test_every_act_is_refused_while_paused_and_done_afterwards(live: Hub):
    table, users = await dealt(live)
    state = await live.memo.current(table.pk)
    await pause(table, timezone.now())
    await live.memo.reload(table.pk)
    for user in users:
        for version in (state.version, state.version + 1, 0):
            work = act(live, table_id=table.pk, request=asked(user, version), now=timezone.now())
            assert await quietly(work) == "paused"
    await resume(table, timezone.now())
    await live.memo.reload(table.pk)
    # Nothing was played meanwhile: what was seen before the break is not stale.
    request = asked(users[state.turn], state.version)
    assert (await act(live, table_id=table.pk, request=request, now=timezone.now()))[1]


@pytest.mark.parametrize("phase", ["auction", "deal", "first deal"])
async def test_the_steward_does_nothing_at_a_paused_table(live: Hub, phase: str):
    table, _ = await four_seated()
    if phase != "first deal":
        await look(live)
    while phase == "deal" and (await live.memo.current(table.pk)).phase != "deal":
        await look(live)
    before = await row(table)
    at = before.due_at - timedelta(seconds=1)
    await pause(table, at)
    later = at + HOUR
    assert await play_due(live, now=later, served=Served(at - HOUR)) == 0
    await resume(table, later)
    assert await play_due(live, now=later, served=Served(at - HOUR)) == 0
    assert await play_due(live, now=later + LEAST_AFTERWARDS, served=Served(at - HOUR)) == 1
    assert (await row(table)).version == before.version + 3


async def test_a_steward_that_knew_of_a_due_turn_before_the_break_is_outrun(live: Hub):
    for _ in range(8):
        table, users = await dealt(live)
        state = await live.memo.current(table.pk)
        request = asked(users[state.turn], state.version)
        outcomes = await asyncio.gather(
            quietly(act(live, table_id=table.pk, request=request, now=timezone.now())),
            overdue(live, table, state.due_at),
            in_a_thread(pause_tables_door, table_ids=[table.pk]),
        )
        found = await kinds(table)
        assert (found.count("pause"), table.due_at, table.paused_at is None) == (1, None, False)
        assert outcomes[0] in {"", "stale", "paused", "not-your-turn"}
        assert found[found.index("pause") + 1 :] == []
        await resume(table, timezone.now())


def pause_tables_door(*, table_ids: list[int], now: datetime) -> list[int]:
    with transaction.atomic():
        return pause_tables(table_ids, now)


async def test_without_the_guard_of_the_version_the_break_would_be_played_over(live: Hub):
    """The control of the test before: an event that ignores how the table has moved is stored in the break."""
    table, users = await dealt(live)
    state = await live.memo.current(table.pk)
    await pause(table, timezone.now())
    await Table.objects.filter(pk=table.pk).aupdate(version=F("version") - 1)
    await sync_to_async(erase)(Event.objects.filter(table=table, kind="pause"))
    request = asked(users[state.turn], state.version)
    await act(live, table_id=table.pk, request=request, now=timezone.now())
    assert (await row(table)).due_at is not None


async def test_two_officials_who_pause_and_resume_at_once_leave_one_of_both(live: Hub):
    for _ in range(4):
        found = [await dealt(live) for _ in range(3)]
        ids = [table.pk for table, _ in found]
        await asyncio.gather(
            in_a_thread(pause_tables_door, table_ids=ids),
            in_a_thread(pause_tables_door, table_ids=ids[::-1]),
            *(in_a_thread(tables.leave, table_code=table.code, user=users[0]) for table, users in found),
        )
        for table, _ in found:
            assert (await kinds(table)).count("pause") == 1
            assert (table.due_at, table.paused_at is None) == (None, False)


async def test_talk_and_votes_go_on_in_a_break(live: Hub):
    table, users = await dealt(live, free_chat=True)
    await pause(table, timezone.now())
    await live.memo.reload(table.pk)
    await chat.speak(live, table_id=table.pk, user_id=users[0].pk, text="tea?", now=timezone.now())
    for seat in (0, 2):
        wish = {"on": "resign", "choice": "yes", "now": timezone.now()}
        await sync_to_async(vote)(table_code=table.code, user=users[seat], **wish)
    after = await row(table)
    assert (after.phase, after.result_kind, after.paused_at) == ("over", "resigned", None)


async def test_a_table_that_is_closed_in_a_break_is_over(live: Hub):
    table, users = await dealt(live)
    await pause(table, timezone.now())
    await sync_to_async(tables.close_table)(table_id=table.pk, now=timezone.now())
    await live.memo.reload(table.pk)
    seen = Seen(users[0].pk)
    await live.watch(table.pk, 0, seen)
    view = last_view(seen)
    assert (view["phase"], view["paused"], (await row(table)).paused_at) == ("over", False, None)


async def test_who_leaves_and_comes_back_in_a_break_has_a_turn_afterwards(live: Hub):
    table, users = await dealt(live)
    state = await live.memo.current(table.pk)
    user, at = users[state.turn], state.last_at + timedelta(seconds=5)
    await pause(table, at)
    await sync_to_async(tables.leave)(table_code=table.code, user=user, now=at + HOUR)
    assert ((await row(table)).due_at, (await row(table)).paused_ms) == (
        None,
        1000 * settings.TABLE_AWAY_SECONDS,
    )
    await sync_to_async(tables.come_back)(table_code=table.code, user=user, now=at + HOUR)
    assert ((await row(table)).due_at, (await row(table)).paused_ms) == (None, 20_000)
    await resume(table, at + 2 * HOUR)
    assert (await row(table)).due_at == at + 2 * HOUR + timedelta(seconds=20)


async def test_the_time_of_a_break_is_nobodys_thinking_time(live: Hub):
    table, users = await dealt(live)
    state = await live.memo.current(table.pk)
    began = state.last_at
    await pause(table, began + timedelta(seconds=3))
    await resume(table, began + HOUR)
    await live.memo.reload(table.pk)
    acted_at = began + HOUR + timedelta(seconds=2)
    await act(live, table_id=table.pk, request=asked(users[state.turn], state.version), now=acted_at)
    assert (await Event.objects.aget(table=table, kind="act")).ms == 5000


async def test_a_bank_is_drawn_by_what_is_missing_after_the_break(live: Hub):
    table, users = await dealt(live, bank_seconds=60)
    state = await live.memo.current(table.pk)
    seat, at = state.turn, state.due_at - timedelta(seconds=45)
    await pause(table, at)
    await live.memo.reload(table.pk)
    seen = Seen(None)
    await live.watch(table.pk, 0, seen)
    assert last_view(seen)["bank_ms"][seat] == 45_000
    await resume(table, at + HOUR)
    await live.memo.reload(table.pk)
    acted_at = at + HOUR + timedelta(seconds=5)
    await act(live, table_id=table.pk, request=asked(users[seat], state.version), now=acted_at)
    assert (await row(table)).bank_ms[seat] == 40_000


async def test_a_restart_after_the_break_gives_every_clock_its_grace(live: Hub):
    table, _ = await dealt(live)
    at = (await live.memo.current(table.pk)).last_at
    await pause(table, at)
    await resume(table, at + HOUR)
    restarted = at + HOUR + timedelta(seconds=30)
    await play_due(live, now=restarted, served=Served(restarted))
    assert (await row(table)).due_at == restarted + GRACE


async def test_all_see_the_break_and_the_same_turn_after_it(live: Hub):
    table, users = await dealt(live)
    seen = [Seen(user.pk) for user in users] + [Seen(None)]
    for watcher in seen:
        await live.watch(table.pk, 0, watcher)
    turn = last_view(seen[0])["turn"]
    await pause(table, timezone.now())
    await live.memo.reload(table.pk)
    await asyncio.sleep(0.05)
    views = [last_view(watcher) for watcher in seen]
    assert {(view["paused"], view["deadline_ms"], view["turn"]) for view in views} == {(True, None, turn)}
    assert [view.get("legal") for view in views] == [[], [], [], [], None]
    await resume(table, timezone.now())
    await live.memo.reload(table.pk)
    await asyncio.sleep(0.05)
    views = [last_view(watcher) for watcher in seen]
    assert {(view["paused"], view["turn"]) for view in views} == {(False, turn)}
    assert (views[turn]["legal"] != [], views[turn]["deadline_ms"] > 9000) == (True, True)


async def test_a_version_in_the_break_is_folded_as_it_stood(live: Hub):
    table, users = await dealt(live)
    before = (await live.memo.current(table.pk)).version
    await pause(table, timezone.now())
    await resume(table, timezone.now())
    await live.memo.reload(table.pk)
    await played(live, table, users)
    found = [(await live.store.load_at(table.pk, before + more)).paused for more in range(4)]
    assert found == [False, True, False, False]


async def test_the_record_knows_no_breaks(live: Hub):
    def finish(**more: Any) -> Table:
        return play_out(table_id=table.pk, players=["cautious"], chance=lambda n: 0, now=timezone.now())

    table, _ = await dealt(live)
    await pause(table, timezone.now())
    with refused("paused"):
        await sync_to_async(finish)()
    await resume(table, timezone.now())
    finished = await sync_to_async(finish)()
    stored = await sync_to_async(record)(finished)
    actions = Event.objects.filter(table=table, kind="act")
    assert sum(len(deal["actions"].split()) for deal in stored["deals"]) == await actions.acount()
    assert set(await kinds(table)) == {"sit", "start", "deal", "act", "pause", "resume"}

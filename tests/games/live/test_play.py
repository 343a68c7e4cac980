import asyncio
import socket
import time
from collections.abc import Iterator

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.utils import timezone

from games.live import store as live_store
from games.live.hub import Hub
from games.live.store import Append, Store
from games.models import Event, Table
from games.services.play import Request, act
from games.services.refusals import Refused
from tarneeb_site.celery import app
from tests.games.live.seated import dealt, four_seated, look
from tests.tampering import erase

pytestmark = pytest.mark.django_db(transaction=True)


async def refusal(work) -> str | None:
    """The code of the refusal, or None where it was done."""
    try:
        await work
    except Refused as error:
        return error.code
    return None


def ask(live: Hub, table: Table, user, action: str, version: int, frame_id: str = "a"):
    request = Request(user.pk, action, version, frame_id)
    return act(live, table_id=table.pk, request=request, now=timezone.now())


async def test_the_fourth_to_sit_starts_the_match_and_the_steward_deals(live: Hub):
    table, _ = await four_seated()
    assert (table.phase, table.version) == ("deal", 5)
    assert await look(live) == 1
    state = await live.memo.current(table.pk)
    assert (state.version, state.phase, state.match.hand(0).bit_count()) == (6, "auction", 13)


async def test_a_fold_from_the_database_is_the_state_in_memory(live: Hub):
    table, users = await dealt(live)
    for _ in range(70):
        state = await live.memo.current(table.pk)
        if state.phase == "deal":
            await look(live)
            continue
        await ask(live, table, users[state.turn], state.match.legal()[-1], state.version, f"v{state.version}")
        warm, cold = await live.memo.current(table.pk), await live.store.load(table.pk)
        assert cold.match.legal() == warm.match.legal()
        assert (cold.version, cold.moved, cold.idle, cold.due_at, cold.done) == (
            *(warm.version, warm.moved, warm.idle),
            *(warm.due_at, warm.done),
        )


async def test_a_match_of_absent_players_ends_without_result_after_eight_deals(live: Hub):
    table, _ = await four_seated()
    while await look(live):
        pass
    table = await Table.objects.aget(pk=table.pk)
    assert (table.phase, table.result_kind, table.counted) == ("over", "no-result", 0)
    assert await Event.objects.filter(table=table).acount() == table.version == 5 + 8 * 5


async def test_the_order_of_the_checks_is_the_protocols(live: Hub):
    table, users = await four_seated()
    stranger = (await four_seated())[1][0]
    assert await refusal(ask(live, table, stranger, "p", 5)) == "not-seated"
    assert await refusal(ask(live, table, users[0], "p", 5)) == "deal-over"
    assert await refusal(ask(live, table, users[0], "p", 99)) == "stale"
    await look(live)
    state = await live.memo.current(table.pk)
    turn, other = users[state.turn], users[(state.turn + 1) % 4]
    assert await refusal(ask(live, table, other, "p", 5)) == "stale"
    assert await refusal(ask(live, table, other, "p", state.version)) == "not-your-turn"
    assert await refusal(ask(live, table, turn, "AS", state.version)) == "wrong-phase"
    assert await refusal(ask(live, table, turn, "b6", state.version)) == "bid-out-of-range"
    assert (await live.memo.current(table.pk)).version == state.version


async def test_a_repeated_request_is_answered_and_not_done_again(live: Hub):
    table, users = await dealt(live)
    state = await live.memo.current(table.pk)
    user = users[state.turn]
    _, first = await ask(live, table, user, "b7", state.version, "same")
    after, second = await ask(live, table, user, "b7", state.version, "same")
    assert (first, second, after.version) == (True, False, state.version + 1)
    assert await refusal(ask(live, table, user, "b8", state.version, "same")) == "malformed"
    assert (await live.store.load(table.pk)).done == {(user.pk, "same"): "b7"}


async def test_two_acts_at_the_same_instant_make_one_event(live: Hub):
    table, users = await dealt(live)
    state = await live.memo.current(table.pk)
    user = users[state.turn]
    outcomes = await asyncio.gather(
        *(refusal(ask(live, table, user, code, state.version, code)) for code in ("p", "b7"))
    )
    assert sorted(outcomes, key=str) == [None, "stale"]
    assert await Event.objects.filter(table=table, kind="act").acount() == 1


async def appended_at_once(table: Table, state, count: int) -> int:
    """How many of `count` processes get their event in, all at the same version and the same instant."""
    stores = [Store() for _ in range(count)]
    event = Append(
        table_id=table.pk,
        version=state.version,
        kind="act",
        seat=state.turn,
        code="p",
        by="m",
        at=timezone.now(),
        phase="auction",
        due_at=state.due_at,
        idle=[0, 0, 0, 0],
        sitting_in=[False] * 4,
        bank_ms=[0] * 4,
        lag_ms=[0] * 4,
        score=[0, 0],
        counted=0,
    )
    try:
        return sum(await asyncio.gather(*(store.append(event) for store in stores)))
    finally:
        await asyncio.gather(*(store.close() for store in stores))


async def test_of_several_processes_one_gets_its_event_in(live: Hub):
    table, _ = await dealt(live)
    state = await live.memo.current(table.pk)
    assert await appended_at_once(table, state, 6) == 1
    assert (await live.store.load(table.pk)).version == state.version + 1


async def test_without_the_guards_the_same_race_stores_an_event_twice(live: Hub, monkeypatch):
    """The control of the test above: it is the guards that make it pass."""
    table, _ = await dealt(live)
    state = await live.memo.current(table.pk)
    unguarded = live_store.APPEND_SQL.replace("and w.version = t.version", "").replace("skip locked", "")
    monkeypatch.setattr(live_store, "APPEND_SQL", unguarded)
    constraint = "alter table games_event {} constraint one_event_a_version {}"
    await execute(constraint.format("drop", ""))
    try:
        assert await appended_at_once(table, state, 6) == 6
    finally:
        await sync_to_async(erase)(Event.objects.all())
        await execute(constraint.format("add", "unique (table_id, version)"))


@sync_to_async
def execute(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)


async def test_a_failing_event_does_not_take_the_others_of_its_batch_along(live: Hub):
    table, users = await dealt(live)
    state = await live.memo.current(table.pk)
    bad = Append(
        table_id=table.pk + 10**6,
        version=0,
        kind="act",
        at=timezone.now(),
        phase="nonsense" * 10,
        due_at=None,
        idle=[0] * 4,
        sitting_in=[False] * 4,
        bank_ms=[0] * 4,
        lag_ms=[0] * 4,
        score=[0, 0],
        counted=0,
    )
    broken = Append(
        table_id=(await four_seated())[0].pk,
        version=5,
        kind="act",
        at=timezone.now(),
        phase="too long for its column",
        due_at=None,
        idle=[0] * 4,
        sitting_in=[False] * 4,
        bank_ms=[0] * 4,
        lag_ms=[0] * 4,
        score=[0, 0],
        counted=0,
    )
    good = ask(live, table, users[state.turn], "p", state.version)
    outcomes = await asyncio.gather(
        live.store.append(bad), live.store.append(broken), good, return_exceptions=True
    )
    assert outcomes[0] is False
    assert type(outcomes[1]).__name__ == "StringDataRightTruncation"
    assert outcomes[2][0].version == state.version + 1


async def test_a_cancelled_caller_does_not_cancel_its_event(live: Hub):
    table, users = await dealt(live)
    state = await live.memo.current(table.pk)
    work = asyncio.create_task(ask(live, table, users[state.turn], "p", state.version))
    await asyncio.sleep(0)
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)
    for _ in range(100):
        if (await live.store.load(table.pk)).version == state.version + 1:
            break
        await asyncio.sleep(0.02)
    assert (await live.store.load(table.pk)).version == state.version + 1
    assert (await live.memo.reload(table.pk)).version == state.version + 1


async def test_an_act_on_what_this_process_has_not_heard_of_is_done(live: Hub):
    table, users = await dealt(live)
    elsewhere = Hub()
    elsewhere.announcer.say = lambda item: None
    state = await live.memo.current(table.pk)
    await ask(elsewhere, table, users[state.turn], "b7", state.version)
    after, is_new = await ask(live, table, users[(state.turn + 1) % 4], "b8", state.version + 1)
    assert (after.version, is_new) == (state.version + 2, True)
    assert await refusal(ask(live, table, users[state.turn], "p", state.version + 3, "b")) == "stale"


async def test_an_act_gets_through_where_seats_change_again_and_again(live: Hub):
    table, users = await dealt(live)
    state = await live.memo.current(table.pk)
    append, changes = live.store.append, 8

    async def outrun(event: Append) -> bool:
        nonlocal changes
        if changes:
            changes -= 1
            await execute(f"update games_table set version = version + 1 where id = {table.pk}")
        return await append(event)

    live.store.append = outrun
    after, _ = await ask(live, table, users[state.turn], "p", state.version)
    assert after.version == state.version + 9


@sync_to_async
def ended(pids: set[int]) -> None:
    """End those connections, and wait until they are gone."""
    left = "select pg_terminate_backend(pid) from pg_stat_activity where pid = any(%s)"
    with connection.cursor() as cursor:
        cursor.execute(left, [list(pids)])
        while cursor.rowcount:
            time.sleep(0.05)
            cursor.execute(left, [list(pids)])


async def test_connections_lost_while_idle_cost_no_act(live: Hub):
    table, users = await dealt(live)
    asked = [live.store.fetch("select pg_backend_pid() as pid, pg_sleep(0.1)", []) for _ in range(8)]
    pids = {rows[0]["pid"] for rows in await asyncio.gather(*asked)}
    assert len(pids) == 4
    await ended(pids)
    state = await live.memo.current(table.pk)
    after, _ = await ask(live, table, users[state.turn], "p", state.version)
    assert after.version == state.version + 1


@pytest.fixture
def deaf_broker(monkeypatch, settings) -> Iterator[None]:
    """Where tasks are sent, somebody takes the call and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"redis://127.0.0.1:{server.getsockname()[1]}/0"
        monkeypatch.setitem(app.conf, "broker_url", address)
        monkeypatch.setitem(app.conf, "broker_transport_options", {"socket_timeout": 2, "max_retries": 0})
        monkeypatch.setattr(app.amqp, "_producer_pool", None)
        settings.MATCH_END_TASKS = {"nobody.listens": 0}
        yield


async def test_a_match_ends_without_waiting_for_the_broker(live: Hub, deaf_broker: None):
    table, users = await dealt(live)
    for _ in range(7 * 5 + 3):
        await look(live)
    state = await live.memo.current(table.pk)
    asked_at = time.monotonic()
    after, _ = await ask(live, table, users[state.turn], "p", state.version)
    assert after.phase == "over"
    assert time.monotonic() - asked_at < 1
    await live.announcer.finish()
    assert time.monotonic() - asked_at > 1

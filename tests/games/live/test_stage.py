"""Players first, then the many who watch; who is there, who is gone and how many watch, in all processes."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.live import hub, presence
from games.live.hub import Hub, watching
from games.models import Table
from games.services import tables
from games.services.play import Request, act
from tests.factories import make_user
from tests.games.live.seated import Seen, dealt

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def other(live: Hub) -> AsyncIterator[Hub]:
    """The hub of another process, as far as the first one can tell."""
    found = Hub()
    yield found
    await found.stop()


async def watch(live: Hub, table: Table, user_id: int | None = None) -> Seen:
    seen = Seen(user_id)
    await live.watch(table.pk, 0, seen)
    return seen


async def until(holds: Callable[[], bool], seconds: float = 5.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come to that"
        await asyncio.sleep(0.02)


async def passed(live: Hub, table: Table, users) -> int:
    """The version after the seat in turn has passed."""
    state = await live.memo.current(table.pk)
    request = Request(users[state.turn].pk, "p", state.version, f"v{state.version}")
    after, _ = await act(live, table_id=table.pk, request=request, now=timezone.now())
    return after.version


def last(seen: Seen) -> dict[str, Any]:
    view: dict[str, Any] = [frame for frame in seen.frames if frame["type"] == "table"][-1]["view"]
    return view


def presences(seen: Seen) -> list[str]:
    return [seat["presence"] for seat in last(seen)["seats"]]


class Logged(Seen):
    """A watcher that notes in a common list when it was shown which version."""

    def __init__(self, log: list[tuple[int | None, int]], user_id: int | None = None) -> None:
        super().__init__(user_id)
        self._log = log

    async def deliver(self, frame: str) -> None:
        self._log.append((self.user_id, int(frame.split('"version":', 1)[1].split(",", 1)[0])))


class Stuck(Seen):
    """A reader that has stopped reading until it is let."""

    def __init__(self, user_id: int | None = None) -> None:
        super().__init__(user_id)
        self.free = asyncio.Event()

    async def deliver(self, frame: str) -> None:
        await self.free.wait()
        await super().deliver(frame)


async def test_players_have_a_state_before_the_act_returns_and_spectators_after_them(live: Hub):
    table, users = await dealt(live)
    log: list[tuple[int | None, int]] = []
    for user in users:
        await live.watch(table.pk, 0, Logged(log, user.pk))
    for _ in range(2000):
        await live.watch(table.pk, 0, Logged(log))
    await asyncio.sleep(1.5)  # their number is drawn
    log.clear()
    version = await passed(live, table, users)
    assert log == [(user.pk, version) for user in users]
    newest = [await passed(live, table, users) for _ in range(2)][-1]
    await until(lambda: [shown for _, shown in log].count(newest) >= 2004)
    first = [index for index, entry in enumerate(log) if entry[1] == newest]
    assert {user_id for user_id, _ in (log[index] for index in first[:4])} == {user.pk for user in users}
    # Most of the crowd was not told what was overtaken before its turn came.
    assert len(log) < 2.5 * 2004


async def test_a_reader_that_is_stuck_holds_up_nobody_and_is_shown_the_newest(live: Hub):
    table, users = await dealt(live)
    stuck, player, guest = Stuck(users[0].pk), Seen(users[1].pk), Seen()
    for watcher in (player, guest):
        await live.watch(table.pk, 0, watcher)
    await live.watch(table.pk, 0, stuck)
    turn = (await live.memo.current(table.pk)).turn
    acts = [await passed(live, table, users) for _ in range(4)]
    await until(lambda: guest.frames[-1]["version"] == acts[-1])
    assert (stuck.frames, player.frames[-1]["version"]) == ([], acts[-1])
    stuck.free.set()
    await asyncio.sleep(0.1)
    own = acts[-turn % 4] if turn else acts[0]
    assert [frame["version"] for frame in stuck.frames if frame.get("id")] == [own]
    assert len(stuck.frames) <= 3
    assert stuck.frames[-1]["version"] == acts[-1]


async def test_spectators_of_all_processes_are_counted_for_all(live: Hub, other: Hub):
    table, users = await dealt(live)
    player, elsewhere = await watch(live, table, users[0].pk), await watch(other, table, users[1].pk)
    await asyncio.sleep(0.2)
    guests = [await watch(live, table), await watch(live, table, 10**6), await watch(other, table)]
    await until(lambda: [last(seen)["watching"] for seen in (player, elsewhere, *guests)] == [3] * 5)
    assert watching(table.pk, [user.pk for user in users]) == 3
    other.unwatch(table.pk, guests[2])
    await until(lambda: [last(seen)["watching"] for seen in (player, elsewhere)] == [2, 2])
    assert guests[0].frames[-1]["version"] == player.frames[-1]["version"] == 6


async def test_a_crowd_that_comes_at_once_is_drawn_once(live: Hub):
    table, users = await dealt(live)
    player = await watch(live, table, users[0].pk)
    for _ in range(200):
        await watch(live, table)
    await until(lambda: last(player)["watching"] == 200)
    assert len(player.frames) <= 4


async def test_who_sits_down_counts_no_more_among_those_who_watch(live: Hub, other: Hub):
    host, guest = await sync_to_async(make_user)(), await sync_to_async(make_user)()
    asked = {"ruleset": "kotchina", "target": 31, "turn_seconds": 20, "visibility": "public"}
    table = await sync_to_async(tables.open_table)(host=host, now=timezone.now(), **asked)
    there, here = await watch(other, table), await watch(live, table, guest.pk)
    await until(lambda: last(there)["watching"] == 2)
    await sync_to_async(tables.sit)(table_code=table.code, user=guest, seat=2, now=timezone.now())
    await until(lambda: last(there)["watching"] == 1 and last(there)["seats"][2]["connected"])
    assert last(here)["you"] == 2


async def test_who_is_absent_is_reconnecting_and_then_gone_for_all_to_see(live: Hub, monkeypatch):
    monkeypatch.setattr(presence, "GONE_AFTER_SECONDS", 2.5)
    monkeypatch.setattr(hub, "LEFT_AFTER_SECONDS", 0.1)
    table, users = await dealt(live)
    guest = await watch(live, table)
    own = [await watch(live, table, user.pk) for user in users[:3]]
    await until(lambda: presences(guest) == ["here", "here", "here", "reconnecting"])
    live.unwatch(table.pk, own[1])
    await until(lambda: presences(guest) == ["here", "gone", "here", "gone"])
    await watch(live, table, users[1].pk)
    await until(lambda: presences(guest) == ["here", "here", "here", "gone"])
    shown = [frame["view"]["seats"] for frame in guest.frames]
    assert list(dict.fromkeys(seats[3]["presence"] for seats in shown)) == ["reconnecting", "gone"]
    states = [seats[1]["presence"] for seats in shown]
    changes = [state for state, before in zip(states, ["", *states], strict=False) if state != before]
    assert changes[-4:] == ["here", "reconnecting", "gone", "here"]
    assert {frame["version"] for frame in guest.frames} == {6}


async def test_a_slow_line_is_known_in_all_processes(live: Hub, other: Hub):
    table, users = await dealt(live)
    await watch(other, table)
    await watch(live, table, users[0].pk)
    await asyncio.sleep(0.2)
    live.measured(users[0].pk, 180)
    for _ in range(hub.PRESENCE_PARTS):
        await live._repeat_presence()
    await until(lambda: other.lag_ms(users[0].pk) == 180)
    assert (live.lag_ms(users[0].pk), live.lag_ms(users[1].pk)) == (180, 0)

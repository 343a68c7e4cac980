import asyncio
import hashlib
import json
import time
from contextlib import suppress

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.utils import timezone

from games.live import hub
from games.live.hub import Hub
from games.models import Table
from games.rules.cards import CODES
from games.services import tables
from games.services.play import Request, act, append_action
from games.sockets import TableSocket
from tests.games.live.seated import Seen, dealt, four_seated, look

pytestmark = pytest.mark.django_db(transaction=True)


async def watch(live: Hub, table: Table, user_id: int | None = None) -> Seen:
    seen = Seen(user_id)
    await live.watch(table.pk, 0, seen)
    return seen


async def shown(seen: Seen, version: int, seconds: float = 5.0) -> dict:
    """The first frame of that version, as soon as it is there."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for frame in seen.frames:
            if frame["type"] == "table" and frame["version"] == version:
                return frame
        await asyncio.sleep(0.01)
    raise AssertionError(f"version {version} was not shown: {[f.get('version') for f in seen.frames]}")


async def passed(live: Hub, table: Table, users) -> int:
    """The version after the seat in turn has passed."""
    state = await live.memo.current(table.pk)
    request = Request(users[state.turn].pk, "p", state.version, f"v{state.version}")
    after, _ = await act(live, table_id=table.pk, request=request, now=timezone.now())
    return after.version


async def test_the_first_frame_is_the_current_view(live: Hub):
    table, users = await dealt(live)
    seen = await watch(live, table, users[2].pk)
    assert [frame["version"] for frame in seen.frames[:1]] == [6]
    view = seen.frames[0]["view"]
    assert (view["you"], len(view["hand"]), view["phase"]) == (2, 13, "auction")


async def test_every_seat_sees_its_hand_and_nobody_elses(live: Hub):
    table, users = await dealt(live)
    state = await live.memo.current(table.pk)
    for seat, user in enumerate(users):
        seen = await watch(live, table, user.pk)
        own = {CODES[card] for card in range(52) if state.match.hand(seat) >> card & 1}
        assert set(seen.frames[0]["view"]["hand"]) == own
        others = {CODES[card] for card in range(52)} - own
        assert [code for code in others if f'"{code}"' in json.dumps(seen.frames)] == []


async def test_a_spectator_sees_no_hand_and_no_secret(live: Hub):
    table, users = await dealt(live)
    seen = await watch(live, table)
    await passed(live, table, users)
    await shown(seen, 7)
    view = seen.frames[-1]["view"]
    assert view["you"] is None
    assert {"hand", "legal", "secret"} & view.keys() == set()
    text = json.dumps(seen.frames)
    assert [code for code in CODES if f'"{code}"' in text] == []
    assert bytes((await live.memo.current(table.pk)).secret).hex() not in text


async def test_the_secret_is_shown_when_the_match_is_over_and_fits_the_commitment(live: Hub):
    table, users = await dealt(live)
    seen = await watch(live, table)
    for deals in range(8):
        if deals:
            await look(live)
        for _ in range(4):
            version = await passed(live, table, users)
    view = (await shown(seen, version))["view"]
    assert (view["phase"], view["result"]["kind"]) == ("over", "no-result")
    assert hashlib.sha256(bytes.fromhex(view["secret"])).hexdigest() == view["commitment"]
    assert ["secret" in frame["view"] for frame in seen.frames[:-1] if frame["version"] < version] == [
        False
    ] * len([frame for frame in seen.frames if frame["version"] < version])


async def test_the_id_of_an_act_goes_to_the_sockets_of_its_player_alone(live: Hub):
    table, users = await dealt(live)
    turn = (await live.memo.current(table.pk)).turn
    first, second = [await watch(live, table, users[turn].pk) for _ in range(2)]
    other, guest = await watch(live, table, users[turn - 1].pk), await watch(live, table)
    version = await passed(live, table, users)
    ids = [(await shown(seen, version)).get("id") for seen in (first, second, other, guest)]
    assert ids == [f"v{version - 1}", f"v{version - 1}", None, None]


async def test_an_act_is_answered_though_its_state_came_by_another_way_first(live: Hub):
    table, users = await dealt(live)
    user = users[(await live.memo.current(table.pk)).turn]
    seen, guest = await watch(live, table, user.pk), await watch(live, table)
    append = live.store.append

    async def healed_before_the_answer(event) -> bool:
        done = await append(event)
        await live.memo.reload(table.pk)
        return done

    live.store.append = healed_before_the_answer
    version = await passed(live, table, users)
    await asyncio.sleep(0.1)
    assert [frame.get("id") for frame in seen.frames if frame["version"] == version] == [
        None,
        f"v{version - 1}",
    ]
    assert {frame.get("id") for frame in guest.frames} == {None}


async def test_what_is_pushed_is_what_would_be_fetched(live: Hub):
    table, users = await dealt(live)
    seen = await watch(live, table, users[0].pk)
    version = await passed(live, table, users)
    pushed = (await shown(seen, version))["view"]
    fetched = (await watch(live, table, users[0].pk)).frames[0]["view"]
    for view in (pushed, fetched):
        del view["deadline_ms"]
    assert pushed == fetched


async def test_the_view_tells_what_came_of_each_deal(live: Hub):
    table, users = await dealt(live)
    seen = await watch(live, table)
    while (state := await live.memo.current(table.pk)).phase != "deal":
        request = Request(users[state.turn].pk, state.match.legal()[-1], state.version, f"v{state.version}")
        await act(live, table_id=table.pk, request=request, now=timezone.now())
    view = (await shown(seen, state.version))["view"]
    ended = view["ended"]
    assert (ended["contract"]["bid"], sum(ended["tricks"]), [ended["change"]]) == ("b13", 13, view["changes"])
    assert view["sheet"] == [{"contract": ended["contract"], "tricks": ended["tricks"]}]
    await look(live)
    cold = await live.store.load(table.pk)
    assert cold.sheet == (ended,) == (await live.memo.current(table.pk)).sheet


async def test_another_process_hears_of_an_action_and_of_a_changed_table(live: Hub):
    table, users = await four_seated()
    other = Hub()
    try:
        seen = Seen(users[1].pk)
        await other.watch(table.pk, 0, seen)
        await asyncio.sleep(0.2)
        await look(live)
        await shown(seen, 6, seconds=0.9)
        version = await passed(live, table, users)
        frame = await shown(seen, version, seconds=0.9)
        assert frame["view"]["calls"][-1][1] == "p"
        await sync_to_async(tables.leave)(table_code=table.code, user=users[0], now=timezone.now())
        assert (await shown(seen, version + 1))["view"]["seats"][0]["away"] is True
    finally:
        await other.stop()


async def test_a_lost_announcement_heals_within_seconds(live: Hub):
    table, users = await dealt(live)
    seen = await watch(live, table)
    elsewhere = Hub()
    elsewhere.announcer.say = lambda item: None
    try:
        state = await elsewhere.memo.current(table.pk)
        await append_action(elsewhere, state, "p", by="m", now=timezone.now(), user_id=users[state.turn].pk)
        await shown(seen, 7, seconds=3)
    finally:
        await elsewhere.stop()


async def test_an_announcement_that_may_be_on_its_way_is_waited_for(live: Hub, monkeypatch):
    monkeypatch.setattr(hub, "HEAL_SECONDS", 60)
    table, users = await dealt(live)
    seen = await watch(live, table)
    await asyncio.sleep(0.1)
    elsewhere = Hub()
    elsewhere.announcer.say = lambda item: None
    state = await elsewhere.memo.current(table.pk)
    await live._heal()
    await append_action(elsewhere, state, "p", by="m", now=timezone.now(), user_id=users[state.turn].pk)
    await live._heal()
    assert live.memo.known(table.pk).version == state.version
    await live._heal()
    await shown(seen, state.version + 1)


async def test_presence_follows_the_last_tab_of_a_player(live: Hub):
    table, users = await dealt(live)
    guest = await watch(live, table)

    def connected() -> list[bool]:
        return [seat["connected"] for seat in guest.frames[-1]["view"]["seats"]]

    tabs = [await watch(live, table, users[1].pk) for _ in range(2)]
    await asyncio.sleep(0.1)
    assert connected() == [False, True, False, False]
    live.unwatch(table.pk, tabs[0])
    await asyncio.sleep(1.2)
    assert connected() == [False, True, False, False]
    live.unwatch(table.pk, tabs[1])
    await asyncio.sleep(1.2)
    assert connected() == [False, False, False, False]
    assert guest.frames[-1]["version"] == 6


async def test_a_socket_that_the_server_gives_up_leaves_no_ghost(live: Hub):
    table, users = await dealt(live)
    guest = await watch(live, table)
    scope = {"user": users[1], "session_key": "", "url_route": {"kwargs": {"code": table.code}}}
    socket = WebsocketCommunicator(TableSocket.as_asgi(), f"/ws/tables/{table.code}/")
    socket.scope.update(scope)
    await socket.connect()
    await socket.receive_from()
    await asyncio.sleep(0.1)
    assert guest.frames[-1]["view"]["seats"][1]["connected"] is True
    socket.future.cancel()
    await asyncio.sleep(1.3)
    assert guest.frames[-1]["view"]["seats"][1]["connected"] is False


async def test_a_hub_stops_though_a_job_misses_that_it_is_cancelled(live: Hub):
    async def hard_of_hearing() -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(60)
        await asyncio.sleep(60)

    job = asyncio.create_task(hard_of_hearing())
    live._tasks.append(job)
    await asyncio.sleep(0)
    async with asyncio.timeout(5):
        await live.stop()
    assert job.cancelled()


async def test_a_bell_rings_for_its_topic_alone(live: Hub):
    class Rung:
        count = 0

        async def ring(self) -> None:
            self.count += 1

    lobby, other = Rung(), Rung()
    live.listen("lobby", lobby)
    live.listen("tournament-x", other)
    await asyncio.sleep(0.2)
    await four_seated()
    await asyncio.sleep(0.3)
    # Rings that overtake each other are one.
    assert (1 <= lobby.count <= 12, other.count) == (True, 0)

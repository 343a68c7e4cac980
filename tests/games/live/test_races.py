"""What comes at the same instant, too late, or once more: one of it counts, and the events stay without a gap."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from django.utils import timezone

from accounts.models import User
from games.live.hub import Hub
from games.models import Event, Table
from games.rules.cards import CODES
from games.services import tables
from games.services.play import Request, act
from games.services.refusals import Refused
from games.services.steward import Served, play_due
from games.services.votes import vote
from tests.factories import make_users
from tests.games.live.seated import Seen, dealt, four_seated, look

pytestmark = pytest.mark.django_db(transaction=True)

ASKED = {"ruleset": "kotchina", "target": 31, "turn_seconds": 20, "visibility": "public"}


async def quietly(work: Any) -> str:
    """The code of the refusal; empty where it was done."""
    try:
        await work
    except Refused as error:
        return error.code
    return ""


def in_a_thread(door: Any, **asked: Any) -> Any:
    """A door on a connection of its own, at the same time as others."""

    def call() -> Any:
        try:
            return door(**asked, now=timezone.now())
        finally:
            connections.close_all()

    return sync_to_async(call, thread_sensitive=False)()


async def kinds(table: Table) -> list[str]:
    """The kinds of all events, in order; the versions are dense."""
    rows = [
        row async for row in Event.objects.filter(table=table).order_by("version").values("version", "kind")
    ]
    assert [row["version"] for row in rows] == list(range(1, len(rows) + 1))
    await table.arefresh_from_db()
    assert table.version == len(rows)
    return [row["kind"] for row in rows]


async def overdue(live: Hub, table: Table, due: datetime | None = None) -> int:
    """What a steward does at the moment when the clock of a table runs out; the one that runs now if not told."""
    if due is None:
        due = (await Table.objects.aget(pk=table.pk)).due_at
    return await play_due(live, now=due, served=Served(due - timedelta(days=1)))


async def played(live: Hub, table: Table, users: list[User], action: str = "") -> None:
    """The player in turn does it, or what comes first of what may be done."""
    state = await live.memo.reload(table.pk)
    code = action or state.match.legal()[0]
    request = Request(users[state.turn].pk, code, state.version, f"p{state.version}")
    await act(live, table_id=table.pk, request=request, now=timezone.now())


async def test_a_card_and_two_time_outs_at_the_same_instant_make_one_turn(live: Hub):
    table, users = await dealt(live)
    elsewhere = Hub()
    for number in range(24):
        state = await live.memo.reload(table.pk)
        if state.phase == "deal":
            await look(live)
            continue
        request = Request(users[state.turn].pk, state.match.legal()[-1], state.version, f"r{number}")
        await asyncio.gather(
            quietly(act(live, table_id=table.pk, request=request, now=timezone.now())),
            overdue(live, table, state.due_at),
            overdue(elsewhere, table, state.due_at),
        )
        after = await live.store.load(table.pk)
        assert after.version == state.version + 1
    await elsewhere.announcer.finish()
    assert set(await kinds(table)) == {"sit", "start", "deal", "act"}


async def test_all_who_start_a_match_at_once_start_it_once(live: Hub):
    users = await sync_to_async(make_users)(4)
    opened = [await in_a_thread(tables.open_table, host=users[0], **ASKED) for _ in range(5)]
    for table in opened:
        await in_a_thread(tables.sit, table_code=table.code, user=users[0], seat=0)
        await asyncio.gather(
            *(quietly(in_a_thread(tables.fill, table_code=table.code, user=users[0])) for _ in range(4)),
            *(
                quietly(in_a_thread(tables.sit, table_code=table.code, user=user, seat=seat))
                for seat, user in enumerate(users[1:], 1)
            ),
        )
        await table.arefresh_from_db()
        await asyncio.gather(*(overdue(live, table, table.due_at) for _ in range(3)))
        found = await kinds(table)
        assert (found.count("start"), found.count("deal"), found.count("sit")) == (1, 1, 4)


async def test_a_card_a_time_out_resigning_and_closing_at_once_leave_one_end(live: Hub):
    for number in range(6):
        table, users = await dealt(live)
        state = await live.memo.current(table.pk)
        request = Request(users[state.turn].pk, "p", state.version, f"e{number}")
        await in_a_thread(vote, table_code=table.code, user=users[0], on="resign", choice="yes")
        await asyncio.gather(
            quietly(act(live, table_id=table.pk, request=request, now=timezone.now())),
            overdue(live, table, state.due_at),
            quietly(in_a_thread(vote, table_code=table.code, user=users[2], on="resign", choice="yes")),
            in_a_thread(tables.close_table, table_id=table.pk),
        )
        found = await kinds(table)
        assert len([kind for kind in found if kind in {"yield", "close"}]) == 1
        assert found[-1] in {"yield", "close"}
        assert (table.phase, table.due_at) == ("over", None)


async def test_what_is_over_stays_as_it_is(live: Hub):
    table, users = await dealt(live)
    for seat in (0, 2):
        await in_a_thread(vote, table_code=table.code, user=users[seat], on="resign", choice="yes")
    state = await live.memo.reload(table.pk)
    before = await Table.objects.filter(pk=table.pk).values().aget()
    late = Request(users[0].pk, "p", state.version, "late")

    assert await quietly(act(live, table_id=table.pk, request=late, now=timezone.now())) == "table-closed"
    later = timezone.now() + timedelta(days=1)
    assert await play_due(live, now=later, served=Served(before["created_at"])) == 0
    for door, wish, code in (
        (vote, {"on": "resign", "choice": "yes"}, "not-in-play"),
        (tables.come_back, {}, "not-in-play"),
        (tables.sit, {"seat": 1}, "table-closed"),
    ):
        work = in_a_thread(door, table_code=table.code, user=users[0], **wish)
        assert await quietly(work) == code
    await in_a_thread(tables.leave, table_code=table.code, user=users[0])
    await in_a_thread(tables.close_table, table_id=table.pk)
    assert await Table.objects.filter(pk=table.pk).values().aget() == before


@pytest.mark.parametrize("phase", ["auction", "trump", "play", "trick"])
@pytest.mark.parametrize("whose", ["in turn", "not in turn"])
async def test_no_phase_waits_for_a_player_who_left(live: Hub, phase: str, whose: str):
    table, users = await dealt(live)
    calls = ("b7", "p", "p", "p")
    for action in {"auction": (), "trump": calls, "play": (*calls, "tS"), "trick": (*calls, "tS", "", "")}[
        phase
    ]:
        await played(live, table, users, action)
    state = await live.memo.reload(table.pk)
    assert state.phase == ("play" if phase == "trick" else phase)
    seat = state.turn if whose == "in turn" else (state.turn + 1) % 4
    await in_a_thread(tables.leave, table_code=table.code, user=users[seat])
    for _ in range(12):
        await look(live)
    events = Event.objects.filter(table=table, kind="act", seat=seat, version__gt=state.version)
    assert await events.aexists()
    assert {event.by async for event in events} <= {"c", "s"}


async def test_a_revoke_is_told_to_who_tried_alone(live: Hub):
    table, users = await dealt(live)
    for action in ("b7", "p", "p", "p", "tS", ""):
        await played(live, table, users, action)
    for _ in range(40):
        state = await live.memo.reload(table.pk)
        hand = state.match.hand(state.turn)
        illegal = sorted(set(_codes(hand)) - set(state.match.legal()))
        if state.phase == "play" and illegal:
            break
        await played(live, table, users)
    watchers = [Seen(user.pk) for user in users]
    for seen in watchers:
        await live.watch(table.pk, 0, seen)
    await asyncio.sleep(0.1)
    before = [len(seen.frames) for seen in watchers]
    revoke = Request(users[state.turn].pk, illegal[0], state.version, "revoke")

    assert (
        await quietly(act(live, table_id=table.pk, request=revoke, now=timezone.now())) == "must-follow-suit"
    )
    await asyncio.sleep(0.1)
    assert [len(seen.frames) for seen in watchers] == before
    assert (await live.store.load(table.pk)).match.hand(state.turn) == hand


def _codes(hand: int) -> list[str]:
    return [code for card, code in enumerate(CODES) if hand >> card & 1]


async def test_closing_all_sockets_and_coming_back_in_another_order_shows_the_same(live: Hub):
    table, users = await four_seated()
    await look(live)
    for action in ("b7", "p", "p", "p", "tS", "", ""):
        await played(live, table, users, action)
    views = []
    for order in ((0, 1, 2, 3), (3, 1, 0, 2)):
        shown: dict[int, Any] = {}
        for seat in order:
            seen = Seen(users[seat].pk)
            await live.watch(table.pk, 0, seen)
            await asyncio.sleep(0.02)
            view = next(f for f in reversed(seen.frames) if f["type"] == "table")["view"]
            shown[seat] = {key: view[key] for key in view.keys() - {"seats", "deadline_ms", "watching"}}
            live.unwatch(table.pk, seen)
        views.append([shown[seat] for seat in range(4)])
    assert views[0] == views[1]

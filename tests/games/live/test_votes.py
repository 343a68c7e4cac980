"""Resigning, and playing again."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from accounts.models import User
from games.live.hub import Hub
from games.models import Event, Seat, SeatKind, Table
from games.queries import record
from games.rules.record import replay
from games.services import tables
from games.services.refusals import Refused
from games.services.votes import REMATCH_WITHIN, vote
from tests.factories import make_user
from tests.games.live.seated import Seen, dealt, look
from tests.tampering import rewrite

pytestmark = pytest.mark.django_db(transaction=True)


class Bell:
    rings = 0

    async def ring(self) -> None:
        self.rings += 1


async def wish(table: Table, user: User, choice: str | None, on: str, **more: Any) -> None:
    asked = {"table_code": table.code, "user": user, "on": on, "choice": choice, "now": timezone.now()}
    await sync_to_async(vote)(**(asked | more))


async def row(table: Table) -> Table:
    return await Table.objects.aget(pk=table.pk)


async def refusal(*arguments: Any, **more: Any) -> str:
    with pytest.raises(Refused) as refused:
        await wish(*arguments, **more)
    return refused.value.code


async def resigned(live: Hub, **more: Any) -> tuple[Table, list[User]]:
    table, users = await dealt(live, **more)
    await wish(table, users[1], "yes", "resign")
    await wish(table, users[3], "yes", "resign")
    return table, users


async def test_one_partner_alone_does_not_resign(live: Hub):
    table, users = await dealt(live)
    await wish(table, users[1], "yes", "resign")
    await wish(table, users[0], "yes", "resign")
    assert (await row(table)).phase == "auction"


async def test_both_partners_resign_and_the_other_side_wins(live: Hub):
    table, _ = await resigned(live)
    found = await row(table)
    assert (found.phase, found.result_kind, found.winner, found.advances, found.due_at) == (
        "over",
        "resigned",
        0,
        0,
        None,
    )
    last = await Event.objects.filter(table=table).alatest("version")
    assert (last.kind, last.seat, last.version) == ("yield", 3, found.version)


async def test_a_wish_alone_rings_no_list_of_tables(live: Hub):
    table, users = await dealt(live)
    bell = Bell()
    live.listen("lobby", bell)
    await asyncio.sleep(0.3)
    await wish(table, users[1], "yes", "resign")
    await asyncio.sleep(0.3)
    assert bell.rings == 0
    await wish(table, users[3], "yes", "resign")
    async with asyncio.timeout(5):
        while not bell.rings:
            await asyncio.sleep(0.02)
    live.unlisten("lobby", bell)


async def test_a_wish_to_resign_can_be_taken_back(live: Hub):
    table, users = await dealt(live)
    await wish(table, users[1], "yes", "resign")
    await wish(table, users[1], None, "resign")
    await wish(table, users[3], "yes", "resign")
    assert ((await row(table)).phase, (await row(table)).votes["resign"]) == ("auction", [3])


async def test_only_the_own_side_sees_that_somebody_wants_to_resign(live: Hub):
    table, users = await dealt(live)
    seen = [Seen(user.pk) for user in users] + [Seen()]
    for watcher in seen:
        await live.watch(table.pk, 0, watcher)
    await wish(table, users[1], "yes", "resign")
    for watcher in seen:
        await live.memo.reload(table.pk)
        await live.send_current(table.pk, watcher)
    shown = [watcher.frames[-1]["view"].get("resign") for watcher in seen]
    assert shown == [[], [1], [], [1], None]


async def test_a_bot_partner_agrees_to_resign(live: Hub):
    table, users = await dealt(live)
    await Seat.objects.filter(table=table, number=3).aupdate(kind=SeatKind.BOT, user=None, bot="cautious")
    await wish(table, users[1], "yes", "resign")
    assert (await row(table)).result_kind == "resigned"


async def test_the_view_after_resigning_names_the_winner_and_shows_the_secret(live: Hub):
    table, users = await resigned(live)
    seen = Seen(users[0].pk)
    await live.watch(table.pk, (await row(table)).version, seen)
    view = seen.frames[-1]["view"]
    assert view["result"] == {"kind": "resigned", "winner": 0, "advances": 0, "score": [0, 0]}
    assert (view["phase"], view["hand"], view["legal"], view["turn"]) == ("over", [], [], None)
    assert view["secret"] == bytes((await row(table)).secret).hex()


async def test_the_record_of_a_resigned_match_is_one_that_the_rules_accept(live: Hub):
    table, _ = await resigned(live)
    stored = await sync_to_async(record)(await row(table))
    read = replay(stored)
    assert (read["ok"], read["phase"], stored["ended"]["kind"]) == (True, "auction", "resigned")
    assert "result" not in stored


async def test_nothing_is_done_at_a_table_that_was_given_up(live: Hub):
    table, users = await resigned(live)
    assert await refusal(table, users[0], "yes", "resign") == "not-in-play"
    assert await look(live) == 0


@pytest.mark.parametrize(
    ("on", "choice", "code"),
    [("resign", "no", "malformed"), ("lunch", "yes", "malformed"), ("rematch", "same", "no-vote-here")],
)
async def test_a_vote_that_makes_no_sense_is_refused(live: Hub, on: str, choice: str, code: str):
    table, users = await dealt(live)
    assert await refusal(table, users[0], choice, on) == code


async def test_who_does_not_sit_there_has_no_vote(live: Hub):
    table, _ = await dealt(live)
    stranger = await sync_to_async(make_user)()
    assert await refusal(table, stranger, "yes", "resign") == "not-seated"


# Rematch.


async def seats_of_rematch(table: Table) -> list[int | None]:
    again = await Table.objects.aget(rematch_of=table)
    return [seat.user_id async for seat in again.seats.order_by("number")]


async def test_who_comes_back_while_the_others_wait_has_a_turn_and_no_more(live: Hub):
    table, users = await dealt(live)
    state = await live.memo.reload(table.pk)
    assert state is not None
    away, others = state.turn, [seat for seat in range(4) if seat != state.turn]
    now = timezone.now()
    await sync_to_async(tables.leave)(table_code=table.code, user=users[away], now=now)
    for seat in others[:2]:
        await wish(table, users[seat], "wait", "absence")
    waited = (await row(table)).due_at - now
    back = now + timedelta(seconds=60)
    await sync_to_async(tables.come_back)(table_code=table.code, user=users[away], now=back)
    assert waited > timedelta(seconds=100)
    assert (await row(table)).due_at - back == timedelta(seconds=table.turn_seconds)


@pytest.mark.parametrize(("choice", "order"), [("same", (0, 1, 2, 3)), ("rotate", (0, 2, 3, 1))])
async def test_the_same_four_play_again_once_all_want_it(live: Hub, choice: str, order: tuple[int, ...]):
    table, users = await resigned(live, call_seconds=30, bank_seconds=60, free_chat=True)
    for user in users[:3]:
        await wish(table, user, choice, "rematch")
    assert not await Table.objects.filter(rematch_of=table).aexists()
    await wish(table, users[3], choice, "rematch")
    assert await seats_of_rematch(table) == [users[number].pk for number in order]
    again = await Table.objects.aget(rematch_of=table)
    assert (again.phase, again.call_seconds, again.turn_seconds, again.bank_seconds, again.free_chat) == (
        "deal",
        30,
        20,
        60,
        True,
    )
    assert (await live.memo.reload(table.pk)).next_code == again.code


@pytest.mark.parametrize(("visibility", "is_told"), [("public", True), ("link", False)])
async def test_the_rematch_of_a_table_by_link_is_told_to_its_players_alone(
    live: Hub, visibility: str, is_told: bool
):
    table, users = await resigned(live, visibility=visibility)
    for user in users:
        await wish(table, user, "same", "rematch")
    code = (await Table.objects.aget(rematch_of=table)).code
    seen = [Seen(user_id) for user_id in (users[0].pk, None, (await sync_to_async(make_user)()).pk)]
    for watcher in seen:
        await live.watch(table.pk, (await row(table)).version, watcher)
    told = [watcher.frames[-1]["view"]["next"] for watcher in seen]
    assert told == [code, *([code if is_told else None] * 2)]


async def test_three_rotations_make_everybody_everybodys_partner(live: Hub):
    table, users = await resigned(live)
    partners: set[frozenset[int]] = set()
    for _ in range(3):
        now = [seat.user_id async for seat in table.seats.order_by("number")]
        partners |= {frozenset((now[0], now[2])), frozenset((now[1], now[3]))}
        for user in users:
            await wish(table, user, "rotate", "rematch")
        table = await Table.objects.aget(rematch_of=table)
        await look(live)
        four = {seat.number: await User.objects.aget(pk=seat.user_id) async for seat in table.seats.all()}
        await wish(table, four[0], "yes", "resign")
        await wish(table, four[2], "yes", "resign")
    assert len(partners) == 6


async def test_different_wishes_are_no_rematch(live: Hub):
    table, users = await resigned(live)
    for user, choice in zip(users, ["same", "same", "rotate", "same"], strict=True):
        await wish(table, user, choice, "rematch")
    assert not await Table.objects.filter(rematch_of=table).aexists()


async def test_a_rematch_is_agreed_on_soon_or_not_at_all(live: Hub):
    table, users = await resigned(live)
    late = timezone.now() + REMATCH_WITHIN + timedelta(seconds=1)
    assert await refusal(table, users[0], "same", "rematch", now=late) == "too-late"


async def test_a_table_has_one_rematch(live: Hub):
    table, users = await resigned(live)
    for user in users:
        await wish(table, user, "same", "rematch")
    assert await refusal(table, users[0], "rotate", "rematch") == "too-late"


async def test_a_tournament_table_has_no_rematch(live: Hub):
    table, users = await resigned(live)
    await sync_to_async(rewrite)(Table.objects.filter(pk=table.pk), title="Cup")
    assert await refusal(table, users[0], "same", "rematch") == "no-vote-here"


async def test_the_host_removes_somebody_who_then_does_not_sit_there_again(live: Hub):
    users = [await sync_to_async(make_user)() for _ in range(2)]
    asked = {"ruleset": "kotchina", "target": 31, "turn_seconds": 20, "visibility": "public"}
    now = timezone.now()
    table = await sync_to_async(tables.open_table)(host=users[0], **asked, now=now)
    sit, remove = sync_to_async(tables.sit), sync_to_async(tables.remove)
    await sit(table_code=table.code, user=users[1], seat=2, now=now)
    with pytest.raises(Refused) as refused:
        await remove(table_code=table.code, user=users[1], seat=2, now=now)
    assert refused.value.code == "not-host"
    await remove(table_code=table.code, user=users[0], seat=2, now=now)
    assert [seat.kind async for seat in table.seats.order_by("number")] == ["open"] * 4
    with pytest.raises(Refused) as refused:
        await sit(table_code=table.code, user=users[1], seat=1, now=now)
    assert refused.value.code == "removed"


async def test_a_vote_whose_news_was_lost_is_healed_in_the_other_processes(live: Hub):
    table, users = await dealt(live)
    seen = Seen(users[1].pk)
    await live.watch(table.pk, 0, seen)
    votes = {"resign": [1]}
    await Table.objects.filter(pk=table.pk).aupdate(votes=votes)
    await live._heal()
    assert (await live.memo.current(table.pk)).votes == votes
    assert seen.frames[-1]["view"]["resign"] == [1]

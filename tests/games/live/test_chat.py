"""Words at a live table: what each socket is sent of them."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone
from django.utils.translation import override

from accounts.models import Sanction
from games.live.hub import Hub
from games.models import ChatLine, Table
from games.services import chat, conduct
from games.services.refusals import Refused
from tests.factories import make_user
from tests.games.live.seated import Seen, four_seated

pytestmark = pytest.mark.django_db(transaction=True)


async def came(live: Hub, table: Table, user_id: int | None) -> Seen:
    """A socket of that user, with the ears that the site gives it and the chat it is shown at first."""
    seen = Seen(user_id)
    before = None
    if user_id is not None:
        seen.ears, before = await chat.listen(live, table_id=table.pk, user_id=user_id)
    await live.watch(table.pk, 0, seen)
    if before is not None:
        await seen.deliver(before)
    return seen


async def speak(live: Hub, table: Table, user_id: int | None, text: str, later: float = 0) -> None:
    now = timezone.now() + timedelta(seconds=later)
    await chat.speak(live, table_id=table.pk, user_id=user_id, text=text, now=now)
    await asyncio.sleep(0.05)


def heard(seen: Seen) -> list[Any]:
    """What a socket was told, texts and phrases, in order."""
    return [frame.get("text") or frame["phrase"] for frame in seen.frames if frame["type"] == "said"]


async def talking_table() -> tuple[Table, list[Any], list[Any]]:
    """A table with free chat: the row, its four players, and two spectators with accounts."""
    table, users = await four_seated()
    await Table.objects.filter(pk=table.pk).aupdate(free_chat=True)
    return table, users, [await sync_to_async(make_user)() for _ in range(2)]


async def test_each_room_hears_its_own_and_phrases_are_for_all(live: Hub):
    table, users, (watcher, other) = await talking_table()
    guest = await sync_to_async(make_user)(is_guest=True)
    ids = [users[0].pk, users[1].pk, watcher.pk, other.pk, guest.pk, None]
    sockets = [await came(live, table, user_id) for user_id in ids]
    await speak(live, table, users[0].pk, "to players")
    await speak(live, table, watcher.pk, "to watchers")
    live.say(table.pk, 1, "hello")
    await asyncio.sleep(0.05)
    assert [heard(seen) for seen in sockets] == [
        ["to players", "hello"],
        ["to players", "hello"],
        ["to watchers", "hello"],
        ["to watchers", "hello"],
        ["hello"],
        ["hello"],
    ]
    said = next(frame for frame in sockets[1].frames if frame["type"] == "said")
    line = await ChatLine.objects.aget(text="to players")
    assert said == {
        "type": "said",
        "line": line.pk,
        "seat": 0,
        "name": users[0].username,
        "room": "table",
        "text": "to players",
    }
    assert (line.room, line.seat, line.version, line.user_id) == ("table", 0, table.version, users[0].pk)


async def test_who_comes_later_is_shown_the_last_lines_of_the_own_room(live: Hub):
    table, users, (watcher, other) = await talking_table()
    now = timezone.now()
    for room, user, seat in (("table", users[0], 0), ("watch", watcher, None)):
        lines = [
            ChatLine(table=table, room=room, user=user, seat=seat, text=f"{room} {n}", version=5, at=now)
            for n in range(60)
        ]
        await ChatLine.objects.abulk_create(lines)
    for user_id, room in ((users[1].pk, "table"), (other.pk, "watch")):
        frame = (await came(live, table, user_id)).frames[-1]
        assert (frame["type"], frame["room"], frame["muted"]) == ("chat", room, [])
        assert [line["text"] for line in frame["lines"]] == [f"{room} {n}" for n in range(10, 60)]
    assert [frame["type"] for frame in (await came(live, table, None)).frames] == ["table"]


async def test_who_is_muted_is_not_heard_at_once_and_from_then_on(live: Hub):
    table, users, _ = await talking_table()
    first, second = await came(live, table, users[0].pk), await came(live, table, users[1].pk)
    await sync_to_async(conduct.mute)(user=users[0], name=users[2].username, muted=True)
    for _ in range(100):
        if first.ears.muted:
            break
        await asyncio.sleep(0.02)
    await speak(live, table, users[2].pk, "noise")
    live.say(table.pk, 2, "hello")
    await asyncio.sleep(0.05)
    assert (heard(first), heard(second)) == ([], ["noise", "hello"])
    assert first.frames[-1] == {"type": "mute", "name": users[2].username, "muted": True}
    again = (await came(live, table, users[0].pk)).frames[-1]
    assert (again["lines"], again["muted"]) == ([], [users[2].username])


async def test_a_few_lines_in_ten_seconds_are_enough(live: Hub):
    table, users, _ = await talking_table()
    for n in range(5):
        await speak(live, table, users[0].pk, f"line {n}")
    with pytest.raises(Refused) as refused:
        await speak(live, table, users[0].pk, "one more")
    assert refused.value.code == "too-fast"
    await speak(live, table, users[1].pk, "another one")
    await speak(live, table, users[0].pk, "later", later=11)
    assert await ChatLine.objects.acount() == 7


async def test_without_an_account_or_where_the_table_does_not_talk_nothing_is_kept(live: Hub):
    table, users = await four_seated()
    for user_id, code in ((None, "chat-needs-account"), (users[0].pk, "chat-off")):
        with pytest.raises(Refused) as refused:
            await speak(live, table, user_id, "hello")
        assert refused.value.code == code
    assert await ChatLine.objects.acount() == 0


@pytest.mark.parametrize("scope", ["chat", "all"])
async def test_who_may_not_write_is_told_why_and_nothing_is_kept(live: Hub, scope: str):
    table, users, _ = await talking_table()
    await ban(users[0], scope, minutes=5)
    with pytest.raises(Refused) as refused:
        await speak(live, table, users[0].pk, "hello")
    with override("en"):
        assert (refused.value.code, str(refused.value)[-19:]) == ("banned", "5 minutes: Because.")
    assert await ChatLine.objects.acount() == 0


async def test_bans_that_are_over_or_from_other_things_silence_nobody(live: Hub):
    table, users, _ = await talking_table()
    await ban(users[0], "chat", minutes=-5)
    await ban(users[0], "play", minutes=5)
    await speak(live, table, users[0].pk, "hello")
    assert await ChatLine.objects.acount() == 1


async def ban(user: Any, scope: str, *, minutes: float) -> None:
    now = timezone.now()
    row = {"reason_ar": "سبب.", "reason_en": "Because.", "at": now, "until": now + timedelta(minutes=minutes)}
    await Sanction.objects.acreate(user=user, scope=scope, **row)

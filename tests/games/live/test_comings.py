"""Who came to a table and went is written beside the play: once a player, without an address, and not for ever."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from django.utils import timezone

from games.live import hub as live_hub
from games.live.comings import MOST_WAITING, Coming, Comings
from games.live.hub import Hub
from games.marks import COOKIE, Mark, mark_of
from games.models import Connection
from games.services.connections import COMPARED_FOR, KEPT_FOR
from games.tasks import forget_connections
from tests.factories import make_table, make_user
from tests.games.live.seated import Seen, dealt, four_seated

pytestmark = pytest.mark.django_db(transaction=True)
MARCH = datetime(2026, 3, 14, 12, tzinfo=UTC)
MINE = Mark(*(letter * 16 for letter in "abcd"))


@sync_to_async
def rows() -> list[tuple[Any, ...]]:
    return list(Connection.objects.order_by("pk").values_list("table_id", "user_id", "kind", *Mark._fields))


def seen(user_id: int | None) -> Seen:
    watcher = Seen(user_id)
    watcher.mark = MINE
    return watcher


async def left(live: Hub, table_id: int, watcher: Seen) -> None:
    live.unwatch(table_id, watcher)
    live._left(table_id, watcher.user_id, watcher.mark)


async def test_the_first_browser_comes_and_the_last_goes(live: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_hub, "LEFT_AFTER_SECONDS", 3600)
    table, users = await dealt(live)
    tabs = [seen(users[0].pk), seen(users[0].pk)]
    for tab in tabs:
        await live.watch(table.pk, 0, tab)
    for tab in tabs:
        await left(live, table.pk, tab)
    await live.comings.write()
    assert await rows() == [
        (table.pk, users[0].pk, "came", *MINE),
        (table.pk, users[0].pk, "went", *MINE),
    ]


async def test_spectators_of_a_match_are_not_noted_and_whoever_is_at_a_waiting_table_is(live: Hub) -> None:
    table, _ = await dealt(live)
    other = await sync_to_async(make_user)()
    waiting = await sync_to_async(make_table)()
    for table_id in (table.pk, waiting.pk):
        for watcher in (seen(other.pk), seen(None)):
            await live.watch(table_id, 0, watcher)
    await live.comings.write()
    assert [(table_id, user) for table_id, user, *_ in await rows()] == [(waiting.pk, other.pk)]


async def test_what_could_not_be_written_is_written_later(live: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    table, users = await four_seated()
    comings = Comings(live.store)
    for user in users:
        comings.note(Coming(table.pk, user.pk, "came", timezone.now(), *MINE))

    async def broken(*_: Any) -> None:
        raise OSError("away")

    execute = live.store.execute
    monkeypatch.setattr(live.store, "execute", broken)
    with pytest.raises(OSError, match="away"):
        await comings.write()
    monkeypatch.setattr(live.store, "execute", execute)
    await comings.write()
    assert [user for _, user, *_ in await rows()] == [user.pk for user in users]


async def test_too_much_is_dropped_and_rows_of_what_is_gone_are_not_written(live: Hub) -> None:
    table, users = await four_seated()
    comings = Comings(live.store)
    for number in range(MOST_WAITING + 3):
        gone = number % 2 == 0
        comings.note(Coming(table.pk, 0 if gone else users[0].pk, "came", timezone.now(), *MINE))
    await comings.write()
    assert len(await rows()) == MOST_WAITING // 2


def test_rows_are_deleted_after_a_while() -> None:
    table, user = make_table(), make_user()
    for age in (KEPT_FOR + timedelta(minutes=1), KEPT_FOR - timedelta(minutes=1)):
        Connection.objects.create(table=table, user=user, kind="came", at=timezone.now() - age)
    assert (forget_connections(), Connection.objects.count(), forget_connections()) == (1, 1, 0)


def test_after_a_month_rows_can_no_more_be_compared_with_the_month_before() -> None:
    table, user = make_table(), make_user()
    for age in (COMPARED_FOR + timedelta(minutes=1), COMPARED_FOR - timedelta(minutes=1)):
        Connection.objects.create(
            table=table, user=user, kind="came", at=timezone.now() - age, **MINE._asdict()
        )
    forget_connections()
    kept = Connection.objects.order_by("at").values_list(*Mark._fields)
    assert list(kept) == [(MINE.address, MINE.device, "", ""), MINE]


# Marks.


def scope(address: str = "192.0.2.7", word: str = "", agent: bytes = b"Firefox") -> dict[str, Any]:
    return {
        "client": [address, 1234],
        "cookies": {COOKIE: word} if word else {},
        "headers": [(b"user-agent", agent)] if agent else [],
    }


def test_a_mark_says_whether_two_are_the_same_and_nothing_else() -> None:
    one = mark_of(scope(word="w1"), MARCH)
    assert mark_of(scope(word="w1"), MARCH + timedelta(days=3)) == one
    assert mark_of(scope(word="w2"), MARCH).device != one.device
    assert mark_of(scope("192.0.2.8", word="w1"), MARCH).address != one.address
    assert [len(part) for part in one] == [16] * 4
    assert "192" not in one.address


def test_marks_of_two_sites_or_of_months_apart_cannot_be_compared(settings: Any) -> None:
    marks = [mark_of(scope(word="w1"), MARCH + timedelta(days=days)) for days in (0, 61, 122)]
    settings.SECRET_KEY = "another"
    marks.append(mark_of(scope(word="w1"), MARCH))
    assert len({part for mark in marks for part in mark}) == 4 * 4


@pytest.mark.parametrize("day", [1, 14, 30])
def test_a_mark_can_be_compared_with_those_of_the_month_before(day: int) -> None:
    before, later = (mark_of(scope(word="w1"), datetime(2026, month, day, tzinfo=UTC)) for month in (3, 4))
    assert (later.address_before, later.device_before) == (before.address, before.device)
    assert {later.address, later.device}.isdisjoint(before)


def test_a_browser_without_a_word_is_known_by_what_it_says_and_told_apart() -> None:
    assert mark_of(scope(), MARCH).device.startswith("~")
    assert mark_of(scope(agent=b"Chrome"), MARCH).device != mark_of(scope(), MARCH).device
    assert mark_of(scope(agent=b""), MARCH).device == ""


@pytest.mark.parametrize(("signed_in", "given"), [(True, True), (False, False)])
def test_who_is_logged_in_gets_a_word_at_a_table_once(client: Client, signed_in: bool, given: bool) -> None:
    table = make_table()
    if signed_in:
        client.force_login(make_user())
    first, second = client.get(f"/tables/{table.code}/"), client.get(f"/tables/{table.code}/")
    assert (COOKIE in first.cookies, COOKIE in second.cookies) == (given, False)
    if given:
        assert (first.cookies[COOKIE]["httponly"], first.cookies[COOKIE]["samesite"]) == (True, "Lax")

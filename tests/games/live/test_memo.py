import asyncio
from dataclasses import replace

import pytest

from games.live import hub, memo
from games.live.hub import Hub
from games.live.memo import Memo
from games.models import Table
from tests.games.live.seated import Seen, dealt, look

pytestmark = pytest.mark.django_db(transaction=True)


async def test_of_tables_that_nobody_watches_the_latest_few_stay_known(live: Hub, monkeypatch):
    monkeypatch.setattr(memo, "KEPT", 10)
    table, _ = await dealt(live)
    state = await live.store.load(table.pk)
    kept = Memo(live.store)
    kept.is_needed = lambda table_id: table_id in {1, 3}
    for number in range(1, 1001):
        kept.learn(replace(state, id=number))
        kept.known(2)
    known = [number for number in range(1, 1001) if kept.known(number)]
    assert known[:2] == [1, 3]
    assert 12 <= len(known) <= 32
    assert known[2:] == list(range(1001 - len(known[2:]), 1001))


async def test_a_match_that_is_over_is_forgotten_with_its_last_socket(live: Hub, monkeypatch):
    monkeypatch.setattr(hub, "LEFT_AFTER_SECONDS", 0.01)
    table, users = await dealt(live)
    seen = Seen(users[0].pk)
    await live.watch(table.pk, 0, seen)
    live.unwatch(table.pk, seen)
    await asyncio.sleep(0.05)
    assert live.memo.known(table.pk) is not None
    await Table.objects.filter(pk=table.pk).aupdate(phase="over", result_kind="", due_at=None)
    await live.watch(table.pk, 0, seen)
    await live.memo.reload(table.pk)
    assert live.memo.known(table.pk).phase == "over"
    live.unwatch(table.pk, seen)
    await asyncio.sleep(0.05)
    assert live.memo.known(table.pk) is None
    again = Seen()
    await live.watch(table.pk, 0, again)
    assert again.frames[0]["view"]["phase"] == "over"


async def test_what_was_forgotten_is_folded_anew_where_it_is_asked_for(live: Hub):
    table, _ = await dealt(live)
    before = await live.memo.current(table.pk)
    live.memo.forget(table.pk)
    again = await live.memo.current(table.pk)
    assert replace(again, match=None) == replace(before, match=None)
    assert again.match.hand(0) == before.match.hand(0)
    assert await look(live) == 1

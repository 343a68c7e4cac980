import asyncio

import pytest
from asgiref.sync import sync_to_async

from games.live.hub import Hub
from games.live.lookup import FIND_SQL, Lookup
from games.live.store import Store
from games.models import Table
from tests.factories import make_table

pytestmark = pytest.mark.django_db(transaction=True)


class Counting:
    """The live store, with its statements counted."""

    def __init__(self, store: Store) -> None:
        self.store, self.asked = store, []

    async def fetch(self, sql: str, arguments: list) -> list:
        self.asked.append(sorted(arguments[0]))
        return await self.store.fetch(sql, arguments)


async def test_a_crowd_that_comes_at_once_is_looked_up_at_once(live: Hub):
    tables = [await sync_to_async(make_table)(code=code, version=number) for number, code in enumerate("AB")]
    store = Counting(live.store)
    lookup = Lookup[str](store, FIND_SQL)  # type: ignore[arg-type]
    found = await asyncio.gather(*(lookup.find(code) for code in "ABX" * 100))
    assert (
        found
        == [
            {"key": "A", "id": tables[0].pk, "version": 0},
            {"key": "B", "id": tables[1].pk, "version": 1},
            None,
        ]
        * 100
    )
    assert store.asked == [["A", "B", "X"]]


async def test_who_comes_while_a_lookup_is_under_way_is_told_of_what_stood_after_that(live: Hub):
    table = await sync_to_async(make_table)(code="A", version=1)
    lookup = Lookup[str](live.store, FIND_SQL)
    first = asyncio.create_task(lookup.find("A"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await Table.objects.filter(pk=table.pk).aupdate(version=2)
    assert ((await lookup.find("A"))["version"], (await first)["id"]) == (2, table.pk)


async def test_a_lookup_that_failed_is_told_to_all_who_waited_and_hurts_no_later_one(live: Hub):
    await sync_to_async(make_table)(code="A", version=1)
    store = Counting(live.store)
    lookup = Lookup[str](store, FIND_SQL)  # type: ignore[arg-type]
    store.store = None  # type: ignore[assignment]
    failed = await asyncio.gather(*(lookup.find("A") for _ in range(3)), return_exceptions=True)
    assert [type(error) for error in failed] == [AttributeError] * 3
    store.store = live.store
    assert (await lookup.find("A"))["version"] == 1

import json

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.live.frames import Frames
from games.live.hub import Hub
from games.live.presence import Here
from games.services import tables
from tests.factories import make_user

NOBODY = Here(frozenset(), frozenset(), 0)
pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_bot_is_seen_by_the_name_it_has_in_the_record(live: Hub):
    host, now = await sync_to_async(make_user)("Salma"), timezone.now()
    table = await sync_to_async(tables.open_table)(
        host=host, ruleset="kotchina", target=31, turn_seconds=20, visibility="link", now=now
    )
    await sync_to_async(tables.sit)(table_code=table.code, user=host, seat=1, now=now)
    open_seats = (await seats(live, table.pk))[2:]
    assert [(seat["kind"], seat["name"]) for seat in open_seats] == [("open", None)] * 2
    await sync_to_async(tables.fill)(table_code=table.code, user=host, now=now)
    bot = ("bot", "cautious")
    found = [(seat["kind"], seat["name"]) for seat in await seats(live, table.pk)]
    assert found == [bot, ("player", "Salma"), bot, bot]


async def seats(live: Hub, table_id: int) -> list[dict]:
    state = await live.memo.reload(table_id)
    return json.loads(Frames(state, NOBODY, timezone.now()).table(None))["view"]["seats"]

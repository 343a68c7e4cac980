"""Tables with players for the tests of the live table, and watchers that remember what they were shown."""

import json
from datetime import timedelta
from typing import Any

from asgiref.sync import sync_to_async
from django.db.models import Min
from django.utils import timezone

from accounts.models import User
from games.live.hub import Hub
from games.live.talk import Ears
from games.models import Table
from games.services import tables
from games.services.steward import Served, play_due
from tests.factories import make_users


@sync_to_async
def four_seated(**more: Any) -> tuple[Table, list[User]]:
    """A table at which four players sit, seat by seat; the first deal is about to come."""
    users = make_users(4)
    now = timezone.now()
    asked = {"ruleset": "kotchina", "target": 31, "turn_seconds": 20, "visibility": "public", "now": now}
    table = tables.open_table(host=users[0], **(asked | more))
    for seat, user in enumerate(users):
        table = tables.sit(table_code=table.code, user=user, seat=seat, now=now)
    return table, users


async def look(live: Hub) -> int:
    """One look of a steward that has run for long, when the next table is due; how many tables were due."""
    due = await Table.objects.filter(due_at__isnull=False).aaggregate(at=Min("due_at"))
    now = due["at"] or timezone.now()
    return await play_due(live, now=now, served=Served(now - timedelta(days=1)))


async def dealt(live: Hub, **more: Any) -> tuple[Table, list[User]]:
    """Four players at a table whose first deal has been dealt."""
    table, users = await four_seated(**more)
    await look(live)
    return table, users


class Seen:
    """A watcher that keeps the frames it is sent."""

    def __init__(self, user_id: int | None = None) -> None:
        self.user_id = user_id
        self.session = None
        self.ears = Ears(has_account=user_id is not None)
        self.frames: list[dict[str, Any]] = []
        self.ended = False

    async def deliver(self, frame: str) -> None:
        self.frames.append(json.loads(frame))

    async def end_session(self) -> None:
        self.ended = True

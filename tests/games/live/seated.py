"""Tables with players for the tests of the live table, and watchers that remember what they were shown."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from asgiref.sync import sync_to_async
from django.db import transaction
from django.db.models import Min
from django.utils import timezone

from accounts.models import User
from games.live.hub import Hub
from games.live.talk import Ears
from games.marks import NO_MARK
from games.models import Table
from games.services import tables
from games.services.opening import start_match_table
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
        self.mark = NO_MARK
        self.frames: list[dict[str, Any]] = []
        self.ended = False

    async def deliver(self, frame: str) -> None:
        self.frames.append(json.loads(frame))

    async def end_session(self) -> None:
        self.ended = True


@sync_to_async
def four_called(**more: Any) -> tuple[Table, list[User]]:
    """A table to which four players were called, seat by seat; nobody has come yet."""
    users = make_users(4)
    asked = {"ruleset": "kotchina", "target": 31, "turn_seconds": 20, "title": "Cup", "back_url": "/"}
    asked |= {"options": {}, "first_deal_seconds": 15, "arrival_seconds": 300, "now": timezone.now()}
    with transaction.atomic():
        return start_match_table(users=users, **(asked | more)), users


@sync_to_async
def together(door: Callable[..., Any], *arguments: Any) -> Any:
    """What a function for inside an open transaction returns, on a connection of its own."""
    with transaction.atomic():
        return door(*arguments)


def last_view(seen: "Seen") -> dict[str, Any]:
    """The newest view that a watcher was sent."""
    return next(frame["view"] for frame in reversed(seen.frames) if frame["type"] == "table")

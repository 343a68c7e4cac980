"""The steward as it runs: what it does beside its tables."""

import asyncio

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.live.hub import Hub
from games.management.commands import steward
from games.models import Seek, Table
from tests.factories import make_users

pytestmark = pytest.mark.django_db(transaction=True)


@sync_to_async
def four_waiting() -> None:
    now = timezone.now()
    Seek.objects.bulk_create(
        Seek(user=user, ruleset="kotchina", speed="fast", created_at=now, seen_at=now)
        for user in make_users(4)
    )


async def serve_until(done: object, live: Hub) -> None:
    """Runs the steward until `done()` is true, for five seconds at most."""
    stopping = asyncio.Event()
    serving = asyncio.create_task(steward.serve(live, stopping))
    for _ in range(100):
        await asyncio.sleep(0.05)
        if await sync_to_async(done)():
            break
    stopping.set()
    await serving


async def test_those_who_seek_a_match_are_brought_together_without_anybody_asking(live: Hub) -> None:
    await four_waiting()
    await serve_until(Table.objects.exists, live)

    assert await sync_to_async(Table.objects.count)() == 1


async def test_a_look_that_fails_stops_neither_the_steward_nor_the_next_look(
    live: Hub, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    looks, look = [], steward.match_waiting

    def fail_once(now: object) -> int:
        looks.append(now)
        if len(looks) == 1:
            raise OSError("away")
        return look(now)

    monkeypatch.setattr(steward, "match_waiting", fail_once)
    await four_waiting()
    await serve_until(Table.objects.exists, live)

    assert len(looks) == 2
    assert "quick match could not look: away" in caplog.text

import asyncio
from contextlib import suppress
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Interruption
from games.live.hub import Hub
from games.models import Heartbeat
from games.services.outages import DEAD_AFTER, FORGOTTEN_AFTER, Watch, show_life

pytestmark = pytest.mark.django_db(transaction=True)

NOW = timezone.now()
START = NOW - timedelta(hours=5)
# How long a test may take between writing a sign and reading it.
NEARLY = timedelta(seconds=0.9)


async def web(name: str, seconds_ago: float) -> None:
    at = timezone.now() - timedelta(seconds=seconds_ago)
    await Heartbeat.objects.aupdate_or_create(name=f"web:{name}", defaults={"at": at})


async def looked(live: Hub, watch: Watch, after: float = 0) -> Watch:
    await watch.look(live.store, now=NOW + timedelta(seconds=after))
    return watch


def until(watch: Watch, seconds_ago: float, after: float = 0) -> bool:
    """Whether everybody was served until about so many seconds before the look."""
    assert watch.served.until is not None
    ago = NOW + timedelta(seconds=after) - watch.served.until - timedelta(seconds=seconds_ago)
    return timedelta(0) <= ago < NEARLY


async def test_where_nothing_is_known_of_web_processes_nothing_is_held(live: Hub):
    watch = await looked(live, Watch(START))
    assert (watch.served.since, watch.served.until) == (START, None)


async def test_the_slowest_sign_of_life_says_until_when_all_were_served(live: Hub):
    await web("a", 0.2)
    await web("b", 1.5)
    watch = await looked(live, Watch(START))
    assert (watch.served.since, until(watch, 1.5)) == (START, True)


async def test_a_web_process_that_died_gives_every_clock_its_grace_and_is_forgotten(live: Hub):
    await web("a", 0.2)
    await web("b", 2)
    watch = await looked(live, Watch(START))
    await web("b", 7)
    await looked(live, watch, after=5)
    assert watch.served.since == NOW + timedelta(seconds=5)
    await web("a", 0)
    await looked(live, watch, after=5.5)
    assert until(watch, 0, after=5.5)


async def test_a_web_process_that_starts_gives_grace(live: Hub):
    await web("a", 0.2)
    watch = await looked(live, Watch(START))
    await web("b", 0)
    assert (await looked(live, watch)).served.since == NOW


async def test_while_no_web_process_lives_no_clock_runs_out(live: Hub):
    await web("a", DEAD_AFTER.total_seconds() + 60)
    watch = await looked(live, Watch(START))
    assert (watch.served.since, until(watch, DEAD_AFTER.total_seconds() + 60)) == (NOW, True)


async def test_signs_of_a_site_long_gone_hold_nobody(live: Hub):
    await web("a", FORGOTTEN_AFTER.total_seconds() + 1)
    watch = await looked(live, Watch(START))
    assert (await looked(live, watch)).served.until is None


async def test_a_web_process_shows_that_it_lives(live: Hub):
    living = asyncio.create_task(show_life())
    while not await Heartbeat.objects.filter(name__startswith="web:").aexists():
        await asyncio.sleep(0.02)
    living.cancel()
    with suppress(asyncio.CancelledError):
        await living
    beat = await Heartbeat.objects.aget(name__startswith="web:")
    assert timezone.now() - beat.at < timedelta(seconds=5)


async def test_each_interruption_is_noted_once_and_quiet_times_are_not(live: Hub):
    await web("a", 0.2)
    watch = await looked(live, Watch(START))
    for after in (0.1, 0.2, 20):
        await web("a", 0.2 - after)
        await looked(live, watch, after=after)
    await web("b", -30)
    await looked(live, watch, after=30)
    await looked(live, Watch(START), after=31)

    noted = [one.at - NOW async for one in Interruption.objects.order_by("at")]
    # The steward's own start, and the new web process; a second steward adds nothing.
    assert noted == [timedelta(0), timedelta(seconds=30)]

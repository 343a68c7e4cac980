"""Several processes of each kind behind nginx, as deploy/several has them: one of each is killed, play goes on."""

import asyncio
import os
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.management import call_command
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import DjangoDbBlocker
from websockets.exceptions import ConnectionClosed, InvalidStatus

from games.models import Table
from games.services.verification import Span, verify
from tarneeb_site.children import ROOT
from tarneeb_site.embedded.valkey import free_port
from tarneeb_site.one import command
from tarneeb_site.refusal import CannotStart
from tests.deployed import nginx_text, unit_here
from tests.factories import PASSWORD, make_user
from tests.games.live.clients import Browser, TableClient
from tests.games.live.five import sensible
from tests.live import LiveSite
from tests.standby import Standby

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
KINDS = ("web", "worker", "steward")
BACK_SECONDS = 25
SEAT = 0


@pytest.fixture(scope="module")
def standby(django_db_setup: None) -> Iterator[Standby]:
    """What histories are read from."""
    found = Standby(settings.VAR_DIR / "several" / "postgres")
    yield found
    found.stop()


@pytest.fixture(scope="module")
def several(
    standby: Standby, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LiveSite]:
    """Two web processes, two workers and two stewards behind nginx; `url` is nginx's."""
    if NGINX is None:
        if os.environ.get("TARNEEB_BROWSER_REQUIRED"):
            pytest.fail("no nginx was found")
        pytest.skip("no nginx was found")
    directory = tmp_path_factory.mktemp("several")
    site = LiveSite(directory)
    site.environment = {"HISTORY_DATABASE_URL": standby.url}
    ports = [site.port, free_port()]
    for kind in KINDS:
        for number in (1, 2):
            site.commands[f"{kind}{number}"] = as_one(kind, ports[number - 1])
        del site.commands[kind]
    site.commands["beat"] = as_one("beat", ports[0])
    with django_db_blocker.unblock():
        proxy = None
        try:
            for name in site.commands:
                site.start(name)
            site.wait_until_green()
            site.port = free_port()
            site.host = f"127.0.0.1:{site.port}"
            site.url = f"http://{site.host}"
            proxy = start_nginx(directory, ports, site.port)
            site.wait_until_green()
            yield site
        finally:
            if proxy is not None:
                proxy.terminate()
                proxy.wait()
            site.stop()
        call_command("flush", interactive=False, verbosity=0)


def as_one(kind: str, port: int) -> list[str]:
    """What the unit runs. A variable for each is what systemd gives a web process as well."""
    return ["env", f"PORT={port}", *unit_here(kind)]


def start_nginx(directory: Path, ports: list[int], port: int) -> subprocess.Popen[bytes]:
    """nginx with the file that is deployed, but for addresses and TLS."""
    text = nginx_text(ROOT / "deploy" / "several" / "nginx.conf", directory, port)
    for machine, inside in zip(("10.0.0.11:8001", "10.0.0.12:8001"), ports, strict=True):
        assert machine in text
        text = text.replace(machine, f"127.0.0.1:{inside}")
    (directory / "nginx.conf").write_text(text)
    log = str(directory / "nginx.log")
    words = [
        str(NGINX),
        "-e",
        log,
        "-c",
        str(directory / "nginx.conf"),
        "-g",
        "daemon off; master_process off;",
    ]
    return subprocess.Popen(words)


async def at_the_table(browser: Browser, code: str) -> TableClient:
    """A socket there, as a page comes back: again and again until it is let in."""
    ends = time.monotonic() + BACK_SECONDS
    while True:
        try:
            return await browser.socket(code)
        except (OSError, ConnectionClosed, InvalidStatus):
            assert time.monotonic() < ends, "the table was not reached again"
            await asyncio.sleep(0.2)


async def play(browser: Browser, client: TableClient, code: str, moves: int) -> TableClient:
    """Plays so many own moves at a table with three bots; the socket that was open at last."""
    done = 0
    while done < moves:
        view = client.view
        try:
            if view["phase"] in {"auction", "trump", "play"} and view["turn"] == SEAT:
                await client.act(sensible(view))
                done += 1
            await client.next()
        except ConnectionClosed:
            client = await at_the_table(browser, code)
    return client


async def test_one_of_each_kind_is_killed_while_a_table_plays(several: LiveSite, standby: Standby) -> None:
    await sync_to_async(make_user)("Player")
    async with Browser(several.url) as browser:
        await browser.sign_in("Player", PASSWORD)
        code = await browser.open_table(target=31)
        await browser.sit(code, SEAT)
        assert (await browser.post(f"/tables/{code}/fill/")).status_code == 302
        client = await play(browser, await at_the_table(browser, code), code, 3)
        for kind in KINDS:
            for number in (1, 2):
                several.kill(f"{kind}{number}")
                client = await play(browser, client, code, 2)
                assert (await browser.http.get("/tables/")).status_code == 200
                several.start(f"{kind}{number}")
                await until_open(several, f"{kind}{number}")
        await asyncio.to_thread(several.wait_until_green)
        figures = [await figures_of(several, number) for number in (1, 2)]
        assert sum(one["tarneeb_sockets"] for one in figures) == 1
        assert sum(one["tarneeb_moves_total"] for one in figures) >= 2
        assert [one["tarneeb_site_history_up"] for one in figures] == [1, 1]
        await asyncio.to_thread(standby.kill)
        client = await play(browser, client, code, 2)
        assert (await browser.http.get("/players/Player/matches/")).status_code == 200
        assert (await browser.http.get("/readyz")).status_code == 200
        await asyncio.to_thread(standby.start)
    found = await sync_to_async(lambda: list(verify(Span(code=code))))()
    table = await sync_to_async(Table.objects.get)(code=code)
    assert [(one.events, one.differences) for one in found] == [(table.version, [])]


async def figures_of(site: LiveSite, number: int) -> dict[str, float]:
    """What one web process tells Prometheus, of figures without a label."""
    async with httpx.AsyncClient() as http:
        text = (await http.get(f"http://127.0.0.1:{port_of(site, f'web{number}')}/metrics")).text
    samples = [one for family in text_string_to_metric_families(text) for one in family.samples]
    return {one.name: one.value for one in samples if not one.labels}


def port_of(site: LiveSite, name: str) -> str:
    return site.commands[name][1].removeprefix("PORT=")


async def until_open(site: LiveSite, name: str) -> None:
    """Waits for a process that was started again: a web process answers, the others are given a moment."""
    if not name.startswith("web"):
        await asyncio.sleep(4)
        return
    port = port_of(site, name)
    for _ in range(250):
        try:
            await asyncio.to_thread(urllib.request.urlopen, f"http://127.0.0.1:{port}/readyz", None, 2)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            return
    raise AssertionError(f"{name} did not come back")


async def test_metrics_are_not_told_through_the_proxy(several: LiveSite) -> None:
    async with Browser(several.url) as browser:
        assert (await browser.http.get("/metrics")).status_code == 404
        assert (await browser.http.get("/readyz")).json() == {"database": "ok", "broker": "ok"}


WHOLE = {"DATABASE_URL": "postgresql://x/y", "REDIS_URL": "redis://x", "SECRET_KEY": "x"}


@pytest.mark.parametrize(
    ("arguments", "environment", "said"),
    [
        ([], WHOLE, "one of web, worker, beat, steward"),
        (["cook"], WHOLE, "one of web, worker, beat, steward"),
        (["web"], WHOLE | {"SECRET_KEY": ""}, "SECRET_KEY must be"),
        (["web"], {}, "DATABASE_URL, REDIS_URL, SECRET_KEY must be"),
    ],
)
def test_one_process_says_what_is_missing(
    arguments: list[str], environment: dict[str, str], said: str
) -> None:
    with pytest.raises(CannotStart, match=said):
        command(arguments, environment)

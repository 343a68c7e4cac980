"""Several processes of each kind behind nginx, as deploy/several has them: one of each is killed, play goes on."""

import asyncio
import os
import re
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from asgiref.sync import sync_to_async
from django.core.management import call_command
from pytest_django import DjangoDbBlocker
from websockets.exceptions import ConnectionClosed, InvalidStatus

from games.models import Table
from games.services.verification import Span, verify
from tarneeb_site.children import ROOT
from tarneeb_site.embedded.valkey import free_port
from tarneeb_site.one import command
from tarneeb_site.refusal import CannotStart
from tests.factories import PASSWORD, make_user
from tests.games.live.clients import Browser, TableClient
from tests.games.live.five import sensible
from tests.live import LiveSite, environment

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
KINDS = ("web", "worker", "steward")
BACK_SECONDS = 25
SEAT = 0


@pytest.fixture(scope="module")
def several(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LiveSite]:
    """Two web processes, two workers and two stewards behind nginx; `url` is nginx's."""
    if NGINX is None:
        if os.environ.get("TARNEEB_BROWSER_REQUIRED"):
            pytest.fail("no nginx was found")
        pytest.skip("no nginx was found")
    directory = tmp_path_factory.mktemp("several")
    site = LiveSite(directory)
    ports = [site.port, free_port()]
    for kind in KINDS:
        for number in (1, 2):
            site.commands[f"{kind}{number}"] = as_one(kind, ports[number - 1], directory)
        del site.commands[kind]
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


def as_one(kind: str, port: int, directory: Path) -> list[str]:
    return command([kind], environment(directory) | {"PORT": str(port)})


def start_nginx(directory: Path, ports: list[int], port: int) -> subprocess.Popen[bytes]:
    """nginx with the file that is deployed, but for addresses and TLS."""
    text = (ROOT / "deploy" / "several" / "nginx.conf").read_text()
    for machine, inside in zip(("10.0.0.11:8001", "10.0.0.12:8001"), ports, strict=True):
        assert machine in text
        text = text.replace(machine, f"127.0.0.1:{inside}")
    text = re.sub(r"server \{\n    listen 80;.*?\n\}\n", "", text, count=1, flags=re.DOTALL)
    text = re.sub(r"    (listen \[::\]|ssl_certificate).*\n", "", text)
    text = text.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    kinds = "".join(f"{kind}_temp_path {directory}/{kind};\n" for kind in ("client_body", "proxy"))
    kinds += "".join(f"{kind}_temp_path {directory}/{kind};\n" for kind in ("fastcgi", "uwsgi", "scgi"))
    whole = f"pid {directory}/nginx.pid;\nevents {{}}\nhttp {{\naccess_log off;\n{kinds}{text}\n}}\n"
    (directory / "nginx.conf").write_text(whole)
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


async def test_one_of_each_kind_is_killed_while_a_table_plays(several: LiveSite) -> None:
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
    found = await sync_to_async(lambda: list(verify(Span(code=code))))()
    table = await sync_to_async(Table.objects.get)(code=code)
    assert [(one.events, one.differences) for one in found] == [(table.version, [])]


async def until_open(site: LiveSite, name: str) -> None:
    """Waits for a process that was started again: a web process answers, the others are given a moment."""
    if not name.startswith("web"):
        await asyncio.sleep(4)
        return
    port = site.commands[name][site.commands[name].index("--port") + 1]
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

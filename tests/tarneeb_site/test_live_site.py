import asyncio
import json
import re
import urllib.request
from typing import Self

import httpx
import psycopg
import pytest
from daphne.cli import CommandLineInterface
from django.conf import settings

from tarneeb_site.children import ROOT, commands
from tests.factories import PASSWORD, make_user
from tests.games.live.clients import Browser
from tests.live import LiveSite, database_url

# Of a web process, beside those of its pages: see docs/operating.md.
POOLED = 7


def test_live_site_is_green_in_every_part(live_site):
    with urllib.request.urlopen(f"{live_site.url}/healthz") as answer:
        assert json.load(answer) == dict.fromkeys(("database", "broker", "worker", "steward"), "ok")


class Connections:
    """How many connections to the database there are, seen over one of its own."""

    def __enter__(self) -> Self:
        self._own = psycopg.connect(database_url(), autocommit=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._own.close()

    def now(self) -> int:
        counted = "select count(*) from pg_stat_activity where datname = current_database()"
        rows = self._own.execute(counted).fetchall()
        return int(rows[0][0])

    async def most_during(self, work: "asyncio.Task[None]") -> int:
        most = 0
        while not work.done():
            most = max(most, await asyncio.to_thread(self.now))
            await asyncio.sleep(0.02)
        await work
        return most

    async def settled(self, most: int) -> int:
        for _ in range(100):
            if (found := await asyncio.to_thread(self.now)) <= most:
                break
            await asyncio.sleep(0.1)
        return found


async def crowd(site: LiveSite) -> None:
    """A hundred pages asked for at once, and sixty sockets that each look something up."""
    limits = httpx.Limits(max_connections=None)
    async with (
        httpx.AsyncClient(base_url=site.url, timeout=60, limits=limits) as http,
        Browser(site.url) as guest,
    ):
        answers = await asyncio.gather(
            *(http.get("/tables/") for _ in range(100)),
            *(guest.connect(f"/ws/tables/NO{number}/") for number in range(60)),
        )
    assert [answer.status_code for answer in answers[:100]] == [200] * 100


async def test_connections_to_the_database_are_bounded_and_given_back(live_site: LiveSite) -> None:
    with Connections() as connections:
        before = connections.now()
        most = await connections.most_during(asyncio.create_task(crowd(live_site)))
        assert most - before <= settings.PAGES_AT_ONCE + POOLED
        assert await connections.settled(before + POOLED) <= before + POOLED
        async with httpx.AsyncClient(base_url=live_site.url, timeout=60) as http:
            for _ in range(20):
                assert (await http.get("/rules/")).status_code == 200
        assert await connections.settled(before + POOLED) <= before + POOLED


def test_sockets_are_pinged_more_often_than_the_proxy_would_cut_them() -> None:
    # Daphne's own habit, which our command leaves as it is.
    assert [word for word in commands("127.0.0.1", 8000)["web"] if "ping" in word] == []
    pinged = CommandLineInterface().parser.get_default("ping_interval")
    limits = re.findall(r"proxy_(?:read|send)_timeout (\d+)s", (ROOT / "deploy" / "nginx.conf").read_text())
    assert [int(seconds) > 2 * pinged for seconds in limits] == [True, True]


# Last: Playwright's own loop then runs in this thread, and no other test can have one.
@pytest.mark.browser
def test_a_browser_sees_the_home_page_and_the_rows_that_tests_make(live_site, browser):
    make_user("Salma")
    page = browser.new_page()
    page.goto(f"{live_site.url}/accounts/login/")
    page.fill("[name=login]", "Salma")
    page.fill("[name=password]", PASSWORD)
    page.click("main form button")
    page.wait_for_url(f"{live_site.url}/")
    assert page.locator("html").get_attribute("dir") == "rtl"

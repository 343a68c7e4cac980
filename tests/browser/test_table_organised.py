"""What those who organise a match do at its table, as the page shows it; and links to a moment."""

from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.models import Table
from games.services.opening import start_match_table
from tests.browser.far_end import Server
from tests.browser.pages import DESKTOP, apart, opened
from tests.factories import make_users
from tests.games.matches import make_match
from tests.live import LiveSite

pytestmark = pytest.mark.browser

WAITING = {
    "phase": "deal",
    "deal": None,
    "dealer": 1,
    "turn": None,
    "calls": [],
    "contract": None,
    "trick": [],
}


@pytest.fixture
def users(live_site: LiveSite) -> list[User]:
    return apart(lambda: make_users(4))


@pytest.fixture
def table(users: list[User]) -> Table:
    """A tournament's table whose players may call the referee; its line is the test's own."""
    asked = {"ruleset": "kotchina", "target": 31, "options": {}, "turn_seconds": 60, "title": "Cup"}
    asked |= {"back_url": "/", "call_url": "/cup/call/", "first_deal_seconds": 900}
    return apart(lambda: opened_table(users, asked))


def opened_table(users: list[User], asked: dict[str, Any]) -> Table:
    with transaction.atomic():
        return start_match_table(users=users, now=timezone.now(), **asked)


def told(page: Any, words: str) -> None:
    """Returns once a screen reader has been told so."""
    page.locator("[data-part=spoken] p", has_text=words).first.wait_for(state="attached")


def strip(page: Any) -> Any:
    return page.locator("[data-part=organised]")


def test_a_break_is_told_calmly_and_nothing_can_be_played_in_it(
    live_site: LiveSite, browser: Any, table: Table, users: list[User], server: Server
) -> None:
    with opened(browser, live_site, table, users[2], prepare=server.prepare) as page:
        assert strip(page).is_hidden()
        server.go_on(paused=True, legal=[], deadline_ms=None)
        strip(page).wait_for()
        told(page, "The match is paused.")
        assert page.locator("[data-part=turn]").inner_text() == "Paused"
        assert page.locator(".hand .playable").count() == 0
        page.click('[data-card="4H"]', force=True)
        assert page.locator("[data-part=note]").inner_text() == "The match is paused."
        assert server.acts == []
        server.go_on(paused=False, legal=["4H", "JH"], deadline_ms=10_000)
        strip(page).wait_for(state="hidden")
        told(page, "The match goes on.")
        page.click('[data-card="4H"]')
        assert [act["action"] for act in server.acts] == ["4H"]


def test_the_last_deal_is_announced(
    live_site: LiveSite, browser: Any, table: Table, users: list[User], server: Server
) -> None:
    with opened(browser, live_site, table, users[2], prepare=server.prepare) as page:
        server.go_on(last_deal=True)
        strip(page).wait_for()
        assert strip(page).inner_text() == "This is the last deal of this match."
        ended = {"contract": server.view["contract"], "tricks": [9, 4], "change": [9, 0]}
        server.go_on(phase="deal", turn=None, trick=[], hand=[], legal=[], ended=ended, score=[8, 6])
        page.locator(".ending", has_text="Contract made").wait_for()
        assert strip(page).inner_text() == "That was the last deal of this match."
        closed = {"phase": "over", "result": None, "secret": "00" * 32, "deadline_ms": None}
        server.go_on(title="Cup", **closed)
        page.locator(".result-title", has_text="The match was ended before its time.").wait_for()
        assert page.locator(".final-score dd").all_inner_texts() == ["8", "6"]
        links = [link.inner_text() for link in page.locator(".next-steps a").all()]
        assert links == [
            "Back to the tournament",
            "Replay",
            "Download the record",
            "Object or call the referee",
        ]


@pytest.mark.parametrize("language", ["en", "ar"])
def test_who_is_waited_for_is_called_by_name(
    live_site: LiveSite, browser: Any, table: Table, users: list[User], server: Server, language: str
) -> None:
    server.view |= WAITING | {
        "arrived": [False, False, True, False],
        "deadline_ms": 300_000,
        "hand": [],
        "legal": [],
    }
    with opened(browser, live_site, table, users[2], prepare=server.prepare, language=language) as page:
        page.locator(".roll-call").wait_for()
        assert page.locator(".roll-call .arrived bdi").all_inner_texts() == ["South"]
        assert page.locator(".roll-call .missing bdi").all_inner_texts() == ["North", "East", "West"]
        assert page.locator("[data-part=turn] [data-seconds]").inner_text() in {"5:00", "4:59"}
        # Who never was here has lost no connection.
        marks = page.locator(".state-mark.expected").all_inner_texts()
        assert marks == [{"en": "not come yet", "ar": "لم يأتِ بعد"}[language]] * 3
        server.view |= {"arrived": [True] * 4, "deadline_ms": 15_000}
        server.show()
        page.locator(".roll-call .missing").first.wait_for(state="detached")
        assert page.locator(".roll-call .arrived").count() == 4
        overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert overflow == 0


def test_the_referee_is_called_with_the_moment_that_is_shown(
    live_site: LiveSite, browser: Any, table: Table, users: list[User], server: Server
) -> None:
    server.view |= {"table": table.code, "by": "mmmmmmcmmmm"}
    with opened(browser, live_site, table, users[2], prepare=server.prepare, size=DESKTOP) as page:
        page.click('[data-opens="menu"]')
        call = page.locator("[data-call-link]")
        assert call.get_attribute("href") == f"{live_site.url}/cup/call/?table={table.code}&deal=3&act=11"
        link = page.locator("[data-moment-link]")
        assert link.get_attribute("href") == f"{live_site.url}/tables/{table.code}/?deal=3&act=11"
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        link.click()
        page.locator("[data-moment-link]", has_text="Link copied").wait_for()
        assert page.evaluate("navigator.clipboard.readText()").endswith("?deal=3&act=11")


def test_a_spectator_is_shown_no_way_to_the_referee(
    live_site: LiveSite, browser: Any, table: Table, server: Server
) -> None:
    server.view |= {"you": None, "paused": True}
    with opened(browser, live_site, table, None, prepare=server.prepare) as page:
        assert strip(page).inner_text().startswith("The organisers have paused the match.")
        assert page.locator("[data-call-link]").count() == 0


def test_a_replay_opens_at_the_moment_of_its_address(
    live_site: LiveSite, browser: Any, table: Table, users: list[User], server: Server
) -> None:
    apart(lambda: make_match(users, code="MOMENT", call_url="/cup/call/"))
    with opened(browser, live_site, table, users[0], prepare=server.prepare) as page:
        page.goto(f"{live_site.url}/matches/MOMENT/?deal=2&act=7")
        page.wait_for_function("location.hash === '#2.7'")
        assert page.input_value("[data-slider]") == "7"
        assert page.locator("[data-moment]").get_attribute("href").endswith("/matches/MOMENT/?deal=2&act=7")
        page.click("[data-go=on]")
        call = page.locator("[data-call]").get_attribute("href")
        assert call == f"{live_site.url}/cup/call/?table=MOMENT&deal=2&act=8"
        # What a step took, and when it was done.
        meta = page.locator("[data-said] .meta").all_inner_texts()
        assert [meta[0], len(meta[1].strip("· ")), meta[1].count(":")] == [" · 1.2 s", 8, 2]

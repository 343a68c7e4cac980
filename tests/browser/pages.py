"""The table page opened as somebody, and what the tests read from it."""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Table
from games.services import tables
from tests.live import LiveSite

PHONE, SMALL_PHONE, ON_ITS_SIDE, DESKTOP = (360, 740), (320, 568), (640, 360), (1280, 800)
MARKED = re.compile(r'data-card="(\w\w)"')


@contextmanager
def opened(
    browser: Any,
    site: LiveSite,
    table: Table,
    user: User | None,
    *,
    size: tuple[int, int] = PHONE,
    language: str = "en",
    prepare: Callable[[Any], None] = lambda page: None,
) -> Iterator[Any]:
    """The table's page as that user sees it. At the end nothing may have gone wrong in it."""
    width, height = size
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=width < 700)
    context.add_cookies([{"name": "django_language", "value": language, "url": site.url}])
    if user is not None:
        User.objects.filter(pk=user.pk).update(language=language)
        context.add_cookies([{"name": "sessionid", "value": session_of(user), "url": site.url}])
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    prepare(page)
    page.goto(f"{site.url}{table.get_absolute_url()}")
    page.wait_for_selector("#table[data-phase], .connection.final")
    yield page
    context.close()
    assert faults == []


def session_of(user: User) -> str:
    """The key of a new session of that user."""
    client = Client()
    client.force_login(user)
    return str(client.cookies["sessionid"].value)


def apart(do: Callable[[], Any]) -> Any:
    """Runs `do` in a thread of its own: Playwright's event loop occupies this one."""

    def whole() -> Any:
        try:
            return do()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(whole).result()


def new_table(host: User, ruleset: str = "kotchina") -> Table:
    """A table with four open seats."""
    now = timezone.now()
    return apart(
        lambda: tables.open_table(
            host=host, ruleset=ruleset, target=31, turn_seconds=60, visibility="public", now=now
        )
    )


def full_table(users: list[User], ruleset: str = "kotchina") -> Table:
    """A table at which these four sit in their order; its match has begun."""
    table = new_table(users[0], ruleset)

    def seat_all() -> None:
        for seat, user in enumerate(users):
            tables.sit(table_code=table.code, user=user, seat=seat, now=timezone.now())

    apart(seat_all)
    return table


def cards_in(page: Any) -> set[str]:
    """Every card that the page holds anywhere."""
    return set(MARKED.findall(page.content()))


def on_turn(pages: list[Any]) -> Any:
    """The page whose player is asked for something, once there is one."""
    for _ in range(400):
        for page in pages:
            if page.locator(".turn.mine").count():
                return page
        pages[0].wait_for_timeout(25)
    raise AssertionError("nobody is on turn")


def act(page: Any) -> None:
    """Clicks what the player may do: bid 7 or pass, the first suit as trump, the first card that is raised."""
    version = page.get_attribute("#table", "data-version")
    for selector in ('[data-act="b7"]', '[data-act="p"]', '[data-act^="t"]', ".hand .playable"):
        choice = page.locator(selector).first
        box = choice.bounding_box() if choice.is_visible() else None
        if box is not None:
            page.mouse.click(box["x"] + 12, box["y"] + 16)
            break
    page.wait_for_selector(f'#table:not([data-version="{version}"])')

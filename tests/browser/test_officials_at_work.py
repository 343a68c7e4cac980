"""The console and the desk in a browser: kept fresh while somebody works, done from the keyboard, whole on a phone."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest

from accounts.models import User
from tests.browser.pages import apart, session_of
from tests.live import LiveSite
from tests.tournaments.scenes import adjudicate, end, enter_pair, make_tournament, running
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.browser
PATIENCE = 20_000


@pytest.fixture
def seen(live_site: LiveSite, browser: Any) -> Callable[..., Any]:
    @contextmanager
    def opened(user: User, path: str, **more: Any) -> Iterator[Any]:
        context = browser.new_context(locale="en", **more)
        cookies = {"django_language": "en", "sessionid": apart(lambda: session_of(user))}
        context.add_cookies(
            [{"name": name, "value": value, "url": live_site.url} for name, value in cookies.items()]
        )
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(live_site.url + path)
        yield page
        context.close()

    return opened


def test_console_shows_what_happens_and_keeps_what_is_open(seen: Callable[..., Any]):
    tournament: Tournament = apart(lambda: running(4))
    path = f"{tournament.get_absolute_url()}organise/"
    with seen(tournament.organiser, path) as page:
        decided = page.locator(".tally[href*='state=done'] strong")
        assert decided.inner_text() == "0"
        page.locator("[id='acts-e3'] > summary").click()
        page.locator("[data-find]").fill("half a na")
        apart(lambda: (end(tournament, "R1.1"), adjudicate(tournament)))
        page.locator(".tally[href*='state=done'] strong", has_text="1").wait_for()

        assert page.locator("[id='acts-e3']").evaluate("(details) => details.open") is True
        assert page.locator("[data-find]").input_value() == "half a na"


def test_desk_is_worked_from_the_keyboard_and_whole_on_a_phone(seen: Callable[..., Any]):
    def entered() -> Tournament:
        tournament = make_tournament(check_in_minutes=120)
        for number in range(3):
            Entry.objects.filter(pk=enter_pair(tournament).pk).update(
                name=f"Team {'ABC'[number]}", checked_in_at=None
            )
        return tournament

    tournament = apart(entered)
    path = f"{tournament.get_absolute_url()}desk/"
    with seen(tournament.organiser, path) as page:
        page.keyboard.press("/")
        page.keyboard.type("team b")
        page.keyboard.press("Enter")
        page.wait_for_url("**q=team*")
        page.locator("[data-main][value=check-in]:focus").wait_for()
        page.keyboard.press("Enter")
        page.wait_for_url("**#pair-2")
        page.locator("[data-find]:focus").wait_for()
        assert "is checked in." in page.locator("main").inner_text()
    checked = partial(tournament.entries.filter(checked_in_at__isnull=False).values_list, "number", flat=True)
    assert apart(lambda: list(checked())) == [2]
    for where in ("desk/", "organise/", "?tab=entrants"):
        with seen(
            tournament.organiser,
            tournament.get_absolute_url() + where,
            viewport={"width": 360, "height": 740},
        ) as page:
            assert page.evaluate("document.documentElement.scrollWidth") == 360

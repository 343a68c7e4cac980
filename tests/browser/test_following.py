"""Who follows a player comes to every public table where that player plays, without doing anything."""

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.live.announce import ring
from games.models import Phase, Table
from games.services import tables
from tests.browser.pages import apart
from tests.factories import make_user
from tests.live import LiveSite

pytestmark = pytest.mark.browser
PATIENCE_MS = 40000


def begin(player: User) -> Table:
    """A public match of that player and three bots."""
    asked = {"ruleset": "kotchina", "target": 31, "turn_seconds": 60, "visibility": "public"}
    table = tables.open_table(host=player, now=timezone.now(), **asked)
    tables.sit(table_code=table.code, user=player, seat=0, now=timezone.now())
    return tables.fill(table_code=table.code, user=player, now=timezone.now())


def close(table: Table) -> None:
    """The end of a table, as its row tells it; the hubs find it."""
    Table.objects.filter(pk=table.pk).update(phase=Phase.OVER, due_at=None, ended_at=timezone.now())
    ring("lobby")


def test_a_follower_is_led_to_the_first_match_and_on_to_the_next(live_site: LiveSite, browser: Any) -> None:
    player = make_user(language="en")
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="en")
    context.add_cookies([{"name": "django_language", "value": "en", "url": live_site.url}])
    page = context.new_page()
    page.goto(f"{live_site.url}{reverse('follow', args=[player.username])}")
    assert page.locator("[data-follow] h1").inner_text() == f"Following \u2068{player.username}\u2069"

    first = apart(lambda: begin(player))
    page.wait_for_url(f"**/tables/{first.code}/?follow={player.username}", timeout=PATIENCE_MS)
    page.wait_for_selector("#table.watching[data-phase]")
    strip = page.locator("[data-part=following]")
    assert strip.is_hidden()

    second = apart(lambda: begin(player))
    strip.get_by_role("link", name="Go there").wait_for(timeout=PATIENCE_MS)
    assert strip.locator("bdi").inner_text() == player.username
    strip.get_by_role("button", name="Stay here").click()
    assert (strip.is_hidden(), first.code in page.url) == (True, True)

    apart(lambda: close(second))
    apart(lambda: close(first))
    page.goto(f"{live_site.url}/tables/{first.code}/?follow={player.username}")
    strip.get_by_role("button", name="Stop following").wait_for(timeout=PATIENCE_MS)
    third = apart(lambda: begin(player))
    page.wait_for_url(f"**/tables/{third.code}/?follow={player.username}", timeout=PATIENCE_MS)
    context.close()


def test_the_list_of_live_tables_grows_by_itself(live_site: LiveSite, browser: Any) -> None:
    player = make_user(language="en")
    context = browser.new_context(viewport={"width": 390, "height": 844})
    context.add_cookies([{"name": "django_language", "value": "en", "url": live_site.url}])
    page = context.new_page()
    page.goto(f"{live_site.url}{reverse('watch')}")
    table = apart(lambda: begin(player))
    row = page.locator(f'#watch-list [data-table="{table.code}"]')
    row.wait_for(timeout=PATIENCE_MS)
    other = context.new_page()
    other.goto(f"{live_site.url}{table.get_absolute_url()}")
    page.bring_to_front()
    row.locator(".watchers").wait_for(timeout=PATIENCE_MS)
    assert row.locator(".watchers .visually-hidden").inner_text() == "1 spectator"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.goto(f"{live_site.url}{reverse('lobby')}")
    page.locator(f'[data-table="{table.code}"] .watchers').wait_for(timeout=PATIENCE_MS)
    context.close()

"""A guest of a real site: plays at one press, makes an account in the middle of the match, plays on."""

import asyncio
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.factories import PASSWORD
from tests.games.live.clients import Browser, TableClient
from tests.live import LiveSite

SEAT = 0


async def in_turn(client: TableClient) -> None:
    """Until the guest has something to do."""
    while not client.view["legal"]:
        await client.next()


def names(view: dict[str, Any]) -> list[str]:
    return [seat["name"] for seat in view["seats"]]


async def test_guest_keeps_the_seat_over_making_an_account(live_site: LiveSite) -> None:
    guest, watcher = Browser(live_site.url), Browser(live_site.url)
    guest.http.cookies.set("django_language", "en")
    await guest.http.get("/")
    at = (await guest.post("/play/bots/", speed="slow")).headers["Location"]
    code = at.split("/")[2]
    other_tab, spectator = await guest.socket(code), await watcher.socket(code)
    await in_turn(other_tab)
    before = other_tab.view
    assert (before["you"], before["seats"][SEAT]["guest"]) == (SEAT, True)
    old_session = guest.http.cookies["sessionid"]

    said = {
        "username": "Sitt Salma",
        "email": "salma@example.org",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }
    answer = await guest.post("/accounts/keep/", next=at, **said)
    assert (answer.status_code, answer.headers["Location"]) == (302, at)
    assert guest.http.cookies["sessionid"] != old_session
    client = await guest.socket(code)

    # The very same seat and cards, under the new name, for everybody.
    assert (client.view["you"], client.view["hand"]) == (SEAT, before["hand"])
    assert (names(client.view)[SEAT], "guest" in client.view["seats"][SEAT]) == ("Sitt Salma", False)
    await client.act(client.view["legal"][0])
    await client.until(lambda view: view["turn"] != SEAT)
    await spectator.until(lambda view: names(view)[SEAT] == "Sitt Salma")
    # Whoever holds the old session is out.
    with pytest.raises(ConnectionClosed) as closed:
        await other_tab.until(lambda view: False)
    assert closed.value.rcvd.code == 4401
    page = await guest.http.get("/players/Sitt%20Salma/")
    assert (page.status_code, 'href="/accounts/settings/"' in page.text) == (200, True)
    await asyncio.gather(guest.close(), watcher.close())


@pytest.mark.browser
def test_a_second_tab_of_the_guest_comes_back_by_itself(live_site: LiveSite, browser: Any) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, base_url=live_site.url)
    context.add_cookies([{"name": "django_language", "value": "en", "url": live_site.url}])
    page = context.new_page()
    page.goto("/rules/")
    page.get_by_role("button", name="Play with bots now").click()
    page.wait_for_selector("#table[data-phase]")
    second = context.new_page()
    second.goto(page.url)
    second.wait_for_selector("#table[data-phase]")
    assert second.locator("dialog a[href*='/accounts/keep/']").count() == 1
    page.goto(f"/accounts/signup/?next={page.url.removeprefix(live_site.url)}")
    for field, typed in {"username": "Umm Huda", "email": "huda@example.org"}.items():
        page.fill(f"[name={field}]", typed)
    for field in ("password1", "password2"):
        page.fill(f"[name={field}]", PASSWORD)
    page.get_by_role("button", name="Make the account").click()
    page.wait_for_selector("#table[data-phase]")
    assert page.url == second.url
    for tab in (page, second):
        # The way to an account stands in the menu of guests alone.
        tab.locator("dialog a[href*='/accounts/keep/']").wait_for(state="detached")
        tab.wait_for_selector("#table[data-phase]")
    assert second.locator(".connection.final").count() == 0
    context.close()

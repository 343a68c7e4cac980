"""The pages as axe-core reads them, in both languages and colour schemes: it finds nothing to complain of."""

from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest

from accounts.models import User
from games.models import Table
from tests.browser.far_end import Server
from tests.browser.pages import apart, new_table, opened
from tests.factories import make_user, make_users
from tests.games.matches import make_match
from tests.live import LiveSite
from tests.tournaments.scenes import adjudicate, end, started

pytestmark = pytest.mark.browser

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
# Each complaint with the places it is about, once nothing moves any more.
RUN = """
async () => {
  const passing = (one) => one.effect.getComputedTiming().iterations !== Infinity;
  await Promise.allSettled(document.getAnimations().filter(passing).map((one) => one.finished));
  const { violations } = await axe.run(document, { resultTypes: ['violations'] });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
}
"""
# Colours do not depend on the language, nor names and roles on the colours: each language in one scheme covers both.
SCHEMES = {"ar": "light", "en": "dark"}
BETWEEN_DEALS = {"phase": "deal", "turn": None, "hand": [], "legal": [], "contract": None, "trick": []}
NOBODY_YET = {"deal": None, "dealer": None, "calls": [], "changes": [], "sheet": [], "score": [0, 0]}


def complaints(page: Any) -> list[str]:
    """What axe finds in the page as it is now."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    return list(page.evaluate(RUN))


def test_axe_finds_a_fault_that_is_there(browser: Any) -> None:
    page = browser.new_page()
    page.set_content("<html lang=en><title>x</title><main><h1>x</h1><img src=x></main>")
    assert complaints(page) == ["image-alt: img"]
    page.close()


@pytest.mark.parametrize("language", ["ar", "en"])
def test_a_table_from_waiting_to_its_end_with_its_dialogs(
    live_site: LiveSite, browser: Any, language: str
) -> None:
    user = make_user()
    table, server = new_table(user), Server()
    view, seats = dict(server.view), server.view["seats"]
    more = {"free_chat": True, "rated": False, "absence": "vote", "watching": 3, "watch_delay": 30}
    server.view |= more | {"votes": {"absence": {}, "rematch": {}}, "resign": [], "by": "mmmcmmmcs"}
    found: dict[str, list[str]] = {}
    with opened(browser, live_site, table, user, prepare=server.prepare, language=language) as page:
        page.emulate_media(color_scheme=SCHEMES[language])

        def look(state: str, *presses: str, shut: str = "", **changes: Any) -> None:
            """Notes what axe finds once the view has changed so and these are pressed; then closes."""
            if changes:
                server.go_on(**changes)
            page.wait_for_selector(f'#table[data-version="{server.version}"]')
            for press in presses:
                page.locator(press).first.click()
            found[state] = complaints(page)
            if shut:
                page.locator(shut).first.click()

        close = "dialog[open] [data-close]"
        look("play")
        look("menu", ".top [data-opens=menu]", shut=close)
        look("settings", ".top [data-opens=menu]", "dialog [data-opens=settings]", shut=close)
        page.keyboard.press("?")
        look("help", shut=close)
        look("player", ".top-seat .plate", shut=close)
        look("report", ".top-seat .plate", ".deeds button:nth-of-type(2)", shut=close)
        look("resign", ".top [data-opens=menu]", "[data-resign]", shut=close)
        look("last trick", ".foot [data-opens=last]", shut=close)
        server.send({"type": "said", "line": 1, "seat": 1, "name": "East", "room": "table", "text": "Hi"})
        look("talk", ".foot [data-opens=talk]", shut=".talk-panel [data-close]")
        look("scores", ".bar", shut=".scores-panel [data-close]")
        look("a break in the last deal", paused=True, last_deal=True, legal=[])
        server.view |= {"paused": False, "last_deal": False}
        seats[1] |= {"away": True, "sitting_in": True, "presence": "away"}
        seats[3] |= {"connected": False, "presence": "reconnecting", "guest": True}
        look("away", ".absent-choice summary", seats=seats, resign=[0])
        legal = ["p", "b10", "b11", "b12", "b13"]
        look("auction", phase="auction", trick=[], contract=view["contract"] | {"trump": None}, legal=legal)
        look("trump", phase="trump", legal=["tS", "tH", "tD", "tC"])
        ended = {"contract": view["contract"], "tricks": [8, 5], "change": [-9, 5]}
        look("end of a deal", **BETWEEN_DEALS, ended=ended)
        look("roll call", arrived=[True, False, True, False], deal=None, ended=None)
        server.view |= {"arrived": None, "deal": 2, "ended": ended}
        result = {"kind": "target", "winner": 1, "advances": 1, "score": [-1, 31]}
        look("over", phase="over", deadline_ms=None, result=result, score=[-1, 31], secret="00" * 32)
        for seat in (1, 3):
            seats[seat] = {"seat": seat, "name": None, "kind": "open", "connected": False, "cards": 0}
        look("waiting", ".invite-fold summary", phase="waiting", seats=seats, result=None, **NOBODY_YET)
    assert {state: faults for state, faults in found.items() if faults} == {}


@pytest.fixture
def places(live_site: LiveSite) -> tuple[User, list[str]]:
    """A player, and the addresses of pages on which there is something."""

    def made() -> tuple[User, list[str]]:
        users = make_users(4)
        match: Table = make_match(users)
        tournament = started(4, organiser=users[0])
        end(tournament, "R1.1")
        adjudicate(tournament)
        bracket = tournament.get_absolute_url()
        tabs = [f"{bracket}?tab={tab}" for tab in ("overview", "bracket", "standings", "entrants", "rules")]
        others = ["/", "/play/", "/tables/", "/tables/new/", "/watch/", "/rules/", "/rules/kotchina/"]
        others += ["/tournaments/new/?preset=groups", f"{bracket}files/"]
        own = ["/accounts/settings/", f"/players/{users[0].username}/", "/accounts/settings/notices/"]
        own += ["/accounts/security/", "/accounts/security/sessions/", "/accounts/privacy/", "/people/"]
        played = [
            f"{own[1]}matches/?level=8",
            f"{own[1]}statistics/",
            f"/matches/{match.code}/print/",
            "/records/",
        ]
        decision = "decide/?type=correct&pairing=R1.1&outcome=target&score_0=12&score_1=31"
        doors = ["organise/", decision, "desk/", "log/", "objections/", "officials/", "settings/", "screen/"]
        officials = [bracket + door for door in doors]
        return users[0], [
            *others,
            *own,
            *played,
            f"/matches/{match.code}/",
            "/tournaments/",
            *tabs,
            *officials,
        ]

    return apart(made)


@pytest.mark.parametrize("language", ["ar", "en"])
def test_the_pages_around_the_tables(
    live_site: LiveSite, browser: Any, places: tuple[User, list[str]], language: str
) -> None:
    user, addresses = places
    found: dict[str, list[str]] = {}
    with opened(browser, live_site, new_table(user), user, language=language) as page:
        page.emulate_media(color_scheme=SCHEMES[language])
        for address in addresses:
            answer = page.goto(f"{live_site.url}{address}")
            found[address] = complaints(page) if answer.status == 200 else [f"status {answer.status}"]
    assert {address: faults for address, faults in found.items() if faults} == {}

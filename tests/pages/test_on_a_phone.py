"""Pages in a real browser, a phone held upright: nothing overflows, everything can be touched, choices stay."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from accounts.models import User
from tests.factories import PASSWORD, make_table, make_user, seat_user
from tests.live import LiveSite

pytestmark = pytest.mark.browser

PATHS = [
    "/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/accounts/settings/",
    "/tables/",
    "/tables/new/",
    "/tournaments/",
    "/tournaments/new/",
    "/players/player-of-twenty-ch/",
    "/rules/",
    "/rules/kotchina/",
    "/rules/egyptian/",
    "/rules/kings/",
]
TOUCH = 44
# What reaches the thumb too small: buttons and links that stand alone, not those inside sentences.
SMALL_TARGETS = """() => [...document.querySelectorAll("button, .button, nav a, summary, .chip")]
    .filter(e => e.checkVisibility() && !e.closest(".segments") && !e.matches(".skip-link"))
    .map(e => [e.outerHTML.slice(0, 90), e.getBoundingClientRect()])
    .filter(([, box]) => Math.round(box.height) < %d)
    .map(([text, box]) => `${text} ${box.width}x${box.height}`)"""


@pytest.fixture(scope="module")
def player(live_site: LiveSite) -> User:
    user = make_user("player-of-twenty-ch")
    seat_user(
        make_table(host=user, title="بطولة اسمها طويل جدًا حتى لا يتسع لها سطر واحد على الهاتف"), 0, user
    )
    return user


@pytest.fixture(params=["ar", "en"])
def phone(request: pytest.FixtureRequest, browser: Browser, live_site: LiveSite) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 320, "height": 640}, base_url=live_site.url)
    context.add_cookies([{"name": "django_language", "value": request.param, "url": live_site.url}])
    yield context
    context.close()


def log_in(page: Page, user: User) -> None:
    page.goto("/accounts/login/")
    page.fill("[name=login]", user.username)
    page.fill("[name=password]", PASSWORD)
    page.click("main .button.primary")
    page.wait_for_url("/")


def test_pages_fit_a_narrow_screen_and_a_thumb(phone: BrowserContext, player: User) -> None:
    page = phone.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    log_in(page, player)
    wide, small = [], []
    for path in PATHS:
        page.goto(path)
        wide += [path] if page.evaluate("document.documentElement.scrollWidth > innerWidth") else []
        small += [f"{path} {target}" for target in page.evaluate(SMALL_TARGETS % TOUCH)]
    assert (wide, small, errors) == ([], [], [])


def test_colours_chosen_once_are_there_at_the_first_paint(phone: BrowserContext, player: User) -> None:
    page = phone.new_page()
    page.goto("/")
    page.click(".menu > summary")
    page.click("[data-theme-choice=dark]")
    page.goto("/tables/")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert 'data-theme="dark"' in page.content()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(14, 28, 28)"


def test_menu_closes_with_escape_and_with_a_touch_elsewhere(phone: BrowserContext, player: User) -> None:
    page = phone.new_page()
    page.goto("/")
    sheet = page.locator(".menu-sheet")
    page.click(".menu > summary")
    assert sheet.is_visible()
    page.keyboard.press("Escape")
    assert not sheet.is_visible()
    page.click(".menu > summary")
    page.mouse.click(160, 400)
    assert not sheet.is_visible()


def test_switch_of_language_turns_the_page_round(phone: BrowserContext, player: User) -> None:
    page = phone.new_page()
    page.goto("/tournaments/")
    before = page.locator("html").get_attribute("dir")
    page.click(".site-tools > .language button")
    page.wait_for_url("/tournaments/")
    assert {before, page.locator("html").get_attribute("dir")} == {"rtl", "ltr"}


def test_moments_are_relative_and_in_the_readers_zone(phone: BrowserContext, player: User) -> None:
    page = phone.new_page()
    page.goto("/")
    said = page.evaluate(
        """async () => {
            const { fromNow, absolute } = await import("/static/js/times.js");
            const now = new Date("2026-03-01T12:00:00Z");
            const at = (text) => [fromNow(new Date(text), now), absolute(new Date(text), now)];
            return [...at("2026-03-01T12:05:00Z"), ...at("2026-02-26T12:00:00Z")].join(" ");
        }"""
    )
    assert not set(said) & set("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹")
    assert "1447" not in said
    assert ("26" in said, "5" in said) == (True, True)


# Where the reader is, the moment that is now, another one, and what is said of it.
DAYS = [
    ("Asia/Damascus", "2026-03-02T05:00:00Z", "2026-03-01T04:00:00Z", "yesterday"),
    ("Asia/Damascus", "2026-03-02T20:30:00Z", "2026-03-03T21:30:00Z", "in 2 days"),
    ("Asia/Damascus", "2026-03-02T20:30:00Z", "2026-03-01T20:00:00Z", "yesterday"),
    ("UTC", "2026-03-02T20:30:00Z", "2026-03-03T21:30:00Z", "tomorrow"),
    ("Asia/Damascus", "2026-03-01T22:00:00Z", "2026-03-01T19:00:00Z", "3 hours ago"),
    ("Europe/Berlin", "2026-03-29T21:30:00Z", "2026-03-28T21:30:00Z", "yesterday"),
    ("Asia/Damascus", "2026-03-02T20:30:00Z", "2026-03-02T06:00:00Z", "14 hours ago"),
]


@pytest.mark.parametrize("zone", sorted({zone for zone, *_ in DAYS}))
def test_yesterday_is_the_day_before_in_the_readers_calendar(
    browser: Browser, live_site: LiveSite, zone: str
) -> None:
    context = browser.new_context(timezone_id=zone, base_url=live_site.url)
    context.add_cookies([{"name": "django_language", "value": "en", "url": live_site.url}])
    page = context.new_page()
    page.goto("/rules/")
    cases = [case[1:] for case in DAYS if case[0] == zone]
    said = page.evaluate(
        """async (cases) => {
            const { fromNow } = await import("/static/js/times.js");
            return cases.map(([now, then]) => fromNow(new Date(then), new Date(now)));
        }""",
        cases,
    )
    context.close()
    assert said == [words for *_, words in cases]

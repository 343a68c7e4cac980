"""The lobby and the replay in a real browser, on a real site."""

from collections.abc import Iterator
from typing import Any

import pytest

from games.models import Table
from tests.factories import PASSWORD, make_user, make_users
from tests.games.matches import make_match
from tests.live import LiveSite

pytestmark = pytest.mark.browser
CLICK_TO_THE_END = """() => {
    const on = document.querySelector("[data-go=on]");
    let clicks = 0;
    for (; on.getAttribute("aria-disabled") !== "true"; clicks += 1) on.click();
    return clicks;
}"""
PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def match(live_site: LiveSite) -> Table:
    return make_match([*make_users(3), None], ruleset="classic")


def page_in(browser: Any, site: LiveSite, language: str) -> Iterator[Any]:
    context = browser.new_context(viewport=PHONE)
    context.add_cookies([{"name": "django_language", "value": language, "url": site.url}])
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.set_default_timeout(10_000)
    yield page
    context.close()
    assert faults == []


@pytest.fixture
def english(browser: Any, live_site: LiveSite) -> Iterator[Any]:
    yield from page_in(browser, live_site, "en")


@pytest.fixture
def arabic(browser: Any, live_site: LiveSite) -> Iterator[Any]:
    yield from page_in(browser, live_site, "ar")


def place(page: Any) -> str:
    """Where the replay stands: deal and step."""
    return str(page.evaluate("location.hash"))


def test_replay_steps_by_buttons_through_every_action(
    english: Any, live_site: LiveSite, match: Table
) -> None:
    deals = match.deals.count()
    actions = match.events.filter(kind="act").count()
    english.goto(f"{live_site.url}/matches/{match.code}/")
    clicks = english.evaluate(CLICK_TO_THE_END)

    # One click an action, and one for the cards of each further deal.
    assert clicks == actions + deals - 1
    assert english.locator(".rank.gone").count() == 52
    english.click("[data-go=back]")
    assert english.locator(".rank.gone").count() == 51


@pytest.mark.parametrize(
    ("language", "on", "back"), [("en", "ArrowRight", "ArrowLeft"), ("ar", "ArrowLeft", "ArrowRight")]
)
def test_arrow_towards_the_end_of_reading_steps_on(
    request: pytest.FixtureRequest, live_site: LiveSite, match: Table, language: str, on: str, back: str
) -> None:
    page = request.getfixturevalue({"en": "english", "ar": "arabic"}[language])
    page.goto(f"{live_site.url}/matches/{match.code}/")
    places = []
    for key in (on, on, back, "PageDown", "PageUp"):
        page.keyboard.press(key)
        places.append(place(page))

    assert places == ["#1.1", "#1.2", "#1.1", "#2.0", "#1.0"]


@pytest.mark.parametrize("language", ["english", "arabic"])
def test_table_is_not_mirrored(
    request: pytest.FixtureRequest, live_site: LiveSite, match: Table, language: str
) -> None:
    page = request.getfixturevalue(language)
    page.goto(f"{live_site.url}/matches/{match.code}/")
    left, right = (
        page.locator(f".hand[data-place={side}]").bounding_box()["x"] for side in ("left", "right")
    )

    assert left < right
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_score_sheet_leads_to_a_deal_and_the_address_keeps_it(
    english: Any, live_site: LiveSite, match: Table
) -> None:
    english.goto(f"{live_site.url}/matches/{match.code}/")
    english.click(".score-sheet a[href='#2']")
    english.keyboard.press("ArrowRight")
    english.reload()

    assert place(english) == "#2.1"
    assert english.input_value("[data-deal-title] select") == "1"


def test_browser_finds_that_the_decks_fit_the_secret(english: Any, live_site: LiveSite, match: Table) -> None:
    english.goto(f"{live_site.url}/matches/{match.code}/")
    english.click("[data-check-now]")
    english.wait_for_selector("[data-checks] li")

    assert english.locator("[data-checks] .fits").count() == 3
    assert english.locator("[data-checks] .differs").count() == 0


def test_decks_of_another_salt_are_found_out(english: Any, live_site: LiveSite, match: Table) -> None:
    def spoil(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(
            response=answer, body=answer.text().replace(f'"salt": "{match.salt}"', '"salt": "another"')
        )

    english.route(f"**/matches/{match.code}/", spoil)
    english.goto(f"{live_site.url}/matches/{match.code}/")
    english.click("[data-check-now]")
    english.wait_for_selector("[data-checks] li")

    decks = match.deals.count()
    assert english.locator("[data-checks] li").nth(0).get_attribute("class") == "fits"
    assert f"0 of {decks} decks fit — does not fit" in english.inner_text("[data-checks]")


def log_in(page: Any, site: LiveSite, path: str) -> None:
    page.goto(f"{site.url}/accounts/login/?next={path}")
    page.fill("[name=login]", make_user().username)
    page.fill("[name=password]", PASSWORD)
    page.press("[name=password]", "Enter")
    page.wait_for_url(f"**{path}")


def open_table(page: Any) -> str:
    """Sends the form of a new table; the code of the table it leads to."""
    page.click("[data-new-table] button.primary")
    page.wait_for_url(lambda url: url.endswith("/") and "/new/" not in url)
    return str(page.url).split("/")[-2]


def test_new_table_appears_in_the_lobby_by_itself(english: Any, arabic: Any, live_site: LiveSite) -> None:
    # Once its bell socket is open the page asks for the list.
    with english.expect_response("**/tables/?part=tables*"):
        english.goto(f"{live_site.url}/tables/")
    log_in(arabic, live_site, "/tables/new/")

    english.wait_for_selector(f"[data-table='{open_table(arabic)}']")


def test_form_offers_only_the_targets_of_the_chosen_rules(english: Any, live_site: LiveSite) -> None:
    log_in(english, live_site, "/tables/new/")
    offered = {}
    for ruleset in ("kotchina", "kings"):
        english.check(f"[name=ruleset][value={ruleset}]")
        offered[ruleset] = english.locator("[name=target]:enabled").evaluate_all(
            "all => all.map((one) => one.value)"
        )
    english.check("[name=target][value='61']", force=True)

    assert offered == {"kotchina": ["31"], "kings": ["31", "41", "61"]}
    assert Table.objects.get(code=open_table(english)).target == 61

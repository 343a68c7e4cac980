"""A tournament made in a minute, and its entrants brought in from a file, as a person does it."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from accounts.models import User
from accounts.notices import notify
from tests.factories import PASSWORD, make_user
from tests.live import LiveSite
from tests.tournaments.scenes import NOW, make_tournament
from tournaments.models import Member, Tournament
from tournaments.rosters import read_roster
from tournaments.services import importing
from tournaments.services.matching import Comparison
from tournaments.sheets import read_rows

pytestmark = pytest.mark.browser
LIST = "الفريق;اللاعب 1;اللاعب 2\r\nنسور;كريم;نادين\r\nذئاب;هادي;\r\n".encode("cp1256")


@pytest.fixture
def page(browser: Any, live_site: LiveSite) -> Iterator[Any]:
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, locale="en", timezone_id="Asia/Damascus"
    )
    context.add_cookies([{"name": "django_language", "value": "en", "url": live_site.url}])
    page = context.new_page()
    page.set_default_timeout(40_000)
    page.goto(f"{live_site.url}/accounts/login/?next=/tournaments/new/")
    page.fill("[name=login]", make_user().username)
    page.fill("[name=password]", PASSWORD)
    page.press("[name=password]", "Enter")
    page.wait_for_url("**/tournaments/new/")
    yield page
    context.close()


def test_tournament_is_made_from_a_preset_and_its_entrants_come_from_a_file(page: Any, live_site: LiveSite):
    said = page.locator("[data-preview-here]")
    page.fill("[name=name]", "كأس الشام")
    start = page.input_value("[name=starts_at]")
    page.click("[data-preset][href='?preset=swiss']")
    page.wait_for_url("**/?preset=swiss")
    carried = (page.input_value("[name=name]"), page.input_value("[name=starts_at]"))

    page.fill("[name=capacity]", "8")
    page.fill("[name=rounds]", "7")
    page.press("[name=rounds]", "Tab")
    said.get_by_text("In 7 rounds 8 pairs all meet each other.").wait_for()
    page.check("[name=format][value=stages]", force=True)
    shown = page.locator("[data-stage]:visible").count()
    page.check("[name=format][value=swiss]", force=True)
    page.fill("[name=rounds]", "3")
    page.click(".inner-fold summary >> visible=true")
    page.select_option("[name=tiebreak_1]", "median_buchholz")
    page.check("[name=ruleset][value=kings]")
    page.check("[name=target][value='61']", force=True)
    page.click("button[value=published]")
    page.wait_for_url(lambda url: "/new/" not in url)
    made = Tournament.objects.get()

    assert carried == ("كأس الشام", start)
    assert shown == 3
    assert (made.format, made.settings, made.time_zone, made.ruleset, made.target, made.state) == (
        "swiss",
        {"rounds": 3, "tiebreaks": ["median_buchholz"]},
        "Asia/Damascus",
        "kings",
        61,
        "open",
    )

    page.goto(f"{live_site.url}{made.get_absolute_url()}import/")
    page.set_input_files("[name=file]", files=[{"name": "l.csv", "mimeType": "text/csv", "buffer": LIST}])
    page.click("form[enctype] button")
    page.get_by_text("A pair has two players; one of them is missing.").wait_for()
    before = made.entries.count()
    page.click("button.primary")
    page.wait_for_url("**/claims/")

    assert (before, page.locator(".slip svg").count()) == (0, 2)
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_box_to_tick_stands_beside_its_label(page: Any) -> None:
    label = page.locator("label:has([name=third_place]:visible)")
    box, words = (label.locator(part).bounding_box() for part in ("input", "span"))

    assert box
    assert words
    assert box["x"] >= words["x"] + words["width"] or box["x"] + box["width"] <= words["x"]
    assert words["y"] <= box["y"] + box["height"] / 2 <= words["y"] + words["height"]


def test_place_is_taken_by_its_link_while_news_stand_there(page: Any, live_site: LiveSite) -> None:
    tournament = make_tournament(name="كأس الشام")
    roster = read_roster(read_rows(b"player 1,player 2\nFirst,Second\n"))
    seen = Comparison(tournament, roster).digest
    importing.import_entrants(
        tournament_id=tournament.pk, actor=tournament.organiser, roster=roster, seen=seen, now=NOW
    )
    member = Member.objects.get(entry__tournament=tournament, place=0)
    player = User.objects.filter(last_login__isnull=False).latest("last_login")
    with transaction.atomic():
        for number in range(4):
            notify([player], f"told-{number}", lambda: "A sentence of some length. " * 4, url="/", now=NOW)

    page.goto(f"{live_site.url}{tournament.get_absolute_url()}claim/{member.claim}/")
    page.locator("#news .news-item").first.wait_for()
    page.get_by_role("button", name="Take the place").click()
    page.wait_for_url(lambda url: "/claim/" not in url)

    member.refresh_from_db()
    assert member.user == player

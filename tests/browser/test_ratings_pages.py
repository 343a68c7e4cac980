"""Boards, a profile, a pair's page and one's own standing in a real browser, in both languages."""

import os
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Pair, User
from games.services import ratings
from tests.browser.pages import apart, session_of
from tests.factories import make_users
from tests.games.rated import played
from tests.live import LiveSite

pytestmark = pytest.mark.browser
SIZES = {"phone": (360, 740), "desktop": (1280, 900)}
# Where pictures go that somebody looks at; none by default.
SHOTS = os.environ.get("TARNEEB_SHOTS", "")


def prepare() -> tuple[User, Pair]:
    """Eight players who have played a season together, one of them unreliable."""
    users = make_users(8)
    User.objects.filter(pk__in=[user.pk for user in users]).update(club="النادي", club_key="x", country="SY")
    now = timezone.now()
    for number in range(60):
        four = [users[(number * step + start) % 8] for step, start in ((1, 0), (1, 2), (1, 4), (1, 7))]
        if len({user.pk for user in four}) == 4:
            away = [3, 0, 0, 0] if number in (57, 58) else [0] * 4
            played(four, number * 7 % 2, ended_at=now - timedelta(hours=12 * (60 - number)), idle=away)
    ratings.rate_finished(now=now)
    pair = Pair.objects.order_by("pk").first()
    assert pair is not None
    return pair.first, pair


@pytest.mark.parametrize("language", ["ar", "en"])
@pytest.mark.parametrize("size", SIZES)
def test_ratings_are_read_in_both_languages(
    browser: Any, live_site: LiveSite, people: tuple[User, Pair], language: str, size: str
) -> None:
    reader, pair = people
    apart(lambda: User.objects.filter(pk=reader.pk).update(language=language))
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, base_url=live_site.url)
    context.add_cookies([{"name": "sessionid", "value": session_of(reader), "url": live_site.url}])
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    paths = {
        "board": "/ratings/",
        "clubs": "/ratings/?kind=clubs",
        "profile": f"{reader.get_absolute_url()}#ratings",
        "pair": pair.get_absolute_url(),
        "standing": "/standing/",
    }
    for name, path in paths.items():
        page.goto(path)
        assert page.evaluate("document.documentElement.dir") == ("rtl" if language == "ar" else "ltr")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        if SHOTS:
            page.screenshot(path=f"{SHOTS}/{name}-{language}-{size}.png", full_page=True)
    page.goto(paths["profile"])
    # Time runs the way the page is read.
    xs = page.evaluate("[...document.querySelectorAll('.plot-spot')].map(e => Number(e.getAttribute('cx')))")
    assert xs == sorted(xs, reverse=language == "ar")
    assert len(xs) > 2
    page.click(".plot summary")
    assert page.locator(".plot-table tbody tr").count() == len(xs)
    context.close()
    assert faults == []


@pytest.fixture(scope="module")
def people(live_site: LiveSite) -> tuple[User, Pair]:
    return prepare()

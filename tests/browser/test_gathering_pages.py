"""Coming together in a real browser: a partner, strangers, an invitation while one does something else."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import Invitation, Seek, Table
from games.services import invitations, quick
from tests.browser.pages import DESKTOP, PHONE, apart, new_table, session_of
from tests.browser.test_accessibility import complaints
from tests.factories import make_user, make_users
from tests.live import LiveSite

pytestmark = pytest.mark.browser


@contextmanager
def page_of(
    browser: Any, site: LiveSite, user: User, size: tuple[int, int] = DESKTOP, language: str = "en"
) -> Iterator[Any]:
    """A page of that user. At the end nothing may have gone wrong in it."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    context.add_cookies(
        [
            {"name": "django_language", "value": language, "url": site.url},
            {"name": "sessionid", "value": session_of(user), "url": site.url},
        ]
    )
    page = context.new_page()
    page.set_default_timeout(40_000)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    yield page
    context.close()
    assert faults == []


def wish_of(user: User) -> Seek | None:
    return apart(lambda: Seek.objects.filter(user=user).first())


def test_partners_find_each_other_and_strangers_from_wherever_they_are(
    browser: Any, live_site: LiveSite
) -> None:
    one, partner = make_user("Nadim"), make_user("Rima")
    with (
        page_of(browser, live_site, one, PHONE, "ar") as asking,
        page_of(browser, live_site, partner) as asked,
    ):
        asked.goto(f"{live_site.url}/rules/")
        asking.goto(f"{live_site.url}/play/")
        asking.fill("[name=partner]", "rim")
        asking.wait_for_selector("datalist option[value=Rima]", state="attached")
        asking.fill("[name=partner]", "rima")
        asking.click(".quick-form .play")
        asking.wait_for_selector(".seeking")
        # On a page that has nothing to do with it.
        asked.wait_for_selector("#news:not([hidden])")
        assert asked.inner_text("[data-news-count]") == "1"
        assert complaints(asked) == []
        asked.click("#news [value=yes]")
        asked.wait_for_selector(".seeking-seats .here:nth-child(2)")
        asking.wait_for_selector(".seeking-seats .here:nth-child(2)")
        assert asking.evaluate("document.documentElement.scrollWidth") == PHONE[0]
        assert complaints(asking) == []
        # Loaded again, the page keeps its place.
        before = wish_of(one)
        asking.reload()
        asking.wait_for_selector(".seeking-seats .here:nth-child(2)")
        after = wish_of(one)
        assert before is not None
        assert after is not None
        assert (after.pk, after.created_at) == (before.pk, before.created_at)

        def seek_alone() -> None:
            for stranger in make_users(2):
                quick.seek(user=stranger, ruleset="kotchina", speed="normal", now=timezone.now())

        apart(seek_alone)
        for page in (asking, asked):
            page.wait_for_url("**/tables/*/")
        seats = apart(
            lambda: list(Table.objects.latest("pk").seats.order_by("number").values_list("user", flat=True))
        )
        assert abs(seats.index(one.pk) - seats.index(partner.pk)) == 2


def test_a_page_that_is_closed_is_soon_waited_for_no_longer(browser: Any, live_site: LiveSite) -> None:
    user = make_user()
    with page_of(browser, live_site, user) as page:
        page.goto(f"{live_site.url}/play/")
        # Once its bell socket is open the page asks for how it stands.
        with page.expect_response("**/play/seen/"):
            page.click(".quick-form .play")
        page.goto(f"{live_site.url}/rules/")
        for _ in range(100):
            wish = wish_of(user)
            if wish is None or wish.seen_at < timezone.now() - timedelta(seconds=9):
                break
            page.wait_for_timeout(50)

    assert wish is None or wish.seen_at < timezone.now() - timedelta(seconds=9)


@pytest.mark.parametrize("language", ["ar", "en"])
def test_invited_player_says_no_and_the_host_sees_it(
    browser: Any, live_site: LiveSite, language: str
) -> None:
    host, friend = make_users(2)
    table = new_table(host)
    with (
        page_of(browser, live_site, host, PHONE, language) as inviting,
        page_of(browser, live_site, friend, language=language) as invited,
    ):
        invited.goto(f"{live_site.url}/tournaments/")
        inviting.goto(f"{live_site.url}/tables/{table.code}/invitation/")
        inviting.fill("#invite-name", friend.username)
        inviting.click(".invite-by-name button")
        inviting.wait_for_selector(".invited li")
        assert complaints(inviting) == []
        invited.wait_for_selector("#news .news-item")
        invited.click("#news [data-quietly]")
        inviting.wait_for_selector("#news .news-item")
        invited.wait_for_selector("#news", state="hidden")
        assert invited.is_hidden("[data-news-count]")
        assert inviting.evaluate("document.documentElement.scrollWidth") == PHONE[0]
        inviting.click("#news .news-close")
        inviting.reload()
        inviting.wait_for_selector(".invited .bad")
        inviting.wait_for_timeout(1000)
        assert inviting.locator("#news .news-item").count() == 0

    assert apart(lambda: Invitation.objects.get(table=table).accepted) is False


def test_invitation_stays_out_of_sight_while_cards_are_in_play(browser: Any, live_site: LiveSite) -> None:
    host, friend, *others = make_users(5)
    table, played = new_table(host), None

    def play() -> Table:
        for user in (friend, *others):
            quick.seek(user=user, ruleset="kings", speed="slow", now=timezone.now())
        return Table.objects.latest("pk")

    played = apart(play)
    with page_of(browser, live_site, friend) as page:
        page.goto(f"{live_site.url}{played.get_absolute_url()}")
        page.wait_for_selector("#table[data-phase=auction]")
        apart(
            lambda: invitations.invite(
                table_code=table.code, user=host, name=friend.username, now=timezone.now()
            )
        )
        page.wait_for_selector("#news .news-item", state="attached")
        assert page.is_hidden("#news")


def test_filters_of_the_lobby_are_sent_by_choosing(browser: Any, live_site: LiveSite) -> None:
    with page_of(browser, live_site, make_user(), PHONE) as page:
        page.goto(f"{live_site.url}/tables/")
        page.select_option("[data-filters] [name=speed]", "slow")
        page.wait_for_url("**/tables/?ruleset=&speed=slow*")
        page.goto(f"{live_site.url}/tables/")
        assert page.input_value("[data-filters] [name=speed]") == "slow"
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]


def test_form_of_a_new_table_shows_seconds_only_where_they_are_chosen(
    browser: Any, live_site: LiveSite
) -> None:
    host = make_user()
    with page_of(browser, live_site, host) as page:
        page.goto(f"{live_site.url}/tables/new/")
        assert page.is_hidden("[name=turn_seconds]")
        page.check("[name=speed][value=custom]", force=True)
        page.fill("[name=turn_seconds]", "٢٥")
        page.fill("[name=bank_seconds]", "90")
        page.click("[data-new-table] button.primary")
        page.wait_for_url(lambda url: url.endswith("/") and "/new/" not in url)

    table = apart(lambda: Table.objects.get(host=host))
    assert (table.call_seconds, table.turn_seconds, table.bank_seconds) == (None, 25, 90)

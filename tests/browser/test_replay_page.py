"""The replay as one moves in it: tricks, one player's sight, paces, what was said, a link to all of it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from accounts.models import User
from games.diagrams import is_card
from games.models import ChatLine, Event, Table
from games.queries import record
from games.replays import replay_of
from tests.browser.pages import DESKTOP, PHONE, apart, session_of
from tests.factories import NOON, make_user, make_users
from tests.games.matches import make_match
from tests.live import LiveSite

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def players(live_site: LiveSite) -> list[User]:
    return [make_user("ليلى"), *make_users(3)]


@pytest.fixture(scope="module")
def match(players: list[User]) -> Table:
    table = make_match(players, code="MATCH", ruleset="classic")
    third = (
        Event.objects.filter(table=table, kind="act").order_by("version").values_list("version", flat=True)[2]
    )
    for user, text in ((players[1], "Well, well"), (players[2], "<b>so</b>")):
        ChatLine.objects.create(
            table=table, user=user, room="table", seat=0, text=text, version=third, at=NOON
        )
    return table


@contextmanager
def opened(
    browser: Any,
    site: LiveSite,
    path: str,
    reader: User | None = None,
    *,
    language: str = "en",
    size: tuple[int, int] = DESKTOP,
) -> Iterator[Any]:
    width, height = size
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=width < 700)
    cookies = {"django_language": language}
    if reader is not None:
        apart(lambda: User.objects.filter(pk=reader.pk).update(language=language))
        cookies["sessionid"] = apart(lambda: session_of(reader))
    context.add_cookies([{"name": name, "value": value, "url": site.url} for name, value in cookies.items()])
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.set_default_timeout(20_000)
    page.goto(site.url + path)
    yield page
    context.close()
    assert faults == []


def place(page: Any) -> str:
    return str(page.evaluate("location.hash"))


def edges(table: Table) -> list[int]:
    """After how many steps each trick of the first deal begins, and the last one ends."""
    steps = apart(lambda: replay_of(record(table)))["deals"][0]["steps"]
    first = next(place for place, step in enumerate(steps) if is_card(step["code"]))
    return [first + 4 * trick for trick in range(14)]


def test_tricks_are_stepped_through_by_keys_and_buttons(
    browser: Any, live_site: LiveSite, match: Table
) -> None:
    tricks = edges(match)
    with opened(browser, live_site, "/matches/MATCH/") as page:
        seen = []
        for _ in tricks:
            page.keyboard.press("Shift+ArrowRight")
            seen.append(place(page))
        page.keyboard.press("Shift+ArrowLeft")
        seen.append(place(page))
        page.click("[data-go=trick-back]")
        seen.append(place(page))
        page.keyboard.press("End")
        page.click("[data-go=trick-on]")
        seen.append(place(page))
        page.keyboard.press("End")
        page.keyboard.press("Home")
        seen.append(place(page))
        page.click("[data-begin]:text-is('5')")
        seen.append(place(page))

    assert seen == [
        *(f"#1.{step}" for step in tricks),
        f"#1.{tricks[12]}",
        f"#1.{tricks[11]}",
        "#2.0",
        "#2.0",
        seen[-1],
    ]
    assert seen[-1].startswith("#2.")


@pytest.mark.parametrize("seat", range(4))
def test_one_players_sight_holds_the_own_hand_and_what_was_played(
    browser: Any, live_site: LiveSite, match: Table, seat: int
) -> None:
    deal = apart(lambda: replay_of(record(match)))["deals"][0]
    count = edges(match)[3] + 2
    played = {step["code"] for step in deal["steps"][:count]}
    with opened(browser, live_site, f"/matches/MATCH/?seat={seat}#1.{count}") as page:
        shown = set(
            page.eval_on_selector_all(
                ".rank", "all => all.filter((one) => one.offsetParent).map((one) => one.dataset.code)"
            )
        )
        ahead = page.eval_on_selector_all(
            ".course .ahead",
            "all => all.filter((one) => getComputedStyle(one).visibility !== 'hidden').length",
        )
        link = page.get_attribute("[data-moment]", "href")
        page.select_option("[data-sight]", "")
        every = page.locator(".rank:visible").count()

    assert shown == set(deal["hands"][seat]) | (played & {code for hand in deal["hands"] for code in hand})
    assert (ahead, every) == (0, 52)
    assert link == f"{live_site.url}/matches/MATCH/?deal=1&act={count}&seat={seat}"


def test_a_link_to_a_moment_shows_the_same_to_others(browser: Any, live_site: LiveSite, match: Table) -> None:
    with opened(browser, live_site, "/tables/MATCH/?deal=2&act=3&seat=1", language="ar", size=PHONE) as page:
        assert (place(page), page.input_value("[data-sight]")) == ("#2.3", "1")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_it_plays_by_itself_at_the_chosen_pace_and_stops_at_the_end(
    browser: Any, live_site: LiveSite, match: Table
) -> None:
    last = match.deals.count()
    with opened(browser, live_site, f"/matches/MATCH/#{last}.0") as page:
        page.keyboard.press("End")
        end = place(page)
        for _ in range(3):
            page.keyboard.press("ArrowLeft")
        page.select_option("[data-speed]", "350")
        page.click("[data-go=run]")
        page.wait_for_selector("[data-go=on][aria-disabled=true]")
        page.wait_for_selector("[data-go=run][aria-pressed=false]")
        assert place(page) == end


def test_what_was_said_is_read_at_its_moment_by_whom_it_was_for(
    browser: Any, live_site: LiveSite, match: Table, players: list[User]
) -> None:
    with opened(browser, live_site, "/matches/MATCH/#1.2", players[0]) as page:
        before = page.locator(".replay-chat li").count()
        page.keyboard.press("ArrowRight")
        said = page.locator(".replay-chat li").all_inner_texts()
        page.keyboard.press("ArrowRight")
        now = page.locator(".replay-chat li.now").count()
    with opened(browser, live_site, "/matches/MATCH/#1.4") as page:
        others = page.locator(".replay-chat").is_visible()

    assert (before, now, others) == (0, 0, False)
    assert [line.split(": ")[1] for line in said] == ["Well, well", "<b>so</b>"]


@pytest.mark.parametrize("language", ["ar", "en"])
def test_pages_of_what_was_played_fit_a_phone(
    browser: Any, live_site: LiveSite, match: Table, players: list[User], language: str
) -> None:
    doors = [
        "matches/MATCH/#1.9",
        "matches/MATCH/print/",
        "players/ليلى/matches/",
        "players/ليلى/statistics/",
        "records/",
    ]
    with opened(browser, live_site, "/", players[0], language=language, size=(320, 568)) as page:
        wide = []
        for door in doors:
            page.goto(f"{live_site.url}/{door}")
            wide.append(page.evaluate("document.documentElement.scrollWidth > innerWidth"))

    assert dict(zip(doors, wide, strict=True)) == dict.fromkeys(doors, False)


def test_a_record_from_outside_is_replayed_in_place(
    browser: Any, live_site: LiveSite, match: Table, tmp_path: Any
) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps(apart(lambda: record(match))))
    with opened(browser, live_site, "/records/") as page:
        page.set_input_files("#record-file", file)
        page.click("main form button")
        page.wait_for_selector("[data-replay]:not([hidden])")
        page.keyboard.press("Shift+ArrowRight")
        assert place(page) == f"#1.{edges(match)[0]}"
        page.click("[data-check-now]")
        assert page.locator(".checks .fits").count() == 3

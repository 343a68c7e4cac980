"""The table page in real browsers at a real site: four play, one watches."""

from typing import Any

import pytest

from accounts.models import User
from tests.browser.pages import (
    DESKTOP,
    ON_ITS_SIDE,
    PHONE,
    SMALL_PHONE,
    act,
    cards_in,
    full_table,
    new_table,
    on_turn,
    opened,
)
from tests.factories import make_users
from tests.live import LiveSite

pytestmark = pytest.mark.browser

POINTS = ".score-sheet td:is(.gained, .lost, .nothing) > .score"
# What may be pressed but lies outside the screen; bids in a panel that scrolls can be brought into it.
OUTSIDE = """
() => [...document.querySelectorAll('#table :is(.hand, .asking, .top) button')]
  .filter((one) => one.checkVisibility({visibilityProperty: true}))
  .filter((one) => {
    const box = one.getBoundingClientRect();
    return box.left < -0.5 || box.top < -0.5 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5;
  })
  .filter((one) => {
    const panel = one.closest('.asking');
    return !(panel && panel.scrollHeight > panel.clientHeight && one.matches('.bid'));
  })
  .map((one) => one.dataset.act ?? one.dataset.card ?? one.className)
"""
# Of the score sheet beside the table and of the page around it.
ROOM = """
() => {
  const panel = document.querySelector('.scores-panel');
  return {
    scrolls: panel.scrollHeight > panel.clientHeight,
    beside: panel.scrollWidth - panel.clientWidth,
    page: document.documentElement.scrollHeight,
  };
}
"""
CENTRES = """
() => Object.fromEntries([...document.querySelectorAll('.seat[data-seat]')].map((seat) => {
  const box = seat.querySelector('.token').getBoundingClientRect();
  return [seat.dataset.seat, [Math.round(box.left + box.width / 2), Math.round(box.top + box.height / 2)]];
}))
"""


@pytest.fixture
def players() -> list[User]:
    return make_users(4)


def test_four_sit_down_and_play_a_deal_to_its_score_by_clicking_while_one_watches(
    live_site: LiveSite, browser: Any, players: list[User]
) -> None:
    table = new_table(players[0])
    with (
        opened(browser, live_site, table, players[0], size=PHONE, language="ar") as first,
        opened(browser, live_site, table, players[1], size=DESKTOP) as second,
        opened(browser, live_site, table, players[2], size=SMALL_PHONE) as third,
        opened(browser, live_site, table, players[3], size=ON_ITS_SIDE, language="ar") as fourth,
        opened(browser, live_site, table, None) as watcher,
    ):
        pages = [first, second, third, fourth]
        for seat, page in enumerate(pages):
            page.click(f'button[name="seat"][value="{seat}"]')
            page.wait_for_load_state()
        for page in [*pages, watcher]:
            page.wait_for_selector('#table[data-phase="auction"]')
        hands = [cards_in(page) for page in pages]
        assert [len(hand) for hand in hands] == [13, 13, 13, 13]
        assert len(set.union(*hands)) == 52
        assert cards_in(watcher) == set()

        seen: set[str] = set()
        while not watcher.locator(".score-sheet").count():
            mover = on_turn(pages)
            act(mover)
            shown = hands[0] & cards_in(third)
            fallen = cards_in(watcher)
            assert len(fallen) <= 8  # the trick on the table and the one before it
            seen |= fallen
            for _ in range(100):
                # The spectator's page may be a moment behind the player's.
                if shown <= seen:
                    break
                watcher.wait_for_timeout(100)
                seen |= cards_in(watcher)
            assert shown <= seen
        for page in pages:
            page.wait_for_selector(".score-sheet", state="attached")
        points = [page.locator(POINTS).all_text_contents() for page in pages]
        assert points[0] == points[2]
        assert points[1] == points[3] == points[0][::-1]
        assert sorted(points[0]) != ["0", "0"]

        watcher.set_viewport_size({"width": 1280, "height": 240})
        assert watcher.evaluate(ROOM) == {"scrolls": True, "beside": 0, "page": 240}


@pytest.mark.parametrize("ruleset", ["kotchina", "egyptian"])
@pytest.mark.parametrize("language", ["ar", "en"])
def test_every_control_of_the_auction_is_on_the_screen(
    live_site: LiveSite, browser: Any, players: list[User], ruleset: str, language: str
) -> None:
    table = full_table(players, ruleset)
    with opened(browser, live_site, table, players[0], language=language) as page:
        page.wait_for_selector('#table[data-phase="auction"]')
        bidder = next(user for user in players if user.username == page_of_turn(page, players))
    with opened(browser, live_site, table, bidder, language=language) as page:
        page.wait_for_selector(".turn.mine")
        for width, height in [
            (320, 568),
            (360, 640),
            (360, 740),
            (640, 360),
            (568, 320),
            (768, 1024),
            (1280, 800),
        ]:
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(100)
            assert (width, height, page.evaluate(OUTSIDE)) == (width, height, [])
            assert page.locator('[data-act="p"]').is_visible()
            assert page.evaluate("document.documentElement.scrollWidth") == width


def page_of_turn(page: Any, players: list[User]) -> str:
    """The name of the player on turn, as the page says it or as it is the reader's own."""
    if page.locator(".turn.mine").count():
        return players[0].username
    return str(page.locator(".turn .name").inner_text())


def test_the_table_lies_the_same_way_round_in_both_languages(
    live_site: LiveSite, browser: Any, players: list[User]
) -> None:
    table = full_table(players)
    centres = {}
    for language in ("ar", "en"):
        with opened(browser, live_site, table, players[1], size=DESKTOP, language=language) as page:
            page.wait_for_selector('#table[data-phase="auction"]')
            assert page.get_attribute("html", "dir") == {"ar": "rtl", "en": "ltr"}[language]
            centres[language] = {seat: x for seat, (x, _) in page.evaluate(CENTRES).items()}
    assert centres["ar"] == centres["en"]
    right, opposite, left = (centres["en"][seat] for seat in ("2", "3", "0"))
    assert left < opposite < right


def test_a_spectator_sees_seat_0_at_the_bottom_and_seat_1_on_the_right(
    live_site: LiveSite, browser: Any, players: list[User]
) -> None:
    table = full_table(players)
    with opened(browser, live_site, table, None, language="ar") as page:
        page.wait_for_selector('#table[data-phase="auction"]')
        places = page.evaluate(CENTRES)
    assert max(places, key=lambda seat: places[seat][0]) == "1"
    assert max(places, key=lambda seat: places[seat][1]) == "0"
    assert min(places, key=lambda seat: places[seat][1]) == "2"


def test_the_game_is_played_by_keys_alone(live_site: LiveSite, browser: Any, players: list[User]) -> None:
    table = full_table(players)
    with (
        opened(browser, live_site, table, players[0], size=DESKTOP) as first,
        opened(browser, live_site, table, players[1], size=DESKTOP) as second,
        opened(browser, live_site, table, players[2], size=DESKTOP) as third,
        opened(browser, live_site, table, players[3], size=DESKTOP) as fourth,
    ):
        pages = [first, second, third, fourth]
        for keys in (["1", "0"], ["p"], ["p"], ["p"], ["h"], ["ArrowRight", "Enter"]):
            mover = on_turn(pages)
            version = mover.get_attribute("#table", "data-version")
            for key in keys:
                mover.keyboard.press(key)
            mover.wait_for_selector(f'#table:not([data-version="{version}"])')
        for page in pages:
            page.wait_for_selector(".trick .playing-card")
        assert mover.locator(".taken").first.inner_text() == "0/10"
        assert mover.locator('.bar [data-suit="H"]').count() == 1
        assert mover.locator(".hand .playing-card").count() == 12

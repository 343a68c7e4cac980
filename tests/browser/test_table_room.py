"""Room on the table: what matters at a moment is whole and in sight at every size."""

from typing import Any

import pytest

from games.models import Table
from tests.browser.far_end import Server
from tests.browser.pages import opened
from tests.live import LiveSite

pytestmark = pytest.mark.browser

SIZES = [(320, 568), (360, 640), (360, 740), (568, 320), (740, 360), (820, 1100), (1360, 850)]
LYING = [[0, "9H"], [1, "QH"], [2, "4H"]]
LAST_TRICK = {"cards": [*LYING, [3, "2H"]], "winner": 1}
IN_PLAY = {"phase": "play", "turn": 3, "hand": [], "legal": [], "trick": LYING, "last_trick": None}
BETWEEN_DEALS: dict[str, Any] = {
    "phase": "deal",
    "turn": None,
    "contract": None,
    "trick": [],
    "last_trick": LAST_TRICK,
}
# Cards of the trick that lie partly outside the screen or higher than the partner, who sits beyond them.
ASTRAY = """
() => {
  const partner = document.querySelector('.top-seat .token').getBoundingClientRect();
  return [...document.querySelectorAll('.trick .playing-card')].filter((card) => {
    const box = card.getBoundingClientRect();
    const outside = box.left < 0 || box.right > innerWidth || box.top < 0 || box.bottom > innerHeight;
    return outside || box.top + box.height / 2 < partner.bottom;
  }).map((card) => card.dataset.card);
}
"""
# Whether the words that say whose turn it is reach into what is asked.
COVERED = """
() => {
  const asking = document.querySelector('.asking:not([hidden])').getBoundingClientRect();
  const turn = document.querySelector('.turn').getBoundingClientRect();
  return turn.left < asking.right && asking.left < turn.right && turn.top < asking.bottom && asking.top < turn.bottom;
}
"""


def test_the_last_trick_of_a_deal_is_whole_at_every_size(
    live_site: LiveSite, browser: Any, table: Table, server: Server
) -> None:
    with opened(browser, live_site, table, None, prepare=server.prepare) as page:
        page.emulate_media(reduced_motion="reduce")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            server.go_on(**IN_PLAY)
            page.wait_for_selector(f'#table[data-version="{server.version}"]')
            server.go_on(**BETWEEN_DEALS)
            page.wait_for_selector('#table[data-phase="deal"] .trick .playing-card[data-card="2H"]')
            assert (width, height, page.evaluate(ASTRAY)) == (width, height, [])


@pytest.mark.parametrize("language", ["ar", "en"])
def test_whose_turn_it_is_stands_beside_what_is_asked(
    live_site: LiveSite, browser: Any, table: Table, server: Server, language: str
) -> None:
    naming = {"phase": "trump", "turn": 2, "legal": ["tC", "tD", "tH", "tS"], "trick": []}
    calling = {"phase": "auction", "turn": 2, "legal": ["p", "b10", "b11"], "trick": []}
    with opened(browser, live_site, table, None, prepare=server.prepare, language=language) as page:
        for asked in (naming, calling):
            server.go_on(**asked)
            page.wait_for_selector(f'#table[data-phase="{asked["phase"]}"] .turn.mine')
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                page.wait_for_timeout(50)
                assert (width, height, page.evaluate(COVERED)) == (width, height, False)

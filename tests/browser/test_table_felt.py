"""The table as a pleasure: motion, sounds, cards chosen beforehand, settings, meter, time banks and the rematch."""

import re
from typing import Any

import pytest

from games.models import Table
from tests.browser.far_end import Server
from tests.browser.pages import DESKTOP, SMALL_PHONE, opened
from tests.live import LiveSite

pytestmark = pytest.mark.browser

LONGEST_MS = 250
# When each flight of a card that the page begins will be over.
WATCH_MOTION = """
window.flights = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) {
  const flight = animate.apply(this, how);
  window.flights.push(flight.effect.getComputedTiming().endTime);
  return flight;
};
"""
MOTION = "() => document.getAnimations().map((one) => one.effect.getComputedTiming().endTime)"
# Digits of the other system in what can be seen, outside of names, codes and the buttons that offer both.
WESTERN = """
() => {
  const texts = document.createTreeWalker(document.querySelector('#table'), NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) {
    const { textContent: text, parentElement: parent } = texts.currentNode;
    const seen = parent.checkVisibility({ visibilityProperty: true });
    if (seen && /[0-9]/.test(text) && !parent.closest('h1, bdi, code, kbd, .code, [data-setting]')) found.push(text);
  }
  return found;
}
"""
SMALL_TARGETS = """
() => [...document.querySelectorAll('#table :is(.top, .foot, .status, .felt) button')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .map((one) => [one.dataset.opens ?? one.className, one.getBoundingClientRect()])
  .filter(([, box]) => box.width < 43.5 || box.height < 43.5)
  .map(([name]) => name)
"""
COUNT_SOUNDS = """
window.sounds = 0;
const start = AudioBufferSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (...when) { window.sounds += 1; return start.apply(this, when); };
"""
OTHERS_TURN = {"turn": 1, "legal": [], "trick": [[0, "9H"]]}
MY_TURN = {"turn": 2, "legal": ["4H", "JH"], "trick": [[0, "9H"], [1, "QH"]]}


def press(page: Any, card: str) -> None:
    page.locator(f'.hand [data-card="{card}"]').click(position={"x": 10, "y": 10})


def played(page: Any, server: Server, count: int = 0) -> list[str]:
    """The cards that the page has played once it shows the newest view; `count` of them are waited for."""
    page.wait_for_selector(f'#table[data-version="{server.version}"]')
    for _ in range(200):
        page.wait_for_timeout(50)
        if len(server.acts) >= count:
            break
    return [frame["action"] for frame in server.acts]


def test_a_card_chosen_before_the_turn_is_played_when_it_does_what_was_meant(
    live_site: LiveSite, browser: Any, table: Table, server: Server
) -> None:
    server.view |= OTHERS_TURN
    with opened(browser, live_site, table, None, prepare=server.prepare) as page:
        note, chosen = page.locator(".note"), page.locator(".hand .chosen")

        press(page, "AS")  # hearts are led and held: a spade could never be played
        assert (chosen.count(), note.inner_text()) == (
            0,
            "You hold the suit that was led: choose a card of it.",
        )

        press(page, "JH")
        assert chosen.get_attribute("aria-pressed") == "true"
        press(page, "JH")
        server.go_on(**MY_TURN)
        assert (played(page, server), chosen.count()) == ([], 0)

        # Nothing is led yet: the card waits for its own suit …
        server.go_on(turn=3, legal=[], trick=[])
        press(page, "AS")
        server.go_on(**MY_TURN)
        assert played(page, server) == []
        assert note.inner_text() == "Ace of spades stays in your hand: hearts were led."

        # … and is not led by itself.
        server.go_on(turn=3, legal=[], trick=[])
        press(page, "4H")
        server.go_on(turn=2, legal=["4H", "JH", "AS"], trick=[])
        assert played(page, server) == []
        assert note.inner_text() == "4 of hearts stays in your hand: you lead this trick."

        server.go_on(**OTHERS_TURN)
        press(page, "JH")
        server.go_on(**MY_TURN)
        assert played(page, server, 1) == ["JH"]
        assert page.locator('.trick [data-card="JH"]').count() == 1


def test_a_discard_that_was_meant_is_played_and_so_is_the_last_card(
    live_site: LiveSite, browser: Any, table: Table, server: Server
) -> None:
    server.view |= {**OTHERS_TURN, "hand": ["4C", "AS"]}
    with opened(browser, live_site, table, None, prepare=server.prepare) as page:
        press(page, "AS")
        server.go_on(turn=2, legal=["4C", "AS"], trick=[[0, "9H"], [1, "QH"]])
        assert played(page, server, 1) == ["AS"]
        server.go_on(turn=3, legal=[], hand=["4C"], trick=[[0, "9H"], [1, "QH"], [2, "AS"]])
        server.show(id=server.acts[0]["id"])
        server.go_on(turn=2, legal=["4C"], trick=[])
        assert played(page, server, 2) == ["AS", "4C"]


def test_the_page_does_not_play_for_somebody_who_has_gone(
    live_site: LiveSite, browser: Any, table: Table, server: Server
) -> None:
    server.view |= {"hand": ["4C"], "legal": ["4C"], "trick": []}
    server.view["seats"][2]["away"] = True
    with opened(browser, live_site, table, None, prepare=server.prepare) as page:
        page.wait_for_timeout(700)
        assert played(page, server) == []
        server.view["seats"][2]["away"] = False
        server.go_on()
        assert played(page, server, 1) == ["4C"]


@pytest.mark.parametrize("reduced", [False, True])
def test_motion_is_short_and_holds_up_nothing(
    live_site: LiveSite, browser: Any, table: Table, server: Server, reduced: bool
) -> None:
    deck = [rank + suit for suit in "CDHS" for rank in "AKQJT98765432"]
    server.view |= {"phase": "deal", "turn": None, "trick": [], "hand": [], "legal": []}

    def prepare(page: Any) -> None:
        page.emulate_media(reduced_motion="reduce" if reduced else "no-preference")
        page.add_init_script(WATCH_MOTION)
        server.prepare(page)

    with opened(browser, live_site, table, None, prepare=prepare) as page:
        dealt = {"phase": "play", "deal": 3, "turn": 2, "hand": deck[:13], "legal": deck[:13]}
        server.go_on(**dealt, last_trick=None)
        page.wait_for_selector(".hand .playable")
        assert len(page.evaluate("window.flights")) == (0 if reduced else 13)
        page.locator('.hand [data-card="AC"]').dispatch_event("click")
        assert played(page, server, 1) == ["AC"]
        assert max(page.evaluate(MOTION), default=0) <= LONGEST_MS

        # What comes faster than it can move is shown as it stands in the end.
        for at in range(40):
            cards = [[seat, deck[13 + (at + seat) % 39]] for seat in range(at % 3 + 1)]
            server.go_on(hand=deck[1:13], legal=[], turn=3, trick=cards)
        page.wait_for_selector(f'#table[data-version="{server.version}"]')
        flights = page.evaluate("window.flights")
        assert max(flights, default=0) <= LONGEST_MS
        assert (flights == []) == reduced
        page.wait_for_timeout(LONGEST_MS + 50)
        shown = page.locator(".trick .playing-card").evaluate_all("all => all.map((one) => one.dataset.card)")
        assert shown == [card for _, card in server.view["trick"]]


def test_settings_change_cards_and_digits_at_once_and_are_kept(
    live_site: LiveSite, browser: Any, table: Table, server: Server
) -> None:
    server.view |= {"bank_seconds": 60, "bank_ms": [60000, 5000, 60000, 0], "call_seconds": 30}
    with opened(browser, live_site, table, None, size=DESKTOP, prepare=server.prepare) as page:
        page.click('[data-opens="menu"]')
        page.click('[data-opens="settings"]')
        for setting, value in (("digits", "arabic"), ("indices", "arabic")):
            page.click(f'.settings [data-setting="{setting}"][data-value="{value}"]')
        page.check('.settings [data-setting="trumpFirst"]')
        assert page.locator(".settings [data-preview]").inner_text().split() == [
            "Us",
            "١٢",
            "·",
            "Them",
            "−٧",
            "·",
            "٤/٩",
            "·",
            "١٨",
            "s",
        ]
        page.keyboard.press("Escape")
        for _ in range(2):
            assert page.locator(".bar-side .score").all_inner_texts() == ["\u2212١", "٦"]
            assert page.locator('.hand [data-card="JH"] use').evaluate_all(
                "all => all.map((one) => one.getAttribute('href').split('#')[1])"
            ) == ["art-JH", "arabic-J"]
            assert page.evaluate(WESTERN) == []
            page.reload()
            page.wait_for_selector(".hand .playing-card")


def test_sounds_wait_for_a_touch_and_are_silenced_by_one_click(
    live_site: LiveSite, browser: Any, table: Table, server: Server
) -> None:
    def prepare(page: Any) -> None:
        page.add_init_script(COUNT_SOUNDS)
        server.prepare(page)

    def heard(page: Any) -> int:
        """How many sounds a card of another player's makes."""
        before = page.evaluate("window.sounds")
        server.go_on(turn=1, legal=[], trick=[])
        server.go_on(turn=1, legal=[], trick=[[0, "9H"]])
        page.wait_for_selector(f'#table[data-version="{server.version}"]')
        return int(page.evaluate("window.sounds")) - before

    with opened(browser, live_site, table, None, prepare=prepare) as page:
        switch = page.locator(".sound-switch")
        assert (switch.get_attribute("aria-pressed"), heard(page)) == ("true", 0)
        page.locator(".felt").click(position={"x": 180, "y": 160})
        page.wait_for_timeout(200)
        assert heard(page) == 1
        switch.click()
        assert (switch.get_attribute("aria-pressed"), heard(page)) == ("false", 0)
        page.reload()
        page.wait_for_selector(".hand .playing-card")
        assert switch.get_attribute("aria-pressed") == "false"


def test_the_meter_says_what_is_taken_and_what_is_needed(
    live_site: LiveSite, browser: Any, table: Table, server: Server
) -> None:
    with opened(browser, live_site, table, None, size=DESKTOP, prepare=server.prepare) as page:
        marks = [
            page.locator(f".bar .mark.{kind}").count() for kind in ("for", "free", "against", "free.post")
        ]
        assert marks == [7, 3, 3, 1]
        assert page.locator(".bar-need").inner_text() == "needs 2 of the 3 left"
        sides = page.locator(".meter-sides > div").all_inner_texts()
        assert [re.sub(r"\s+", " ", side) for side in sides] == [
            "Us 7 needs 2 of the 3 left",
            "Them 3 2 tricks bring it down",
        ]
        server.go_on(tricks=[7, 5])
        page.locator(".bar-need.lost").get_by_text("Contract failed").wait_for()
        server.go_on(tricks=[9, 3])
        page.locator(".bar-need.made").get_by_text("Contract made").wait_for()
        page.set_viewport_size(dict(zip(("width", "height"), SMALL_PHONE, strict=True)))
        assert page.evaluate(SMALL_TARGETS) == []
        for opener, shown in (
            ('[data-opens="calls"]', ".calls-part"),
            (".bar", ".score-sheet"),
            ('.foot [data-opens="last"]', 'dialog[data-dialog="last"]'),
        ):
            page.locator(opener).click()
            page.locator(shown).wait_for()
            page.keyboard.press("Escape")


def test_the_time_bank_runs_after_the_own_seconds_and_neither_falls_below_nothing(
    live_site: LiveSite, browser: Any, table: Table, server: Server
) -> None:
    server.view |= {"bank_seconds": 60, "deadline_ms": 3000, "bank_ms": [60000, 42000, 1500, 0]}
    with opened(browser, live_site, table, None, prepare=server.prepare) as page:
        bank, own = page.locator(".turn .bank"), page.locator(".turn .seconds")
        assert (bank.is_visible(), own.is_visible()) == (False, True)
        assert page.locator('.felt [data-bank="0"]').inner_text() == "1:00"
        page.wait_for_selector("#table.banking")
        assert (bank.is_visible(), own.is_visible()) == (True, False)
        page.wait_for_selector("#table:not(.banking)")
        assert own.inner_text() == "0"

        # The same turn told again, by a frame that was faster, does not make the clock jump; more time does.
        server.go_on(turn=1, legal=[], deadline_ms=40000)
        server.go_on(deadline_ms=40700)
        page.wait_for_selector(f'#table[data-version="{server.version}"]')
        assert int(own.inner_text()) <= 40
        server.go_on(deadline_ms=55000)
        page.wait_for_selector(f'#table[data-version="{server.version}"]')
        assert int(own.inner_text()) > 40
        # A bot's turn has no clock; the banks stay in sight.
        server.go_on(turn=0, deadline_ms=None)
        page.wait_for_selector("#table.clockless")
        banks = [page.locator(f'[data-bank="{seat}"]').inner_text() for seat in range(4)]
        assert banks == ["1:00", "42", "2", "0"]


def test_a_rematch_is_asked_for_taken_back_and_led_to(
    live_site: LiveSite, browser: Any, table: Table, server: Server
) -> None:
    server.view |= {
        "phase": "over",
        "turn": None,
        "deadline_ms": None,
        "trick": [],
        "hand": [],
        "legal": [],
        "result": {"kind": "target", "winner": 0, "advances": 0, "score": [31, 6]},
        "secret": "ab" * 32,
        "votes": {"absence": {}, "rematch": {"0": "same", "2": "rotate"}},
        "next": None,
    }
    with opened(browser, live_site, table, None, prepare=server.prepare) as page:
        assert page.locator(".wishes li").all_inner_texts() == [
            "North wants a rematch, same sides",
            "Waiting for East",
            "Waiting for West",
            "It begins once all want the same.",
        ]
        page.get_by_role("button", name="Rematch, other partners").click()
        page.get_by_role("button", name="Rematch, same sides").click()
        server.go_on()
        page.wait_for_selector(f'#table[data-version="{server.version}"]')
        votes = [frame for frame in server.frames if frame["type"] == "vote"]
        assert votes == [{"type": "vote", "on": "rematch", "choice": choice} for choice in (None, "same")]
        server.go_on(next=table.code)
        page.get_by_role("link", name="To the rematch").wait_for()
        with page.expect_navigation(timeout=4000):
            pass
        assert page.url == f"{live_site.url}{table.get_absolute_url()}"

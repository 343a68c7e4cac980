"""What the table page does when the line to the server misbehaves. The line here is the test's own."""

from typing import Any

import pytest

from games.models import Table
from games.protocol import WIRE
from tests.browser.far_end import VIEW, Server
from tests.browser.pages import opened
from tests.live import LiveSite

pytestmark = pytest.mark.browser


def hand_of(page: Any) -> list[str]:
    return [card.get_attribute("data-card") for card in page.locator(".hand .playing-card").all()]


def play(page: Any, card: str) -> None:
    page.locator(f'.hand [data-card="{card}"]').click(position={"x": 10, "y": 10})


def test_a_double_click_sends_one_act(
    live_site: LiveSite, browser: Any, table: Table, server: Server
) -> None:
    with opened(browser, live_site, table, None, prepare=server.prepare) as page:
        page.locator('.hand [data-card="JH"]').dblclick(position={"x": 10, "y": 10})
        page.keyboard.press("Enter")
        server.heard(page)
        page.wait_for_timeout(200)
        assert [(frame["action"], frame["version"]) for frame in server.acts] == [("JH", 17)]
        assert hand_of(page) == ["AS", "4H"]
        assert page.locator('.trick [data-card="JH"]').count() == 1


def test_a_refused_act_is_explained_and_undone(
    live_site: LiveSite, browser: Any, table: Table, server: Server
) -> None:
    with opened(browser, live_site, table, None, prepare=server.prepare) as page:
        play(page, "JH")
        page.wait_for_selector('.trick [data-card="JH"]')
        sentence = "The table had moved on meanwhile."
        server.send(
            {
                "type": "refused",
                "id": server.acts[0]["id"],
                "code": "stale",
                "message": sentence,
                "version": 17,
            }
        )
        page.get_by_role("alert").get_by_text(sentence).wait_for()
        assert hand_of(page) == ["AS", "JH", "4H"]
        assert page.locator('.trick [data-card="JH"]').count() == 0


def test_an_act_without_an_answer_is_sent_again_under_the_same_id_on_the_next_line(
    live_site: LiveSite, browser: Any, table: Table, server: Server
) -> None:
    with opened(browser, live_site, table, None, prepare=server.prepare) as page:
        play(page, "4H")
        server.heard(page)
        server.sockets[0].close(code=1012)
        for _ in range(100):
            if len(server.acts) == 2:
                break
            page.wait_for_timeout(50)
        assert len(server.sockets) == 2
        assert server.acts[0] == server.acts[1]


def test_an_older_view_than_the_one_shown_is_not_drawn(
    live_site: LiveSite, browser: Any, table: Table, server: Server
) -> None:
    with opened(browser, live_site, table, None, prepare=server.prepare) as page:
        server.version = 16
        server.view["score"] = [99, 99]
        server.show()
        page.wait_for_timeout(150)
        assert page.locator(".bar-side .score").all_inner_texts() == ["\u22121", "6"]
        server.version = 17
        server.show()
        page.locator(".bar-side .score").get_by_text("99").first.wait_for()


@pytest.mark.parametrize(
    ("code", "words"),
    [(4401, "You have been logged out"), (4403, "You may not watch"), (4404, "There is no such table")],
)
def test_some_ends_of_the_line_are_final(
    live_site: LiveSite, browser: Any, table: Table, server: Server, code: int, words: str
) -> None:
    with opened(browser, live_site, table, None, prepare=server.prepare) as page:
        server.sockets[0].close(code=code)
        page.locator(".connection.final").get_by_text(words).wait_for()
        page.wait_for_timeout(1500)
        assert len(server.sockets) == 1


def test_who_is_away_comes_back_by_one_click(
    live_site: LiveSite, browser: Any, table: Table, server: Server
) -> None:
    server.view["seats"][2]["away"] = True
    with opened(browser, live_site, table, None, prepare=server.prepare) as page:
        page.get_by_role("button", name="Take your seat back").click()
        assert server.heard(page) == [{"type": "back"}]


def test_a_phrase_is_sent_by_its_name_and_shown_at_the_seat_that_says_it(
    live_site: LiveSite, browser: Any, table: Table, server: Server
) -> None:
    with opened(browser, live_site, table, None, prepare=server.prepare) as page:
        page.locator(".foot [data-opens=talk]").click()
        page.get_by_role("button", name="Well played!").click()
        assert server.heard(page) == [{"type": "say", "phrase": "well-played"}]
        server.send({"type": "said", "seat": 0, "phrase": "thanks"})
        page.locator(".top-seat .bubble").get_by_text("Thank you!").wait_for()


def test_names_are_text_and_never_markup(
    live_site: LiveSite, browser: Any, table: Table, server: Server
) -> None:
    server.view["seats"][0]["name"] = "<img src=x onerror=alert(1)>"
    server.view["seats"][1]["name"] = "\u202eabc" + "\u0301" * 50
    with opened(browser, live_site, table, None, prepare=server.prepare) as page:
        assert page.locator(".top-seat .name").inner_text() == "<img src=x onerror=alert(1)>"
        assert page.locator("#table img").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_the_end_of_a_deal_says_what_was_bid_taken_and_scored(
    live_site: LiveSite, browser: Any, table: Table, server: Server
) -> None:
    server.view |= {"tricks": [8, 4], "hand": ["4H"], "legal": ["4H"], "trick": [[0, "9H"], [1, "QH"]]}
    with opened(browser, live_site, table, None, prepare=server.prepare) as page:
        server.version = 19
        server.view |= {
            "phase": "deal",
            "turn": None,
            "hand": [],
            "legal": [],
            "contract": None,
            "trick": [],
            "tricks": [0, 0],
            "last_trick": {"cards": [[0, "9H"], [1, "QH"], [2, "4H"], [3, "KH"]], "winner": 3},
            "score": [-10, 11],
            "changes": [[7, 0], [-8, 6], [-9, 5]],
            "sheet": [*VIEW["sheet"], {"contract": VIEW["contract"], "tricks": [8, 5]}],
            "ended": {"contract": VIEW["contract"], "tricks": [8, 5], "change": [-9, 5]},
            "counted": 3,
            "deadline_ms": 6000,
        }
        server.show()
        end = page.locator(".ending")
        end.wait_for()
        assert end.locator(".deal-facts").text_content() == "South bid 9 and took 8"
        assert end.locator(".why").inner_text() == "The contract failed by one trick: \u22129 and +5"
        assert end.locator(".deal-total").all_inner_texts() == ["\u221210", "11"]
        server.version = 20
        server.view |= {
            "phase": "auction",
            "turn": 0,
            "deal": 3,
            "calls": [],
            "last_trick": None,
            "ended": None,
        }
        server.show()
        end.wait_for(state="hidden")


def test_a_page_older_than_the_server_loads_itself_anew_once(
    live_site: LiveSite, browser: Any, table: Table, server: Server
) -> None:
    with opened(browser, live_site, table, None, prepare=server.prepare) as page:
        assert page.locator("#table").get_attribute("data-socket").endswith(f"?wire={WIRE}")
        with page.expect_navigation():
            server.sockets[-1].close(code=4426)
        page.wait_for_selector(".hand [data-card]")
        page.evaluate("window.still = true")
        server.sockets[-1].close(code=4426)
        page.wait_for_timeout(1500)
        assert page.evaluate("window.still")
        assert hand_of(page) == ["AS", "JH", "4H"]

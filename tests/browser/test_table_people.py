"""The people at a table: who is there, what they say, decide and agree on; what ears and keys get of it."""

from typing import Any

import pytest

from accounts.models import User
from games.models import Report, Table
from tests.browser.far_end import Server
from tests.browser.pages import DESKTOP, apart, new_table, opened
from tests.factories import make_user
from tests.live import LiveSite

pytestmark = pytest.mark.browser

IN_WORDS = {"text": "<img src=x onerror=alert(1)> https://example.org \u202eabc", "room": "table", "line": 7}


@pytest.fixture
def server() -> Server:
    """A table with all that a view can say of people: free chat, spectators, votes."""
    server = Server()
    more = {"free_chat": True, "rated": False, "absence": "vote", "watching": 2, "watch_delay": 0}
    server.view |= more | {"votes": {"absence": {}, "rematch": {}}, "resign": []}
    return server


@pytest.fixture
def user(live_site: LiveSite) -> User:
    return make_user(language="en")


@pytest.fixture
def table(user: User) -> Table:
    return new_table(user)


def heard(page: Any) -> str:
    """What a screen reader was told last."""
    return str(page.locator("[data-part=spoken] p").last.text_content()).translate(
        {ord("\u2068"): None, ord("\u2069"): None}
    )


def told(page: Any, words: str) -> None:
    """Returns once a screen reader has been told so."""
    page.locator("[data-part=spoken] p", has_text=words).first.wait_for(state="attached")


def test_each_seat_says_who_is_there_and_who_plays_for_whom(
    live_site: LiveSite, browser: Any, table: Table, user: User, server: Server
) -> None:
    seats = server.view["seats"]
    seats[0] |= {"presence": "away", "away": True, "sitting_in": True}
    seats[1] |= {"presence": "reconnecting", "connected": False, "guest": True}
    seats[3] |= {"presence": "gone", "away": True, "connected": False}
    with opened(browser, live_site, table, user, prepare=server.prepare, size=DESKTOP) as page:
        plates = {place: page.locator(f".{place}-seat .plate") for place in ("top", "left", "right")}
        assert plates["top"].locator(".stand-in").text_content() == "(bot) for North"
        marks = {place: plate.locator(".state-mark").all_inner_texts() for place, plate in plates.items()}
        assert marks == {"top": ["away"], "left": ["reconnecting"], "right": ["gone"]}
        assert plates["left"].locator(".guest-mark").inner_text() == "(guest)"
        seats[1] |= {"presence": "here", "connected": True}
        server.go_on()
        told(page, "is back")
        assert heard(page) == "East is back."


def test_those_present_decide_about_who_is_away_and_the_owner_comes_back_by_one_click(
    live_site: LiveSite, browser: Any, table: Table, user: User, server: Server
) -> None:
    server.view["seats"][1] |= {"away": True, "sitting_in": True, "presence": "away"}
    server.view["votes"]["absence"] = {"0": "wait"}
    with opened(browser, live_site, table, user, prepare=server.prepare) as page:
        panel = page.locator("[data-part=absence]")
        panel.locator("summary").click()
        assert "2 voices are needed" in panel.inner_text()
        assert (
            panel.get_by_role("button", name="Wait").locator(".voices").inner_text()
            == "1 · \u2068North\u2069"
        )
        panel.get_by_role("button", name="Wait").click()
        panel.get_by_role("button", name="Close the table").click()
        votes = [{"type": "vote", "on": "absence", "choice": choice} for choice in ("wait", "close")]
        page.wait_for_timeout(100)
        assert server.said == votes
        server.go_on(votes={"absence": {"0": "wait", "2": "wait"}, "rematch": {}})
        panel.locator("summary").get_by_text("The table waits").wait_for()
        panel.get_by_role("button", name="Wait").click()
        page.wait_for_timeout(100)
        assert server.said[-1] == {"type": "vote", "on": "absence", "choice": None}
        server.view["seats"][1] |= {"away": False, "sitting_in": False, "presence": "here"}
        server.view["seats"][2] |= {"away": True, "sitting_in": True, "presence": "away"}
        server.go_on()
        panel.get_by_role("button", name="Take your seat back").click()
        page.wait_for_timeout(100)
        assert server.said[-1] == {"type": "back"}


def test_resigning_is_asked_confirmed_and_agreed_on_by_both_partners(
    live_site: LiveSite, browser: Any, table: Table, user: User, server: Server
) -> None:
    with opened(browser, live_site, table, user, prepare=server.prepare) as page:
        strip, dialog = page.locator("[data-part=resign]"), page.locator("[data-dialog=resign]")
        page.locator(".top [data-opens=menu]").click()
        page.get_by_role("button", name="Resign the match…").click()
        assert "as soon as \u2068North\u2069 agrees" in dialog.inner_text()
        dialog.get_by_role("button", name="Resign").click()
        server.go_on(resign=[2])
        strip.get_by_role("button", name="Take it back").click()
        server.go_on(resign=[])
        strip.wait_for(state="hidden")
        server.go_on(resign=[0])
        strip.get_by_role("button", name="Resign…").click()
        assert "The match ends at once" in dialog.inner_text()
        dialog.get_by_role("button", name="Play on").click()
        strip.get_by_role("button", name="Play on").click()
        strip.wait_for(state="hidden")
        choices = [(frame["on"], frame["choice"]) for frame in server.said]
        assert choices == [("resign", "yes"), ("resign", None)]


def test_what_is_written_is_plain_text_heard_by_all_and_muted_by_one_click(
    live_site: LiveSite, browser: Any, table: Table, user: User, server: Server
) -> None:
    apart(lambda: make_user("North"))
    with opened(browser, live_site, table, user, prepare=server.prepare, size=DESKTOP) as page:
        log = page.locator(".said li")
        before = {"line": 3, "seat": 1, "name": "East", "room": "table", "text": "Good evening"}
        server.send({"type": "chat", "room": "table", "lines": [before], "muted": []})
        for _ in range(2):
            server.send({"type": "said", "seat": 0, "name": "North", **IN_WORDS})
        server.send({"type": "said", "seat": 1, "phrase": "nice-trick"})
        log.nth(2).wait_for()
        texts = log.locator(".words").all_text_contents()
        assert texts == ["Good evening", IN_WORDS["text"], "Nicely taken!"]
        assert page.locator("#table img").count() == page.locator(".said a").count() == 0
        assert page.locator(".top-seat .bubble").text_content() == IN_WORDS["text"]
        assert heard(page) == "East: Nicely taken!"

        page.get_by_label("Write to the table").fill("  Hello there  ")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Bravo!").click()
        page.wait_for_timeout(100)
        assert server.said == [{"type": "say", "text": "Hello there"}, {"type": "say", "phrase": "bravo"}]

        page.locator(".top-seat .plate").click()
        page.get_by_role("button", name="Mute").click()
        page.locator(".top-seat .muted-mark").wait_for()
        assert log.locator(".words").all_text_contents() == ["Good evening", "Nicely taken!"]
        assert apart(lambda: list(user.mutes.values_list("muted__username", flat=True))) == ["North"]

        server.go_on(rated=True)
        page.get_by_text("Free words again between the deals").wait_for()
        assert page.locator(".say-form").count() == 0


def test_a_player_is_reported_with_a_reason_and_removed_by_the_host(
    live_site: LiveSite, browser: Any, table: Table, user: User, server: Server
) -> None:
    def seat_east() -> None:
        east = make_user("Reported")
        table.seats.filter(number=1).update(kind="player", user=east)

    apart(seat_east)
    server.view["seats"][1]["name"] = "Reported"
    with opened(browser, live_site, table, user, prepare=server.prepare) as page:
        page.locator(".left-seat .plate").click()
        page.get_by_role("button", name="Report…").click()
        page.get_by_label("left or stalled on purpose").check()
        page.get_by_label("In your words, if you like").fill("Gone at 30:29")
        page.get_by_role("button", name="Send the report").click()
        page.get_by_text("The report has arrived").wait_for()
        server.go_on(phase="waiting")
        page.get_by_text("Press a player to remove them").wait_for()
        page.locator(".left-seat .plate").click()
        with page.expect_navigation():
            page.get_by_role("button", name="Remove from the table").click()
        page.wait_for_selector("#table[data-phase]")
    kept = apart(lambda: list(Report.objects.values_list("about__username", "reason", "text")))
    assert kept == [("Reported", "left", "Gone at 30:29")]
    assert apart(lambda: table.seats.get(number=1).kind) == "open"


def test_a_line_that_comes_back_says_what_happened_meanwhile_and_is_measured(
    live_site: LiveSite, browser: Any, table: Table, user: User, server: Server
) -> None:
    with opened(browser, live_site, table, user, prepare=server.prepare) as page:
        server.send({"type": "pong", "version": 17, "echo": "m1"})
        page.wait_for_timeout(100)
        assert server.frames == [{"type": "ping", "version": 17}, {"type": "echo", "echo": "m1"}]
        server.refuses = True
        server.sockets[-1].close(code=1012)
        box = page.locator("[data-part=connection]")
        box.get_by_text("The server is being restarted.").wait_for()
        server.view |= {
            "trick": [[0, "9H"], [1, "QH"], [2, "4H"]],
            "hand": ["JH", "AS"],
            "turn": 3,
            "legal": [],
        }
        server.version = 18
        server.refuses = False
        box.get_by_role("button", name="Try now").click()
        box.get_by_text("Connected again. ").wait_for()
        assert "4 of hearts" in box.inner_text()


def test_ears_get_calls_cards_tricks_turns_and_the_clock_and_keys_ask_again(
    live_site: LiveSite, browser: Any, table: Table, user: User, server: Server
) -> None:
    server.view |= {"deadline_ms": 30000}
    with opened(browser, live_site, table, user, prepare=server.prepare, size=DESKTOP) as page:
        assert heard(page) == "Your turn."
        last = {"cards": [[0, "9H"], [1, "QH"], [2, "JH"], [3, "2H"]], "winner": 1}
        server.go_on(trick=[], last_trick=last, tricks=[7, 4], turn=1, legal=[], hand=["4H", "AS"])
        told(page, "takes the trick")
        assert heard(page) == ("South: Jack of hearts. West: 2 of hearts. East takes the trick. East's turn.")
        server.go_on(turn=2, legal=["4H", "AS"], trick=[[1, "3H"]], deadline_ms=10700)
        told(page, "left.")
        assert heard(page) == "10 seconds left."
        page.keyboard.press("r")
        assert heard(page) == (
            "Contract of South: 9 spades. Tricks: Us 7, Them 4. East: 3 of hearts. Your turn. "
            "Score: Us \u22121, Them 6."
        )
        page.keyboard.press("m")
        assert page.evaluate("document.activeElement.name") == "text"
        page.keyboard.type("s?")
        assert page.locator("[data-dialog=help]").get_attribute("open") is None

        server.go_on(phase="auction", legal=["p", "b10"], trick=[])
        page.locator('[data-act="p"]').focus()
        server.go_on(turn=3, legal=[])
        page.wait_for_selector(f'#table[data-version="{server.version}"]')
        assert page.evaluate("document.activeElement.closest('.hand') !== null")


def test_a_spectator_is_told_of_the_delay_and_talks_with_spectators_alone(
    live_site: LiveSite, browser: Any, table: Table, user: User, server: Server
) -> None:
    for key in ("hand", "legal", "resign"):
        del server.view[key]
    server.view |= {"you": None, "watch_delay": 30, "watching": 12}
    with opened(browser, live_site, table, user, prepare=server.prepare, size=DESKTOP) as page:
        panel = page.locator(".talk-panel")
        assert panel.locator(".watchers").inner_text().split("\n\n") == [
            "12 spectators",
            "You see the table 30 seconds later.",
        ]
        page.get_by_label("Write to the other spectators").fill("Fine play")
        page.keyboard.press("Enter")
        page.wait_for_timeout(100)
        assert server.said == [{"type": "say", "text": "Fine play"}]
        assert panel.locator(".phrase").count() == 0
    with opened(browser, live_site, table, None, prepare=server.prepare, size=DESKTOP) as page:
        page.get_by_text("Log in to talk with the other spectators.").wait_for()

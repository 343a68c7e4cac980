"""A championship of 16 pairs on the real site: made, entered, played, objected to, certified."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import Table
from tests.browser.pages import apart, session_of
from tests.factories import make_user, make_users
from tests.games.matches import finish
from tests.live import LiveSite
from tests.tournaments.scenes import arrive, end, lines, open_table
from tests.tournaments.test_live_site import eventually
from tournaments.models import Entry, Objection, Tournament
from tournaments.services import check_in, confirming, entry
from tournaments.tasks import adjudicate

pytestmark = pytest.mark.browser
PATIENCE = 40_000


class Event:
    """A tournament on the site, and a browser in which anybody of it may be."""

    def __init__(self, site: LiveSite, browser: Any) -> None:
        self.site, self.browser = site, browser
        self.organiser: User = apart(make_user)
        self.tournament = Tournament()

    @contextmanager
    def seen_by(self, user: User | None, path: str = "", language: str = "en") -> Iterator[Any]:
        """A page of the tournament, as that user sees it, or somebody who is not signed in."""
        context = self.browser.new_context(locale=language, timezone_id="Asia/Damascus")
        cookies = {"django_language": language}
        if user is not None:
            cookies["sessionid"] = apart(lambda: session_of(user))
        context.add_cookies(
            [{"name": name, "value": value, "url": self.site.url} for name, value in cookies.items()]
        )
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(self.site.url + (path if path.startswith("/") else self.address + path))
        yield page
        context.close()

    @property
    def address(self) -> str:
        return str(self.tournament.get_absolute_url())

    def click(self, user: User, path: str, button: str) -> None:
        """That user opens the page and presses the button; returns once the answer is there."""
        with self.seen_by(user, path) as page:
            press(page, button)

    def set(self, **fields: Any) -> None:
        """Fields of the tournament's row."""
        apart(lambda: Tournament.objects.filter(pk=self.tournament.pk).update(**fields))

    def state(self) -> str:
        return str(apart(lambda: Tournament.objects.get(pk=self.tournament.pk).state))


def press(page: Any, button: str) -> None:
    """Presses the button that sends a form, and waits for the page that answers."""
    with page.expect_navigation():
        page.locator(button).first.click()


def to(action: str) -> str:
    """The first button of the form with this address."""
    return f"form[action$='/{action}/'] button.primary"


def comes(claim: Callable[[], bool]) -> None:
    assert apart(lambda: eventually(claim))


def make(event: Event) -> None:
    """The organiser makes it of a preset, by clicking."""
    with event.seen_by(event.organiser, "/tournaments/new/?preset=championship") as page:
        page.fill("[name=name]", "كأس الشام")
        page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
        page.fill("[name=capacity]", "16")
        page.check("[name=best_of][value='1']", force=True)
        page.check("[name=late_policy][value=forfeit]", force=True)
        page.check("[name=pace][value=free]", force=True)
        page.uncheck("[name=verified_only]", force=True)
        page.uncheck("[name=third_place] >> visible=true", force=True)
        page.click("button[value=published]")
        page.wait_for_url(lambda url: "/new/" not in url)
    event.tournament = apart(Tournament.objects.get)


def enter_by_clicking(event: Event) -> list[User]:
    first, second = apart(lambda: make_users(2))
    with event.seen_by(first) as page:
        page.fill(".enter-line input", second.username)
        press(page, ".enter-line button")
    event.click(second, "", to("accept"))
    return [first, second]


def enter(event: Event) -> Entry:
    now = timezone.now()
    first, second = make_users(2)
    made = entry.enter(tournament_id=event.tournament.pk, user=first, partner=second, now=now)
    return entry.accept(tournament_id=event.tournament.pk, entry_number=made.number, user=second, now=now)


def gather(event: Event) -> tuple[Entry, Entry]:
    """17 pairs enter and all but one check in: who was not there, and who waited."""
    clicking = [enter_by_clicking(event) for _ in range(2)]
    others = [apart(lambda: enter(event)) for _ in range(15)]
    absent, waiting = others[-2:]
    with event.seen_by(apart(lambda: waiting.members.get(place=0).user)) as page:
        assert page.get_by_text("You are on the waiting list:").count() == 1
    event.set(starts_at=timezone.now() + timedelta(minutes=35))
    for pair in clicking:
        event.click(pair[0], "", to("check-in"))
    for one in others:
        if one != absent:
            apart(partial(say_there, event, one))
    return absent, waiting


def say_there(event: Event, one: Entry) -> None:
    user = one.members.get(place=0).user
    assert user is not None
    check_in.check_in(tournament_id=event.tournament.pk, user=user, now=timezone.now())


def begin(event: Event, absent: Entry, waiting: Entry) -> None:
    """Registration is closed, the seeds are looked at, and it starts."""
    event.click(event.organiser, "desk/", "button[name=act][value=close]")
    with event.seen_by(event.organiser, "seeding/") as page:
        assert page.locator(".seed-list li").count() == 16
        assert page.locator(".meetings li").count() == 8
        press(page, to("start"))
    apart(event.tournament.refresh_from_db)
    seeds = apart(lambda: {e.number: e.seed for e in event.tournament.entries.all()})
    assert event.state() == "running"
    assert (seeds[absent.number], seeds[waiting.number] is None) == (None, False)


def come_late(event: Event, pairing: str) -> None:
    """One side of the match is there; the clock for the other runs out."""
    row = apart(lambda: open_table(event.tournament, pairing))
    apart(lambda: arrive(row.table, 0, 2))
    past = timezone.now() - timedelta(seconds=1)
    apart(lambda: event.tournament.tables.filter(pk=row.pk).update(late_at=past))
    event.set(due_at=past)
    comes(lambda: lines(event.tournament)[pairing][1:] == ("done", "forfeit", row.sides[0]))


def player(event: Event, ident: str) -> User:
    """Who entered the pair."""
    found: User = apart(
        lambda: event.tournament.entries.get(number=int(ident[1:])).members.select_related("user")[0].user
    )
    return found


def play_whole(event: Event, pairing: str) -> Table:
    """All the deals of a match are played at its table."""
    table = open_table(event.tournament, pairing).table
    users = [seat.user for seat in table.seats.order_by("number").select_related("user")]
    return finish(table, users, ended_at=timezone.now())


def confirm_by_clicking(event: Event, pairing: str) -> tuple[str, str]:
    """The result is held until somebody of either side says that it is right: who has won, and who has lost."""
    table = apart(lambda: play_whole(event, pairing))
    adjudicate.delay(table.pk)
    rows = event.tournament.tables.filter(pairing=pairing)
    comes(lambda: rows.get().state == "held")
    sides: list[str] = apart(lambda: rows.get().sides)
    event.click(player(event, sides[0]), "", "form[action$='/confirm/'] button")
    one_side = apart(lambda: rows.get().state)
    event.click(player(event, sides[1]), "", "form[action$='/confirm/'] button")
    assert (one_side, apart(lambda: rows.get().state)) == ("held", "recorded")
    return sides[table.winner or 0], sides[1 - (table.winner or 0)]


def become_referee(event: Event) -> User:
    """Somebody takes the role by its link."""
    with event.seen_by(event.organiser, "officials/") as page:
        page.check("[name=role][value=referee]")
        press(page, "button[name=act][value=invite]")
        link = page.locator(".link-card a").first.get_attribute("href")
    judge: User = apart(make_user)
    event.click(judge, link[link.index("/tournaments/") :], "main form button.primary")
    return judge


def newest_table(event: Event, pairing: str) -> str:
    return str(event.tournament.tables.filter(pairing=pairing).latest("attempt").table.code)


def object_and_correct(event: Event, pairing: str, winner: str, loser: str) -> None:
    """Who lost objects to a card; a referee looks at it, sees what would follow, and decides so."""
    with event.seen_by(player(event, loser), "object/") as page:
        page.select_option("#match", apart(lambda: newest_table(event, pairing)))
        page.fill("#deal", "2")
        page.fill("#act", "7")
        page.fill("#text", "The points were written the wrong way round.")
        press(page, "button[name=act][value=object]")
    with event.seen_by(become_referee(event), "objections/") as page:
        press(page, "button[name=act][value=take]")
        page.locator(".objection.open a.button").click()
        page.wait_for_url(lambda url: url.endswith("#2.7"))
        page.go_back()
        press(page, ".objection-answer a.primary")
        decision = page.locator(f"#decide-{pairing}".replace(".", "\\."))
        decision.locator("details").first.evaluate("fold => fold.open = true")
        form = decision.locator("form[action$='/decide/']:has([name=objection])")
        sides = apart(lambda: lines(event.tournament)[pairing][0])
        form.locator(f"[name=score_{sides.index(winner)}]").fill("12")
        form.locator(f"[name=score_{sides.index(loser)}]").fill("31")
        with page.expect_navigation():
            form.locator("button[name=choice][value=correct-target]").click()
        changes = page.locator(".changes li").count()
        before = apart(lambda: lines(event.tournament)[pairing][3])
        page.fill("[name=reason]", "They were; the other pair has won.")
        press(page, to("decide"))
    after = apart(lambda: lines(event.tournament)[pairing][3])
    assert (changes > 0, before, after) == (True, winner, loser)
    objection = apart(Objection.objects.get)
    assert (objection.state, objection.deal, objection.act) == ("upheld", 2, 7)


def wait_until_held(event: Event, pairings: list[str]) -> None:
    held = event.tournament.tables.filter(pairing__in=pairings, state="held")
    assert eventually(lambda: held.count() == len(pairings))


def play_out(event: Event) -> None:
    """The other matches: the worker takes the result of each, and the organiser confirms it for both."""
    open_rows = event.tournament.tables.filter(state="open")
    for _ in range(4):
        pairings = list(open_rows.values_list("pairing", flat=True))
        for table in [end(event.tournament, name) for name in pairings]:
            adjudicate.delay(table.pk)
        wait_until_held(event, pairings)
        for name in pairings:
            confirming.confirm(
                tournament_id=event.tournament.pk, pairing=name, user=event.organiser, now=timezone.now()
            )


def certificate(event: Event, language: str) -> tuple[str, str, list[str], list[str]]:
    """The page of the certificates in this language: its language and direction, the titles in both."""
    with event.seen_by(None, "certificate/", language) as page:
        root = page.locator("html")
        arabic, english = (
            page.locator(f".sheet section[lang={lang}] h1").all_inner_texts()[:2] for lang in ("ar", "en")
        )
        return root.get_attribute("lang"), root.get_attribute("dir"), arabic, english


def test_championship_is_played_from_its_preset_to_its_certificates(
    live_site: LiveSite, browser: Any
) -> None:
    event = Event(live_site, browser)
    make(event)
    begin(event, *gather(event))
    come_late(event, "R1.1")
    object_and_correct(event, "R1.3", *confirm_by_clicking(event, "R1.3"))
    apart(lambda: play_out(event))
    finished = event.state()
    event.click(event.organiser, "organise/", to("certify"))

    certificates = [certificate(event, language) for language in ("ar", "en")]

    assert (finished, event.state()) == ("finished", "certified")
    assert certificates == [
        ("ar", "rtl", ["الأبطال", "المركز الثاني"], ["Champions", "Second place"]),
        ("en", "ltr", ["الأبطال", "المركز الثاني"], ["Champions", "Second place"]),
    ]

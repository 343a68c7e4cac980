"""Every page of a tournament on a phone held upright, everything in it called as long as it may be: none is wider."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from tests.browser.pages import PHONE, apart, session_of
from tests.factories import make_user
from tests.live import LiveSite
from tests.tournaments.drawn import drawn
from tests.tournaments.scenes import enter_pair, make_tournament
from tournaments.models import Act, Announcement, State, Tournament

pytestmark = pytest.mark.browser

# Sixty letters without a space, of the widest there are.
LONG = {"ar": "ض" * 60, "en": "W" * 60}
TABS = ("overview", "bracket", "standings", "schedule", "results", "entrants", "rules")
PUBLIC = (
    *(f"?tab={tab}" for tab in TABS),
    *("?tab=bracket&view=rounds", "?tab=bracket&view=square", "?tab=bracket&road=e1", "?tab=standings&of=e1"),
    *("files/", "sharing/", "screen/", "calls/", "embed/", "embed/?show=standings"),
)
OFFICIAL = (
    *("organise/", "desk/", "seeding/", "log/", "officials/", "objections/", "settings/", "announce/"),
    *("certify/", "import/", "claims/"),
)
DECISION = "decide/?type=correct&pairing=R1.1&outcome=target&score_0=12&score_1=31"
TIEBREAKS = ["wins", "score_difference", "buchholz", "sonneborn_berger", "lot"]
LIST = "team,player_1,player_2,club\n{0},{0},{1},{0}\n"
# What reaches out of the page, and what could be pressed but is cut off: neither is seen.
WIDE = """() => {
    const page = document.scrollingElement;
    const box = (e) => e.getBoundingClientRect();
    const out = (e) => box(e).width && (box(e).right > 361 || box(e).left < -1);
    const pushed = (e) => e && (["auto", "scroll"].includes(getComputedStyle(e).overflowX) || pushed(e.parentElement));
    const cut = [...document.querySelectorAll("main :is(a, button, select, input, textarea, summary)")]
        .filter(e => e.checkVisibility() && !e.closest(".visually-hidden") && out(e) && !pushed(e.parentElement))
        .slice(0, 3).map(e => e.outerHTML.slice(0, 90));
    return page.scrollWidth <= 360 ? cut : [page.scrollWidth, ...[...document.querySelectorAll("main *, body > *")]
        .filter(out)
        .slice(0, 3).map(e => `${e.tagName}.${e.className}`)];
}"""


def long_words(tournament: Tournament, word: str) -> Tournament:
    """The tournament, with everything that people write of that length."""
    Tournament.objects.filter(pk=tournament.pk).update(name=word, description=word * 5)
    tournament.entries.update(name=word, club=word)
    for number, member in enumerate(tournament.members.all()):
        User.objects.filter(pk=member.user_id).update(username=f"{tournament.pk}x{number}{word}"[:20])
    actor, now = tournament.organiser, timezone.now()
    for role, member in zip(("organiser", "referee"), tournament.members.all(), strict=False):
        tournament.officials.create(user_id=member.user_id, role=role, since=now)
    later = now + timedelta(days=1)
    tournament.role_invites.create(role="referee", made_by=actor, made_at=now, expires_at=later)
    Announcement.objects.create(tournament=tournament, by=actor, text=word * 4, at=now)
    before = {"name": word, "description": ""}
    after = {"name": word[::-1], "description": f"https://example.org/{word * 5}"}
    for number, (kind, value) in enumerate(
        [("settings", after), ("announce", word * 4), ("pause", None)], 1000
    ):
        Act.objects.create(
            tournament=tournament,
            number=number,
            kind=kind,
            before=before if value else None,
            after=value,
            reason=word * 4,
            actor=actor,
            is_public=True,
            at=now,
        )
    return tournament


@pytest.fixture(params=["ar", "en"])
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def addresses(live_site: LiveSite, language: str) -> tuple[User, list[str], str]:
    """An organiser, the addresses of tournaments in every state, and that of one whose list is still open."""

    def made() -> tuple[User, list[str], str]:
        word, organiser = LONG[language], make_user()
        swiss = {"rounds": 4, "tiebreaks": TIEBREAKS}
        running = [
            drawn("single_elimination", 4, 2, organiser=organiser),
            drawn("swiss", 6, 4, organiser=organiser, settings=swiss),
        ]
        won = drawn("single_elimination", 2, 1, organiser=organiser)
        Tournament.objects.filter(pk=won.pk).update(state=State.FINISHED, finished_at=timezone.now())
        waiting = make_tournament(organiser=organiser)
        for _ in range(3):
            enter_pair(waiting)
        all_ = [long_words(one, word).get_absolute_url() for one in (*running, won, waiting)]
        found = [address + path for address in all_ for path in (*PUBLIC, *OFFICIAL)]
        return organiser, [*found, all_[0] + DECISION], all_[-1]

    return apart(made)


def test_no_page_of_a_tournament_is_wider_than_a_phone(
    live_site: LiveSite, browser: Any, addresses: tuple[User, list[str], str], language: str
) -> None:
    organiser, paths, waiting = addresses
    context = browser.new_context(viewport=dict(zip(("width", "height"), PHONE, strict=True)))
    session = apart(lambda: session_of(organiser))
    for name, value in (("django_language", language), ("sessionid", session)):
        context.add_cookies([{"name": name, "value": value, "url": live_site.url}])
    page = context.new_page()
    found: dict[str, Any] = {}
    for path in paths:
        answer = page.goto(live_site.url + path)
        found[path] = page.evaluate(WIDE) if answer.status == 200 else [f"status {answer.status}"]
    page.goto(f"{live_site.url}{waiting}import/")
    words = LONG[language]
    text = LIST.format(words, words[:20]).encode()
    page.set_input_files("[type=file]", {"name": "list.csv", "mimeType": "text/csv", "buffer": text})
    page.locator("form[enctype] .button").click()
    page.locator(".table-cards").first.wait_for()
    # The page is there before its style is.
    page.wait_for_load_state("load")
    found["the preview of a list"] = page.evaluate(WIDE)
    context.close()

    assert {path: wide for path, wide in found.items() if wide} == {}

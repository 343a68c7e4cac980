"""A championship of 16 pairs: results through the worker, certified by its organiser, certificates for anybody."""

from typing import Any

import pytest

from tests.browser.pages import apart, session_of
from tests.live import LiveSite
from tests.tournaments.scenes import end, started
from tests.tournaments.test_live_site import eventually
from tournaments.models import Tournament
from tournaments.tasks import adjudicate

pytestmark = pytest.mark.browser
PATIENCE = 20_000


def play_out(tournament: Tournament) -> list[int]:
    """How many matches each round had; the first side of each wins."""
    counts = []
    for number, matches in ((1, 8), (2, 4), (3, 2), (4, 1)):
        names = [f"R{number}.{place}" for place in range(1, matches + 1)]
        assert eventually(
            lambda names=names: tournament.tables.filter(pairing__in=names).count() == len(names)
        )
        for table in [end(tournament, name) for name in names]:
            adjudicate.delay(table.pk)
        counts.append(len(names))
    assert eventually(lambda: Tournament.objects.get(pk=tournament.pk).state == "finished")
    return counts


def test_championship_is_played_to_its_certificates(live_site: LiveSite, browser: Any):
    tournament = apart(lambda: started(16, name="كأس الشام"))
    counts = apart(lambda: play_out(tournament))
    context = browser.new_context(locale="en")
    context.add_cookies(
        [
            {"name": "django_language", "value": "en", "url": live_site.url},
            {
                "name": "sessionid",
                "value": apart(lambda: session_of(tournament.organiser)),
                "url": live_site.url,
            },
        ]
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(f"{live_site.url}{tournament.get_absolute_url()}organise/")
    page.locator("form[action$='/certify/'] button").first.click()
    certified = Tournament.objects.filter(pk=tournament.pk, state="certified")
    apart(lambda: eventually(certified.exists))
    state = apart(lambda: Tournament.objects.get(pk=tournament.pk).state)
    context.close()

    reader = browser.new_page()
    reader.goto(f"{live_site.url}{tournament.get_absolute_url()}certificate/")
    titles = {
        lang: reader.locator(f".sheet section[lang={lang}] h1").all_inner_texts()[:2] for lang in ("ar", "en")
    }
    reader.close()

    assert (counts, state) == ([8, 4, 2, 1], "certified")
    assert titles["en"] == ["Champions", "Second place"]
    assert len(set(titles["ar"])) == 2

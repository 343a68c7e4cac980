"""A real worker, a real browser: what is killed is done all the same, and who watches sees it."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from django.db import connection, transaction
from django.db.models import F, Q
from django.utils import timezone

from games.models import Heartbeat, Phase, Table
from games.services.outages import WEB
from tarneeb_site.celery import app
from tests.live import LiveSite, database_url
from tests.tournaments.scenes import (
    arrive,
    end,
    end_level,
    enter_pair,
    lines,
    make_tournament,
    open_table,
    started,
)
from tournaments.models import State, Tournament
from tournaments.queries import plan_of
from tournaments.services import rounds
from tournaments.services.served import NOTE
from tournaments.tasks import adjudicate

PATIENCE_SECONDS = 40


def eventually(claim: Callable[[], bool]) -> bool:
    """Whether the claim comes true while one may wait for it."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not claim():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


@contextmanager
def no_new_tables() -> Iterator[None]:
    """Within it, whoever would write a table row waits: in the middle of what they do."""
    with psycopg.connect(database_url()) as other:
        other.execute("lock table games_table in share mode")
        yield
        other.rollback()


def waiting_for_a_table() -> int:
    """How many transactions wait to open a table."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
            """ and query like 'INSERT INTO "games_table"%%'"""
        )
        return int(cursor.fetchone()[0])


def worker_is_idle() -> bool:
    """Whether the worker answers that it has nothing to do, now or next."""
    inspect = app.control.inspect()
    answers = [inspect.active(), inspect.reserved()]
    return all(answer and not any(answer.values()) for answer in answers)


@contextmanager
def nobody_else_adjudicates(site: LiveSite) -> Iterator[None]:
    """Within it no sweep comes between; after it the worker and the beat run again, whatever happened."""
    site.kill("beat")
    app.control.purge()
    assert eventually(worker_is_idle)
    try:
        yield
    finally:
        site.start("worker")
        site.start("beat")


def state_of(tournament: Tournament) -> tuple[Any, ...]:
    final = lines(tournament)["R2.1"]
    return tournament.log.count(), final[1], tournament.tables.filter(pairing="R2.1").count()


def test_worker_killed_in_the_middle_of_an_adjudication_does_no_harm(live_site: LiveSite):
    tournament = started(4)

    with nobody_else_adjudicates(live_site):
        last = [end(tournament, pairing) for pairing in ("R1.1", "R1.2")][1]
        with no_new_tables():
            adjudicate.delay(last.pk)
            in_the_middle = eventually(lambda: waiting_for_a_table() == 1)
            live_site.kill("worker")
        assert in_the_middle
        assert eventually(lambda: waiting_for_a_table() == 0)
        after_the_kill = state_of(tournament)

    assert after_the_kill == (0, "waiting", 0)
    assert eventually(lambda: state_of(tournament) == (2, "ready", 1))
    live_site.wait_until_green()


def four_tables() -> Tournament:
    """Eight pairs of whom some are late in five minutes; the cards of the third match are dealt, by the steward."""
    tournament = make_tournament()
    Tournament.objects.filter(pk=tournament.pk).update(late_minutes=5, call_minutes=2, turn_seconds=600)
    for _ in range(8):
        enter_pair(tournament)
    now = timezone.now()
    rounds.start(tournament_id=tournament.pk, actor=tournament.organiser, now=now)
    dealt = open_table(tournament, "R1.3").table
    arrive(dealt, 0, 1, 2, 3, at=now)
    Table.objects.filter(pk=dealt.pk).update(due_at=now)
    assert eventually(lambda: Table.objects.filter(pk=dealt.pk, phase=Phase.AUCTION).exists())
    return tournament


def let_pass(tournament: Tournament, time_: timedelta) -> None:
    """What is stored is older by so much, as it is after so long a time without the site."""
    noted = Heartbeat.objects.filter(Q(name__startswith=WEB) | Q(name=NOTE))
    with transaction.atomic():
        noted.update(at=F("at") - time_)
        Table.objects.filter(pairing__tournament=tournament).update(due_at=F("due_at") - time_)
        tournament.tables.update(call_at=F("call_at") - time_, late_at=F("late_at") - time_)


def play_out(tournament: Tournament) -> None:
    """Every table that is open ends with a result, and the worker takes it, until all is over."""
    left = tournament.tables.filter(state="open")
    while Tournament.objects.get(pk=tournament.pk).state == State.RUNNING:
        names = list(left.values_list("pairing", flat=True))
        for name in names:
            adjudicate.delay(end(tournament, name).pk)
        assert eventually(lambda names=names: not left.filter(pairing__in=names).exists())


def test_web_and_worker_killed_in_mid_event_cost_nobody_a_match(live_site: LiveSite):
    tournament = four_tables()
    dealt = open_table(tournament, "R1.3").table
    signs = Heartbeat.objects.filter(name__startswith=WEB), Heartbeat.objects.filter(name=NOTE)
    assert eventually(lambda: all(sign.exists() for sign in signs))

    for pairing in ("R1.1", "R1.2"):
        adjudicate.delay(end(tournament, pairing).pk)
    for name in ("worker", "web"):
        live_site.kill(name)
    # Longer than a turn, and than the time to come to a table.
    let_pass(tournament, timedelta(minutes=20))
    for name in ("web", "worker"):
        live_site.start(name)
    live_site.wait_until_green()

    outages = tournament.acts.filter(kind="outage")
    semifinal = tournament.tables.filter(pairing="R2.1", state="open")
    assert eventually(lambda: outages.exists() and semifinal.exists())
    late = open_table(tournament, "R1.4").late_at
    assert late is not None
    assert late > timezone.now()
    after = Table.objects.get(pk=dealt.pk)
    assert (after.version, after.idle) == (dealt.version, [0, 0, 0, 0])
    assert sorted(tournament.log.values_list("item__pairing", "item__kind")) == [
        ("R1.1", "target"),
        ("R1.2", "target"),
    ]

    play_out(tournament)

    tournament.refresh_from_db()
    assert [item["kind"] for item in tournament.log.values_list("item", flat=True)] == ["target"] * 7
    assert set(tournament.tables.values_list("attempt", "state")) == {(1, "recorded")}
    assert tournament.champion is not None
    assert plan_of(tournament).champion == tournament.champion.ident


@pytest.mark.browser
@pytest.mark.parametrize(("language", "word"), [("ar", "الجولة الأخيرة"), ("en", "last round")])
def test_browser_watches_the_bracket_move(live_site: LiveSite, browser: Any, language: str, word: str):
    tournament = started(4, name=f"كأس الشام {language}")
    first, second = open_table(tournament, "R1.1").sides
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_cookies([{"name": "django_language", "value": language, "url": live_site.url}])
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.goto(live_site.url + tournament.get_absolute_url())
    page.locator("#match-R1\\.2 summary").click()

    adjudicate.delay(end_level(tournament, "R1.1", 1, points=-7).pk)

    card = page.locator("#match-R1\\.1")
    card.locator(".side.won").wait_for(timeout=PATIENCE_SECONDS * 1000)
    assert card.locator(".reason").inner_text() == word
    assert card.locator(".score").all_inner_texts() == ["−7", "−7"]
    assert card.locator(".side.won .seed").inner_text() == str(
        tournament.entries.get(number=int(second[1:])).seed
    )
    names = page.locator("#match-R2\\.1 .side").first.inner_text()
    assert all(m.user.username in names for m in tournament.entries.get(number=int(second[1:])).members.all())
    # What the reader had open stays open.
    assert page.locator("#match-R1\\.2 details").get_attribute("open") is not None
    assert faults == []
    context.close()
    assert first != second


@pytest.mark.browser
@pytest.mark.parametrize(("language", "sign"), [("ar", -1), ("en", 1)])
def test_bracket_flows_the_way_one_reads(live_site: LiveSite, browser: Any, language: str, sign: int):
    tournament = started(8, name=f"Flow {language}")
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_cookies([{"name": "django_language", "value": language, "url": live_site.url}])
    page = context.new_page()
    page.goto(live_site.url + tournament.get_absolute_url())

    middles = [box["x"] for box in (page.locator(f"#round-R{n}").bounding_box() for n in (1, 2, 3))]
    heights = [page.locator(f"#match-R{n}").bounding_box() for n in ("1\\.1", "1\\.2", "2\\.1")]
    centres = [box["y"] + box["height"] / 2 for box in heights]

    assert sorted(middles, key=lambda x: sign * x) == middles
    assert abs((centres[0] + centres[1]) / 2 - centres[2]) < 2
    context.close()


@pytest.mark.browser
def test_bracket_on_a_phone_is_a_round_at_a_time(live_site: LiveSite, browser: Any):
    tournament = started(8, name="Phone")
    page = browser.new_page(viewport={"width": 360, "height": 740})
    page.goto(live_site.url + tournament.get_absolute_url())

    page.locator("[data-round='R3']").click()
    page.wait_for_function(
        """() => {
          const { left, right } = document.querySelector("#match-R3\\\\.1").getBoundingClientRect();
          return left >= 0 && right <= innerWidth;
        }""",
        timeout=PATIENCE_SECONDS * 1000,
    )

    final = page.locator("#match-R3\\.1").bounding_box()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert final["x"] >= 0
    assert final["x"] + final["width"] <= 360
    page.close()

"""What reviewers are shown; and that nobody else, and no card before its time, is."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.models import ChatLine, Report, Table
from review.models import Case, Outcome
from review.services import cases
from review.services.gathering import gather
from tests.factories import NOON, make_user, make_users
from tests.games.matches import make_match, make_match_in_play
from tests.review.scenes import HOUR, case_of, connected, reported, reviewer

pytestmark = pytest.mark.django_db


def browser(role: str = "superuser", **more: Any) -> Client:
    """A browser of a reviewer who reads English."""
    client = Client()
    client.force_login(reviewer(role, language="en", **more))
    return client


def text_of(client: Client, url: str, **query: object) -> str:
    response = client.get(url, query)
    assert response.status_code == 200, url
    return response.content.decode()


def listed(client: Client, **query: object) -> list[int]:
    """The numbers of the cases on a page of the desk."""
    page = text_of(client, reverse("review_desk"), **query)
    return [int(number) for number in re.findall(r'href="/review/cases/(\d+)/"', page)]


# The desk.


def test_the_desk_gathers_what_waits_and_lists_the_oldest_first() -> None:
    late, early = reported(at=NOON + HOUR), reported(at=NOON)
    numbers = listed(browser("moderator"))
    assert numbers == [early.filing.case_id, late.filing.case_id]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, ["fresh", "mine", "other"]),
        ({"state": "free"}, ["fresh"]),
        ({"state": "mine"}, ["mine"]),
        ({"state": "taken"}, ["other"]),
        ({"state": "closed"}, ["closed"]),
        ({"kind": "report"}, ["fresh", "mine", "other"]),
        ({"kind": "appeal"}, []),
        ({"age": "day"}, ["mine"]),
        ({"age": "week"}, []),
        ({"about": "FRESH"}, ["fresh"]),
        ({"about": "nobody"}, []),
        ({"state": "nonsense", "kind": "x", "age": "y"}, ["fresh", "mine", "other"]),
    ],
)
def test_the_desk_is_filtered_by_kind_state_age_and_person(query: dict[str, str], found: list[str]) -> None:
    now = timezone.now()
    me, other = reviewer("moderator", language="en"), reviewer("moderator")
    made = {
        name: case_of(reported(about=make_user(name.title()), at=now - timedelta(hours=age)))
        for name, age in (("fresh", 1), ("mine", 30), ("other", 2), ("closed", 3))
    }
    for name, who in (("mine", me), ("other", other), ("closed", other)):
        Case.objects.filter(pk=made[name].pk).update(claimed_by=who, claimed_at=now)
    Case.objects.filter(pk=made["closed"].pk).update(closed_at=now, outcome=Outcome.UPHELD)
    client = Client()
    client.force_login(me)
    by_number = {case.pk: name for name, case in made.items()}
    assert sorted(by_number[number] for number in listed(client, **query)) == sorted(found)


def test_the_second_reviewer_sees_who_has_taken_a_case() -> None:
    first = reviewer("moderator")
    case = case_of(reported())
    cases.claim(number=case.pk, actor=first, now=NOON)
    client = browser("moderator")
    pages = [text_of(client, reverse("review_desk")), text_of(client, case.get_absolute_url())]
    assert [first.username in page for page in pages] == [True, True]


@pytest.mark.parametrize("page", ["desk", "case", "table", "person", "log"])
def test_a_page_asks_the_same_number_of_queries_for_one_case_as_for_four(page: str) -> None:
    client, about = browser(), make_user()
    counts = []
    table = make_match(make_users(4))
    for _ in range(4):
        case = case_of(
            reported(make_match(make_users(4)) if page == "desk" else table, about=about, by=make_user())
        )
        url = {
            "desk": reverse("review_desk"),
            "case": case.get_absolute_url(),
            "table": reverse("review_table", args=[table.code]),
            "person": reverse("review_person", args=[about.username]),
            "log": reverse("review_log"),
        }[page]
        text_of(client, url)
        with CaptureQueriesContext(connection) as queries:
            text_of(client, url)
        counts.append(len(queries))
    assert (len(set(counts)), counts[0] < 45) == (1, True), counts


# A table.


def secrets_of(table: Table) -> list[str]:
    deck = table.deals.order_by("-index").values_list("deck", flat=True)[0]
    return [bytes(table.secret).hex(), deck, deck[:8]]


def test_no_call_and_no_card_of_a_match_in_play_is_shown_to_reviewers() -> None:
    table = make_match_in_play(make_users(4), seed="2")
    reported(table)
    page = text_of(browser(), reverse("review_table", args=[table.code]))
    codes = table.events.filter(kind="act").values_list("code", flat=True)
    cells = re.findall(r'<tr class="line-act">.*?</tr>', page, re.DOTALL)
    assert len(cells) == len(codes)
    assert [hidden in page for hidden in secrets_of(table)] == [False] * 3
    assert ["acted (hidden)" in cell and "suit" not in cell for cell in cells] == [True] * len(codes)
    assert "data-replay" not in page


def test_cards_stay_hidden_while_another_table_plays_them() -> None:
    table = make_match(make_users(4), seed="5")
    make_match_in_play(make_users(4), seed="5")
    page = text_of(browser(), reverse("review_table", args=[table.code]))
    assert ("data-replay" in page, 'class="suit' in page) == (False, False)


def test_the_timeline_of_a_finished_match_has_every_event_and_leads_into_the_replay() -> None:
    users = make_users(4)
    table = make_match(users)
    ChatLine.objects.create(table=table, user=users[1], seat=1, text="هيا بنا", version=3, at=NOON)
    connected(table, users[2], "went", NOON + HOUR / 60, address="abcdef0123", device="~99887766")
    table.seats.filter(number=3).update(arrived_at=NOON)
    page = text_of(browser(), reverse("review_table", args=[table.code]))
    assert re.findall(r'<tr class="line-arrived">.*?<bdi>(.*?)</bdi>', page, re.DOTALL) == [users[3].username]
    rows = re.findall(r'<tr class="line-(\w+)">', page)
    assert (rows.count("act"), rows.count("deal"), rows.count("chat"), rows.count("went")) == (
        table.events.filter(kind="act").count(),
        table.deals.count(),
        1,
        1,
    )
    assert ("data-replay" in page, 'href="#1.1"' in page, "هيا بنا" in page) == (True, True, True)
    assert ("@abcdef" in page, "#~99887" in page, "abcdef0123" in page) == (True, True, False)


@pytest.mark.parametrize(("role", "shown"), [("moderator", True), ("referee", True), ("support", False)])
def test_marks_are_not_for_everybody(role: str, shown: bool) -> None:
    users = make_users(4)
    table = make_match(users)
    connected(table, users[0], "came", NOON, address="abcdef0123")
    assert ("@abcdef" in text_of(browser(role), reverse("review_table", args=[table.code]))) is shown


@pytest.mark.parametrize(
    ("asked", "sections"), [("0", ["Before the first deal"]), ("2", ["Deal 2"]), ("999", ["last"])]
)
def test_one_deal_is_shown_where_one_is_asked_for(asked: str, sections: list[str]) -> None:
    table = make_match(make_users(4))
    page = text_of(browser(), reverse("review_table", args=[table.code]), deal=asked)
    found = re.findall(r"<summary><strong>(.*?)</strong>", page)
    titles = [one for one in found if re.match(r"Deal \d|Before", one)]
    assert titles == [section.replace("last", f"Deal {table.deals.count()}") for section in sections]


def test_a_table_in_small_letters_and_one_that_is_not_there() -> None:
    make_match(make_users(4), code="T1")
    client = browser()
    assert client.get("/review/tables/t1/")["Location"] == "/review/tables/T1/"
    assert client.get("/review/tables/NONE/").status_code == 404


def test_a_page_says_what_was_said_in_the_readers_language() -> None:
    client = Client()
    client.force_login(reviewer("superuser", language="ar"))
    case = case_of(reported())
    pages = [
        text_of(client, url)
        for url in (
            reverse("review_desk"),
            case.get_absolute_url(),
            reverse("review_table", args=[case.table.code]),
            reverse("review_person", args=[case.about.username]),
            reverse("review_hints"),
            reverse("review_log"),
        )
    ]
    assert ['dir="rtl"' in page for page in pages] == [True] * 6


def test_reports_about_one_player_at_one_table_are_one_case_and_a_later_one_opens_another() -> None:
    table = make_match(make_users(4))
    about, *others = [seat.user for seat in table.seats.order_by("number")]
    first = [reported(table, about=about, by=by) for by in others]
    gather(now=NOON)
    assert {report.filing.case_id for report in first} == {Case.objects.get().pk}
    Case.objects.update(closed_at=NOON, outcome=Outcome.DISMISSED)
    later = reported(table, about=about, by=make_user())
    assert (gather(now=NOON), later.filing.case.is_open, Case.objects.count()) == (1, True, 2)
    assert (gather(now=NOON), Report.objects.filter(filing=None).count()) == (0, 0)

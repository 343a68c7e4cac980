"""The end of a tournament: certified, put away, printed."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from games.models import Table
from tests.factories import make_user
from tests.games.services.races import refused
from tests.tournaments.scenes import NOW, adjudicate, end, started
from tournaments.console import Console
from tournaments.models import Tournament
from tournaments.services import certify, confirming, objections, rulings
from tournaments.services.refusals import Refused

pytestmark = pytest.mark.django_db


def finished(pairs: int = 2, **more) -> Tournament:
    tournament = started(pairs, **more)
    while tournament.state == "running":
        for row in tournament.tables.filter(state="open"):
            end(tournament, row.pairing)
        adjudicate(tournament)
        tournament.refresh_from_db()
    return tournament


# The time to object to the last match is over.
LATER = NOW + timedelta(minutes=16)


def by(tournament: Tournament, door, **more) -> str:
    asked = {"now": LATER} | more
    return door(tournament_id=tournament.pk, actor=tournament.organiser, **asked).state


def page(tournament: Tournament, language: str = "en", query: str = "") -> tuple[int, str]:
    client = Client()
    client.cookies["django_language"] = language
    response = client.get(f"{tournament.get_absolute_url()}certificate/{query}")
    return response.status_code, response.content.decode()


def test_finished_tournament_is_certified_put_away_and_both_are_taken_back():
    tournament = finished()

    states = [
        by(tournament, door) for door in (certify.certify, certify.certify, certify.archive, certify.archive)
    ]
    tournament.refresh_from_db()
    signed = tournament.certified_at, tournament.certified_by
    states += [by(tournament, certify.unarchive), by(tournament, certify.uncertify, reason="a wrong score")]
    tournament.refresh_from_db()

    assert states == ["certified", "certified", "archived", "archived", "certified", "finished"]
    assert (signed, tournament.certified_at) == ((LATER, tournament.organiser), None)
    acts = tournament.acts.filter(kind="state").order_by("-number").values_list("after", "reason")
    assert list(acts)[:4] == [
        ("finished", "a wrong score"),
        ("certified", ""),
        ("archived", ""),
        ("certified", ""),
    ]


def test_certified_result_is_not_corrected_until_it_is_taken_back():
    tournament = finished()
    item = {"type": "correct", "pairing": "R1.1", "kind": "target", "score": [0, 31]}
    by(tournament, certify.certify)

    with refused("certified"):
        rulings.decide(tournament_id=tournament.pk, actor=tournament.organiser, item=item, now=NOW)
    by(tournament, certify.uncertify, reason="a wrong score")
    rulings.decide(tournament_id=tournament.pk, actor=tournament.organiser, item=item, now=NOW)
    tournament.refresh_from_db()
    assert tournament.state == "finished"


def test_running_tournament_and_one_with_open_results_or_objections_are_not_certified():
    running, tournament = started(4), finished()
    with refused("not-over"):
        by(running, certify.certify)

    tournament.tables.update(state="held")
    with refused("results-open"):
        by(tournament, certify.certify)
    tournament.tables.update(state="recorded")
    made = tournament.entries.get(number=1)
    objection = tournament.objections.create(
        pairing="R1.1", entry=made, made_by=made.members.get(place=0).user, made_at=NOW, text="The last deal."
    )
    with refused("objections-open"):
        by(tournament, certify.certify)
    objection.state = "withdrawn"
    objection.save()
    assert by(tournament, certify.certify) == "certified"


@pytest.mark.parametrize("door", [certify.certify, certify.archive])
def test_referee_and_strangers_do_not_certify(door):
    tournament, referee = finished(), make_user()
    tournament.officials.create(user=referee, role="referee", since=NOW)

    for user, code in ((make_user(), "not-organiser"), (referee, "not-your-role")):
        with refused(code):
            door(tournament_id=tournament.pk, actor=user, now=NOW)


@pytest.mark.parametrize("language", ["en", "ar"])
def test_certificate_speaks_both_languages_and_is_there_once_the_result_is_certified(language: str):
    tournament = finished(4, third_place=True)
    before = page(tournament, language)[0]
    by(tournament, certify.certify)

    status, html = page(tournament, language)

    champion = tournament.entries.get(pk=Tournament.objects.get(pk=tournament.pk).champion_id)
    assert (before, status, html.count('<main class="sheet">')) == (404, 200, 3)
    assert all(html.count(f"<bdi>{member.shown}</bdi>") == 1 for member in champion.members.all())
    assert [html.count(words) for words in (">Champions<", ">Second place<", ">Third place<")] == [1, 1, 1]
    assert [html.count(words) for words in (">الأبطال<", ">المركز الثاني<", ">المركز الثالث<")] == [1, 1, 1]
    assert page(tournament, language, "?place=2")[1].count('<main class="sheet">') == 1


# The time to object


def confirm_for_both(tournament: Tournament, pairing: str) -> None:
    confirming.confirm(
        tournament_id=tournament.pk,
        pairing=pairing,
        user=tournament.organiser,
        now=NOW + timedelta(minutes=1),
    )


def test_certifying_waits_for_the_time_to_object_or_for_the_word_of_both():
    tournament = finished(4)
    soon = NOW + timedelta(minutes=14)
    with refused("time-to-object"):
        by(tournament, certify.certify, now=soon)
    waiting = [row.pairing for row in certify.still_provisional(tournament, soon)]
    for pairing in waiting:
        confirm_for_both(tournament, pairing)

    assert sorted(waiting) == ["R1.1", "R1.2", "R2.1"]
    assert by(tournament, certify.certify, now=soon) == "certified"


def test_who_does_not_wait_says_why_and_everybody_reads_it():
    tournament = finished()
    with refused("time-to-object"):
        by(tournament, certify.certify, reason="  ", now=NOW)
    assert by(tournament, certify.certify, reason="Both shook hands.", now=NOW) == "certified"
    act = tournament.acts.filter(kind="state").order_by("number").last()
    assert (act.after, act.reason, act.is_public) == ("certified", "Both shook hands.", True)


def end_page(tournament: Tournament, **data: str) -> tuple[int, str]:
    client = Client()
    client.cookies["django_language"] = "en"
    client.force_login(tournament.organiser)
    address = f"{tournament.get_absolute_url()}certify/"
    response = client.post(address, data, follow=True) if data else client.get(address)
    return response.status_code, " ".join(response.content.decode().split())


def test_page_of_the_end_names_what_is_left_and_shows_the_new_state():
    tournament = finished(4)
    Tournament.objects.filter(pk=tournament.pk).update(finished_at=NOW)
    tournament.tables.update(final_at=timezone.now() + timedelta(minutes=5))
    open_status, open_html = end_page(tournament)
    refused_status, refused_html = end_page(tournament, reason="")
    done_status, done_html = end_page(tournament, reason="Both shook hands.")

    assert (open_status, open_html.count("data-ago"), open_html.count("Certify before that")) == (200, 3, 1)
    assert (refused_status, refused_html.count('role="alert"')) == (400, 1)
    assert done_status == 200
    assert [done_html.count(words) for words in ("Certified by", "Both shook hands.")] == [1, 1]
    assert "Certify" not in done_html.replace("Certified", "")
    assert "Put into the archive" in done_html


def test_page_of_the_end_counts_what_has_to_be_done_first():
    tournament = finished()
    made = tournament.entries.get(number=1)
    tournament.objections.create(
        pairing="R1.1", entry=made, made_by=made.members.get(place=0).user, made_at=NOW, text="The last deal."
    )
    tournament.tables.update(state="held")
    _status, html = end_page(tournament)
    assert [html.count(words) for words in ("1 result is awaited.", "1 objection waits")] == [1, 1]
    assert "Certify the result" not in html


def test_console_says_when_the_end_waits_for_its_organiser():
    tournament = finished()
    console = Console(tournament, tournament.organiser)
    early = [matter.door for matter in console.matters]
    tournament.tables.update(final_at=NOW - timedelta(days=1))
    late = [matter.door for matter in Console(tournament, tournament.organiser).matters]
    by(tournament, certify.certify)
    tournament.refresh_from_db()
    over = [matter.door for matter in Console(tournament, tournament.organiser).matters]

    assert (early, late, over) == ([], ["tournament_certify"], [])


def test_objection_and_certification_at_once_are_one_after_the_other(transactional_db: None):
    tournament = finished()
    Table.objects.filter(pairing__tournament=tournament).update(started_at=NOW)
    loser = tournament.entries.get(number=int(tournament.tables.get().sides[1][1:])).members.get(place=0).user
    barrier, codes = threading.Barrier(2), {}

    def work(name: str, door: Any, **arguments: Any) -> None:
        barrier.wait()
        try:
            door(tournament_id=tournament.pk, now=NOW + timedelta(minutes=1), **arguments)
        except Refused as refusal:
            codes[name] = refusal.code
        connection.close()

    certifying = {"actor": tournament.organiser, "reason": "We all go home."}
    objecting = {"user": loser, "pairing": "R1.1", "text": "The last deal."}
    threads = [
        threading.Thread(target=work, args=["certify", certify.certify], kwargs=certifying),
        threading.Thread(target=work, args=["object", objections.object_to], kwargs=objecting),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert codes in ({"certify": "objections-open"}, {"object": "not-running"})

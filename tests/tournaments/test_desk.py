"""The officials' desk, the page of the seeds, and a pair's own doors, through the browser's requests."""

import re
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import make_user, make_users
from tests.tournaments.scenes import NOW, enter_pair, make_tournament, started
from tournaments.field import placed, seeded
from tournaments.models import Tournament
from tournaments.services import entry, registration

pytestmark = pytest.mark.django_db


def browser(user, language: str = "en") -> Client:
    client = Client()
    client.cookies["django_language"] = language
    client.force_login(user)
    return client


def at(tournament: Tournament, door: str = "") -> str:
    return tournament.get_absolute_url() + door


def words(response) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def act(tournament: Tournament, door: str, user=None, **fields: str) -> int:
    return browser(user or tournament.organiser).post(at(tournament, door), fields).status_code


def state(tournament: Tournament) -> str:
    return Tournament.objects.get(pk=tournament.pk).state


def ready(pairs: int, **more) -> Tournament:
    tournament = make_tournament(**more)
    for _ in range(pairs):
        enter_pair(tournament)
    return registration.close_registration(tournament_id=tournament.pk, actor=tournament.organiser, now=NOW)


@pytest.mark.parametrize("door", ["desk/", "seeding/"])
def test_desk_and_seeds_are_not_there_for_others(door: str):
    tournament = make_tournament()
    made = enter_pair(tournament)

    for user in (make_user(), made.members.get(place=0).user):
        assert browser(user).get(at(tournament, door)).status_code == 404
        assert act(tournament, door, user, act="close") == 404
    assert Client().get(at(tournament, door)).status_code == 302


def test_scorekeeper_checks_in_and_is_offered_nothing_else():
    tournament, scorer = make_tournament(check_in_minutes=30), make_user()
    tournament.officials.create(user=scorer, role="scorekeeper", since=NOW)
    enter_pair(tournament)

    page = words(browser(scorer).get(at(tournament, "desk/")))

    assert [text in page for text in ("Check in", "Take out", "Close registration", "Enter a pair")] == [
        True,
        False,
        False,
        False,
    ]
    assert act(tournament, "desk/", scorer, act="check-in", entry="e1") == 302
    assert act(tournament, "desk/", scorer, act="remove", entry="e1") == 400
    assert browser(scorer).get(at(tournament, "seeding/")).status_code == 404
    assert tournament.entries.get().checked_in_at is not None


def test_registration_is_moved_on_by_the_buttons_the_state_allows():
    tournament = make_tournament(draft=True)
    enter_pair_later = [("publish", "open"), ("close", "ready"), ("reopen", "open"), ("close", "ready")]

    for name, after in enter_pair_later:
        page = browser(tournament.organiser).get(at(tournament, "desk/")).content.decode()
        assert f'value="{name}"' in page
        assert (act(tournament, "desk/", act=name), state(tournament)) == (302, after)
    assert act(tournament, "desk/", act="open") == 400
    assert act(tournament, "desk/", act="explode") == 400


def test_pair_is_entered_rated_marked_and_taken_out_at_the_desk():
    tournament = make_tournament(check_in_minutes=30)
    layla, omar = make_user("Layla"), make_user("عمر")

    added = act(tournament, "desk/", act="add", first="Layla", second="عمر", name="Eagles", rating="١٦٠٠")
    made = tournament.entries.get()
    codes = [
        act(tournament, "desk/", act="rate", entry="1", rating="1700"),
        act(tournament, "desk/", act="check-in", entry="1"),
        act(tournament, "desk/", act="remove", entry="1"),
        act(tournament, "desk/", act="remove", entry="1"),
        act(tournament, "desk/", act="remove", entry="99"),
    ]

    assert (added, made.name, made.rating, codes) == (302, "Eagles", 1600, [302, 302, 302, 400, 404])
    made.refresh_from_db()
    assert (made.rating, made.withdrawn_at is None) == (1700, False)
    assert {layla, omar} == {member.user for member in made.members.all()}


def test_unknown_name_at_the_desk_is_said_beside_its_field():
    tournament = make_tournament()
    make_user("Layla")

    response = browser(tournament.organiser).post(
        at(tournament, "desk/"), {"act": "add", "first": "Layla", "second": "Nobody"}
    )

    assert (response.status_code, response.context["add_form"].errors) == (
        400,
        {"second": ["There is no player of this name."]},
    )


def test_guests_are_invited_by_name_and_taken_off():
    tournament = make_tournament(access="invited")
    layla, _omar = make_user("Layla"), make_user("عمر")

    assert act(tournament, "desk/", act="invite", names="Layla، عمر\nLayla") == 302
    assert act(tournament, "desk/", act="invite", names="Layla\nWhoever") == 400
    assert act(tournament, "desk/", act="uninvite", guest=str(layla.pk)) == 302
    assert [guest.user.username for guest in tournament.invited.all()] == ["عمر"]


def test_seeds_are_moved_chosen_and_kept_apart_on_their_page():
    tournament = ready(4, seeding="hand")

    def order() -> list[int]:
        return [made.number for made in seeded(Tournament.objects.get(pk=tournament.pk))]

    shown = []
    for fields in (
        {"act": "place", "move": "3:1"},
        {"act": "place", "seed-3": "٤", "seed-1": "1", "seed-2": "x"},
        {"act": "choose", "method": "hand"},
        {"act": "forbid", "first": "e1", "second": "e4"},
    ):
        assert act(tournament, "seeding/", **fields) == 302
        shown.append(order())
    page = words(browser(tournament.organiser).get(at(tournament, "seeding/")))

    assert shown == [[3, 1, 2, 4], [1, 2, 4, 3], [1, 2, 3, 4], [1, 2, 3, 4]]
    assert "None of the pairs that should not meet does so in the first round." in page
    assert act(tournament, "seeding/", act="allow", pair="e1-e4") == 302
    assert act(tournament, "seeding/", act="forbid", first="e1", second="e1") == 400
    assert Tournament.objects.get(pk=tournament.pk).settings == {}


def test_page_of_seeds_says_what_could_not_be_avoided():
    tournament = ready(2)
    act(tournament, "seeding/", act="forbid", first="e1", second="e2")

    page = words(browser(tournament.organiser).get(at(tournament, "seeding/")))

    assert "These should not meet, and it could not be avoided:" in page


def test_everybody_sees_the_seeds_once_they_are_shown():
    tournament = ready(3, seeding="hand")
    act(tournament, "seeding/", act="place", move="3:1")
    third = tournament.entries.get(number=3).members.get(place=0).user.username

    response = browser(make_user()).get(at(tournament, "?tab=entrants"))

    assert response.content.decode().index(third) < response.content.decode().index(
        tournament.entries.get(number=1).members.get(place=0).user.username
    )
    assert "The numbers are the seeds as they stand; until the start they may still change." in words(
        response
    )


@pytest.mark.parametrize(
    "state_", ["draft", "published", "open", "ready", "running", "finished", "certified"]
)
def test_all_pages_are_there_in_every_state_for_every_reader(state_: str):
    tournament = make_tournament(
        substitutes=True, check_in_minutes=30, access="code", entry_code="7", capacity=2, regions=["SY"]
    )
    Tournament.objects.filter(pk=tournament.pk).update(access="open", regions=[])
    entries = [enter_pair(tournament) for _ in range(3)]
    asked = entry.enter(tournament_id=tournament.pk, user=make_user(), partner=make_user(), now=NOW)
    Tournament.objects.filter(pk=tournament.pk).update(access="code", regions=["SY"], min_rating=5)
    if state_ in ("ready", "running", "finished", "certified"):
        registration.close_registration(tournament_id=tournament.pk, actor=tournament.organiser, now=NOW)
    if state_ in ("running", "finished", "certified"):
        act(tournament, "start/")
    Tournament.objects.filter(pk=tournament.pk).update(
        state=state_,
        **({"finished_at": NOW, "certified_by": tournament.organiser} if state_ == "certified" else {}),
    )
    readers = [
        tournament.organiser,
        make_user(),
        *(made.members.get(place=1).user for made in (*entries, asked)),
    ]

    for place, user in enumerate(readers):
        client = browser(user, ("en", "ar")[place % 2])
        for tab in ("overview", "entrants", "rules"):
            there = state_ != "draft" or user == tournament.organiser
            assert client.get(at(tournament, f"?tab={tab}")).status_code == (200 if there else 404)
    for door in ("desk/", "seeding/"):
        for language in ("en", "ar"):
            assert browser(tournament.organiser, language).get(at(tournament, door)).status_code == 200


def test_pair_does_everything_of_its_own_on_the_page():
    tournament = make_tournament(substitutes=True)
    layla, omar, rana = make_user("Layla"), make_user("Omar"), make_user("Rana")
    made = enter_pair(tournament, layla, omar)

    codes = [
        act(tournament, "team/", layla, name="Eagles", club="Homs"),
        act(tournament, "third/ask/", layla, third="Nobody"),
        act(tournament, "third/ask/", layla, third="Rana"),
        act(tournament, "accept/", rana, entry=str(made.number)),
        act(tournament, "substitute/", rana, rests="0"),
        act(tournament, "substitute/", rana, rests="7"),
        act(tournament, "third/drop/", omar),
        act(tournament, "desk/", act="substitute", rests="1", entry="e1"),
        act(tournament, "desk/", act="substitute", rests="x", entry="e1"),
        act(tournament, "substitute/", tournament.organiser, rests="2", entry="e1"),
        act(tournament, "third/drop/", omar),
    ]

    made.refresh_from_db()
    assert codes == [302, 400, 302, 302, 302, 400, 400, 302, 400, 302, 302]
    assert (made.name, made.club, made.members.count()) == ("Eagles", "Homs", 2)


def test_third_player_who_withdraws_leaves_the_two_in():
    tournament = make_tournament(substitutes=True)
    layla, omar, rana = make_users(3)
    made = entry.enter(tournament_id=tournament.pk, user=layla, partner=omar, third=rana, now=NOW)
    for user in (omar, rana):
        entry.accept(tournament_id=tournament.pk, entry_number=made.number, user=user, now=NOW)

    assert act(tournament, "withdraw/", rana) == 302
    assert [one.number for one in placed(tournament)] == [1]
    assert made.members.count() == 2


def test_pages_of_the_desk_ask_as_much_for_many_as_for_two():
    few, many = ready(2), ready(7)

    def asked(tournament: Tournament, door: str) -> int:
        client = browser(tournament.organiser)
        with CaptureQueriesContext(connection) as caught:
            client.get(at(tournament, door))
        return len(caught)

    for door in ("desk/", "seeding/", "?tab=entrants"):
        assert asked(many, door) == asked(few, door)


def test_markup_in_names_is_shown_as_it_is():
    tournament = make_tournament()
    made = enter_pair(tournament)
    evil = '<img src=x onerror="alert(1)">'
    act(tournament, "team/", made.members.get(place=0).user, name=evil, club=evil)

    for user, door in (
        (tournament.organiser, "desk/"),
        (tournament.organiser, "seeding/"),
        (make_user(), ""),
    ):
        page = browser(user).get(at(tournament, door)).content.decode()
        assert ("<img src=x" in page, "&lt;img src=x" in page) == (False, True)


def test_started_tournament_shows_its_desk_without_buttons_of_before():
    page = browser((tournament := started(2)).organiser).get(at(tournament, "desk/")).content.decode()

    assert [f'value="{name}"' in page for name in ("close", "remove", "check-in", "add")] == [False] * 4


def test_desk_and_seeds_warn_of_groups_that_would_be_too_small():
    tournament = make_tournament(format="round_robin", settings={"groups": 2})
    warning = "2 groups need at least 4 pairs to start; so far there are 3."

    def warned() -> list[bool]:
        client = browser(tournament.organiser)
        return [warning in words(client.get(at(tournament, page))) for page in ("desk/", "seeding/")]

    for _ in range(3):
        enter_pair(tournament)
    before = warned()
    enter_pair(tournament)

    assert (before, warned()) == ([True, True], [False, False])

"""The doors over HTTP: who may, what is said, where one ends up."""

import re
from collections.abc import Iterator
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import timezone, translation

from tests.factories import make_user, make_users
from tests.tournaments.scenes import adjudicate, end, enter_pair, make_tournament, open_table, started
from tournaments.models import Tournament
from tournaments.queries import plan_of
from tournaments.services import entry

pytestmark = pytest.mark.django_db
NEW = "/tournaments/new/"


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Lazy words are read after the answer."""
    with translation.override("en"):
        yield


def tomorrow() -> str:
    return f"{timezone.now() + timedelta(days=1):%Y-%m-%dT20:30}"


def form(**fields: str) -> dict[str, str]:
    return {
        "name": "كأس الشام",
        "format": "single_elimination",
        "ruleset": "kotchina",
        "target": "31",
        "turn_seconds": "20",
        "round_cap": "50",
        "capacity": "16",
        "starts_at": tomorrow(),
    } | fields


def browser(user=None) -> Client:
    """A browser that reads English, its user logged in."""
    client = Client()
    client.cookies["django_language"] = "en"
    if user is not None:
        client.force_login(user)
    return client


def path(tournament: Tournament, door: str = "") -> str:
    return f"/tournaments/{quote(tournament.slug)}/{door}"


# A new tournament


def made(**fields: str) -> Tournament:
    response = browser(make_user()).post(NEW, form(**fields))
    tournament = Tournament.objects.get()
    assert (response.status_code, response["Location"]) == (302, path(tournament))
    return tournament


@pytest.mark.parametrize(
    ("fields", "facts"),
    [
        ({}, ("kotchina", 31, 20, 50, 16)),
        (
            {"ruleset": "kings", "target": "٤١", "turn_seconds": "۳۰", "capacity": "١٣"},
            ("kings", 41, 30, 50, 13),
        ),
        ({"ruleset": "classic", "round_cap": ""}, ("classic", 31, 20, 50, 16)),
        ({"ruleset": "egyptian", "round_cap": "0"}, ("egyptian", 31, 20, None, 16)),
        ({"round_cap": "7", "capacity": "200"}, ("kotchina", 31, 20, 7, 200)),
    ],
)
def test_new_tournament_is_what_the_form_says(fields: dict[str, str], facts: tuple):
    made_one = made(**fields)

    assert (
        made_one.ruleset,
        made_one.target,
        made_one.turn_seconds,
        made_one.round_cap,
        made_one.capacity,
    ) == facts
    assert (made_one.name, made_one.slug, made_one.state) == ("كأس الشام", "كأس-الشام", "open")


@pytest.mark.parametrize(
    ("fields", "facts"),
    [
        ({}, (None, 0, "bot", 0)),
        (
            {"call_seconds": "٣٠", "bank_seconds": "60", "absence": "clock", "watch_delay": "-1"},
            (30, 60, "clock", -1),
        ),
        ({"call_seconds": "", "bank_seconds": "", "absence": "", "watch_delay": ""}, (None, 0, "bot", 0)),
    ],
)
def test_clocks_absence_and_delay_are_what_the_form_says(fields: dict[str, str], facts: tuple):
    one = made(**fields)

    assert (one.call_seconds, one.bank_seconds, one.absence, one.watch_delay) == facts


def test_round_cap_is_on_where_the_form_does_not_mention_it():
    fields = form(ruleset="classic")
    del fields["round_cap"]
    browser(make_user()).post(NEW, fields)

    assert Tournament.objects.get().round_cap == 50


@pytest.mark.parametrize(
    ("zone", "starts_at", "utc"),
    [
        ("Asia/Damascus", "2099-07-01T20:30", "2099-07-01T17:30:00+00:00"),
        ("Europe/Berlin", "2099-01-01 20:30", "2099-01-01T19:30:00+00:00"),
        ("", "2099-01-01T20:30", "2099-01-01T20:30:00+00:00"),
        ("Asia/Damascus", "2099-01-01T20:30:00+01:00", "2099-01-01T19:30:00+00:00"),
        ("Asia/Damascus", "٢٠٩٩-٠٧-٠١T٢٠:٣٠", "2099-07-01T17:30:00+00:00"),
    ],
)
def test_start_is_local_to_the_zone_unless_it_names_its_own(zone: str, starts_at: str, utc: str):
    tournament = made(time_zone=zone, starts_at=starts_at)

    assert tournament.starts_at.isoformat() == utc


@pytest.mark.parametrize(
    ("fields", "field", "error"),
    [
        ({"name": ""}, "name", "This field is required."),
        ({"name": "★★"}, "name", "A name has letters or digits."),
        (
            {"ruleset": "bridge"},
            "ruleset",
            "Select a valid choice. bridge is not one of the available choices.",
        ),
        (
            {"format": "ladder"},
            "format",
            "Select a valid choice. ladder is not one of the available choices.",
        ),
        ({"target": "41"}, "target", "These rules are played to 31."),
        ({"ruleset": "kings", "target": "50"}, "target", "These rules are played to 31 · 41 · 61."),
        ({"capacity": "1"}, "capacity", "Ensure this value is greater than or equal to 2."),
        ({"starts_at": "soon"}, "starts_at", "Enter a date and a time, as in 2027-03-20 20:30."),
        ({"starts_at": "2027-02-30T20:30"}, "starts_at", "Enter a date and a time, as in 2027-03-20 20:30."),
        ({"starts_at": "9999-12-31T23:59"}, "starts_at", "Enter a date and a time, as in 2027-03-20 20:30."),
        ({"starts_at": "2020-01-01T20:30"}, "starts_at", "This moment has passed. Choose one to come."),
        (
            {"starts_at": "2099-03-29T02:30", "time_zone": "Europe/Berlin"},
            "starts_at",
            "The clocks go forward over this time: it does not exist there. Choose 01:59 or earlier, or 03:00.",
        ),
        (
            {"starts_at": "2099-10-25T02:30", "time_zone": "Europe/Berlin"},
            "later",
            "The clocks go back that night and show this time twice: first at UTC+02:00, then at UTC+01:00.",
        ),
    ],
)
def test_what_makes_no_sense_is_400_and_says_why(fields: dict[str, str], field: str, error: str):
    response = browser(make_user()).post(NEW, form(**fields))

    assert (response.status_code, response.context["form"].errors[field]) == (400, [error])
    assert Tournament.objects.count() == 0


@pytest.mark.parametrize(("later", "utc"), [("0", "00:30"), ("1", "01:30")])
def test_time_shown_twice_is_chosen(later: str, utc: str):
    tournament = made(starts_at="2099-10-25T02:30", time_zone="Europe/Berlin", later=later)

    assert f"{tournament.starts_at:%H:%M}" == utc


# Who may come in


@pytest.mark.parametrize(
    "door", ["enter/", "accept/", "decline/", "check-in/", "withdraw/", "start/", "cancel/"]
)
def test_doors_send_strangers_to_the_login_and_back(door: str):
    address = path(make_tournament(), door)

    response = browser().post(address)

    assert (response.status_code, response["Location"]) == (302, f"/accounts/login/?next={quote(address)}")


def test_new_sends_strangers_to_the_login():
    for response in (browser().get(NEW), browser().post(NEW, form())):
        assert (response.status_code, response["Location"]) == (302, f"/accounts/login/?next={NEW}")


@pytest.mark.parametrize("door", ["", "event/", "organise/"])
def test_unknown_tournament_is_404(door: str):
    assert browser(make_user()).get(f"/tournaments/nothing/{door}").status_code == 404


@pytest.mark.parametrize("slug", ["%00", "a%00b", "a%20b", "x" * 5000, "%F0%9F%82%A1"])
def test_address_that_no_tournament_can_have_is_404(slug: str):
    assert browser().get(f"/tournaments/{slug}/").status_code == 404


@pytest.mark.parametrize("door", ["enter/", "start/", "check-in/"])
def test_door_of_an_unknown_tournament_is_404(door: str):
    assert browser(make_user()).post(f"/tournaments/nothing/{door}").status_code == 404


@pytest.mark.parametrize("door", ["enter/", "check-in/", "start/"])
def test_coming_back_from_the_login_leads_to_the_page(door: str):
    tournament = make_tournament()

    response = browser(make_user()).get(path(tournament, door))

    assert (response.status_code, response["Location"]) == (302, path(tournament))


@pytest.mark.parametrize("door", ["start/", "cancel/", "remove/", "decide/"])
def test_organisers_doors_are_not_there_for_others(door: str):
    tournament = make_tournament()
    enter_pair(tournament)
    enter_pair(tournament)
    player = tournament.entries.first().members.first().user

    for user in (make_user(), player):
        assert browser(user).post(path(tournament, door), {"type": "undo"}).status_code == 404
        assert browser(user).get(path(tournament, "organise/")).status_code == 404
    tournament.refresh_from_db()
    assert tournament.state == "open"


# Entering


def test_pair_enters_and_its_partner_accepts():
    tournament = make_tournament()
    layla, omar = make_user("Layla"), make_user("عمر")

    asked = browser(layla).post(path(tournament, "enter/"), {"partner": "عمر"})
    number = tournament.entries.get().number
    accepted = browser(omar).post(path(tournament, "accept/"), {"entry": str(number)})

    assert [(r.status_code, r["Location"]) for r in (asked, accepted)] == [(302, path(tournament))] * 2
    assert tournament.entries.filter(accepted_at__isnull=False).count() == 1


@pytest.mark.parametrize("said", ["e{}", "{}", ""])
def test_invitation_may_be_named_either_way_or_be_the_only_one(said: str):
    tournament = make_tournament()
    layla, omar = make_users(2)
    number = entry.enter(tournament_id=tournament.pk, user=layla, partner=omar, now=timezone.now()).number

    response = browser(omar).post(path(tournament, "accept/"), {"entry": said.format(number)})

    assert response.status_code == 302


@pytest.mark.parametrize(
    ("partner", "error"),
    [
        ("", "This field is required."),
        ("nobody at all", "There is no player of this name."),
        ("Layla", "Choose somebody else as your partner."),
        ("Busy", "This player already plays here with another partner."),
    ],
)
def test_partner_that_cannot_be_is_400_and_says_why(partner: str, error: str):
    tournament = make_tournament()
    enter_pair(tournament, make_user("Busy"), make_user())

    response = browser(make_user("Layla")).post(path(tournament, "enter/"), {"partner": partner})

    assert (response.status_code, response.context["partner_form"].errors["partner"]) == (400, [error])


def test_name_spelled_another_way_is_answered_with_the_players_it_may_mean():
    tournament = make_tournament()
    make_user("أحمد"), make_user("أحمد علي")

    response = browser(make_user()).post(path(tournament, "enter/"), {"partner": "احمد"})

    assert response.context["partner_form"].errors["partner"] == [
        "There is no player of this name. Did you mean: \u2068أحمد\u2069 · \u2068أحمد علي\u2069?"
    ]


@pytest.mark.parametrize("said", ["99", "e99", "x", "9999999999999999999999"])
def test_invitation_of_somebody_else_is_404(said: str):
    tournament = make_tournament()
    layla, omar = make_users(2)
    entry.enter(tournament_id=tournament.pk, user=layla, partner=omar, now=timezone.now())

    for user, number in ((omar, said), (make_user(), "1"), (layla, "1")):
        assert browser(user).post(path(tournament, "accept/"), {"entry": number}).status_code == 404


def test_refusal_shows_the_page_again_with_the_reason():
    tournament = make_tournament()

    response = browser(tournament.organiser).post(path(tournament, "start/"))

    assert (response.status_code, str(response.context["error"])) == (
        400,
        "At least two pairs must have entered before it can start.",
    )


def test_check_in_is_not_needed_but_behaves():
    tournament = make_tournament()
    member = enter_pair(tournament).members.first().user

    assert browser(member).post(path(tournament, "check-in/")).status_code == 302
    assert browser(make_user()).post(path(tournament, "check-in/")).status_code == 400


def test_organiser_starts():
    tournament = make_tournament()
    enter_pair(tournament)
    enter_pair(tournament)

    response = browser(tournament.organiser).post(path(tournament, "start/"))

    tournament.refresh_from_db()
    assert (response.status_code, tournament.state) == (302, "running")


def test_player_withdraws_before_and_after_the_start():
    for tournament in (make_tournament(), started(3)):
        member = enter_pair(tournament).members.first().user if tournament.state == "open" else None
        member = member or tournament.entries.get(number=1).members.first().user
        assert browser(member).post(path(tournament, "withdraw/")).status_code == 302
        assert tournament.entries.get(number=1).withdrawn_at is not None


# Deciding


def test_decision_is_previewed_then_made():
    tournament = started(4)
    row = open_table(tournament, "R1.1")
    console = browser(tournament.organiser)

    shown = console.get(path(tournament, "decide/"), {"pairing": "R1.1", "choice": "forfeit-0"})
    before = tournament.log.count()
    kept = shown.context["fields"] | {"token": shown.context["token"], "reason": "did not come"}
    done = console.post(path(tournament, "decide/"), kept)

    assert ([change.id for change in shown.context["shown"].changes], before) == (["R1.1", "R2.1"], 0)
    assert (done.status_code, tournament.log.get().item) == (
        302,
        {"type": "forfeit", "pairing": "R1.1", "side": 0, "reason": "did not come", "sides": row.sides},
    )


def test_correction_of_a_draw_through_the_console():
    tournament = started(2)
    sides = open_table(tournament, "R1.1").sides
    end(tournament, "R1.1")
    adjudicate(tournament)
    fields = {"pairing": "R1.1", "choice": "correct-draw-1", "score_0": "٢٠", "score_1": "20", "reason": "x"}

    console = browser(tournament.organiser)
    unseen = console.post(path(tournament, "decide/"), fields)
    console.post(path(tournament, "decide/"), fields | {"token": unseen.context["token"]})

    assert unseen.status_code == 400
    [pairing] = plan_of(tournament).pairings
    assert (pairing.winner, pairing.decided_by, pairing.score) == (sides[1], "last-round", (20, 20))


def test_decision_on_an_old_preview_shows_the_new_one():
    tournament = started(4)
    end(tournament, "R1.2")
    adjudicate(tournament)

    response = browser(tournament.organiser).post(
        path(tournament, "decide/"), {"type": "withdraw", "entrant": "e1", "token": "0.old"}
    )

    assert (response.status_code, response.context["error"].code) == (400, "moved-on")
    assert response.context["token"] != "0.old"


@pytest.mark.parametrize("fields", [{}, {"type": "explode"}, {"choice": "forfeit-7", "pairing": "R1.1"}])
def test_decision_that_is_none_is_400(fields: dict[str, str]):
    tournament = started(2)

    assert browser(tournament.organiser).post(path(tournament, "decide/"), fields).status_code == 400


@pytest.mark.parametrize("points", [("", ""), ("7", "5"), ("x", "5")])
def test_points_that_make_no_draw_are_asked_for_again_and_what_was_typed_is_kept(points: tuple[str, str]):
    tournament = started(2)
    end(tournament, "R1.1", (31, 0))
    adjudicate(tournament)
    fields = {"pairing": "R1.1", "choice": "correct-draw-1", "score_0": points[0], "score_1": points[1]}

    response = browser(tournament.organiser).get(path(tournament, "decide/"), fields)

    assert response.status_code == 400
    assert str(response.context["error"]) == (
        "Give the points of both sides: equal for a draw, unequal for everything else."
    )
    assert re.findall(r'name="score_\d"[^>]*value="([^"]*)"', response.content.decode()) == list(points)


def test_points_of_a_match_stand_ready_to_be_corrected():
    tournament = started(2)
    end(tournament, "R1.1", (31, -4))
    adjudicate(tournament)

    page = browser(tournament.organiser).get(path(tournament, "organise/")).content.decode()

    assert re.findall(r'name="score_\d"[^>]*value="([^"]*)"', page) == ["31", "-4"]

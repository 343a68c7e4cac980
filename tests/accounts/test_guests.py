"""Guests: their names, their way in, and what of the pages of accounts is theirs."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from accounts import services
from accounts.models import User
from accounts.names import GUEST_WORDS
from accounts.queries import search_players
from accounts.services import free_name, make_guest
from tests.factories import NOON, PASSWORD, make_user

pytestmark = pytest.mark.django_db


def guest_client(language: str = "en") -> tuple[Client, User]:
    client = Client()
    client.cookies["django_language"] = language
    client.post("/accounts/guest/")
    return client, User.objects.get(is_guest=True)


@pytest.mark.parametrize(("language", "word"), [("ar", "ضيف"), ("en", "Guest")])
def test_guest_has_a_number_and_nothing_else(language: str, word: str) -> None:
    guest = make_guest(language=language, now=NOON)
    name, number = guest.username.split(" ")
    assert (name, len(number), guest.email, guest.language) == (word, 4, "", language)
    assert (guest.is_guest, guest.has_usable_password(), guest.last_login) == (True, False, NOON)


def test_guests_number_grows_once_the_short_ones_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services.secrets, "randbelow", lambda most: 0)
    names = [make_guest(language="en", now=NOON).username for _ in range(3)]
    assert names == ["Guest 1000", "Guest 10000", "Guest 100000"]


@pytest.mark.parametrize(
    "name",
    [
        "Guest 4821",
        "guest-12",
        "GUEST_7",
        "Guest4821",
        "Guest lO",
        "Guesto",
        "Güest 31",
        "Guest 4821a",
        "ضيف 4821",
        "الضيف 12",
        "ضيف٤٨٢١",
        "ضَيف 5",
        "Guest",
    ],
)
def test_names_of_guests_are_nobody_elses(name: str) -> None:
    with pytest.raises(ValidationError) as refused:
        free_name(name)
    assert refused.value.code == "reserved"


@pytest.mark.parametrize("name", ["ضيف الله", "ضيفالله", "Guest Ali", "Guesthill"])
def test_names_that_only_begin_so_are_free(name: str) -> None:
    assert free_name(name) == name


def test_guests_are_not_suggested() -> None:
    make_guest(language="en", now=NOON)
    assert search_players(GUEST_WORDS["en"]) == []


def test_guests_way_in_leads_on_and_nowhere_else(client: Client) -> None:
    assert client.post("/accounts/guest/", {"next": "/tables/ABCDE/"}).url == "/tables/ABCDE/"
    assert User.objects.get().is_guest
    assert client.post("/accounts/guest/", {"next": "https://example.net/"}).url == "/"
    assert User.objects.count() == 1


def test_way_in_makes_no_guest_of_who_is_logged_in(client: Client) -> None:
    client.force_login(make_user("Ali"))
    client.post("/accounts/guest/")
    assert list(User.objects.values_list("username", flat=True)) == ["Ali"]


def test_guest_is_made_by_a_form_alone(client: Client) -> None:
    assert client.get("/accounts/guest/").status_code == 405
    assert Client(enforce_csrf_checks=True).post("/accounts/guest/").status_code == 403
    assert not User.objects.exists()


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("/accounts/signup/?next=/tables/", "/accounts/keep/?next=%2Ftables%2F"),
        ("/accounts/signup/", "/accounts/keep/"),
        ("/accounts/settings/", "/accounts/keep/"),
        ("/accounts/password/change/", "/accounts/keep/"),
        ("/accounts/signup/?next=https://example.net/", "/accounts/keep/"),
    ],
)
def test_pages_of_accounts_lead_a_guest_to_make_one(path: str, asked: str) -> None:
    client, _ = guest_client()
    assert client.get(path).url == asked


@pytest.mark.parametrize("path", ["/accounts/settings/name/", "/accounts/settings/email/"])
def test_guest_changes_nothing_about_the_account_that_is_none(path: str) -> None:
    client, guest = guest_client()
    client.post(path, {"name": "Sultan", "email": "s@example.org", "password": ""})
    before = guest.username
    guest.refresh_from_db()
    assert (guest.username, guest.email) == (before, "")


def test_guest_cannot_log_in_by_name() -> None:
    _, guest = guest_client()
    answer = Client().post("/accounts/login/", {"login": guest.username, "password": ""})
    assert answer.status_code == 400


def test_log_in_page_tells_a_guest_what_it_costs() -> None:
    client, guest = guest_client()
    page = client.get("/accounts/login/?next=/tables/")
    assert page.status_code == 200
    assert f"You play as \u2068{guest.username}\u2069." in page.content.decode()
    assert b'href="/accounts/keep/?next=/tables/"' in page.content


def test_guest_may_log_in_to_an_account_and_is_that_one_then() -> None:
    client, guest = guest_client()
    client.get("/")
    user = make_user("Ali")
    before = client.session.session_key
    answer = client.post("/accounts/login/", {"login": "Ali", "password": PASSWORD, "next": "/tables/"})
    assert answer.url == "/tables/"
    assert client.session["_auth_user_id"] == str(user.pk)
    assert client.session.session_key != before
    assert User.objects.filter(pk=guest.pk, is_guest=True).exists()


@pytest.mark.parametrize(("hours", "is_noted"), [(0.5, False), (1.5, True)])
def test_guest_who_is_here_is_noted_once_an_hour(hours: float, is_noted: bool) -> None:
    client, guest = guest_client()
    then = timezone.now() - timedelta(hours=hours)
    User.objects.update(last_login=then)
    client.get("/")
    guest.refresh_from_db()
    assert (guest.last_login > then) == is_noted


def test_players_with_an_account_are_not_noted(client: Client) -> None:
    client.force_login(make_user())
    then = timezone.now() - timedelta(hours=5)
    User.objects.update(last_login=then)
    client.get("/")
    assert User.objects.get().last_login == then


def test_header_of_a_guest_offers_to_keep_the_seat() -> None:
    client, _ = guest_client()
    page = client.get("/tables/").content.decode()
    assert page.count('href="/accounts/keep/?next=/tables/"') == 3


def test_guests_profile_is_short_to_others(client: Client) -> None:
    guest = make_guest(language="en", now=NOON)
    page = client.get(guest.get_absolute_url(), headers={"cookie": "django_language=en"}).content.decode()
    assert "Guests play without an account." in page
    assert 'class="figures"' not in page


def test_administration_filters_guests(client: Client) -> None:
    client.force_login(make_user(is_staff=True, is_superuser=True))
    guest = make_guest(language="en", now=NOON)
    shown = client.get("/admin/accounts/user/?is_guest__exact=1").context["cl"].queryset
    assert list(shown) == [guest]

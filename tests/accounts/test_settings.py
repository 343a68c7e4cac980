"""The account's settings: name, e-mail address, home, looks."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from accounts.models import User
from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def player(client: Client) -> User:
    user = make_user("كريم")
    client.force_login(user)
    return user


def test_rename_changes_the_name_and_its_folds(client: Client, player: User) -> None:
    assert client.post("/accounts/settings/name/", {"name": "أحمد"}).url == "/accounts/settings/"
    player.refresh_from_db()
    assert (player.username, player.name_key, player.search_key) == ("أحمد", "أحمد", "احمد")


def test_rename_to_another_writing_of_the_own_name_is_allowed(client: Client, player: User) -> None:
    assert client.post("/accounts/settings/name/", {"name": "کریم"}).status_code == 302
    player.refresh_from_db()
    assert player.username == "کریم"


@pytest.mark.parametrize(
    ("name", "code"), [("aIi", "taken"), ("admin", "reserved"), ("Ali\u202e", "direction"), ("", "required")]
)
def test_rename_is_judged_as_a_new_name(client: Client, player: User, name: str, code: str) -> None:
    make_user("ali")
    response = client.post("/accounts/settings/name/", {"name": name})
    assert response.status_code == 400
    assert response.context["name_form"].errors.as_data()["name"][0].code == code
    player.refresh_from_db()
    assert player.username == "كريم"


def test_email_may_be_removed_and_the_old_address_is_told(client: Client, player: User) -> None:
    client.post("/accounts/settings/email/", {"email": "", "password": PASSWORD})
    before, player.email = player.email, ""
    assert [
        (letter.to, "removed" in letter.subject or "حُذف" in letter.subject) for letter in mail.outbox
    ] == [([before], True)]
    player.refresh_from_db()
    assert (player.email, EmailAddress.objects.count()) == ("", 0)


def test_email_is_kept_without_the_password(client: Client, player: User) -> None:
    response = client.post("/accounts/settings/email/", {"email": "other@example.org", "password": "wrong"})
    assert (response.status_code, list(response.context["email_form"].errors)) == (400, ["password"])


def test_email_of_another_is_refused(client: Client, player: User) -> None:
    other = make_user()
    response = client.post("/accounts/settings/email/", {"email": other.email.upper(), "password": PASSWORD})
    assert (response.status_code, list(response.context["email_form"].errors)) == (400, ["email"])


def ask_change(client: Client, email: str = "Karim@Example.org") -> None:
    fields = {"email": email, "password": PASSWORD}
    assert client.post("/accounts/settings/email/", fields).url == "/accounts/settings/"


def link_in(letter: mail.EmailMessage) -> str:
    [link] = re.findall(r"http://testserver(\S+/confirm-email/\S+)", letter.body)
    return link


def test_new_email_holds_once_it_is_confirmed_and_the_old_one_until_then(
    client: Client, player: User
) -> None:
    old = player.email
    ask_change(client)
    player.refresh_from_db()
    assert player.email == old
    to_new, to_old = mail.outbox
    assert (to_new.to, to_old.to) == (["karim@example.org"], [old])
    assert "karim@example.org" in to_old.body
    client.post(link_in(to_new))
    player.refresh_from_db()
    assert player.email == "karim@example.org"
    rows = EmailAddress.objects.values_list("email", "primary", "verified")
    assert list(rows) == [("karim@example.org", True, True)]
    assert [letter.to for letter in mail.outbox[2:]] == [[old]]


def test_change_of_email_that_is_taken_back_is_worth_nothing(client: Client, player: User) -> None:
    old = player.email
    ask_change(client)
    assert "karim@example.org" in client.get("/accounts/settings/").content.decode()
    client.post("/accounts/settings/email/keep/")
    client.post(link_in(mail.outbox[0]))
    player.refresh_from_db()
    assert player.email == old


def test_second_new_email_replaces_the_first(client: Client, player: User) -> None:
    ask_change(client, "one@example.org")
    ask_change(client, "two@example.org")
    letters = {letter.to[0]: letter for letter in mail.outbox}
    client.post(link_in(letters["one@example.org"]))
    client.post(link_in(letters["two@example.org"]))
    player.refresh_from_db()
    assert player.email == "two@example.org"


def test_new_email_that_another_took_meanwhile_is_not_given(client: Client, player: User) -> None:
    old = player.email
    ask_change(client)
    other = make_user()
    User.objects.filter(pk=other.pk).update(email="karim@example.org")
    assert client.post(link_in(mail.outbox[0])).status_code == 302
    player.refresh_from_db()
    assert player.email == old


def test_place_is_kept_with_the_key_of_the_club(client: Client, player: User) -> None:
    fields = {"country": "LB", "city": " طرابلس ", "club": "مقهى  الأُنس"}
    client.post("/accounts/settings/country/", fields)
    player.refresh_from_db()
    assert (player.country, player.city, player.club) == ("LB", "طرابلس", "مقهى الأُنس")
    assert player.club_key == "مقهي الانس"


@pytest.mark.parametrize("city", ["a\u202eb", "x" * 61, "a\x00b"])
def test_place_that_deceives_is_refused(client: Client, player: User, city: str) -> None:
    assert client.post("/accounts/settings/country/", {"city": city}).status_code == 400


def test_looks_follow_the_account_to_every_page(client: Client, player: User) -> None:
    client.post("/accounts/settings/looks/", {"digits": "arab", "card_style": "arabic"})
    page = client.get("/tables/").content.decode()
    assert 'data-looks-digits="arab" data-looks-cards="arabic"' in page
    assert client.post("/accounts/settings/looks/", {"digits": "roman"}).status_code == 400


def test_settings_send_guests_to_make_an_account(client: Client) -> None:
    client.force_login(make_user(is_guest=True))
    for page in (
        "settings/",
        "settings/notices/",
        "security/",
        "security/sessions/",
        "privacy/",
        "privacy/close/",
    ):
        assert client.get(f"/accounts/{page}").url == "/accounts/keep/"

"""Signing up, in and out over HTTP, however a name is typed."""

import re

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db
ARABIC_PASSWORD = "كلمة\u0623مرور-طويلة"


@pytest.fixture(autouse=True)
def _no_tries_yet() -> None:
    cache.clear()


def sign_up(client: Client, name: str, *, email: str = "new@example.org", password: str = PASSWORD):
    fields = {"username": name, "email": email, "password1": password, "password2": password}
    return client.post("/accounts/signup/", fields)


def log_in(client: Client, login: str, *, password: str = PASSWORD, query: str = ""):
    return client.post(f"/accounts/login/{query}", {"login": login, "password": password})


def is_logged_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("أحمد", "أحمد"),
        ("أحمد", "ا\u0654حمد"),
        ("كريم علي", "کریم علی"),
        ("كريم علي", "كريم_علي"),
        ("هبة", "ھبۃ"),
        ("نسر12", "نسر١٢"),
        ("Ali", "ali"),
        ("Ali", " ALI "),
        ("Ali", "ａｌｉ"),
    ],
)
def test_name_logs_in_however_it_is_typed(client: Client, name: str, typed: str) -> None:
    make_user(name)
    assert log_in(client, typed).status_code == 302
    assert is_logged_in(client)


def test_email_logs_in_in_any_case(client: Client) -> None:
    user = make_user("Ali")
    assert log_in(client, user.email.upper()).status_code == 302


def test_password_is_the_same_composed_and_decomposed(client: Client) -> None:
    sign_up(client, "سعاد", password=ARABIC_PASSWORD)
    client.logout()
    assert (
        log_in(client, "سعاد", password=ARABIC_PASSWORD.replace("\u0623", "\u0627\u0654")).status_code == 302
    )


@pytest.mark.parametrize(
    ("password", "again", "said"),
    [
        ("شاي", "شاي", "كلمة المرور قصيرة: لا تقلّ عن 8 محارف."),
        ("شاي وقهوة ٩", "شاي وقهوة ٨", "الكلمتان غير متطابقتين: اكتب كلمة المرور نفسها مرتين."),
    ],
)
def test_refused_password_is_explained_in_arabic(
    client: Client, password: str, again: str, said: str
) -> None:
    fields = {"username": "Ali", "email": "a@example.org", "password1": password, "password2": again}
    answer = client.post("/accounts/signup/", fields)
    errors = answer.context["form"].errors
    assert [*errors.get("password1", []), *errors.get("password2", [])] == [said]


def test_wrong_password_is_refused_with_status_400(client: Client) -> None:
    make_user("Ali")
    response = log_in(client, "Ali", password="not-the-pass-phrase")
    assert (response.status_code, is_logged_in(client)) == (400, False)


def test_log_in_leads_to_where_the_reader_was_going(client: Client) -> None:
    make_user("Ali")
    page = client.get("/accounts/login/?next=/tables/new/")
    assert b'name="next" value="/tables/new/"' in page.content
    assert log_in(client, "Ali", query="?next=/tables/new/").url == "/tables/new/"


def test_log_in_leads_to_no_other_site(client: Client) -> None:
    make_user("Ali")
    assert log_in(client, "Ali", query="?next=https://example.net/").url == "/"


def test_settings_send_the_anonymous_to_log_in(client: Client) -> None:
    assert client.get("/accounts/settings/").url == "/accounts/login/?next=/accounts/settings/"


def test_sign_up_makes_the_account_as_written_and_logs_it_in(client: Client) -> None:
    assert sign_up(client, "نسر ١٢").status_code == 302
    user = User.objects.get()
    assert (user.username, user.language, is_logged_in(client)) == ("نسر ١٢", "ar", True)


def test_sign_up_keeps_the_language_of_the_cookie(client: Client) -> None:
    client.cookies["django_language"] = "en"
    sign_up(client, "Ali")
    assert User.objects.get().language == "en"


@pytest.mark.parametrize(
    ("taken", "asked"),
    [
        ("ali", "aIi"),
        ("ali", "ALI"),
        ("علي", "علی"),
        ("علي", "عَلي"),
        ("أحمد", "ا\u0654حمد"),
        ("Abu Ali", "abu_ali"),
    ],
)
def test_lookalike_of_a_taken_name_is_refused(client: Client, taken: str, asked: str) -> None:
    make_user(taken)
    response = sign_up(client, asked)
    assert (response.status_code, User.objects.count()) == (400, 1)
    assert response.context["form"].errors.as_data()["username"][0].code == "taken"


@pytest.mark.parametrize(
    "name", ["\u0430li", "ａｌｉ", "Ali\u202e", "Ali\u200b", "admin", "منظم", "a", "Ali علي", "a" * 21]
)
def test_name_that_deceives_is_refused(client: Client, name: str) -> None:
    response = sign_up(client, name)
    assert (response.status_code, User.objects.count()) == (400, 0)
    assert list(response.context["form"].errors) == ["username"]


def test_taken_email_is_refused(client: Client) -> None:
    user = make_user("Ali")
    response = sign_up(client, "Baba", email=user.email.upper())
    assert (response.status_code, list(response.context["form"].errors)) == (400, ["email"])


def test_sixth_wrong_password_for_one_name_waits_whatever_its_spelling(client: Client) -> None:
    make_user("كريم علي")
    for typed in ["كريم علي", "کریم علی", "كريم_علي", "كريم-علي", "كريم.علي"]:
        log_in(client, typed, password="not-the-pass-phrase")
    assert log_in(client, "كريم علي").status_code == 400


def test_twenty_people_of_one_address_log_in_at_once(client: Client) -> None:
    names = [make_user().username for _ in range(20)]
    assert [log_in(Client(), name).status_code for name in names] == [302] * 20


def test_log_out_asks_first_and_then_ends_the_session(client: Client) -> None:
    client.force_login(make_user())
    assert client.get("/accounts/logout/").status_code == 200
    assert is_logged_in(client)
    assert client.post("/accounts/logout/").url == "/"
    assert not is_logged_in(client)


@pytest.mark.parametrize(("language", "greeting"), [("ar", "السلام عليك"), ("en", "Peace be with you")])
def test_forgotten_password_is_replaced_through_a_letter_in_the_players_language(
    client: Client, language: str, greeting: str
) -> None:
    user = make_user("سعاد", language=language)
    client.cookies["django_language"] = "ar" if language == "en" else "en"
    assert (
        client.post("/accounts/password/reset/", {"email": user.email}).url
        == "/accounts/password/reset/done/"
    )
    [letter] = mail.outbox
    assert letter.to == [user.email]
    assert letter.body.startswith(f"{greeting}")
    assert "\u2068سعاد\u2069" in letter.body
    [link] = re.findall(r"http://testserver(\S+)", letter.body)
    form = client.get(link, follow=True)
    new = {"password1": "another-long-phrase", "password2": "another-long-phrase"}
    assert client.post(form.redirect_chain[-1][0], new).status_code == 302
    assert log_in(Client(), "سعاد", password="another-long-phrase").status_code == 302


def test_unknown_email_gets_no_letter_and_the_same_answer(client: Client) -> None:
    response = client.post("/accounts/password/reset/", {"email": "nobody@example.org"})
    assert (response.url, mail.outbox) == ("/accounts/password/reset/done/", [])


def test_used_link_says_so(client: Client) -> None:
    assert "token_fail" in client.get("/accounts/password/reset/key/1-abc-def/").context


def test_closed_account_is_told_so(client: Client) -> None:
    make_user("Ali", is_active=False)
    assert log_in(client, "Ali").url == "/accounts/inactive/"
    assert not is_logged_in(client)


def test_changed_password_holds(client: Client) -> None:
    user = make_user("Ali")
    client.force_login(user)
    fields = {"oldpassword": PASSWORD, "password1": "another-long-phrase", "password2": "another-long-phrase"}
    assert client.post("/accounts/password/change/", fields).url == "/accounts/settings/"
    assert is_logged_in(client)
    assert log_in(Client(), "Ali", password="another-long-phrase").status_code == 302


@pytest.mark.parametrize("path", ["email/", "confirm-email/", "login/code/confirm/"])
def test_what_is_not_offered_is_not_there(client: Client, path: str) -> None:
    assert client.get(f"/accounts/{path}").status_code == 404

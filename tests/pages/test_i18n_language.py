"""Which language a reader gets, and that every page says so at its root."""

from collections.abc import Callable

import pytest
from django.core.exceptions import SuspiciousOperation
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import override_settings
from django.utils import translation
from django.utils.functional import SimpleLazyObject
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from tarneeb_site import views
from tests.factories import make_table, make_user

pytestmark = pytest.mark.django_db

OPEN_PAGES = [
    "/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/logout/",
    "/accounts/inactive/",
    "/accounts/password/reset/",
    "/accounts/password/reset/done/",
    "/accounts/password/reset/key/done/",
    "/accounts/password/reset/key/1-abc-def/",
    "/tables/",
    "/tournaments/",
]
OWN_PAGES = [
    "/",
    "/accounts/settings/",
    "/accounts/password/change/",
    "/accounts/logout/",
    "/tables/new/",
    "/tournaments/new/",
]
ROOTS = {"ar": '<html lang="ar" dir="rtl"', "en": '<html lang="en" dir="ltr"'}


def suspicious(client: Client) -> Client:
    """The same reader, whose forms are checked for where they come from."""
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = client.cookies
    return strict


def root(response: HttpResponse) -> str:
    """The start of the html element."""
    text = response.content.decode()
    start = text.index("<html")
    return text[start : start + len(ROOTS["ar"])]


@pytest.mark.parametrize("language", ["ar", "en"])
@pytest.mark.parametrize("path", OPEN_PAGES)
def test_open_page_has_the_language_and_direction_of_the_cookie(
    client: Client, path: str, language: str
) -> None:
    client.cookies["django_language"] = language
    response = client.get(path, follow=True)
    assert (response.status_code, root(response)) == (200, ROOTS[language])


@pytest.mark.parametrize("language", ["ar", "en"])
@pytest.mark.parametrize("path", OWN_PAGES)
def test_own_page_has_the_language_and_direction_of_the_account(
    client: Client, path: str, language: str
) -> None:
    client.force_login(make_user(language=language))
    client.cookies["django_language"] = "ar" if language == "en" else "en"
    response = client.get(path)
    assert (response.status_code, root(response)) == (200, ROOTS[language])


@pytest.mark.parametrize("language", ["ar", "en"])
@pytest.mark.parametrize(
    ("status", "door"),
    [
        (404, lambda client: client.get("/no-such-page/")),
        (403, lambda client: suspicious(client).post("/language/")),
        (400, lambda client: client.post("/accounts/login/", {"login": "x", "password": "y"})),
    ],
)  # fmt: skip
def test_error_page_has_language_and_direction(
    client: Client, status: int, door: Callable[[Client], HttpResponse], language: str
) -> None:
    client.cookies["django_language"] = language
    response = door(client)
    assert (response.status_code, root(response)) == (status, ROOTS[language])


@pytest.mark.parametrize("language", ["ar", "en"])
@pytest.mark.parametrize(
    ("status", "page"),
    [
        (400, lambda request: views.bad_request(request, SuspiciousOperation())),
        (403, lambda request: views.forbidden(request, PermissionError())),
        (500, views.server_error),
    ],
)
def test_page_of_a_failure_needs_nothing_of_the_request(
    status: int, page: Callable[..., HttpResponse], language: str
) -> None:
    with translation.override(language):
        response = page(RequestFactory().get("/"))
    assert (response.status_code, root(response)) == (status, ROOTS[language])


def test_page_of_a_fault_asks_the_database_nothing(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    request = RequestFactory().get("/")
    request.user = SimpleLazyObject(lambda: User.objects.get(pk=1))
    with django_assert_num_queries(0):
        assert views.server_error(request).status_code == 500


def test_arabic_is_the_default_whatever_the_browser_asks_for(client: Client) -> None:
    response = client.get("/", headers={"accept-language": "en-GB,en"})
    assert (root(response), response["Content-Language"]) == (ROOTS["ar"], "ar")


@pytest.mark.parametrize("code", ["de", "", "ar-SY", "../etc"])
def test_unknown_language_is_ignored(client: Client, code: str) -> None:
    assert client.post("/language/", {"language": code, "next": "/"}).cookies.get("django_language") is None
    client.cookies["django_language"] = code
    assert root(client.get("/")) == ROOTS["ar"]


def test_switch_is_remembered_in_a_cookie_and_leads_back(client: Client) -> None:
    response = client.post("/language/", {"language": "en", "next": "/tables/"})
    assert (response.url, response.cookies["django_language"].value) == ("/tables/", "en")
    assert root(client.get("/tables/")) == ROOTS["en"]


def test_switch_is_remembered_in_the_account(client: Client) -> None:
    user = make_user(language="ar")
    client.force_login(user)
    client.post("/language/", {"language": "en", "next": "/"})
    user.refresh_from_db()
    assert user.language == "en"


@pytest.mark.parametrize("after", ["https://example.net/", "//example.net", "javascript:alert(1)", ""])
def test_switch_leads_to_no_other_site(client: Client, after: str) -> None:
    assert client.post("/language/", {"language": "en", "next": after}).url == "/"


@pytest.mark.parametrize("after", ["nowhere", "table", "lobby", "/%00"])
def test_switch_takes_what_it_is_told_for_an_address(client: Client, after: str) -> None:
    assert client.post("/language/", {"language": "en", "next": after}).url == after


@pytest.mark.parametrize(("language", "word"), [("ar", "نُسخ"), ("en", None)])
def test_words_for_scripts_are_in_the_readers_language(
    client: Client, language: str, word: str | None
) -> None:
    client.cookies["django_language"] = language
    script = client.get("/words.js").content.decode()
    assert ("\\u0646\\u064f\\u0633\\u062e" in script) is (word is not None)


@pytest.mark.parametrize("planted", ["\u202eabc", "x" * 20, "a" + "\u0301" * 19, "<script>", "a/b", "?", "."])
def test_planted_name_breaks_no_list(client: Client, planted: str) -> None:
    user = make_user("planted")
    type(user).objects.filter(pk=user.pk).update(username=planted)
    make_table(host=user).seats.filter(number=0).update(kind="player", user=user)
    for path in ("/", "/tables/"):
        page = client.get(path)
        assert page.status_code == 200
        assert "<script></bdi>" not in page.content.decode()


@override_settings(DEBUG=False)
def test_address_that_does_not_exist_is_a_page_of_ours(client: Client) -> None:
    assert 'class="empty"' in client.get("/no-such-page/").content.decode()

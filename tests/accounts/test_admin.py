"""Accounts in the administration."""

import pytest
from django.test import Client

from accounts.models import User
from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _administrator(client: Client) -> None:
    client.force_login(make_user("root one", is_staff=True, is_superuser=True))


def listed(client: Client, text: str) -> list[str]:
    page = client.get("/admin/accounts/user/", {"q": text})
    return [user.username for user in page.context["cl"].result_list]


@pytest.mark.parametrize("typed", ["احمد", "أحمد", "AHMAD@"])
def test_search_is_wide_and_reads_addresses(client: Client, typed: str) -> None:
    User.objects.create_user("أحمد", email="ahmad@example.org")
    make_user("ياسر")
    assert listed(client, typed) == ["أحمد"]


def test_list_stands_in_the_order_of_the_arabic_alphabet(client: Client) -> None:
    for name in ("ياسر", "بسام", "آدم"):
        make_user(name)
    assert listed(client, "") == ["آدم", "بسام", "ياسر", "root one"]


@pytest.mark.parametrize(("name", "made"), [("سعاد", True), ("aIi", False), ("Ali\u202e", False)])
def test_new_account_is_judged_as_everywhere(client: Client, name: str, made: bool) -> None:
    make_user("ali")
    fields = {
        "username": name,
        "email": "",
        "usable_password": "true",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }
    client.post("/admin/accounts/user/add/", fields)
    assert User.objects.filter(username=name).exists() is made


def test_account_page_opens(client: Client) -> None:
    assert client.get(f"/admin/accounts/user/{make_user('سعاد').pk}/change/").status_code == 200


def test_name_given_by_an_administrator_is_a_change_of_name(client: Client) -> None:
    user = make_user("Karim")
    page = client.get(f"/admin/accounts/user/{user.pk}/change/")
    fields = {name: value for name, value in page.context["adminform"].form.initial.items() if value}
    client.post(f"/admin/accounts/user/{user.pk}/change/", fields | {"username": "Salim", "groups": []})
    assert list(user.name_changes.values_list("before", "after")) == [("Karim", "Salim")]
    assert client.get("/players/Karim/").url == "/players/Salim/"


@pytest.mark.parametrize(
    "path", ["mfa/authenticator", "usersessions/usersession", "socialaccount/socialtoken"]
)
def test_secrets_are_not_in_the_administration(client: Client, path: str) -> None:
    assert client.get(f"/admin/{path}/").status_code == 404

"""The account's settings: name, e-mail address."""

import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.test import Client

from accounts import services
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


def test_rename_refuses_a_name_taken_meanwhile(player: User) -> None:
    make_user("ali")
    with pytest.raises(ValidationError) as refusal:
        services.rename(user=player, name="aIi")
    assert refusal.value.code == "taken"


def test_email_is_changed_with_the_password(client: Client, player: User) -> None:
    fields = {"email": "Karim@Example.org", "password": PASSWORD}
    assert client.post("/accounts/settings/email/", fields).url == "/accounts/settings/"
    player.refresh_from_db()
    assert player.email == "karim@example.org"
    assert list(EmailAddress.objects.values_list("email", "primary")) == [("karim@example.org", True)]


def test_email_may_be_removed(client: Client, player: User) -> None:
    client.post("/accounts/settings/email/", {"email": "", "password": PASSWORD})
    player.refresh_from_db()
    assert (player.email, EmailAddress.objects.count()) == ("", 0)


def test_email_is_kept_without_the_password(client: Client, player: User) -> None:
    response = client.post("/accounts/settings/email/", {"email": "other@example.org", "password": "wrong"})
    assert (response.status_code, list(response.context["email_form"].errors)) == (400, ["password"])


def test_email_of_another_is_refused(client: Client, player: User) -> None:
    other = make_user()
    response = client.post("/accounts/settings/email/", {"email": other.email.upper(), "password": PASSWORD})
    assert (response.status_code, list(response.context["email_form"].errors)) == (400, ["email"])
    with pytest.raises(ValidationError):
        services.change_email(user=player, email=other.email)

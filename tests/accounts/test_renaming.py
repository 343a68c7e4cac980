"""Changing a name: now and then, with the old one kept from others for a while."""

from collections.abc import Callable
from datetime import timedelta
from threading import Barrier, Thread

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts import renaming, services
from accounts.models import NameChange, User
from tests.factories import make_user

NOW = timezone.now()
pytestmark = pytest.mark.django_db


def code_of(change: Callable[[], object]) -> str:
    with pytest.raises(ValidationError) as refusal:
        change()
    return str(refusal.value.code)


def test_name_is_changed_once_a_month_and_the_page_says_when_again() -> None:
    user = make_user("كريم")
    renaming.rename(user=user, name="أحمد", now=NOW)
    soon, later = NOW + timedelta(days=29), NOW + timedelta(days=31)
    assert code_of(lambda: renaming.rename(user=user, name="سليم", now=soon)) == "too_soon"
    assert renaming.next_change_at(user) == NOW + timedelta(days=30)
    assert renaming.rename(user=user, name="سليم", now=later).username == "سليم"
    assert list(NameChange.objects.values_list("before", "after")) == [("أحمد", "سليم"), ("كريم", "أحمد")]


def test_another_writing_of_the_name_needs_no_wait_and_is_no_change() -> None:
    user = make_user("كريم")
    renaming.rename(user=user, name="أحمد", now=NOW)
    renaming.rename(user=user, name="أَحمد", now=NOW)
    assert NameChange.objects.count() == 1


def test_old_name_is_nobody_elses_for_a_while_but_may_be_taken_back(settings) -> None:
    user = make_user("كريم")
    renaming.rename(user=user, name="أحمد", now=NOW)
    assert code_of(lambda: services.free_name("کریم")) == "taken"
    later = NOW + timedelta(days=settings.NAME_CHANGE_DAYS + 1)
    assert renaming.rename(user=user, name="كريم", now=later).username == "كريم"


def test_old_name_is_free_after_the_stated_time(settings) -> None:
    user = make_user("كريم")
    renaming.rename(user=user, name="أحمد", now=NOW - timedelta(days=settings.OLD_NAME_DAYS, hours=1))
    assert services.free_name("كريم") == "كريم"


def test_old_address_leads_to_the_account_until_somebody_has_the_name(client: Client, settings) -> None:
    user = make_user("Karim")
    renaming.rename(user=user, name="Salim", now=NOW)
    assert client.get("/players/karim/").url == "/players/Salim/"
    page = client.get("/players/Salim/").content.decode()
    assert "<bdi>Karim</bdi>" in page
    NameChange.objects.update(at=NOW - timedelta(days=settings.OLD_NAME_DAYS + 1))
    assert client.get("/players/karim/").status_code == 404
    make_user("Karim")
    assert client.get("/players/Karim/").status_code == 200


def test_settings_say_how_often_and_when(client: Client) -> None:
    user = make_user("Karim", language="en")
    client.force_login(user)
    client.post("/accounts/settings/name/", {"name": "Salim"})
    page = client.get("/accounts/settings/").content.decode()
    assert "once in 30 days; nobody else can take the old one for 180 days" in page
    refused = client.post("/accounts/settings/name/", {"name": "Jamil"})
    assert (refused.status_code, list(refused.context["name_form"].errors)) == (400, ["name"])


@pytest.mark.parametrize("name", ["لاعب سابق 4821", "لاعب_سابق_٤", "Former player 12", "formerplayer9"])
def test_name_of_a_closed_account_cannot_be_chosen(name: str) -> None:
    assert code_of(lambda: services.free_name(name)) == "reserved"


@pytest.mark.django_db(transaction=True)
def test_two_who_want_one_name_at_once_get_it_once() -> None:
    users = [make_user(), make_user()]
    at_once, refused = Barrier(2), []

    def change(user: User) -> None:
        at_once.wait()
        try:
            renaming.rename(user=user, name="النسر", now=NOW)
        except ValidationError as error:
            refused.append(error.code)
        finally:
            connection.close()

    threads = [Thread(target=change, args=[user]) for user in users]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused == ["taken"]
    assert User.objects.filter(username="النسر").count() == NameChange.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_changes_of_one_account_at_once_are_one() -> None:
    user = make_user()
    at_once, refused = Barrier(2), []

    def change(name: str) -> None:
        at_once.wait()
        try:
            renaming.rename(user=user, name=name, now=NOW)
        except ValidationError as error:
            refused.append(error.code)
        finally:
            connection.close()

    threads = [Thread(target=change, args=[name]) for name in ("Salim", "Jamil")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (refused, NameChange.objects.count()) == (["too_soon"], 1)

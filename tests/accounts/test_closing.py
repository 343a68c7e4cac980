"""Closing an account: the matches stay under a name that says nothing, all else goes."""

from datetime import timedelta
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.test import Client
from django.utils import timezone

from accounts import closing, renaming, services
from accounts.models import Block, Follow, Mute, NameChange, Notice, NoticeChoice, PushAddress, User
from games.models import Invitation, Phase, Seek, Table
from games.services import tables
from tests.accounts.proving import prove
from tests.factories import NOON, make_table, make_user, make_users, seat_user

pytestmark = pytest.mark.django_db(transaction=True)
NOW = timezone.now()


def close(user: User) -> User:
    return closing.close(user=user, now=NOW)


def with_everything(user: User) -> None:
    """Something of each kind that is kept of a person."""
    other = make_user()
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    Authenticator.objects.create(user=user, type="webauthn", data={"name": "Phone", "credential": {}})
    PushAddress.objects.create(user=user, endpoint="https://x", p256dh="x", auth="x", at=NOW)
    NoticeChoice.objects.create(user=user, kind="follows", here=True, mail=True, push=True)
    Notice.objects.create(user=user, key="k", text_ar="x", text_en="x", at=NOW)
    for one, two in ((user, other), (other, user)):
        Follow.objects.create(user=one, followed=two, at=NOW)
        Block.objects.create(user=one, blocked=two, at=NOW)
        Mute.objects.create(user=one, muted=two)
    User.objects.filter(pk=user.pk).update(
        country="SY", city="حمص", club="الأمل", club_key="x", is_staff=False
    )


def test_closed_account_is_nobody_any_more() -> None:
    user = make_user("كريم", language="ar")
    with_everything(user)
    closed = close(user)
    assert closed.pk == user.pk
    word, number = closed.username.rsplit(" ", 1)
    assert (word, number.isdecimal(), closed.is_active) == ("لاعب سابق", True, False)
    assert (closed.email, closed.country, closed.city, closed.club, closed.club_key) == ("",) * 5
    kept = [EmailAddress, Authenticator, PushAddress, NoticeChoice, Notice, Follow, Block, Mute, UserSession]
    assert [model.objects.count() for model in kept] == [0] * len(kept)
    assert not closed.has_usable_password()


@pytest.mark.parametrize(("language", "shown"), [("ar", "لاعب سابق"), ("en", "Former player")])
def test_name_of_a_closed_account_is_in_the_reader_s_language(
    client: Client, language: str, shown: str
) -> None:
    closed = close(make_user("Karim", language="en"))
    client.cookies["django_language"] = language
    page = client.get(f"/players/{closed.username}/").content.decode()
    assert f"<h1><bdi>{shown} {closed.username.rsplit(' ', 1)[1]}</bdi></h1>" in page
    assert "Karim" not in page


def test_old_name_leads_nowhere_and_is_free_only_after_the_stated_time(client: Client, settings) -> None:
    user = make_user("Karim")
    renaming.rename(user=user, name="Salim", now=NOW - timedelta(days=40))
    user.refresh_from_db()
    close(user)
    assert {client.get(f"/players/{name}/").status_code for name in ("Karim", "Salim")} == {404}
    assert set(NameChange.objects.values_list("before", "after")) == {("", "")}
    assert [services.is_kept(key) for key in ("karlm", "sallm")] == [True, True]
    later = NOW + timedelta(days=settings.OLD_NAME_DAYS, seconds=1)
    assert renaming.free_names(now=later) == 2
    assert services.free_name("Salim") == "Salim"


def test_picture_s_file_goes_with_the_account(settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path
    (tmp_path / "pictures").mkdir()
    file = tmp_path / "pictures" / ("0" * 32 + ".webp")
    file.write_bytes(b"x")
    user = make_user()
    User.objects.filter(pk=user.pk).update(picture=f"pictures/{file.name}")
    close(user)
    assert not file.exists()


def test_matches_stay_and_nobody_finds_who_it_was(client: Client) -> None:
    user, other = make_user("Karim"), make_user("Salim")
    table = make_table(phase=Phase.OVER, ended_at=NOON, visibility="public")
    seat_user(table, 0, user)
    seat_user(table, 1, other)
    closed = close(user)
    table.refresh_from_db()
    assert table.seats.get(number=0).user == closed
    found = client.get("/invitations/names/?q=Karim")
    assert "Karim" not in found.content.decode()


def test_seats_invitations_and_wishes_are_left() -> None:
    user, other = make_users(2)
    hosted = make_table(host=user)
    waiting = make_table(host=other)
    tables.sit(table_code=waiting.code, user=user, seat=2, now=NOW)
    Invitation.objects.create(table=waiting, by=other, to=user, created_at=NOW)
    Seek.objects.create(user=user, ruleset="classic", speed="normal", created_at=NOW, seen_at=NOW)
    close(user)
    assert waiting.seats.get(number=2).user is None
    assert (Invitation.objects.count(), Seek.objects.count()) == (0, 0)
    assert Table.objects.get(pk=hosted.pk).phase == Phase.OVER


def test_nobody_closes_in_the_middle_of_a_match(client: Client) -> None:
    user = make_user("Karim", language="en")
    table = make_table(phase=Phase.PLAY)
    seat_user(table, 0, user)
    with pytest.raises(closing.Staying):
        close(user)
    client.force_login(user)
    prove(client, user)
    page = client.post("/accounts/privacy/close/", {"name": "Karim"})
    assert (page.status_code, "You are in a match." in page.content.decode()) == (400, True)
    user.refresh_from_db()
    assert (user.username, user.is_active) == ("Karim", True)


def test_nobody_with_rights_over_the_site_closes() -> None:
    with pytest.raises(closing.Staying):
        close(make_user(is_staff=True))


def test_page_asks_for_the_name_closes_and_ends_every_session(client: Client) -> None:
    user = make_user("Karim")
    other = Client()
    other.force_login(user)
    client.force_login(user)
    asked = client.get("/accounts/privacy/close/")
    assert asked.url.startswith("/accounts/reauthenticate/")
    prove(client, user)
    assert client.post("/accounts/privacy/close/", {"name": "Salim"}).status_code == 400
    assert client.post("/accounts/privacy/close/", {"name": "karim"}).status_code == 200
    user.refresh_from_db()
    assert user.closed_at is not None
    pages = [one.get("/accounts/settings/") for one in (client, other)]
    assert [page.url for page in pages] == ["/accounts/login/?next=/accounts/settings/"] * 2

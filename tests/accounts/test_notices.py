"""Notices: told once a key, in both languages, to be read on the site and, where wanted, by e-mail."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import transaction
from django.test import Client
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import notices
from accounts.models import Notice, User
from tests.factories import make_user

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def tell(*users: User, key: str = "k", by_mail: bool = False, url: str = "/tournaments/") -> None:
    with transaction.atomic():
        notices.notify(users, key, lambda: str(_("Tournaments")), url=url, by_mail=by_mail, now=NOW)


def confirm(user: User) -> User:
    user.email = f"{user.pk}@example.org"
    user.save(update_fields=["email"])
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user


def test_notice_is_told_in_both_languages_and_once() -> None:
    user, other = make_user(), make_user()
    tell(user)
    tell(user, other)
    assert list(Notice.objects.filter(user=user).values_list("text_ar", "text_en")) == [
        ("البطولات", "Tournaments")
    ]
    assert Notice.objects.filter(user=other).count() == 1


def test_guests_and_closed_accounts_are_told_nothing() -> None:
    closed = make_user()
    User.objects.filter(pk=closed.pk).update(is_active=False)
    closed.refresh_from_db()
    tell(make_user(is_guest=True), closed)
    assert not Notice.objects.exists()


def test_unread_notices_are_counted_shown_and_read(client: Client) -> None:
    user = make_user()
    client.force_login(user)
    tell(user)
    notice = Notice.objects.get()
    part = client.get("/invitations/?part=news").content.decode()
    assert '<data id="news-count" value="1">' in part
    assert f'data-news="notice-{notice.pk}"' in part
    assert client.get(f"/accounts/notices/{notice.pk}/").url == "/tournaments/"
    assert '<data id="news-count" value="0">' in client.get("/invitations/?part=news").content.decode()
    assert "البطولات" in client.get("/invitations/").content.decode()


def test_all_are_marked_as_read_but_nobody_elses(client: Client) -> None:
    user, other = make_user(), make_user()
    tell(user, other)
    client.force_login(user)
    client.post("/accounts/notices/read/")
    assert [bool(notice.read_at) for notice in Notice.objects.order_by("user")] == [True, False]
    assert client.get(f"/accounts/notices/{Notice.objects.get(user=other).pk}/").status_code == 404


def test_notice_leads_to_no_other_site(client: Client) -> None:
    user = make_user()
    client.force_login(user)
    tell(user, url="//evil.example/")
    assert client.get(f"/accounts/notices/{Notice.objects.get().pk}/").url == "/invitations/"


@pytest.mark.parametrize(("language", "subject"), [("ar", "طرنيب: البطولات"), ("en", "Tarneeb: Tournaments")])
def test_letter_goes_once_to_a_confirmed_address_in_its_reader_s_language(
    language: str, subject: str
) -> None:
    user = confirm(make_user(language=language))
    tell(user, make_user(), by_mail=True)
    assert [notices.send_letters(now=NOW), notices.send_letters(now=NOW + timedelta(days=1))] == [1, 0]
    [letter] = mail.outbox
    assert (letter.to, letter.subject) == ([user.email], subject)
    assert "\nhttp://localhost:8000/tournaments/\n" in letter.body


def test_no_letter_to_who_wants_none() -> None:
    user = confirm(make_user())
    User.objects.filter(pk=user.pk).update(wants_mail=False)
    tell(user, by_mail=True)
    assert (notices.send_letters(now=NOW), len(mail.outbox)) == (0, 0)


class Away(EmailBackend):
    def send_messages(self, messages: object) -> int:
        raise ConnectionRefusedError


def test_letter_is_tried_again_later_and_given_up_at_last(settings) -> None:
    tell(confirm(make_user()), by_mail=True)
    settings.EMAIL_BACKEND = "tests.accounts.test_notices.Away"
    assert notices.send_letters(now=NOW) == 0
    assert Notice.objects.get().mail_at == NOW + timedelta(minutes=1)
    for hours in range(1, 9):
        notices.send_letters(now=NOW + timedelta(hours=hours))
    notice = Notice.objects.get()
    assert (notice.tries, notice.mail_at) == (notices.MOST_TRIES, None)


def test_letter_that_a_killed_process_took_is_sent_later() -> None:
    tell(confirm(make_user()), by_mail=True)
    notices._taken(NOW, 10)
    assert notices.send_letters(now=NOW) == 0
    assert notices.send_letters(now=NOW + timedelta(minutes=2)) == 1


def test_old_notices_are_forgotten() -> None:
    tell(make_user())
    assert [notices.forget_old(now=NOW + timedelta(days=days)) for days in (89, 91)] == [0, 1]


def test_address_is_confirmed_by_the_letter_s_link(client: Client) -> None:
    user = make_user()
    client.force_login(user)
    client.post("/accounts/settings/email/confirm/")
    [letter] = mail.outbox
    link = next(line for line in letter.body.splitlines() if "/confirm-email/" in line)
    path = link.removeprefix("http://testserver")
    assert client.get(path).status_code == 200
    client.post(path)
    assert EmailAddress.objects.get(user=user).verified
    client.cookies["django_language"] = "en"
    assert "Your address is confirmed." in client.get("/accounts/settings/").content.decode()


def test_country_and_letters_are_settings(client: Client) -> None:
    user = make_user()
    client.force_login(user)
    client.post("/accounts/settings/country/", {"country": "SY"})
    client.post("/accounts/settings/letters/", {})
    user.refresh_from_db()
    assert (user.country, user.wants_mail) == ("SY", False)
    assert client.post("/accounts/settings/country/", {"country": "XX"}).status_code == 400

"""Telling players something: a sentence each, in both languages, once a key; by e-mail too, where that is wanted."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import QuerySet
from django.utils.module_loading import import_string
from django.utils.translation import gettext, override

from accounts import ways
from accounts.bulk import insert
from accounts.models import Notice, NoticeKind, User
from accounts.queries import is_confirmed

log = logging.getLogger(__name__)

LANGUAGES = ("ar", "en")
TEXTS = tuple(f"text_{language}" for language in LANGUAGES)
KEPT_FOR = timedelta(days=90)
# What could not be sent is tried again after so long, then twice as long, and so on.
FIRST_PAUSE = timedelta(minutes=1)
MOST_TRIES = 6
RUNG_TOGETHER = 500


@dataclass(frozen=True, slots=True)
class Telling:
    """A sentence for some users: what `say` gives in each language. `url` is a path of this site."""

    users: Iterable[User]
    key: str
    say: Callable[[], str]
    url: str = ""


def notify(
    users: Iterable[User],
    key: str,
    say: Callable[[], str],
    *,
    url: str = "",
    kind: str = NoticeKind.TOURNAMENTS,
    by_mail: bool = False,
    is_read: bool = False,
    now: datetime,
) -> None:
    """Inside an open transaction: the sentence that `say` gives in each language, for each of the users.

    Who was told the same `key` already is not told again: jobs may run twice. Guests are told nothing. `by_mail`
    also sends it to those who want letters of that `kind` and have confirmed an address. `url` is a path of this
    site. `is_read`: the site shows it in another way.
    """
    notify_each([Telling(users, key, say, url)], kind=kind, by_mail=by_mail, is_read=is_read, now=now)


def notify_each(
    tellings: Iterable[Telling],
    *,
    kind: str = NoticeKind.TOURNAMENTS,
    by_mail: bool = False,
    is_read: bool = False,
    now: datetime,
) -> None:
    """Inside an open transaction: several sentences at once, each as `notify`."""
    told_of = [
        (user, telling, texts)
        for telling, texts in _in_each_language(tellings)
        for user in telling.users
        if not user.is_guest and user.is_active
    ]
    by_user = ways.wanted(kind, {user.pk for user, _, _ in told_of}) if told_of else {}
    told_of = [one for one in told_of if by_user[one[0].pk].here]
    if not told_of:
        return
    mailed = [by_mail and by_user[user.pk].mail for user, _, _ in told_of]
    insert(
        Notice,
        each={
            "user_id": [user.pk for user, _, _ in told_of],
            "key": [telling.key for _, telling, _ in told_of],
            "url": [telling.url for _, telling, _ in told_of],
            **{name: [texts[name] for _, _, texts in told_of] for name in TEXTS},
            "by_mail": mailed,
            "mail_at": [now if is_mailed else None for is_mailed in mailed],
            "push_at": [now if by_user[user.pk].push else None for user, _, _ in told_of],
        },
        shared={"kind": kind, "at": now, "read_at": now if is_read else None},
        ignore_conflicts=True,
    )
    told = [user for user, _, _ in told_of]
    ring = import_string(settings.NOTICE_BELL)
    for start in range(0, len(told), RUNG_TOGETHER):
        ring(told[start : start + RUNG_TOGETHER])


def _in_each_language(tellings: Iterable[Telling]) -> list[tuple[Telling, dict[str, str]]]:
    said: list[tuple[Telling, dict[str, str]]] = [(telling, {}) for telling in tellings]
    for language in LANGUAGES:
        with override(language):
            for telling, texts in said:
                texts[f"text_{language}"] = str(telling.say())
    return said


def unread(user: User) -> QuerySet[Notice]:
    """What this user was told and has not looked at, newest first."""
    return Notice.objects.filter(user=user, read_at=None)


@transaction.atomic(durable=True)
def read(*, user: User, number: int | None = None, now: datetime) -> None:
    """The user has seen a notice, or all of them. One that is not the user's stays as it is."""
    found = unread(user) if number is None else unread(user).filter(pk=number)
    found.update(read_at=now)


def forget_old(*, now: datetime) -> int:
    """Notices nobody needs any more are gone; how many."""
    return Notice.objects.filter(at__lt=now - KEPT_FOR).delete()[0]


def send_letters(*, now: datetime, most: int = 100) -> int:
    """Notices that are due by e-mail, sent; how many.

    Each is taken before it is sent and tried again later if that fails, or if this process dies meanwhile: a
    letter may come twice in the worst case, but it comes.
    """
    sent = 0
    for notice in _taken(now, most):
        address = _address(notice.user)
        if address is None or _send(notice, address):
            Notice.objects.filter(pk=notice.pk).update(mail_at=None)
            sent += address is not None
    return sent


@transaction.atomic(durable=True)
def _taken(now: datetime, most: int) -> list[Notice]:
    due = Notice.objects.select_for_update(skip_locked=True, of=("self",)).filter(mail_at__lte=now)
    notices = list(due.select_related("user").order_by("mail_at", "pk")[:most])
    for notice in notices:
        notice.tries += 1
        again = now + FIRST_PAUSE * 2 ** (notice.tries - 1)
        notice.mail_at = again if notice.tries < MOST_TRIES else None
    Notice.objects.bulk_update(notices, ["tries", "mail_at"])
    return notices


def _address(user: User) -> str | None:
    """Where letters to this user go: an address that was confirmed, if any are wanted."""
    if not user.wants_mail or not user.is_active:
        return None
    return user.email if is_confirmed(user) else None


def _send(notice: Notice, address: str) -> bool:
    with override(notice.user.language or settings.LANGUAGE_CODE):
        said = notice.text
        link = f"{settings.SITE_URL}{notice.url}" if notice.url else ""
        stop = gettext("To get no more of these letters, change it in your settings: %(url)s")
        foot = stop % {"url": f"{settings.SITE_URL}/accounts/settings/"}
        # A line of its own: an address inside a line of Arabic would be torn apart.
        body = "\n\n".join(part for part in (said, link, foot) if part) + "\n"
        subject = " ".join(f"{gettext('Tarneeb')}: {said}".split())[:120]
    try:
        EmailMessage(subject, body, to=[address]).send()
    except (OSError, SMTPException) as error:
        log.warning("a letter was not sent; it is tried again: %s", type(error).__name__)
        return False
    return True

"""Closing one's account: what was played stays, under a name that says nothing; everything else goes."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from importlib import import_module
from itertools import count
from types import ModuleType

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import (
    Block,
    DataFile,
    Follow,
    Mute,
    NameChange,
    Notice,
    NoticeChoice,
    PushAddress,
    User,
)
from accounts.names import FORMER_WORDS
from accounts.pictures import drop_file_on_commit
from accounts.services import held, numbered

STAFF = _("This account has rights over the site. Let another administrator take them away first.")


class Staying(Exception):
    """The account cannot be closed now; `message` is translated when it is shown."""

    def __init__(self, message: str | Promise) -> None:
        self.message = message
        super().__init__(str(message))


def hindrance(user: User) -> str | Promise | None:
    """Why the account cannot be closed now; None where nothing is in the way."""
    if user.is_staff or user.is_superuser:
        return STAFF
    return next((why for closer in _closers() if (why := closer.hindrance(user))), None)


def close(*, user: User, now: datetime) -> User:
    """The account, closed: it is in nothing any more, nobody logs in to it, and nothing but its matches is left.

    Raises: Staying where something is in the way.
    """
    _require_free(user)
    for closer in _closers():
        closer.leave(user, now)
    for tried in count():
        try:
            with transaction.atomic(durable=True):
                return _close(user, numbered(tried), now)
        except IntegrityError:  # that number is taken
            continue
    raise AssertionError("numbers do not end")


def _close(user: User, number: int, now: datetime) -> User:
    user = held(user)
    # A match may have begun since we looked.
    _require_free(user)
    _keep_names(user, now)
    drop_file_on_commit(user)
    _forget(user)
    user.username = f"{FORMER_WORDS[user.language or settings.LANGUAGE_CODE]} {number}"
    user.email = user.country = user.city = user.club = user.club_key = ""
    user.digits = user.card_style = ""
    user.picture.name = ""
    user.shows_play = user.wants_mail = user.is_active = False
    user.closed_at, user.last_login = now, None
    # No session lives on: what each is bound to has changed.
    user.set_unusable_password()
    user.save()
    return user


def _keep_names(user: User, now: datetime) -> None:
    """Nobody takes the names for a while; that they were this player's is not told any more."""
    since = now - timedelta(days=settings.OLD_NAME_DAYS)
    changes = NameChange.objects.filter(user=user)
    changes.filter(at__lte=since).delete()
    changes.update(before="", after="")
    NameChange.objects.create(user=user, before="", before_key=user.name_key, after="", at=now)


def _forget(user: User) -> None:
    own = Q(user=user)
    for session in UserSession.objects.filter(own):
        session.end()
    for model in (EmailAddress, Authenticator, SocialAccount, PushAddress, NoticeChoice, Notice, DataFile):
        model.objects.filter(own).delete()
    Follow.objects.filter(own | Q(followed=user)).delete()
    Block.objects.filter(own | Q(blocked=user)).delete()
    Mute.objects.filter(own | Q(muted=user)).delete()
    user.groups.clear()
    user.user_permissions.clear()


def _require_free(user: User) -> None:
    if why := hindrance(user):
        raise Staying(why)


def _closers() -> Iterator[ModuleType]:
    return map(import_module, settings.ACCOUNT_CLOSERS)

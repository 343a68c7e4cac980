"""What people may do with their accounts, and without one."""

import secrets
from datetime import datetime, timedelta
from itertools import count

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from accounts.models import EMAIL_TAKEN, TAKEN, NameChange, User
from accounts.names import GUEST_WORDS, clean_name, name_key, refuse_reserved

HAS_AN_ACCOUNT = _("You have made an account already.")
# A guest's number has four digits, and one more whenever these tries met taken ones only.
TRIES_A_LENGTH = 8


def held(user: User) -> User:
    """Inside an open transaction: the user's row, which nobody else changes until its end."""
    # Without the key: a move of this user refers to the row, and all moves stored with it would wait for us.
    return User.objects.select_for_update(no_key=True).get(pk=user.pk)


def free_name(name: str, *, but_for: User | None = None) -> str:
    """The name as it would be kept, where it is accepted and nobody else's; `but_for` may have it already.

    Raises: ValidationError, with the codes of `accounts.names.clean_name`, `reserved` or `taken`.
    """
    name = clean_name(name)
    key = name_key(name)
    if but_for is None or key != but_for.name_key:
        refuse_reserved(name)
    own = but_for.pk if but_for else 0
    # In this order: who gives up a name changes both at once.
    if User.objects.filter(name_key=key).exclude(pk=own).exists() or is_kept(key, but_for=own):
        raise ValidationError(TAKEN, code="taken")
    return name


def is_kept(key: str, *, but_for: int = 0) -> bool:
    """Whether somebody had a name with that key lately: nobody else takes it for `OLD_NAME_DAYS`."""
    since = Now() - timedelta(days=settings.OLD_NAME_DAYS)
    return NameChange.objects.filter(before_key=key, at__gt=since).exclude(user=but_for).exists()


@transaction.atomic(durable=True)
def change_letters(*, user: User, wants_mail: bool) -> None:
    """Whether the user's notices come by e-mail as well."""
    User.objects.filter(pk=user.pk).update(wants_mail=wants_mail)


def make_guest(*, language: str, now: datetime) -> User:
    """A new guest: a numbered name in the reader's language that nobody else can have, no password, no address."""
    for number in map(numbered, count()):
        try:
            with transaction.atomic(durable=True):
                return User.objects.create_user(
                    f"{GUEST_WORDS[language]} {number}", language=language, is_guest=True, last_login=now
                )
        except IntegrityError:  # that number is taken
            continue
    raise AssertionError("numbers do not end")


def numbered(tried: int) -> int:
    """A number to put behind a word: four digits, and more where the shorter ones were tried and taken."""
    least = int("1000" + "0" * (tried // TRIES_A_LENGTH))
    return least + secrets.randbelow(9 * least)


def settle(*, user: User, name: str, email: str, password: str) -> User:
    """Inside an open transaction: the guest's own row as an account, with all that hangs on it.

    Raises: ValidationError as `free_name`, or with code `email_taken` or `no_guest`.
    """
    user = held(user)
    if not user.is_guest:
        raise ValidationError(HAS_AN_ACCOUNT, code="no_guest")
    user.username, user.email, user.is_guest = free_name(name), email.strip().lower(), False
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save(update_fields=["username", "email", "password", "is_guest"])
            EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=False)
    except IntegrityError as error:
        is_of_email = User.objects.filter(email__iexact=user.email).exclude(pk=user.pk).exists()
        raise (
            ValidationError(EMAIL_TAKEN, code="email_taken")
            if is_of_email
            else ValidationError(TAKEN, code="taken")
        ) from error
    return user


def seen(*, user: User, now: datetime) -> None:
    """A guest was here: what nobody needs any more is told from what somebody may come back to."""
    User.objects.filter(pk=user.pk, is_guest=True).update(last_login=now)

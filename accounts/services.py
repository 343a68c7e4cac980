"""What people may do with their accounts, and without one."""

import secrets
from datetime import datetime
from itertools import count

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import EMAIL_TAKEN, TAKEN, User
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
    if User.objects.filter(name_key=key).exclude(pk=but_for.pk if but_for else 0).exists():
        raise ValidationError(TAKEN, code="taken")
    return name


def rename(*, user: User, name: str) -> User:
    """Gives the account another name. Raises: ValidationError as `free_name`."""
    try:
        with transaction.atomic(durable=True):
            user = held(user)
            user.username = free_name(name, but_for=user)
            user.save(update_fields=["username"])
    except IntegrityError as error:
        raise ValidationError(TAKEN, code="taken") from error
    return user


def change_email(*, user: User, email: str) -> User:
    """Replaces the account's e-mail address; an empty one removes it.

    Raises: ValidationError with code `email_taken`.
    """
    try:
        with transaction.atomic(durable=True):
            user = held(user)
            user.email = email.strip().lower()
            user.save(update_fields=["email"])
            EmailAddress.objects.filter(user=user).delete()
            if user.email:
                EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=False)
    except IntegrityError as error:
        raise ValidationError(EMAIL_TAKEN, code="email_taken") from error
    return user


def ask_to_confirm(request: HttpRequest, user: User) -> bool:
    """Whether a letter went out that asks to confirm the account's address; none where that is done, or none is."""
    address = EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=False).first()
    if address is None and user.email and not EmailAddress.objects.filter(user=user).exists():
        address = EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=False)
    if address is None:
        return False
    address.send_confirmation(request)
    return True


@transaction.atomic(durable=True)
def change_country(*, user: User, country: str) -> None:
    """Where the user is at home: a code of `accounts.countries`, or nothing."""
    User.objects.filter(pk=user.pk).update(country=country)


@transaction.atomic(durable=True)
def change_letters(*, user: User, wants_mail: bool) -> None:
    """Whether the user's notices come by e-mail as well."""
    User.objects.filter(pk=user.pk).update(wants_mail=wants_mail)


def make_guest(*, language: str, now: datetime) -> User:
    """A new guest: a numbered name in the reader's language that nobody else can have, no password, no address."""
    for number in map(_guest_number, count()):
        try:
            with transaction.atomic(durable=True):
                return User.objects.create_user(
                    f"{GUEST_WORDS[language]} {number}", language=language, is_guest=True, last_login=now
                )
        except IntegrityError:  # that number is taken
            continue
    raise AssertionError("numbers do not end")


def _guest_number(tried: int) -> int:
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

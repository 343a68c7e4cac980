"""What people may do with their accounts."""

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from accounts.models import EMAIL_TAKEN, TAKEN, User
from accounts.names import clean_name, name_key, refuse_reserved


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
            user = User.objects.select_for_update().get(pk=user.pk)
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
            user = User.objects.select_for_update().get(pk=user.pk)
            user.email = email.strip().lower()
            user.save(update_fields=["email"])
            EmailAddress.objects.filter(user=user).delete()
            if user.email:
                EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=False)
    except IntegrityError as error:
        raise ValidationError(EMAIL_TAKEN, code="email_taken") from error
    return user

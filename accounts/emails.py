"""The account's e-mail address: a new one takes the old one's place once it is confirmed."""

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest

from accounts.models import EMAIL_TAKEN, User
from accounts.queries import with_email
from accounts.services import held


def ask_change(request: HttpRequest, *, user: User, email: str) -> str:
    """Letters to the new address, which has to be confirmed, and to the old one, which holds until then.

    What came of it: "asked"; "same" where it is the address already; "removed" where none is wanted any more.
    Raises: ValidationError with code `email_taken`.
    """
    email = email.strip().lower()
    before = user.email
    if not email:
        _remove(user)
        if before:
            get_adapter(request).send_notification_mail(
                "account/email/email_deleted", user, {"user": user}, email=before
            )
        return "removed"
    if email == before.lower():
        drop_pending(user=user)
        return "same"
    pending = _pending(user, email)
    pending.send_confirmation(request)
    if before:
        get_adapter(request).send_notification_mail(
            "account/email/email_change_asked", user, {"to_email": email, "user": user}, email=before
        )
    return "asked"


def welcome(request: HttpRequest, user: User) -> None:
    """The letter that asks a new account to confirm its address; nobody is kept waiting if it cannot be sent."""
    for address in EmailAddress.objects.filter(user=user, verified=False):
        address.send_confirmation(request, signup=True)


def pending_change(user: User) -> str:
    """The address that waits to be confirmed in place of the present one; "" where none does."""
    found = EmailAddress.objects.filter(user=user, verified=False).exclude(email__iexact=user.email)
    return found.values_list("email", flat=True).first() or ""


@transaction.atomic(durable=True)
def drop_pending(*, user: User) -> None:
    """The user keeps the present address after all: the letter's link is worth nothing any more."""
    EmailAddress.objects.filter(user=held(user), verified=False).exclude(email__iexact=user.email).delete()


def ask_to_confirm(request: HttpRequest, user: User) -> bool:
    """Whether a letter went out that asks to confirm an address: the one that waits, else the present one."""
    address = EmailAddress.objects.filter(user=user, verified=False).order_by("primary", "pk").first()
    if address is None and user.email and not EmailAddress.objects.filter(user=user).exists():
        address = EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=False)
    if address is None:
        return False
    address.send_confirmation(request)
    return True


@transaction.atomic(durable=True)
def _pending(user: User, email: str) -> EmailAddress:
    user = held(user)
    taken = EmailAddress.objects.filter(email__iexact=email, verified=True).exclude(user=user)
    if taken.exists() or with_email(email).exclude(pk=user.pk).exists():
        raise ValidationError(EMAIL_TAKEN, code="email_taken")
    EmailAddress.objects.filter(user=user, verified=False).exclude(email__iexact=user.email).delete()
    if user.email and not EmailAddress.objects.filter(user=user, primary=True).exists():
        EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=False)
    return EmailAddress.objects.create(user=user, email=email, primary=False, verified=False)


@transaction.atomic(durable=True)
def _remove(user: User) -> None:
    user = held(user)
    user.email = ""
    user.save(update_fields=["email"])
    EmailAddress.objects.filter(user=user).delete()

"""Changing one's name: now and then, and nobody else takes the old one for a while."""

from datetime import datetime, timedelta

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import formats, timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import TAKEN, NameChange, User
from accounts.names import name_key
from accounts.services import free_name, held


def rename(*, user: User, name: str, now: datetime) -> User:
    """Gives the account another name; another writing of the same one may be chosen at any time.

    Raises: ValidationError as `services.free_name`, or with code `too_soon`.
    """
    try:
        with transaction.atomic(durable=True):
            user = held(user)
            name = free_name(name, but_for=user)
            if name_key(name) != user.name_key:
                require_rested(user, now)
                NameChange.objects.create(
                    user=user, before=user.username, before_key=user.name_key, after=name, at=now
                )
            user.username = name
            user.save(update_fields=["username"])
    except IntegrityError as error:
        raise ValidationError(TAKEN, code="taken") from error
    return user


def note_change(user: User, *, before: str, now: datetime) -> None:
    """Keeps a name that somebody else has changed: its old address leads on, and nobody takes it for a while."""
    if name_key(before) != name_key(user.username):
        NameChange.objects.create(
            user=user, before=before, before_key=name_key(before), after=user.username, at=now
        )


def next_change_at(user: User) -> datetime | None:
    """From when on the user may change the name again; None if at once, as far as is known."""
    last = NameChange.objects.filter(user=user).values_list("at", flat=True).first()
    return last + timedelta(days=settings.NAME_CHANGE_DAYS) if last else None


def require_rested(user: User, now: datetime) -> None:
    """Raises: ValidationError `too_soon` where the name was changed lately."""
    again_at = next_change_at(user)
    if again_at is not None and again_at > now:
        day = formats.date_format(timezone.localtime(again_at), "DATE_FORMAT")
        raise ValidationError(
            _("You changed your name a short while ago. You can change it again on %(day)s."),
            code="too_soon",
            params={"day": day},
        )


def free_names(*, now: datetime) -> int:
    """Once a day: names of closed accounts that were kept for long enough are forgotten; how many."""
    old = NameChange.objects.filter(before="", at__lte=now - timedelta(days=settings.OLD_NAME_DAYS))
    return old.delete()[0]

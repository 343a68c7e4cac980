"""Whom one follows and whom one blocks. Inside an open transaction; the doors stand in `games.services.company`."""

from datetime import datetime

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.models import Block, Follow, User
from accounts.services import held

MOST_FOLLOWED = 500
MOST_BLOCKED = 500


def follow(user: User, other: User, now: datetime) -> None:
    """`user` hears of `other`; done already is fine.

    Raises: ValidationError with code `guests`, `yourself`, `not_open` or `too_many`.
    """
    _require_two(user, other)
    # Held, so that a block that comes at the same moment ends it.
    held(other)
    if is_blocked(user, by=other):
        raise ValidationError(_("This player cannot be followed."), code="not_open")
    if Follow.objects.filter(user=user).exclude(followed=other).count() >= MOST_FOLLOWED:
        raise ValidationError(
            _("You follow as many players as one can. Leave one of them first."), code="too_many"
        )
    Follow.objects.get_or_create(user=user, followed=other, defaults={"at": now})


def unfollow(user: User, other: User) -> None:
    """`user` hears of `other` no more."""
    Follow.objects.filter(user=user, followed=other).delete()


def block(user: User, other: User, now: datetime) -> None:
    """`other` cannot come near `user` by choice any more; neither follows the other. Done already is fine.

    Raises: ValidationError with code `guests`, `yourself` or `too_many`.
    """
    _require_two(user, other)
    user = held(user)
    if Block.objects.filter(user=user).exclude(blocked=other).count() >= MOST_BLOCKED:
        raise ValidationError(
            _("You have blocked as many players as one can. Let one of them go first."), code="too_many"
        )
    Block.objects.get_or_create(user=user, blocked=other, defaults={"at": now})
    Follow.objects.filter(user=user, followed=other).delete()
    Follow.objects.filter(user=other, followed=user).delete()


def unblock(user: User, other: User) -> None:
    """`other` may come near `user` again."""
    Block.objects.filter(user=user, blocked=other).delete()


def is_blocked(user: User, *, by: User) -> bool:
    """Whether `by` has blocked `user`."""
    return Block.objects.filter(user=by, blocked=user).exists()


def _require_two(user: User, other: User) -> None:
    if user.is_guest or other.is_guest:
        raise ValidationError(
            _("Guests are here for a while only: this is for players with accounts."), code="guests"
        )
    if user.pk == other.pk:
        raise ValidationError(_("That is you."), code="yourself")

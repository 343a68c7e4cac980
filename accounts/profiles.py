"""What players say of themselves, and how they like their pages."""

import unicodedata

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.names import search_key

UNSEEN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}


def plain_line(text: str) -> str:
    """One line of visible text (NFC), blanks made one. Raises: ValidationError, code `characters`."""
    line = " ".join(unicodedata.normalize("NFC", text).split())
    if any(unicodedata.category(character) in UNSEEN for character in line):
        raise ValidationError(_("Use letters, digits and ordinary signs only."), code="characters")
    return line


@transaction.atomic(durable=True)
def change_place(*, user: User, country: str, city: str, club: str) -> None:
    """Where the user is at home: a code of `accounts.countries`, a city, a club; each may be empty."""
    User.objects.filter(pk=user.pk).update(
        country=country, city=city, club=club, club_key=search_key(club)[:80]
    )


@transaction.atomic(durable=True)
def change_looks(*, user: User, digits: str, card_style: str) -> None:
    """Which digits and cards the user reads; empty: as each browser has it."""
    User.objects.filter(pk=user.pk).update(digits=digits, card_style=card_style)


@transaction.atomic(durable=True)
def change_openness(*, user: User, asked_by: str, shows_play: bool) -> None:
    """Who may invite the user, and whether others see where the user plays."""
    User.objects.filter(pk=user.pk).update(asked_by=asked_by, shows_play=shows_play)

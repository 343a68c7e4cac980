"""Passwords are the same text however a keyboard composes it; what is wrong with one is said in our words."""

import unicodedata

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.utils.translation import gettext_noop, ngettext

# A sentence of allauth whose Arabic ends in a stray direction mark; marked here, it is in our catalogue too.
NOT_THE_SAME = gettext_noop("You must type the same password each time.")


def normalised(password: str | None) -> str | None:
    """The password in NFKC: what is hashed and compared. None stays None (no usable password)."""
    return None if password is None else unicodedata.normalize("NFKC", password)


class LengthValidator(MinimumLengthValidator):
    """Django's, with a sentence that is translated."""

    def get_error_message(self) -> str:
        return ngettext(
            "Too short: a password has at least %(length)s character.",
            "Too short: a password has at least %(length)s characters.",
            self.min_length,
        ) % {"length": self.min_length}

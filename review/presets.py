"""What reviewers say again and again, in both languages: a start, to be changed where the case asks for it."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

# What those who reported are told.
ANSWERS: Final[dict[str, Promise | str]] = {
    "nothing": _("We looked at the whole match and found nothing against the rules. Thank you for writing."),
    "warned": _("You were right. We have spoken to the player. Thank you for writing."),
    "acted": _("You were right. We have acted on it. Thank you for writing."),
    "void": _("You were right. The match does not count. Thank you for writing."),
    "line": _("The player's line broke; it was not on purpose. Thank you for writing."),
    "unclear": _("What happened cannot be told for certain from the record. We keep it in mind."),
}
# What a player reads who is warned or banned, and the players of a match that is declared void.
REASONS: Final[dict[str, Promise | str]] = {
    "words": _("Rude words at the table. Everybody plays here to enjoy it."),
    "left": _("You left matches in the middle, or let the clock play on purpose."),
    "collusion": _("Partners told each other their cards."),
    "name": _("Your name offends others. Choose another one in your settings."),
    "two-accounts": _("One person played with two accounts."),
    "fault": _("A fault of the site made the match unfair."),
}


def both(sentence: Promise | str) -> tuple[str, str]:
    """A sentence in Arabic and in English."""
    with override("ar"):
        arabic = str(sentence)
    with override("en"):
        return arabic, str(sentence)

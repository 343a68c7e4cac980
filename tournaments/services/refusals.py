"""Why something about a tournament was refused: a stable code for programs, a sentence for people."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.services import refusals

SENTENCES: dict[str, str | Promise] = {
    "not-organiser": _("Only the organiser may do this."),
    "not-your-role": _("Your role in this tournament does not allow that. Ask its organiser."),
    "guests-cannot-organise": _("Guests cannot run tournaments. Make an account first."),
    "guests-cannot-enter": _("Guests cannot enter tournaments. Make an account first: it takes a minute."),
    "partner-is-guest": _("This player is a guest. Partners in a tournament need an account."),
    "not-open": _("Registration for this tournament is closed."),
    "own-partner": _("Choose somebody else as your partner."),
    "already-entered": _("You already play in this tournament."),
    "partner-entered": _("This player already plays here with another partner."),
    "full": _("The tournament is full."),
    "lapsed": _("This invitation has lapsed."),
    "accepted": _("You have accepted already. To leave, withdraw the pair."),
    "not-entered": _("This pair is not in the tournament."),
    "too-few-entries": _("At least two pairs must have entered before it can start."),
    "already-started": _("The tournament has already started."),
    "not-running": _("The tournament is not running."),
    "out": _("Your pair is already out of this tournament."),
    "already-over": _("The tournament is over."),
    "moved-on": _("The tournament had moved on meanwhile. Look at the new preview before you confirm."),
    "points": _("Give the points of both sides: equal for a draw, unequal for everything else."),
    "nothing-said": _("Write what you want to tell."),
    "too-long": _("That is too long. Make it shorter."),
    # The codes of a tournament file.
    "malformed": _("This decision is not complete or contradicts itself."),
    "unknown-pairing": _("There is no such pairing."),
    "not-ready": _("This pairing is not ready yet: a side is not known."),
    "already-done": _("This pairing is decided already. Correct it instead."),
    "unknown-entrant": _("There is no such pair in this tournament."),
    "not-allowed": _("This tournament's format does not allow that."),
    "nothing-to-undo": _("There is no correction to take back."),
}


class Refused(refusals.Refused):
    """Something asked for was refused; nothing changed."""

    sentences = SENTENCES

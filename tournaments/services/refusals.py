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
    "not-invitable": _("This player cannot be invited."),
    "own-partner": _("Choose somebody else as your partner."),
    "already-entered": _("You already play in this tournament."),
    "partner-entered": _("This player already plays here with another partner."),
    "full": _("The tournament is full."),
    "lapsed": _("This invitation has lapsed."),
    "accepted": _("You have accepted already. To leave, withdraw the pair."),
    "not-entered": _("This pair is not in the tournament."),
    "too-few-entries": _("At least two pairs must have entered before it can start."),
    "too-few-here": _(
        "Fewer than two pairs have checked in. Wait for them, or check in at the desk those who are there."
    ),
    "too-few-for-groups": _(
        "%(groups)s groups need at least %(fewest)s pairs, so that everybody has somebody to play; "
        "%(pairs)s can start. Choose fewer groups in the settings, or bring in more pairs."
    ),
    "already-started": _("The tournament has already started."),
    "not-running": _("The tournament is not running."),
    "out": _("Your pair is already out of this tournament."),
    "already-over": _("The tournament is over."),
    "moved-on": _("The tournament had moved on meanwhile. Look at the new preview before you confirm."),
    "points": _("Give the points of both sides: equal for a draw, unequal for everything else."),
    # The field's own sentence: which hours are near.
    "skipped-time": "%(why)s",
    "below-target": _(
        "Neither side has the %(target)s points of the target. Look at the points, or choose the round cap."
    ),
    "points-given": _("Points are whole numbers, as 1 or -1. Look at those you gave."),
    "chosen-anew": _("What you chose changes what follows. Look at it once more, then decide."),
    "not-this-match": _("The objection is about another match. Decide that one."),
    "no-official": _("There is no player of this name."),
    "too-many-links": _("Many links are open already. Take one back first."),
    "lapsed-link": _("This link has been used or is too old. Ask for a new one."),
    "owner-already": _("The tournament is yours: you may do everything already."),
    "no-organiser": _("Only somebody who is an organiser here can take the tournament over."),
    "too-late-to-object": _("It is too late to object: the result is final."),
    "no-such-moment": _("There was no such deal or card in this match."),
    "already-ruled": _("This objection has been answered or taken back already."),
    "taken": _("Another referee has taken this objection."),
    "own-match": _("This is a match of your own. Another referee must decide it."),
    "own-pair": _("This is about your own pair, or whom you are playing. Another official must decide it."),
    "not-offered": _("That cannot be done now. Look at what is offered."),
    "certified": _("The tournament is certified. Take that back first."),
    "no-reason": _("Say why. Everybody reads the reason."),
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
    # Settings, lists of entrants and their places.
    "bad-settings": _("These settings do not go together. Look at the format's once more."),
    "settings-moved": _(
        "Somebody else has changed the settings meanwhile: nothing of yours was saved. "
        "Look at them and change them again."
    ),
    "settled": _("That can no longer be changed: the tournament is too far on."),
    "capacity-below-entries": _("More pairs than that have entered already."),
    "pairings-would-change": _("That would change pairings that are published already, so it was not saved."),
    "list-moved": _("The entrants have changed meanwhile. Look at the new preview before you confirm."),
    "place-taken": _("Somebody has taken this place already. If it was meant for you, ask the organiser."),
    "place-gone": _("This pair is no longer in the tournament."),
    # While it runs.
    "nothing-differs": _("The pairings are as the log says: there is nothing to take over."),
    "unknown-round": _("There is no such round."),
    "round-open": _("This round is open already."),
    "paused": _("The tournament is paused."),
    "not-paused": _("The tournament is not paused."),
    "nothing-to-confirm": _("There is no result that waits to be confirmed."),
    "not-your-match": _("Only those who played this match may confirm its result."),
    "disputed": _("Somebody objects to this result. A referee must rule first."),
    "other-result": _("The result is another one meanwhile. Look at it again before you confirm."),
    # Entering, check-in and the field.
    "not-yet-open": _("Registration has not opened yet. The page says when it does."),
    "not-published": _("Only a tournament that was announced and is not open yet can be opened."),
    "not-ready-state": _("Only while the tournament waits for its start can that be done."),
    "deadline-passed": _(
        "The time for registration is over. Move the start or the end of registration first."
    ),
    "start-passed": _("The start lies in the past. Choose another time first."),
    "code-missing": _("This tournament is entered by a code. Ask its organiser for it."),
    "code-wrong": _("That is not the code of this tournament. Look at it once more, or ask its organiser."),
    "not-invited": _(
        "This tournament is by invitation, and neither of you is on the list. Ask its organiser to invite you."
    ),
    "email-unconfirmed": _(
        "Who plays here needs a confirmed e-mail address. Confirm yours in your settings, then try again."
    ),
    "partner-email-unconfirmed": _(
        "Your partner has no confirmed e-mail address yet. Once it is confirmed in their settings you can accept."
    ),
    "country-missing": _(
        "This tournament is for players of certain countries. Say in your settings where you are at home."
    ),
    "partner-country-missing": _(
        "This tournament is for players of certain countries, and your partner has not said where they are at home."
    ),
    "region": _("This tournament is for players of other countries; the rules of the tournament name them."),
    "partner-region": _("This tournament is for players of other countries than your partner's."),
    "rating-unknown": _(
        "This tournament asks for a rating, and your pair's is not known. Ask its organiser to enter it, then accept."
    ),
    "reliability-low": _(
        "This tournament is for players who play their matches to the end. Your reliability is lower than it asks for."
    ),
    "partner-reliability-low": _(
        "This tournament is for players who play their matches to the end. Your partner's reliability is too low."
    ),
    # The ban's own sentence: for how long, and why.
    "banned": "%(why)s",
    "partner-banned": _("Your partner may not enter tournaments now."),
    "rating-low": _("Your pair's rating is lower than this tournament asks for."),
    "rating-high": _("Your pair's rating is higher than this tournament allows."),
    "name-taken": _("Another pair of this tournament has this name. Choose another one."),
    "no-substitutes": _("In this tournament pairs have no third player."),
    "third-there": _("Your pair has a third player already."),
    "third-plays": _("The third player plays at the moment. Change first who plays."),
    "no-third": _("This pair has no third player who could play."),
    "table-open": _("Your table is open: who plays can be changed before a match, not during one."),
    "check-in-later": _("Check-in is not open yet. The page says when it is."),
    "check-in-over": _("Check-in is over. If you are there, ask the organiser to bring your pair back."),
    "incomplete": _("A place of this pair is not claimed yet: it could not sit down."),
    "seeds-later": _("Seeds can be moved once registration is closed."),
    "two-pairs": _("Choose two different pairs."),
    "not-over": _("The tournament is not over yet."),
    "results-open": _("Some results are not final yet. They have to be, before the tournament is certified."),
    "objections-open": _("Objections are still open. Rule on them first."),
    "time-to-object": _(
        "Some results may still be objected to. Wait until that time is over, or say why you certify before."
    ),
    "not-certified": _("The tournament is not certified."),
}


class Refused(refusals.Refused):
    """Something asked for was refused; nothing changed."""

    sentences = SENTENCES

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        # What the sentence leaves open, by name.
        self.facts = facts

    def __str__(self) -> str:
        return super().__str__() % self.facts if self.facts else super().__str__()

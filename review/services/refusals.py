"""Why something was refused to a reviewer: a stable code, a sentence."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.services import refusals

SENTENCES: dict[str, str | Promise] = {
    "not-your-role": _("Your role does not allow that."),
    "own-case": _("You are part of this matter yourself: leave it to another reviewer."),
    "own-sanction": _("You imposed this yourself: another reviewer answers the appeal."),
    "taken": _("Another reviewer has taken this case."),
    "not-taken": _("Take the case first, so that nobody else works on it meanwhile."),
    "closed": _("This case is closed."),
    "no-reason": _("Say why: the reason stands in the log for good."),
    "no-answer": _("Say it in both languages: people read it in theirs."),
    "too-long": _("That is too long."),
    "no-term": _("Say for how many days."),
    "term-too-long": _("Your role bans for 90 days at most."),
    "staff": _("Staff are judged by a superuser."),
    "lifted": _("This sanction is not in force any more."),
    "no-appeal": _("There is no appeal that waits for an answer."),
    "not-over": _("Only a match that is over can be declared void."),
    "void-already": _("This match is void already."),
    "not-void": _("This match is not void."),
    "no-tournament": _("This match is of no tournament."),
    "answer-there": _("An objection or an appeal is answered as such."),
    "no-objection": _("There is no objection that waits for an answer."),
    "no-outcome": _("Say whether it was so."),
    "no-hint": _("Nothing speaks for these two being one any more."),
}


class Refused(refusals.Refused):
    """Something a reviewer asked for was refused; nothing changed."""

    sentences = SENTENCES

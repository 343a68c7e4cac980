"""Why something was refused: a stable code for programs, a sentence for people."""

from collections.abc import Mapping
from typing import ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: dict[str, str | Promise] = {
    "malformed": _("This message could not be understood. Nothing changed."),
    "too-fast": _("Too many messages at once. Wait a moment and try again."),
    "not-seated": _("Only the four players of this table can do this."),
    "table-closed": _("This match is over."),
    "stale": _("The table had moved on meanwhile. Look again and choose anew."),
    "not-your-turn": _("It is not your turn."),
    "match-over": _("This match is over."),
    "paused": _("The match is paused by its organisers. It goes on where it stopped."),
    "deal-over": _("This deal is over. The next one is about to be dealt."),
    "wrong-phase": _("This cannot be done now."),
    "card-not-held": _("You do not hold this card."),
    "must-follow-suit": _("You must follow the suit that was led."),
    "bid-too-low": _("Your bid must be higher than the standing one."),
    "bid-out-of-range": _("There is no such bid in this game."),
    "pass-not-allowed": _("You are the dealer and all others passed: you must bid."),
    "double-not-allowed": _("You cannot double now."),
    "chat-off": _("At this table people talk in phrases only."),
    "chat-between-deals": _(
        "While the cards are in play partners do not talk here. Wait for the end of the deal."
    ),
    "chat-needs-account": _("Guests talk in phrases. Make an account to write in your own words."),
    "no-such-player": _("No player of this name has been at this table."),
    "too-many-muted": _("You have muted as many players as one can. Hear one of them again first."),
    "too-many-reports": _("These are many reports for one day. The ones that arrived are looked at."),
    "draining": _("The site is about to be restarted: no new match starts now. Those in play go on."),
    "server-error": _("Something went wrong here. Nothing is lost; please try again."),
    "no-such-seat": _("There is no such seat at this table."),
    "seat-taken": _("Somebody else took this seat a moment ago. Choose another one."),
    "already-started": _("The match has already started."),
    "guests-only-casual": _("Guests play casual tables only. Make an account to play for a rating."),
    "guests-cannot-host": _(
        "Guests open tables for who has the link. Make an account to open one for everybody."
    ),
    "guests-cannot-invite": _("Guests invite by the link. Make an account to invite players by name."),
    "not-host": _("Only the host of the table can do this."),
    "bad-salt": _("A salt has at most 32 digits from 0 to 9 and a to f."),
    "bad-target": _("This game is not played to that score."),
    "bad-options": _("This game does not have these options."),
    "own-partner": _("Name somebody else: nobody is their own partner."),
    "lapsed": _("This question is no longer open."),
    "no-player": _("There is no player of this name."),
    "not-at-table": _("Only who sits at this table, or opened it, can invite."),
    "seated-already": _("This player sits at the table already."),
    "invited-already": _("This player has been asked a moment ago. Give them time to answer."),
    "table-full": _("All seats of this table are taken."),
    "too-many-invitations": _("You have sent many invitations. Wait a few minutes."),
    "not-in-play": _("No match is in play at this table."),
    "removed": _("The host asked you off this table."),
    "at-another-table": _("You are in another match that counts. Finish it first."),
    "banned": _("You are kept from this for a while. The page of your standing says why."),
    "somebody-banned": _("One of you may not start a match now."),
    "not-reliable-enough": _(
        "This table is for players who play their matches to the end. Your reliability is lower than it asks for."
    ),
    "nobody-away": _("Everybody is at the table: there is nothing to decide."),
    "not-welcome": _("You cannot sit at this table. Choose another one."),
    "not-invitable": _("This player cannot be invited."),
    "you-block-them": _("You block this player. Unblock them first, on your page of people."),
    "no-vote-here": _("At this table the players do not decide this."),
    "too-late": _("It is too late for this now."),
}


class Refused(Exception):
    """Something a user asked for was refused; nothing changed. `message` is translated when it is shown."""

    sentences: ClassVar[Mapping[str, str | Promise]] = SENTENCES

    def __init__(self, code: str) -> None:
        self.code = code
        self.message = self.sentences[code]
        super().__init__(code)

    def __str__(self) -> str:
        return str(self.message)

"""What the tables hold of a player, for the file of all data that they may ask for."""

from django.db.models import F, Q

from accounts.models import User
from accounts.own_data import Part, part
from games.models import (
    Appearance,
    ChatLine,
    Connection,
    Event,
    Invitation,
    Phase,
    Report,
    Seat,
    Seek,
    Table,
)

# Who reads them is not the one they are about: complaints by others, and what reviewers did with a match.
KEPT_BACK = ("games.Report.about", "games.Void.by", "games.Void.lifted_by")
# Said once already, in the player's own list of matches.
REPEATED = ("games.Appearance.partner", "games.Appearance.right", "games.Appearance.left")


def data_of(user: User) -> list[Part]:
    """Seats, matches, own acts, words, invitations, reports. Never a card of a match that is not over."""
    own = Q(user=user)
    # What one did at a table that is still played would tell which cards are left.
    over = Q(table__phase=Phase.OVER)
    code = F("table__code")
    return [
        part(
            "tables_opened",
            Table.objects.filter(host=user),
            "code",
            "ruleset",
            "created_at",
            covered=("host",),
        ),
        part(
            "seats",
            Seat.objects.filter(own),
            "number",
            "arrived_at",
            table=code,
            result=F("table__result_kind"),
        ),
        part(
            "matches",
            Appearance.objects.filter(own),
            *("seat", "ended_at", "ruleset", "speed", "rated", "outcome", "ours", "theirs"),
            table=code,
            partner=F("partner__username"),
            right=F("right__username"),
            left=F("left__username"),
        ),
        part(
            "acts", Event.objects.filter(own & over), "version", "kind", "code", "by", "ms", "at", table=code
        ),
        part("words", ChatLine.objects.filter(own), "room", "text", "at", table=code),
        part("connections", Connection.objects.filter(own), "kind", "at", table=code),
        part(
            "wishes_for_a_match",
            Seek.objects.filter(own | Q(partner=user)),
            *("ruleset", "speed", "rated", "created_at"),
            covered=("user", "partner"),
        ),
        part(
            "invitations",
            Invitation.objects.filter(Q(by=user) | Q(to=user)),
            *("created_at", "accepted"),
            covered=("by", "to"),
            table=code,
            by=F("by__username"),
            to=F("to__username"),
        ),
        part(
            "reports_made",
            Report.objects.filter(by=user),
            *("reason", "text", "at"),
            covered=("by",),
            table=code,
            about=F("about__username"),
        ),
    ]

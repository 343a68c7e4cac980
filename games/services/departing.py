"""What keeps a player from closing the account, and what is left behind at the tables when they do."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Invitation, Phase, Seat, SeatKind, Table
from games.services import quick, tables
from games.services.refusals import Refused
from games.services.seating import ring_players

IN_PLAY = _("You are in a match. Finish it first, or wait until the others have.")


def hindrance(user: User) -> str | Promise | None:
    """Why the account cannot be closed now: a match is in play; None where nothing is in the way."""
    in_play = Seat.objects.filter(user=user).exclude(table__phase__in=(Phase.WAITING, Phase.OVER))
    return IN_PLAY if in_play.exists() else None


def leave(user: User, now: datetime) -> None:
    """Take back the wish for a match and what was asked; get up from tables that wait; close one's own empty ones."""
    quick.stop(user=user)
    _drop_invitations(user)
    waiting = Table.objects.filter(phase=Phase.WAITING)
    for code in waiting.filter(seats__user=user).values_list("code", flat=True):
        _got_up(code, user, now)
    for table in waiting.filter(host=user):
        if not table.seats.filter(kind=SeatKind.PLAYER).exists():
            tables.close_table(table_id=table.pk, now=now)


def _got_up(code: str, user: User, now: datetime) -> None:
    try:
        tables.leave(table_code=code, user=user, now=now)
    except Refused:
        # Somebody else took the seat away, or the table is over.
        return


@transaction.atomic(durable=True)
def _drop_invitations(user: User) -> None:
    found = Invitation.objects.filter(Q(by=user) | Q(to=user), accepted=None).select_related("by", "to")
    people = {person.pk: person for one in found for person in (one.by, one.to)}
    found.delete()
    ring_players(people.values())

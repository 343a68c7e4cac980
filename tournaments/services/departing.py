"""What keeps a player from closing the account, and how they leave tournaments when they do."""

from contextlib import suppress
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.text import isolate
from tournaments.models import Entry, Invited, Member, Official, State, Tournament
from tournaments.services import entry as entries
from tournaments.services import rulings
from tournaments.services.refusals import Refused

GOES_ON = (State.PUBLISHED, State.OPEN, State.READY, State.RUNNING)


def hindrance(user: User) -> str | Promise | None:
    """Why the account cannot be closed now: a tournament that the user runs; None where nothing is in the way."""
    run = Tournament.objects.filter(organiser=user, state__in=GOES_ON).first()
    if run is None:
        return None
    said = _("You organise %(name)s. Hand it over or call it off first.")
    return said % {"name": isolate(run.name)}


def leave(user: User, now: datetime) -> None:
    """Decline what was asked, withdraw from what is not over, lay down offices."""
    asked = Entry.objects.filter(members__user=user, members__active=False, declined_at=None)
    for entry in asked.filter(withdrawn_at=None, tournament__state__in=GOES_ON):
        with suppress(Refused, Entry.DoesNotExist):
            entries.decline(tournament_id=entry.tournament_id, entry_number=entry.number, user=user, now=now)
    entered = Member.objects.filter(user=user, active=True, tournament__state__in=GOES_ON)
    for tournament_id in entered.values_list("tournament", flat=True):
        with suppress(Refused):
            rulings.leave(tournament_id=tournament_id, user=user, now=now)
    Official.objects.filter(user=user, tournament__state__in=GOES_ON).exclude(
        tournament__organiser=user
    ).delete()
    Invited.objects.filter(user=user).delete()

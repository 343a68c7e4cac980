"""What referees and players are told of objections."""

from datetime import datetime

from django.utils.translation import gettext as _

from accounts.notices import notify
from accounts.text import isolate
from tournaments.course import course_of
from tournaments.models import Objection, ObjectionState, Tournament
from tournaments.queries import playing
from tournaments.services.telling import tell_officials


def tell_referees(tournament: Tournament, made: Objection, now: datetime) -> None:
    """Inside an open transaction: an objection waits for whoever may answer it."""
    names = course_of(tournament).names

    def say() -> str:
        said = {"tournament": isolate(tournament.name), "pairing": names.pairing(made.pairing)}
        return _("%(tournament)s: an objection waits for a referee (%(pairing)s).") % said

    url = f"{tournament.get_absolute_url()}objections/"
    tell_officials(tournament, "objections", f"objection-{made.pk}", say, now, url=url)


def tell_sides(tournament: Tournament, found: Objection, now: datetime) -> None:
    """Inside an open transaction: both sides hear how their objection was answered, and why."""
    sides = found.table.sides if found.table else [found.entry.ident]
    users = [user for pair in playing(tournament, sides).values() for user in pair]
    said = {"tournament": isolate(tournament.name), "words": isolate(found.ruling)}
    upheld = found.state == ObjectionState.UPHELD

    def say() -> str:
        if upheld:
            return _("%(tournament)s: the objection to your match was upheld. %(words)s") % said
        return _("%(tournament)s: the objection to your match was dismissed. %(words)s") % said

    url = tournament.get_absolute_url()
    notify(users, f"objection-{found.pk}-ruled", say, url=url, now=now)

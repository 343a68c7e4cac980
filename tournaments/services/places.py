"""The waiting list: who moves up, and who is told."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.models import User
from accounts.notices import notify
from accounts.text import isolate
from tournaments.deadlines import NOT_STARTED
from tournaments.field import idents, placed
from tournaments.models import Entry, Tournament


def people(entry: Entry) -> list[User]:
    """Everybody of an entry who has an account: the two who play, and a third who has accepted."""
    members = entry.members.filter(user__isnull=False, active=True).select_related("user")
    return [member.user for member in members if member.user]


@contextmanager
def moving_up(tournament: Tournament, now: datetime) -> Iterator[None]:
    """Around what may give places to others, in the locked tournament: who moves up, or down, is told.

    An entry that is made or that leaves within is not: that is told by who does it.
    """
    if tournament.state not in NOT_STARTED:
        yield
        return
    before, were = idents(placed(tournament)), _living(tournament)
    yield
    after, are = idents(placed(tournament)), _living(tournament)
    for entry in tournament.entries.filter(number__in=[int(ident[1:]) for ident in before ^ after]):
        if entry.ident in were & are:
            tell_moved(tournament, entry, up=entry.ident in after, now=now)


def _living(tournament: Tournament) -> set[str]:
    entries = tournament.entries.filter(accepted_at__isnull=False, withdrawn_at__isnull=True)
    return {f"e{number}" for number in entries.values_list("number", flat=True)}


def tell_moved(tournament: Tournament, entry: Entry, *, up: bool, now: datetime) -> None:
    """The people of an entry hear that it has a place now, or none any more."""

    def say() -> str:
        said = (
            _("A place came free in %(name)s: your pair is in now.")
            if up
            else _("Your pair is on the waiting list of %(name)s now: there are fewer places than before.")
        )
        return said % {"name": isolate(tournament.name)}

    key = f"place-{tournament.pk}-{entry.ident}-{now.isoformat()}-{up:d}"
    notify(people(entry), key, say, url=tournament.get_absolute_url(), by_mail=True, now=now)

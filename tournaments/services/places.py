"""The waiting list: who moves up, and who is told."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.notices import notify
from accounts.text import isolate
from tournaments.deadlines import NOT_STARTED
from tournaments.field import counting, idents, placed
from tournaments.models import CancelReason, Entry, Member, Tournament


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


def tell_left_out(tournament: Tournament, now: datetime) -> None:
    """As it starts: those who waited for a place hear that none came free."""

    def say() -> str:
        return _("%(name)s has started; no place came free for your pair.") % {
            "name": isolate(tournament.name)
        }

    waited = counting(tournament).filter(seed=None, checked_in_at__isnull=False)
    members = Member.objects.filter(entry__in=waited, active=True, user__isnull=False)
    _notify(tournament, members, "left-out", say, now)


def tell_called_off(tournament: Tournament, reason: CancelReason, now: datetime) -> None:
    """Everybody who is in hears that it is called off, and why."""

    def say() -> str:
        said = {"name": isolate(tournament.name), "reason": reason.label}
        return _("%(name)s is called off: %(reason)s.") % said

    members = Member.objects.filter(tournament=tournament, active=True, user__isnull=False)
    _notify(tournament, members, "called-off", say, now)


def _notify(
    tournament: Tournament,
    members: QuerySet[Member],
    what: str,
    say: Callable[[], str],
    now: datetime,
) -> None:
    users = [member.user for member in members.select_related("user") if member.user]
    key = f"{what}-{tournament.pk}"
    notify(users, key, say, url=tournament.get_absolute_url(), by_mail=True, now=now)

"""Who is invited to a tournament that one enters by invitation."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.notices import notify
from accounts.text import isolate
from tournaments.live import ring_after_commit
from tournaments.models import Invited, Tournament
from tournaments.services.actions import check
from tournaments.services.entry import check_not_started
from tournaments.services.log import locked, record_act
from tournaments.services.permissions import require
from tournaments.services.refusals import Refused


@transaction.atomic(durable=True)
def invite(*, tournament_id: int, actor: User, users: Iterable[User], now: datetime) -> list[User]:
    """Those of the users who are newly invited; each of them is told.

    Raises: Refused `not-organiser`, `not-your-role`, `already-started`, `partner-is-guest`.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "entries")
    check_not_started(tournament)
    known = set(tournament.invited.values_list("user", flat=True))
    new = [user for user in {user.pk: user for user in users}.values() if user.pk not in known]
    if any(user.is_guest for user in new):
        raise Refused("partner-is-guest")
    check(actor, tournament, "invite", now=now)
    Invited.objects.bulk_create(Invited(tournament=tournament, user=user, at=now) for user in new)
    if new:
        names = sorted(user.username for user in new)
        record_act(tournament, "invite", actor=actor, now=now, after=names)
        _tell(tournament, new, now)
        ring_after_commit(tournament)
    return new


@transaction.atomic(durable=True)
def uninvite(*, tournament_id: int, actor: User, user: User, now: datetime) -> bool:
    """Whether the user was invited, and is not any more; an entry that was made stays.

    Raises: Refused `not-organiser`, `not-your-role`, `already-started`.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "entries")
    check_not_started(tournament)
    gone, _kinds = tournament.invited.filter(user=user).delete()
    if gone:
        record_act(tournament, "uninvite", actor=actor, now=now, before=user.username)
        ring_after_commit(tournament)
    return bool(gone)


def _tell(tournament: Tournament, users: Iterable[User], now: datetime) -> None:
    def say() -> str:
        return _("You are invited to %(name)s. Enter with a partner.") % {"name": isolate(tournament.name)}

    key = f"invited-{tournament.pk}"
    notify(users, key, say, url=tournament.get_absolute_url(), by_mail=True, now=now)

"""The tournament's row, locked, and its log. Everything that changes a tournament goes through here first."""

from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.models import Table
from tournaments.models import Act, LogItem, Tournament
from tournaments.services.permissions import may, require


def locked(tournament_id: int) -> Tournament:
    """The tournament, its row locked until the open transaction ends: its changes happen one after the other.

    Raises: Tournament.DoesNotExist.
    """
    return Tournament.objects.select_for_update().get(pk=tournament_id)


def append(
    tournament: Tournament,
    item: dict[str, Any],
    *,
    actor: User | None,
    now: datetime,
    table: Table | None = None,
) -> LogItem:
    """The item, written as the next of the locked tournament's log. `table` is the one whose end made it."""
    number = tournament.log.count()
    return tournament.log.create(number=number, item=item, actor=actor, at=now, table=table)


def record_act(
    tournament: Tournament,
    kind: str,
    *,
    actor: User | None,
    now: datetime,
    subject: str = "",
    before: Any = None,
    after: Any = None,
    reason: str = "",
    item: LogItem | None = None,
    is_public: bool = False,
    is_own: bool = False,
) -> Act:
    """What was done to the locked tournament, by whom and why: for its officials, and the public where it is so.

    `is_own`: the actor plays in the match that it was about.
    """
    return tournament.acts.create(
        number=tournament.acts.count() + 1,
        kind=kind,
        subject=subject,
        before=before,
        after=after,
        reason=reason,
        actor=actor,
        item=item,
        is_public=is_public,
        is_own=is_own,
        at=now,
    )


def is_organiser(tournament: Tournament, user: User | AnonymousUser) -> bool:
    """Whether this user may run the tournament: its owner, its organisers and administrators."""
    return may(tournament, user, "settings")


def check_organiser(tournament: Tournament, user: User) -> None:
    """Raises: Refused `not-organiser`, `not-your-role`."""
    require(tournament, user, "settings")

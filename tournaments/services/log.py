"""The tournament's row, locked, and its log. Everything that changes a tournament goes through here first."""

from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.models import Table
from tournaments.models import LogItem, Tournament
from tournaments.services.refusals import Refused


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


def is_organiser(tournament: Tournament, user: User | AnonymousUser) -> bool:
    """Whether this user runs the tournament: who made it, and administrators."""
    return isinstance(user, User) and (tournament.organiser_id == user.pk or user.is_superuser)


def check_organiser(tournament: Tournament, user: User) -> None:
    """Raises: Refused `not-organiser`."""
    if not is_organiser(tournament, user):
        raise Refused("not-organiser")

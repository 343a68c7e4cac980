"""Whether somebody may start to play: what was imposed on them, and what a table asks for.

Whoever is in a match plays it to its end; these are the doors before it.
"""

from collections.abc import Collection
from datetime import datetime

from django.utils.functional import lazy

from accounts.models import Sanction, Scope, User
from accounts.sanctions import banned, banned_among
from games.models import Table
from games.services.bans import ban_sentence
from games.services.refusals import Refused
from games.services.reliability import reliability_of


class Banned(Refused):
    """Refused because of a sanction: the message says for how long, and why."""

    def __init__(self, sanction: Sanction, now: datetime) -> None:
        super().__init__("banned")
        self.sanction = sanction
        # In the reader's language, which may be another one than where it is refused.
        self.message = lazy(ban_sentence, str)(sanction, now)


def require_allowed(user: User, now: datetime) -> None:
    """Inside an open transaction. Raises: Banned for who is kept from playing."""
    sanction = banned(user, Scope.PLAY, now)
    if sanction is not None:
        raise Banned(sanction, now)


def require_all_allowed(users: Collection[User], now: datetime) -> None:
    """Inside an open transaction. Raises: Refused `somebody-banned` where one of them is kept from playing."""
    if banned_among([user.pk for user in users], Scope.PLAY, now):
        raise Refused("somebody-banned")


def require_reliable(table: Table, user: User, now: datetime) -> None:
    """Raises: Refused `not-reliable-enough` for who is less reliable than the table asks for."""
    if table.min_reliability and reliability_of(user, now).score < table.min_reliability:
        raise Refused("not-reliable-enough")

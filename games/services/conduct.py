"""Who does not want to hear whom, and who complains about whom."""

from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import Q

from accounts.models import Mute, User
from accounts.queries import find_player
from accounts.social import is_blocked
from games.live.announce import tell
from games.live.talk import muting
from games.models import Report, ReportReason, Table
from games.services.refusals import Refused

LONGEST_REPORT = 500
REPORTS_A_DAY = 20
MOST_MUTED = 500


def mute(*, user: User, name: str, muted: bool) -> User:
    """Hear a player no more at any table, or again; who it is about. Done already is fine.

    Raises: Refused `no-such-player`, `too-many-muted`, `you-block-them`.
    """
    with transaction.atomic(durable=True):
        other = _other(user, name)
        if not muted and is_blocked(other, by=user):
            raise Refused("you-block-them")
        if not muted:
            Mute.objects.filter(user=user, muted=other).delete()
        elif Mute.objects.filter(user=user).exclude(muted=other).count() >= MOST_MUTED:
            raise Refused("too-many-muted")
        else:
            Mute.objects.get_or_create(user=user, muted=other)
        item = muting(user.pk, other.pk, other.username, muted=muted)
        transaction.on_commit(partial(tell, item), robust=True)
    return other


def report(*, table_code: str, user: User, name: str, reason: str, text: str, now: datetime) -> Report:
    """Complain about somebody who sat or spoke at a table; once for each reason, told again is the same.

    Raises: Table.DoesNotExist; Refused `no-such-player`, `malformed`, `too-many-reports`.
    """
    if reason not in ReportReason.values:
        raise Refused("malformed")
    with transaction.atomic(durable=True):
        table = Table.objects.only("version").get(code=table_code)
        other = _other(user, name)
        if not _was_there(table, other):
            raise Refused("no-such-player")
        if Report.objects.filter(by=user, at__gt=now - timedelta(days=1)).count() >= REPORTS_A_DAY:
            raise Refused("too-many-reports")
        found, _ = Report.objects.get_or_create(
            table=table,
            by=user,
            about=other,
            reason=reason,
            defaults={"text": _kept(text), "version": table.version, "at": now},
        )
    return found


def _other(user: User, name: str) -> User:
    found = find_player(name)
    if found is None or found.pk == user.pk:
        raise Refused("no-such-player")
    return found


def _kept(text: str) -> str:
    # The database keeps no NUL.
    return text.replace("\0", "").strip()[:LONGEST_REPORT]


def _was_there(table: Table, user: User) -> bool:
    """Whether a user sits, has sat or has spoken there."""
    here = Q(seats__user=user) | Q(events__user=user) | Q(chat__user=user) | Q(host=user)
    return Table.objects.filter(here, pk=table.pk).exists()

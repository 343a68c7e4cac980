"""The longest a match may take: when its time is up, what was played decides, as if the round cap were reached."""

from datetime import datetime

from django.utils.translation import gettext as _

from accounts.notices import notify
from accounts.text import isolate
from games.models import Phase
from games.services.stopping import stop_after_deals, stop_tables
from tournaments.models import LimitPolicy, PairingTable, TableState, Tournament
from tournaments.services.log import record_act
from tournaments.services.telling import side_users


def keep_limits(tournament: Tournament, now: datetime) -> int:
    """Matches of the locked tournament whose time is up are told to end; how many.

    At once, or after the deal in play, as the tournament says. Their results are recorded as of any table that is
    over; one that ended of itself at this very moment keeps its own.
    """
    rows = list(
        tournament.tables.filter(state=TableState.OPEN, limit_at__lte=now, limited_at=None)
        .exclude(table__phase=Phase.OVER)
        .select_related("table")
        .order_by("pk")
    )
    if not rows:
        return 0
    for row in rows:
        row.limited_at = now
    PairingTable.objects.bulk_update(rows, ["limited_at"])
    stop = stop_tables if tournament.limit_policy == LimitPolicy.NOW else stop_after_deals
    stopped = stop([row.table_id for row in rows], now)
    for row in rows:
        _report(tournament, row, is_over=stopped[row.table_id].is_over, now=now)
    return len(rows)


def _report(tournament: Tournament, row: PairingTable, *, is_over: bool, now: datetime) -> None:
    after = {"minutes": tournament.limit_minutes, "policy": tournament.limit_policy}
    record_act(
        tournament, "time-limit", actor=None, now=now, subject=row.pairing, after=after, is_public=True
    )
    name = isolate(tournament.name)

    def say() -> str:
        if is_over:
            said = _("%(tournament)s: the time of your match is up, the points of the finished deals decide.")
        else:
            said = _("%(tournament)s: the time of your match is up, this deal is the last.")
        return said % {"tournament": name}

    users = [user for side in side_users(row) for user in side]
    notify(users, f"table-{row.pk}-limit", say, url=row.table.get_absolute_url(), now=now)

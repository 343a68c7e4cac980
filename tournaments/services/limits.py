"""The longest a match may take: when its time is up, what was played decides, as if the round cap were reached."""

from datetime import datetime

from accounts.notices import notify_each
from games.models import Phase
from games.services.stopping import stop_after_deals, stop_tables
from tournaments.models import LimitPolicy, TableState, Tournament
from tournaments.services.log import record_act
from tournaments.services.telling import side_users, time_is_up


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
    tournament.tables.filter(pk__in=[row.pk for row in rows]).update(limited_at=now)
    stop = stop_tables if tournament.limit_policy == LimitPolicy.NOW else stop_after_deals
    stopped = stop([row.table_id for row in rows], now)
    after = {"minutes": tournament.limit_minutes, "policy": tournament.limit_policy}
    for row in rows:
        record_act(
            tournament, "time-limit", actor=None, now=now, subject=row.pairing, after=after, is_public=True
        )
    seated = side_users(rows)
    told = [
        time_is_up(tournament, row, seated[row.pk], is_over=stopped[row.table_id].is_over) for row in rows
    ]
    notify_each(told, now=now)
    return len(rows)

"""Time that passed while nobody served the site is not charged: deadlines move by as much.

Web processes show that they live (`games/services/outages.py`). Each sweep that finds one alive notes its own time;
one that finds the last note too old knows how long nobody could come to a table.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Max
from django.db.models.functions import Now

from games.models import Heartbeat, Phase, Table
from games.services.outages import DEAD_AFTER, WEB
from tournaments.models import State, TableState, Tournament
from tournaments.services.log import locked, record_act
from tournaments.services.pauses import shift_deadlines

NOTE = "tournaments"
# Between two sweeps lie five seconds; a little more is nobody's loss.
GAP = timedelta(seconds=12)
# Whoever comes back needs a moment to find the table.
GRACE = timedelta(seconds=30)


def is_served(*, now: datetime) -> bool:
    """Whether players can come to their tables; if so this is noted, and time that was lost before is given back.

    A web process lives, by the clock of the database. Where none was ever seen nobody says otherwise.
    """
    signs = Heartbeat.objects.filter(name__startswith=WEB)
    ages = signs.aggregate(last=Max("at"), now=Max(Now()))
    if ages["last"] is None:
        return not Heartbeat.objects.filter(name=NOTE).exists()
    if ages["now"] - ages["last"] >= DEAD_AFTER:
        return False
    note_served(now=now)
    return True


def note_served(*, now: datetime) -> timedelta:
    """Notes that the site is served now; for how long it was not, by which all deadlines were moved."""
    with transaction.atomic(durable=True):
        note, is_new = Heartbeat.objects.select_for_update().get_or_create(name=NOTE, defaults={"at": now})
        gap = now - note.at
        if is_new or gap < GAP:
            Heartbeat.objects.filter(name=NOTE, at__lt=now).update(at=now)
            return timedelta(0)
        running = Tournament.objects.filter(state=State.RUNNING, paused_at=None)
        for tournament_id in running.order_by("pk").values_list("pk", flat=True):
            _forgive(tournament_id, note.at, gap + GRACE, now)
        Heartbeat.objects.filter(name=NOTE).update(at=now)
    return gap


def _forgive(tournament_id: int, since: datetime, by: timedelta, now: datetime) -> None:
    tournament = locked(tournament_id)
    if tournament.state != State.RUNNING or tournament.paused_at is not None:
        return
    shift_deadlines(tournament, since, by)
    tables = tournament.tables.filter(state=TableState.OPEN).values("table")
    undealt = Table.objects.filter(pk__in=tables, phase=Phase.DEAL, deals=None, due_at__gt=since)
    undealt.update(due_at=F("due_at") + by)
    tournament.due_at = now
    tournament.save(update_fields=["due_at"])
    after = {"seconds": round((now - since).total_seconds())}
    record_act(tournament, "outage", actor=None, now=now, after=after, is_public=True)

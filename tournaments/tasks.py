"""What Celery runs. Each may run twice, late, or be killed in the middle; the effect happens once."""

from celery import shared_task
from django.utils import timezone

from tournaments.live import GO_ON
from tournaments.services import registration, results, rounds, sweeps


@shared_task(name="tournaments.tasks.adjudicate")
def adjudicate(*table_ids: int) -> int:
    """Sent when matches have ended."""
    return results.adjudicate_tables(table_ids=table_ids, now=timezone.now())


@shared_task(name=GO_ON)
def go_on(tournament_id: int) -> bool:
    """Sent while a tournament has more tables to open than one transaction opens."""
    return rounds.go_on(tournament_id=tournament_id, now=timezone.now())


@shared_task(name="tournaments.tasks.sweep")
def sweep() -> None:
    """Every few seconds: finds what no message told, or what was lost with a worker."""
    registration.sweep(now=timezone.now())
    sweeps.sweep(now=timezone.now())

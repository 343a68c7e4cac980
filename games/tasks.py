"""What Celery runs. Each may run twice, late, or be killed in the middle."""

from celery import shared_task
from django.utils import timezone

from games.services import guests, histories


@shared_task(name="games.tasks.forget_guests")
def forget_guests() -> int:
    """Now and then: guests who left for good without having finished a match."""
    return guests.forget(now=timezone.now())


@shared_task(name="games.tasks.keep_history")
def keep_history(table_id: int) -> int:
    """Sent when a match has ended: the players find it in their histories."""
    return histories.keep([table_id])


@shared_task(name="games.tasks.sweep_histories")
def sweep_histories() -> int:
    """Now and then: what no message told of the last days."""
    return histories.sweep(now=timezone.now())


@shared_task(name="games.tasks.complete_histories")
def complete_histories() -> int:
    """Once a day: whatever is missing, however old."""
    return histories.complete()

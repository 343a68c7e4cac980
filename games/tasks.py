"""What Celery runs. Each may run twice, late, or be killed in the middle."""

from celery import shared_task
from django.utils import timezone

from games.services import guests


@shared_task(name="games.tasks.forget_guests")
def forget_guests() -> int:
    """Now and then: guests who left for good without having finished a match."""
    return guests.forget(now=timezone.now())

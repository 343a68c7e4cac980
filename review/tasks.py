"""What Celery runs. Each may run twice, late, or be killed in the middle."""

from celery import shared_task
from django.utils import timezone

from review.services import gathering


@shared_task(name="review.tasks.gather")
def gather() -> int:
    """Every few seconds: what waits for a reviewer becomes a case."""
    return gathering.gather(now=timezone.now())

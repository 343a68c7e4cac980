"""What Celery runs. Each may run twice, late, or be killed in the middle."""

from celery import shared_task
from django.utils import timezone

from accounts import notices


@shared_task(name="accounts.tasks.send_letters")
def send_letters() -> int:
    """Every few seconds: notices that are due by e-mail."""
    return notices.send_letters(now=timezone.now())


@shared_task(name="accounts.tasks.forget_notices")
def forget_notices() -> int:
    """Once a day: notices that nobody needs any more."""
    return notices.forget_old(now=timezone.now())

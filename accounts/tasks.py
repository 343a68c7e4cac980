"""What Celery runs. Each may run twice, late, or be killed in the middle."""

from celery import shared_task
from django.utils import timezone

from accounts import notices, own_data, pushing, renaming


@shared_task(name="accounts.tasks.send_letters")
def send_letters() -> int:
    """Every few seconds: notices that are due by e-mail."""
    return notices.send_letters(now=timezone.now())


@shared_task(name="accounts.tasks.forget_notices")
def forget_notices() -> int:
    """Once a day: notices that nobody needs any more."""
    return notices.forget_old(now=timezone.now())


@shared_task(name="accounts.tasks.send_pushes")
def send_pushes() -> int:
    """Every few seconds: notices that are due for browsers that are closed."""
    return pushing.send_pushes(now=timezone.now())


@shared_task(name="accounts.tasks.free_names")
def free_names() -> int:
    """Once a day: names of closed accounts that others may take."""
    return renaming.free_names(now=timezone.now())


@shared_task(name="accounts.tasks.make_data")
def make_data() -> int:
    """Every few seconds: the files of people who asked for all their data."""
    return own_data.make_files(now=timezone.now())


@shared_task(name="accounts.tasks.forget_data")
def forget_data() -> int:
    """Once a day: files of people's data that were there for long enough."""
    return own_data.forget_files(now=timezone.now())

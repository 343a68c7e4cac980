"""The tasks of the site itself."""

from celery import shared_task
from django.utils import timezone

from tarneeb_site.health import sign


@shared_task
def sign_of_life() -> None:
    sign("worker", now=timezone.now())

"""What Celery runs. Each may run twice, late, or be killed in the middle."""

from celery import shared_task
from django.utils import timezone

from games.services import connections, following, guests, histories, ratings


@shared_task(name="games.tasks.forget_guests")
def forget_guests() -> int:
    """Now and then: guests who left for good without having finished a match."""
    return guests.forget(now=timezone.now())


@shared_task(name="games.tasks.keep_history")
def keep_history(*table_ids: int) -> int:
    """Sent when matches have ended: the players find them in their histories."""
    return histories.keep(table_ids)


@shared_task(name="games.tasks.sweep_histories")
def sweep_histories() -> int:
    """Now and then: what no message told of the last days."""
    return histories.sweep(now=timezone.now())


@shared_task(name="games.tasks.complete_histories")
def complete_histories() -> int:
    """Once a day: whatever is missing, however old."""
    return histories.complete()


@shared_task(name="games.tasks.tell_followers")
def tell_followers() -> int:
    """Every few seconds: who follows a player hears of matches that began."""
    return following.tell_followers(now=timezone.now())


@shared_task(name="games.tasks.forget_connections")
def forget_connections() -> int:
    """Once a day: who came to a table and went is kept for a while only."""
    return connections.forget_connections(now=timezone.now())


@shared_task(name="games.tasks.rate")
def rate(*table_ids: int) -> int:
    """Sent when matches have ended, and every few seconds: pairs, ratings and reliability follow."""
    return ratings.rate_finished(now=timezone.now())

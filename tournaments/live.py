"""Tells the browsers that watch a tournament's page that it moved, and the worker that there is more to do."""

import logging
from functools import partial

from celery import current_app
from django.db import transaction

from games.live.announce import ring
from tournaments.models import Tournament

log = logging.getLogger(__name__)

GO_ON = "tournaments.tasks.go_on"


def topic(tournament: Tournament) -> str:
    """The name under which the page of a tournament listens."""
    return f"tournament-{tournament.slug}"


def ring_after_commit(tournament: Tournament) -> None:
    """Once the open transaction is committed, every browser on the tournament's page looks again."""
    transaction.on_commit(partial(ring, topic(tournament)), robust=True)


def go_on_after_commit(tournament: Tournament) -> None:
    """Once the open transaction is committed, a worker goes on with what it has left; else the next sweep does."""
    transaction.on_commit(partial(_go_on, tournament.pk), robust=True)


def _go_on(tournament_id: int) -> None:
    try:
        current_app.send_task(GO_ON, args=[tournament_id], retry=False)
    except Exception as error:
        log.warning("tournament %s goes on with the next sweep: %s", tournament_id, error)

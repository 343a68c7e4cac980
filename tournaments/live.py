"""Tells the browsers that watch a tournament's page that it moved."""

from functools import partial

from django.db import transaction

from games.live.announce import ring
from tournaments.models import Tournament


def topic(tournament: Tournament) -> str:
    """The name under which the page of a tournament listens."""
    return f"tournament-{tournament.slug}"


def ring_after_commit(tournament: Tournament) -> None:
    """Once the open transaction is committed, every browser on the tournament's page looks again."""
    transaction.on_commit(partial(ring, topic(tournament)), robust=True)

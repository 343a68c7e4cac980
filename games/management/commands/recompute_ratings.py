"""Computes the ratings anew from the matches, or says whether that would change anything."""

from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.services import ratings


def moment(text: str) -> datetime:
    """A day or a moment in ISO 8601; UTC where no zone is named."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


class Command(BaseCommand):
    help = "Computes all ratings anew from the finished matches. The site may run meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--from", dest="since", type=moment, help="only from this day on (2026-01-31)")
        parser.add_argument(
            "--check", action="store_true", help="change nothing; fail where rows would change"
        )

    def handle(self, *args: Any, since: datetime | None = None, check: bool = False, **options: Any) -> None:
        while ratings.rate_finished(now=timezone.now()):
            pass
        if not check:
            self.stdout.write(f"matches that count: {ratings.recompute_all(since=since)}")
            return
        found = ratings.differences(since=since)
        if found:
            raise CommandError(f"rows that would change: {found}")
        self.stdout.write("rows that would change: 0")

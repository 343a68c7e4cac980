"""Lets matches in play end and starts no new ones, before the site is stopped on purpose."""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from games.services import drain

LOOK_SECONDS = 2.0


class Command(BaseCommand):
    help = "No new tables and rounds from now on; those in play go on. Says how many remain."

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--status", action="store_true", help="change nothing, say only how it stands")
        what.add_argument("--undo", action="store_true", help="let new matches start again")
        what.add_argument(
            "--wait",
            type=float,
            metavar="MINUTES",
            help="wait until none is in play, at most so long; the exit status is 1 where some still are",
        )

    def handle(self, *args: Any, status: bool, undo: bool, wait: float | None, **options: Any) -> None:
        if undo:
            self.stdout.write("new matches start again" if drain.undo() else "the site was not draining")
            return
        if not status:
            drain.begin(now=timezone.now())
        self.stdout.write(standing())
        if wait is not None:
            self._wait(60 * wait)

    def _wait(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        said = remaining = drain.in_play()
        while remaining and time.monotonic() < until:
            time.sleep(min(LOOK_SECONDS, max(0.0, until - time.monotonic())))
            remaining = drain.in_play()
            if remaining != said:
                self.stdout.write(standing())
                said = remaining
        if remaining:
            raise CommandError(f"{remaining} still in play; stopped now, they go on after the next start")


def standing() -> str:
    """One line: whether the site drains, and how many matches are in play."""
    since, remaining = drain.since(), drain.in_play()
    matches = f"{remaining} {'match' if remaining == 1 else 'matches'} in play"
    return f"draining since {since:%Y-%m-%d %H:%M:%S} UTC: {matches}" if since else f"not draining: {matches}"

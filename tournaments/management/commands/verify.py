"""`manage.py verify [--from DATE] [--to DATE] [--table CODE] [--ratings] [--json]`: tells every difference."""

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone
from django.utils.dateparse import parse_date

from games.services import ratings
from games.services.verification import Found, Span, verify
from tournaments.services.verification import verify_tournaments


class Command(BaseCommand):
    help = (
        "Replays stored matches through the rules: versions, actions, results, decks and promises, takeovers, "
        "histories; and holds tournaments against their logs and tables. "
        "Prints every difference; exit status 1 where there is one."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--from", dest="since", type=day, metavar="DATE", help="first day, as in 2026-03-01"
        )
        parser.add_argument("--to", dest="until", type=day, metavar="DATE", help="last day, itself included")
        parser.add_argument("--table", default="", metavar="CODE", help="one table alone")
        parser.add_argument(
            "--ratings", action="store_true", help="also whether ratings are what a computation anew comes to"
        )
        parser.add_argument("--json", action="store_true", help="a JSON object for each table that differs")

    def handle(self, *args: Any, **options: Any) -> None:
        until = options["until"] and options["until"] + timedelta(days=1)
        span = Span(options["since"], until, options["table"])
        tables, events, differing = self._tell(verify(span), options["json"])
        told = {"tables": tables, "events": events, "differing": differing}
        if not span.code:
            told |= self._others(span, options)
        self.stdout.write(json.dumps(told) if options["json"] else _sum(told))
        wrong = differing + told.get("tournaments_differing", 0) + told.get("ratings_differing", 0)
        if wrong or (span.code and not tables):
            sys.exit(1)

    def _others(self, span: Span, options: dict[str, Any]) -> dict[str, int]:
        """Of tournaments and, where they are asked for, ratings: how many there are and differ."""
        found = verify_tournaments(since=span.since, until=span.until)
        tournaments, _, differing = self._tell(found, options["json"], of="tournament")
        told = {"tournaments": tournaments, "tournaments_differing": differing}
        if options["ratings"]:
            while ratings.rate_finished(now=timezone.now()):
                pass
            told["ratings_differing"] = ratings.differences(since=span.since)
        return told

    def _tell(self, each: Iterator[Found], as_json: bool, of: str = "table") -> tuple[int, int, int]:
        looked_at = events = differing = 0
        for found in each:
            looked_at, events = looked_at + 1, events + found.events
            differing += bool(found.differences)
            for line in _lines(found, of, as_json=as_json):
                self.stdout.write(line)
        return looked_at, events, differing


def _sum(told: dict[str, int]) -> str:
    parts = [f"{told['tables']} tables, {told['events']} events; {told['differing']} tables differ"]
    if told.get("tournaments"):
        parts.append(f"{told['tournaments']} tournaments; {told['tournaments_differing']} tournaments differ")
    if "ratings_differing" in told:
        parts.append(f"{told['ratings_differing']} rows of ratings differ")
    return "\n".join(parts)


def day(text: str) -> datetime:
    """The beginning of a day, UTC. Raises: ArgumentTypeError."""
    try:
        found = parse_date(text)
    except ValueError:
        found = None
    if found is None:
        raise ArgumentTypeError(f"{text!r} is no day, as in 2026-03-01")
    return datetime.combine(found, time(), UTC)


def _lines(found: Found, of: str, *, as_json: bool) -> Iterator[str]:
    if not found.differences:
        return
    if as_json:
        yield json.dumps(
            {of: found.code} | {k: v for k, v in found.as_dict().items() if k != "table"}, default=str
        )
        return
    for one in found.differences:
        yield f"{found.code} v{one.version}: {one.what}: expected {one.expected}, found {one.found}"

"""`manage.py verify [--from DATE] [--to DATE] [--table CODE] [--json]`: replays history and tells every difference."""

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.dateparse import parse_date

from games.services.verification import Found, Span, verify


class Command(BaseCommand):
    help = (
        "Replays stored matches through the rules: versions, actions, results, decks and promises, takeovers. "
        "Prints every difference; exit status 1 where there is one."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--from", dest="since", type=day, metavar="DATE", help="first day, as in 2026-03-01"
        )
        parser.add_argument("--to", dest="until", type=day, metavar="DATE", help="last day, itself included")
        parser.add_argument("--table", default="", metavar="CODE", help="one table alone")
        parser.add_argument("--json", action="store_true", help="a JSON object for each table that differs")

    def handle(self, *args: Any, **options: Any) -> None:
        until = options["until"] and options["until"] + timedelta(days=1)
        span = Span(options["since"], until, options["table"])
        tables = events = differing = 0
        for found in verify(span):
            tables, events = tables + 1, events + found.events
            differing += bool(found.differences)
            for line in _lines(found, as_json=options["json"]):
                self.stdout.write(line)
        told = {"tables": tables, "events": events, "differing": differing}
        self.stdout.write(
            json.dumps(told)
            if options["json"]
            else f"{tables} tables, {events} events; {differing} tables differ"
        )
        if differing or (options["table"] and not tables):
            sys.exit(1)


def day(text: str) -> datetime:
    """The beginning of a day, UTC. Raises: ArgumentTypeError."""
    try:
        found = parse_date(text)
    except ValueError:
        found = None
    if found is None:
        raise ArgumentTypeError(f"{text!r} is no day, as in 2026-03-01")
    return datetime.combine(found, time(), UTC)


def _lines(found: Found, *, as_json: bool) -> Iterator[str]:
    if not found.differences:
        return
    if as_json:
        yield json.dumps(found.as_dict(), default=str)
        return
    for one in found.differences:
        yield f"{found.code} v{one.version}: {one.what}: expected {one.expected}, found {one.found}"

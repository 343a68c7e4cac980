"""`manage.py plan FILE [--json] [--stream]`: folds a tournament's document, prints its plan. No database."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.formats.event import entrants_of, fold_event, print_error, print_plan
from tournaments.formats.results import PlanError
from tournaments.formats.stream import parse, stream
from tournaments.formats.text import clean, plan_text


class Command(BaseCommand):
    help = "Reads a tournament (tarneeb-event/1) and prints its pairings, standings and champion."
    requires_system_checks: list[str] = []  # noqa: RUF012 (Django's own form)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", metavar="FILE", help="a document, or - for standard input")
        parser.add_argument("--json", action="store_true", help="one JSON object")
        parser.add_argument(
            "--stream",
            action="store_true",
            help="standard input: the document in the first line, then log items; JSON out, line for line",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["file"]
        if name is None and not options["stream"]:
            raise CommandError("give a FILE, or - for standard input")
        if options["stream"] and name not in (None, "-"):
            raise CommandError("--stream reads standard input only")
        try:
            if options["stream"]:
                self._stream()
            else:
                self._print(name, as_json=options["json"])
        except PlanError as error:
            if not (options["json"] or options["stream"]):
                raise CommandError(_sentence(error)) from error
            self._line(print_error(error))
            sys.exit(1)

    def _stream(self) -> None:
        for printed in stream(sys.stdin.buffer):
            self._line(printed)

    def _print(self, name: str, *, as_json: bool) -> None:
        document = parse(_read(name))
        plan = fold_event(document).plan()
        if as_json:
            self._line(print_plan(plan))
        else:
            self.stdout.write(plan_text(plan, entrants_of(document)))

    def _line(self, printed: dict[str, Any]) -> None:
        self.stdout.write(json.dumps(printed))
        self.stdout.flush()


def _read(name: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except (OSError, ValueError) as error:
        raise PlanError("malformed", f"cannot be read: {error}") from error


def _sentence(error: PlanError) -> str:
    where = "" if error.item is None else f"log item {error.item}: "
    return clean(f"{where}{error.code}: {error.message}")

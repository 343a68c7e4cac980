"""`manage.py replay FILE… [--json]`: folds records through the rules and tells how each stands."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand

from games.rules.record import RecordError, replay


class Command(BaseCommand):
    help = "Reads match records (tarneeb-record/1), checks them and prints how each stands."
    requires_system_checks: list[str] = []  # noqa: RUF012 (Django's own form)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files", nargs="+", metavar="FILE", help="a record, a .jsonl file of records, or -"
        )
        parser.add_argument("--json", action="store_true", help="one JSON object a record")

    def handle(self, *args: Any, **options: Any) -> None:
        all_hold = True
        for name in options["files"]:
            for index, told in enumerate(_replays(name)):
                line = {"file": name, "index": index, **told}
                self.stdout.write(json.dumps(line) if options["json"] else _sentence(line))
                all_hold = all_hold and told["ok"]
        if not all_hold:
            sys.exit(1)


def _replays(name: str) -> Iterator[dict[str, Any]]:
    try:
        if name == "-":
            yield from _each_line(sys.stdin.buffer)
        elif name.endswith(".jsonl"):
            with Path(name).open("rb") as lines:
                yield from _each_line(lines)
        else:
            yield _replay_text(Path(name).read_bytes())
    except (OSError, ValueError) as error:
        yield _malformed(f"cannot be read: {error}")


def _each_line(lines: Iterable[bytes] | BinaryIO) -> Iterator[dict[str, Any]]:
    return (_replay_text(line) for line in lines if line.strip())


def _replay_text(text: bytes) -> dict[str, Any]:
    try:
        record = json.loads(text.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        return _malformed(f"not JSON: {error}")
    return replay(record)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _malformed(message: str) -> dict[str, Any]:
    return {"ok": False, "error": RecordError("malformed", message).as_dict()}


def _sentence(told: dict[str, Any]) -> str:
    """One line for a person."""
    name = f"{told['file']}[{told['index']}]".encode(errors="backslashreplace").decode()
    if not told["ok"]:
        error = told["error"]
        places = ", ".join(f"{key} {error[key]}" for key in ("deal", "action") if key in error)
        return f"{name}: {error['code']}{places and f' at {places}'}: {error['message']}"
    score = "{}:{}".format(*told["score"])
    stand = f"{told['phase']}, {told['deals']} deals ({told['counted']} counted), {score}"
    if told["result"]:
        result = told["result"]
        won = "" if result["winner"] is None else f", side {result['winner']} wins"
        stand += f", {result['kind']}{won}"
    return f"{name}: ok, {stand}"

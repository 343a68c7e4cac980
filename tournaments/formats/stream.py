"""Documents and log items as lines of text: what the command line reads, without reading it."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from tournaments.formats.event import fold_event, print_error, print_plan
from tournaments.formats.notation import read_item
from tournaments.formats.results import PlanError


def parse(text: bytes) -> object:
    """UTF-8 JSON as its value.

    Raises:
        PlanError: `malformed`.
    """
    try:
        value: object = json.loads(text.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise PlanError("malformed", f"not JSON: {error}") from error
    return value


def stream(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """The printed plan of the document in the first line, then one for every line after it, a log item each.

    For a refused item comes its printed error instead, and nothing has changed.

    Raises:
        PlanError: the document is refused; there is nothing to go on from.
    """
    following = iter(lines)
    tournament = fold_event(parse(next(following, b"")))
    yield print_plan(tournament.plan())
    for line in following:
        try:
            tournament.add(read_item(parse(line)))
            yield print_plan(tournament.plan())
        except PlanError as error:
            yield print_error(error)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")

"""Many at once, and refusals by their code."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

from games.services.refusals import Refused


def times(usual: int) -> range:
    """How often a race is run: as often as is usual, or as TARNEEB_RACES says."""
    return range(int(os.environ.get("TARNEEB_RACES") or usual))


def at_once(*works: Callable[[], Any]) -> list[Any]:
    """What each returned, or its exception; all begin at the same instant, each on a connection of its own."""
    barrier, outcomes = threading.Barrier(len(works)), [None] * len(works)

    def run(place: int) -> None:
        try:
            barrier.wait(10)
            outcomes[place] = works[place]()
        except Exception as error:
            outcomes[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


@contextmanager
def slowed(table: str, when: str) -> Iterator[None]:
    """Within it each update of a row of a table, `when` a condition holds, takes so long that others meet it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "create function slow_down() returns trigger language plpgsql as"
            " $$ begin perform pg_sleep(0.2); return new; end $$"
        )
        cursor.execute(
            f"create trigger slow before update on {table} for each row when ({when})"
            " execute function slow_down()"
        )
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("drop function slow_down() cascade")


@contextmanager
def refused(code: str) -> Iterator[None]:
    """Within it something is refused with that code."""
    with pytest.raises(Refused) as error:
        yield
    assert error.value.code == code

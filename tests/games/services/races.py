"""Many at once, and refusals by their code."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

from games.services.refusals import Refused


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
def refused(code: str) -> Iterator[None]:
    """Within it something is refused with that code."""
    with pytest.raises(Refused) as error:
        yield
    assert error.value.code == code

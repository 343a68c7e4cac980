"""Histories read from a standby of PostgreSQL, where the settings name one.

Only what is over is read there, only while the standby is near enough, and only where it has what is asked for: a
match that has just ended is found at once, whoever asks. Whatever else is so, the database itself is read.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connections
from django.db.models import Model

ALIAS: Final = "history"
# What is read there. Who may see what (accounts, blocks, sanctions, promises of cards) is never asked of a standby.
MODELS: Final = frozenset({"appearance", "deal", "event", "seat", "table", "void"})
LOOK_SECONDS: Final = 1.0
# One that did not answer holds up nobody but who looks at it again.
AWAY_SECONDS: Final = 5.0

NOW_SQL: Final = "select pg_current_wal_lsn()::text"
# Behind by so much: nothing where all that was written when we asked is there; else the age of what is newest there.
# A server that follows nobody is no standby, whatever it holds.
LAG_SQL: Final = """
select case when not pg_is_in_recovery() then null
            when pg_last_wal_replay_lsn() >= %s::pg_lsn then 0
            else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) end::float8
"""

P = ParamSpec("P")
T = TypeVar("T")
_reading: ContextVar[bool] = ContextVar("reading", default=False)

# Since the process began: what was read from the standby, and what had to be read from the database.
READS: Final[Counter[str]] = Counter()


class HistoryRouter:
    """Sends reads of what is over to the standby, inside `reading()` alone; writes never."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str | None:
        if _reading.get() and model._meta.app_label == "games" and model._meta.model_name in MODELS:
            return ALIAS
        return None

    def allow_relation(self, one: Model, other: Model, **hints: Any) -> bool | None:
        return True if {one._state.db, other._state.db} <= {DEFAULT_DB_ALIAS, ALIAS} else None

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool | None:
        return False if db == ALIAS else None


@contextmanager
def reading() -> Iterator[None]:
    """Inside, what is over is read from the standby."""
    token = _reading.set(True)
    try:
        yield
    finally:
        _reading.reset(token)


def is_configured() -> bool:
    """Whether the settings name a standby."""
    return ALIAS in connections.settings


class _Looks:
    """How far behind the standby was when somebody looked last; one looks at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._at: float | None = None
        self._lag: float | None = None

    def lag(self) -> float | None:
        """Seconds behind, or None where it does not answer or follows nobody."""
        if self._is_old() and self._lock.acquire(blocking=False):
            try:
                self._lag = measured()
                self._at = time.monotonic()
            finally:
                self._lock.release()
        return self._lag

    def _is_old(self) -> bool:
        kept = AWAY_SECONDS if self._lag is None else LOOK_SECONDS
        return self._at is None or time.monotonic() - self._at > kept

    def fail(self) -> None:
        """It did not do what was asked of it."""
        self._lag, self._at = None, time.monotonic()

    def forget(self) -> None:
        """Whoever asks next looks."""
        self._at = None


LOOKS: Final = _Looks()


def measured() -> float | None:
    """Seconds that the standby is behind, or None where it does not answer or follows nobody."""
    try:
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            cursor.execute(NOW_SQL)
            (newest,) = cursor.fetchone()
        with connections[ALIAS].cursor() as cursor:
            cursor.execute(LAG_SQL, [newest])
            (lag,) = cursor.fetchone()
    except (OperationalError, InterfaceError):
        connections[ALIAS].close()
        return None
    return None if lag is None else max(0.0, lag)


def is_near() -> bool:
    """Whether there is a standby that answers and is near enough."""
    if not is_configured():
        return False
    lag = LOOKS.lag()
    return lag is not None and lag <= settings.HISTORY_LAG_SECONDS


def read(work: Callable[[], T], has_it: Callable[[], bool]) -> T:
    """What `work` returns: read from the standby if that is near and `has_it` there, else from the database.

    `work` only reads; where the standby fails in the middle of it, it is done again.
    """
    if not is_configured():
        return work()
    if is_near():
        try:
            if has_it():
                with reading():
                    done = work()
                READS["standby"] += 1
                return done
        except (OperationalError, InterfaceError):
            LOOKS.fail()
            connections[ALIAS].close()
    READS["database"] += 1
    return work()


def from_history(has_it: Callable[..., bool]) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A page that reads what is over. `has_it`, given what its address names, says whether the standby has it."""

    def wrap(view: Callable[P, T]) -> Callable[P, T]:
        @wraps(view)
        def page(*args: P.args, **kwargs: P.kwargs) -> T:
            return read(lambda: view(*args, **kwargs), lambda: has_it(**kwargs))

        return page

    return wrap

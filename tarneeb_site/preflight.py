"""What must be so before the site can start; each check raises CannotStart with one clear line."""

import fcntl
import os
import socket
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import psycopg
import redis
from django.core.exceptions import ImproperlyConfigured

from tarneeb_site.brokers import broker
from tarneeb_site.environment import database
from tarneeb_site.refusal import CannotStart

OLDEST_PYTHON = (3, 11)
CONNECT_SECONDS = 5


def check_python(version: Sequence[Any] = sys.version_info) -> None:
    """Raises: CannotStart where this Python is too old."""
    if tuple(version[:2]) < OLDEST_PYTHON:
        raise CannotStart(f"Python 3.11 or newer is needed, this is {version[0]}.{version[1]}")


def check_production(environment: Mapping[str, str], *, debug: bool) -> None:
    """Raises: CannotStart where a production start lacks what keeps it safe."""
    missing = [name for name in ("SECRET_KEY", "ALLOWED_HOSTS") if not environment.get(name)]
    if missing and not debug:
        raise CannotStart(
            f"DEBUG=0 is a production start, which needs {' and '.join(missing)} in the environment"
        )


def port_number(text: str) -> int:
    """The port that the text names.

    Raises: CannotStart where it names none.
    """
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 65535):
        raise CannotStart(f"PORT must be a number from 1 to 65535, not {text!r}")
    return int(text)


def check_port(bind: str, port: int) -> None:
    """Raises: CannotStart where the address cannot be listened on."""
    try:
        family, _, _, _, address = socket.getaddrinfo(bind, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise CannotStart(
            f"{bind} port {port} cannot be used ({error.strerror}): "
            f"free it or take another one, as in PORT={port % 65535 + 1} make run"
        ) from error


def check_writable(directory: Path) -> None:
    """Raises: CannotStart where nothing can be kept in the directory, which is made where missing."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            pass
    except OSError as error:
        raise CannotStart(
            f"{directory} is not writable ({error.strerror}): "
            "give the right to write there, or name another directory in TARNEEB_VAR"
        ) from error


def claimed(directory: Path) -> IO[str]:
    """The open lock of the directory, held until closed: one site a directory.

    Raises: CannotStart where another `manage.py up` holds it.
    """
    lock = (directory / "up.lock").open("a+")
    try:
        # Unlike flock's, this lock is not inherited: it ends with this process, however that ends.
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.seek(0)
        holder = lock.read().strip()
        lock.close()
        raise CannotStart(
            f"the site already runs from {directory} (process {holder}): stop it first"
        ) from error
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock


def check_database(url: str) -> None:
    """Raises: CannotStart where no PostgreSQL answers at the address within a few seconds."""
    try:
        database(url)
        psycopg.connect(url, connect_timeout=CONNECT_SECONDS).close()
    except ImproperlyConfigured as error:
        raise CannotStart(str(error)) from error
    except psycopg.Error as error:
        raise CannotStart(f"DATABASE_URL: {first_line(error)}") from error


def check_broker(url: str) -> None:
    """Raises: CannotStart where no Valkey or Redis answers at the address within a few seconds."""
    limits = {"socket_connect_timeout": CONNECT_SECONDS, "socket_timeout": CONNECT_SECONDS}
    try:
        found = broker(url, os.environ.get("SENTINEL_PASSWORD"))
        with found.client(**limits) as client:
            client.ping()
    except ImproperlyConfigured as error:
        raise CannotStart(str(error)) from error
    except (redis.RedisError, ValueError) as error:
        raise CannotStart(f"REDIS_URL: {first_line(error)}") from error


def first_line(error: Exception) -> str:
    """What an error says, as far as one line goes."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)

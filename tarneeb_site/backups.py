"""All that is kept, as one directory; and a new site from it.

The database as `pg_dump` writes it, the pictures of players, and a note of what belongs to it. Keys are no part of it:
who has a backup alone signs nobody in, and who restores one needs the same SECRET_KEY.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from tarneeb_site.embedded.postgres import programs

FORMAT: Final = "tarneeb-backup/1"
DUMP, MEDIA, NOTE = "database.dump", "media.tar", "backup.json"
# What libpq reads from the environment, where no list of processes shows it.
VARIABLES: Final = {
    "host": "PGHOST",
    "port": "PGPORT",
    "dbname": "PGDATABASE",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "options": "PGOPTIONS",
}


class NotDone(Exception):
    """Why there is no backup, or nothing was restored, in one line."""


def back_up(directory: Path, *, now: datetime) -> dict[str, Any]:
    """Writes a backup into a new directory, whole or not at all; what its note says.

    The site may go on meanwhile: the database is read as it stood at one moment. Pictures are read after it, and
    never change once they are there.
    Raises: NotDone.
    """
    if directory.exists():
        raise NotDone(f"{directory} is there already")
    draft = directory.with_name(f"{directory.name}.new")
    if draft.exists():
        shutil.rmtree(draft)
    try:
        draft.mkdir(parents=True, mode=0o700)
        _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={draft / DUMP}")
        _pack(draft / MEDIA)
        note = {
            "format": FORMAT,
            "at": now.isoformat(),
            "migrations": migrations(),
            "files": {name: _digest(draft / name) for name in (DUMP, MEDIA)},
        }
        (draft / NOTE).write_text(json.dumps(note, indent=2))
        draft.rename(directory)
    except OSError as error:
        raise NotDone(f"{directory} cannot be written: {error.strerror}") from error
    return note


def restore(directory: Path) -> dict[str, Any]:
    """Makes an empty database and an empty directory of pictures what they were; what the backup's note says.

    Raises: NotDone; the database then has all of it or nothing.
    """
    note = _checked(directory)
    if tables := connection.introspection.table_names():
        raise NotDone(f"the database is not empty: it has {len(tables)} tables")
    if settings.MEDIA_ROOT.exists() and any(settings.MEDIA_ROOT.iterdir()):
        raise NotDone(f"{settings.MEDIA_ROOT} is not empty")
    options = ("--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error")
    name = connection.settings_dict["NAME"]
    _run("pg_restore", *options, f"--dbname={name}", str(directory / DUMP))
    settings.MEDIA_ROOT.mkdir(parents=True, exist_ok=True)
    with tarfile.open(directory / MEDIA) as pictures:
        pictures.extractall(settings.MEDIA_ROOT, filter="data")
    return note


def migrations() -> list[str]:
    """The names of what was applied to the database, as `app.name`."""
    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())


def _checked(directory: Path) -> dict[str, Any]:
    try:
        note: dict[str, Any] = json.loads((directory / NOTE).read_text())
    except (OSError, ValueError) as error:
        raise NotDone(f"{directory} is no backup") from error
    if note.get("format") != FORMAT:
        raise NotDone(f"{directory} is no {FORMAT}")
    for name, digest in note["files"].items():
        if not (directory / name).exists() or _digest(directory / name) != digest:
            raise NotDone(f"{directory / name} is not what was written")
    return note


def _pack(path: Path) -> None:
    with tarfile.open(path, "w") as packed:
        if settings.MEDIA_ROOT.exists():
            for entry in sorted(settings.MEDIA_ROOT.iterdir()):
                packed.add(entry, arcname=entry.name)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _run(name: str, *arguments: str) -> None:
    environment = os.environ | connection_variables()
    command = [str(program(name, server_version())), *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr.strip() or "no reason given").splitlines()[0]
        raise NotDone(f"{name} failed: {said}")


def connection_variables() -> dict[str, str]:
    """How PostgreSQL's programs reach the site's database."""
    parameters = connection.get_connection_params()
    return {variable: str(parameters[key]) for key, variable in VARIABLES.items() if parameters.get(key)}


def server_version() -> int:
    """The major version of the server."""
    with connection.cursor() as cursor:
        cursor.execute("show server_version_num")
        return int(cursor.fetchone()[0]) // 10000


def program(name: str, version: int) -> Path:
    """A program of PostgreSQL's that is at least as new as the server.

    Raises: NotDone.
    """
    for path in _programs(name):
        if _version_of(path) >= version:
            return path
    raise NotDone(f"no {name} of PostgreSQL {version} or newer was found")


def _programs(name: str) -> Iterable[Path]:
    yield programs() / name
    if found := shutil.which(name):
        yield Path(found)
    yield from sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)


def _version_of(path: Path) -> int:
    if not path.exists():
        return 0
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"\) (\d+)", said)
    return int(found.group(1)) if found else 0

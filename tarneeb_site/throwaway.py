"""A database that lives for one command: copied from a migrated template, dropped at the end.

Nothing of a real site is touched: not its database, not its broker, not the browsers that watch it.
"""

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

import psycopg
from channels.layers import InMemoryChannelLayer, channel_layers
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from psycopg import sql

from tarneeb_site.embedded.postgres import Postgres
from tarneeb_site.environment import database

TEMPLATE = "tarneeb_template_"
THROWAWAY = "tarneeb_throwaway_"
# One process at a time makes a template; the number only has to be the same everywhere.
TEMPLATE_LOCK = 7_284_115
# What is written is thrown away: it need not outlive a power cut.
CONFIGURATION = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


@contextmanager
def throwaway_site() -> Iterator[None]:
    """Within it, this process works on a database of its own, and announces nothing to anybody.

    The server is that of DATABASE_URL; without one, an embedded server kept for this purpose.
    Raises: CannotStart; psycopg.Error where the server does not let its user make databases.
    """
    channel_layers.set("default", InMemoryChannelLayer())
    settings.MATCH_END_TASKS = {}
    with _server() as url, _database(url) as name:
        connection.close()
        connection.settings_dict.update({**database(url), "NAME": name})
        try:
            yield
        finally:
            connection.close()


@contextmanager
def _server() -> Iterator[str]:
    if url := os.environ.get("DATABASE_URL"):
        yield url
        return
    directory = Path(settings.VAR_DIR) / "throwaway"
    directory.mkdir(parents=True, exist_ok=True)
    # Whoever comes second waits: the first one stops the server when it is done.
    with (directory / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        postgres = Postgres(directory / "postgres", configuration=CONFIGURATION)
        try:
            _clear(postgres.url("postgres"))
            yield postgres.url("postgres")
        finally:
            postgres.stop()


def _clear(url: str) -> None:
    """Drops what killed runs left on a server that nobody else uses."""
    with psycopg.connect(url, autocommit=True) as server:
        for name in _databases(server, THROWAWAY):
            server.execute(sql.SQL("drop database {} with (force)").format(_named(name)))


@contextmanager
def _database(url: str) -> Iterator[str]:
    name = f"{THROWAWAY}{os.getpid()}_{secrets.token_hex(4)}"
    with psycopg.connect(url, autocommit=True) as server:
        template = _template(server, url)
        server.execute(sql.SQL("create database {} template {}").format(_named(name), _named(template)))
        try:
            yield name
        finally:
            server.execute(sql.SQL("drop database if exists {} with (force)").format(_named(name)))


def _template(server: "psycopg.Connection[tuple[object, ...]]", url: str) -> str:
    """The name of the migrated template; made where there is none for the migrations of today."""
    name = f"{TEMPLATE}{_migrations()}"
    server.execute("select pg_advisory_lock(%s)", [TEMPLATE_LOCK])
    try:
        known = _databases(server, TEMPLATE)
        if name not in known:
            _make_template(server, url, name)
        for old in known:
            if old != name:
                with suppress(psycopg.Error):
                    server.execute(sql.SQL("drop database {}").format(_named(old)))
    finally:
        server.execute("select pg_advisory_unlock(%s)", [TEMPLATE_LOCK])
    return name


def _make_template(server: "psycopg.Connection[tuple[object, ...]]", url: str, name: str) -> None:
    # Its name comes last, so that a half-made one is never taken for the whole.
    draft = f"{THROWAWAY}template_{os.getpid()}"
    server.execute(sql.SQL("drop database if exists {} with (force)").format(_named(draft)))
    server.execute(sql.SQL("create database {}").format(_named(draft)))
    connection.close()
    connection.settings_dict.update({**database(url), "NAME": draft})
    call_command("migrate", interactive=False, verbosity=0)
    connection.close()
    server.execute(sql.SQL("alter database {} rename to {}").format(_named(draft), _named(name)))


def _databases(server: "psycopg.Connection[tuple[object, ...]]", prefix: str) -> list[str]:
    rows = server.execute("select datname from pg_database where starts_with(datname, %s)", [prefix])
    return [str(row[0]) for row in rows]


def _migrations() -> str:
    """A digest of every migration's text."""
    digest = sha256()
    for app in apps.get_app_configs():
        for path in sorted(Path(app.path).glob("migrations/[0-9]*.py")):
            digest.update(f"{app.label}/{path.name}".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _named(name: str) -> sql.Identifier:
    return sql.Identifier(name)

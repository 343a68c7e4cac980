"""A whole site whose parts can be killed one by one, and started again as an operator's supervisor would."""

import os
import signal
import socket
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from tests.live import LiveSite

SETTINGS = {
    "TABLE_FIRST_DEAL_SECONDS": "1",
    "TABLE_DEAL_PAUSE_SECONDS": "1",
    "TABLE_BOT_SECONDS": "0.3",
    "LIMITS_ON_LOOPBACK": "0",
    "DEMO": "0",
    "DEBUG": "0",
    "ALLOWED_HOSTS": "127.0.0.1",
    "SECRET_KEY": "nothing-that-this-key-signs-outlives-the-run-" + "x" * 20,
}
START_SECONDS = 60
TURN_SECONDS = 15
GREEN_SECONDS = 40
MATCH = {"ruleset": "kotchina", "target": 31, "turn_seconds": TURN_SECONDS, "visibility": "link"}
WEBS = ("web", "web2")


class Site:
    """Two web processes, steward, worker, beat, and both servers."""

    def __init__(self, directory: Path, stack: ExitStack) -> None:
        for name in ("DATABASE_URL", "REDIS_URL", "PAGES_AT_ONCE", "HTTPS", "TRUSTED_PROXIES"):
            os.environ.pop(name, None)
        os.environ.update(SETTINGS | {"TARNEEB_VAR": str(directory)})
        from tarneeb_site.up import embedded_postgres, embedded_valkey, prepare

        self._directory = directory / "postgres"
        # The new server after a kill is another object: whichever runs last is stopped.
        self.postgres = embedded_postgres(directory, ExitStack())
        stack.callback(self._stop_postgres)
        self.valkey = embedded_valkey(directory, stack)
        self.database = self.postgres.url("tarneeb")
        os.environ |= {"DATABASE_URL": self.database, "REDIS_URL": self.valkey.url}
        # No page is looked at: what pages load need not be gathered.
        prepare(debug=True)
        self.processes = self._started(directory, stack)
        self.ports = [self.processes.port, self.second_port]

    def _stop_postgres(self) -> None:
        self.postgres.stop()

    def _started(self, directory: Path, stack: ExitStack) -> "LiveSite":
        from tarneeb_site.children import commands
        from tarneeb_site.embedded.valkey import free_port
        from tests.live import LiveSite

        site = LiveSite(directory)
        stack.callback(site.stop)
        self.second_port = free_port()
        site.commands["web2"] = commands("127.0.0.1", self.second_port)["web"]
        for name in site.commands:
            site.start(name)
        site.wait_until_green()
        _wait(lambda: _accepts(self.second_port), "the second web process")
        return site

    def kill(self, name: str) -> None:
        """End a part, whatever it is doing."""
        if name == "postgres":
            os.kill(self.postgres.pid, signal.SIGKILL)
        elif name == "valkey":
            _kill_tree(self.valkey.pid)
            self.valkey.process.wait()
        else:
            self.processes.kill(name)

    def start(self, name: str) -> None:
        """Start a part again; returns once it is back."""
        if name == "postgres":
            self._start_postgres()
        elif name == "valkey":
            self.valkey.start_again()
            assert self.valkey.answers()
        else:
            self._start_process(name)

    def restart(self, name: str) -> None:
        """End a process as one does for an upgrade, and start it again."""
        process = self.processes.processes[name]
        process.terminate()
        process.wait(START_SECONDS)
        self.start(name)

    def _start_process(self, name: str) -> None:
        began = self._now()
        self.processes.start(name)
        if name in WEBS:
            port = self.ports[WEBS.index(name)]
            _wait(lambda: _accepts(port), name)
        elif name != "beat":
            _wait(lambda: self._signed(name, began), name)

    def _start_postgres(self) -> None:
        from tarneeb_site.embedded.postgres import Postgres
        from tarneeb_site.refusal import CannotStart

        def tried() -> bool:
            # While the last of its old children let go, it does not start.
            try:
                self.postgres = Postgres(self._directory)
                psycopg.connect(self.database, connect_timeout=2).close()
            except (CannotStart, psycopg.OperationalError):
                return False
            return True

        _wait(tried, "PostgreSQL")

    def _now(self) -> Any:
        with psycopg.connect(self.database, connect_timeout=5) as connection:
            return connection.execute("select now()").fetchone()[0]  # type: ignore[index]

    def _signed(self, name: str, since: Any) -> bool:
        with psycopg.connect(self.database, connect_timeout=5) as connection:
            row = connection.execute(
                "select 1 from games_heartbeat where name = %s and at > %s", [name, since]
            ).fetchone()
        return row is not None

    def is_green_again(self) -> bool:
        """Whether every part of the site works, seen from both web processes, within some seconds."""
        until = time.monotonic() + GREEN_SECONDS
        while not all(_is_green(port) for port in self.ports):
            if time.monotonic() > until:
                return False
            time.sleep(0.5)
        return True

    def errors(self) -> dict[str, int]:
        """How many errors each process has written down."""
        return {
            name: self.processes.log(name).count("\nTraceback")
            for name in self.processes.commands
            if "\nTraceback" in self.processes.log(name)
        }


def seat_players(tables: int) -> dict[str, list[tuple[int, str]]]:
    """So many tables at which four sit: user and session of the four, by the table's code."""
    from django.db import connection
    from django.test import Client
    from django.utils import timezone

    from games.services.tables import open_table, sit
    from tests.factories import make_users

    # Setting up need not be durable; a table that is dealt to waits for nobody.
    with connection.cursor() as cursor:
        cursor.execute("set synchronous_commit = off")
    seated: dict[str, list[tuple[int, str]]] = {}
    for _ in range(tables):
        users, now = make_users(4), timezone.now()
        code = open_table(host=users[0], **MATCH, options={"round_cap": None}, now=now).code
        seated[code] = []
        for seat, user in enumerate(users):
            sit(table_code=code, user=user, seat=seat, now=now)
            browser = Client()
            browser.force_login(user)
            seated[code].append((user.pk, browser.cookies["sessionid"].value))
    connection.close()
    return seated


def _is_green(port: int) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
        return bool(answer.status == 200)
    return False


def _accepts(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def _wait(holds: Callable[[], bool], what: str) -> None:
    until = time.monotonic() + START_SECONDS
    while True:
        with suppress(psycopg.Error):
            if holds():
                return
        if time.monotonic() > until:
            raise SystemExit(f"{what} did not come back within {START_SECONDS} s")
        time.sleep(0.1)


def _kill_tree(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)

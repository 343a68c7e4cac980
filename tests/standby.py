"""A hot standby of the tests' own PostgreSQL, made and started as an operator's guide has it."""

import os
import pwd
import shutil
import subprocess
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit, urlunsplit

import psutil
import psycopg

from tarneeb_site.embedded.postgres import Postgres, programs
from tests.live import database_url

SECONDS = 20


class Standby:
    """A server that follows the one of the tests; `url` is its copy of the tests' database."""

    def __init__(self, directory: Path) -> None:
        self._primary = database_url()
        self._directory = directory
        directory.parent.mkdir(parents=True, exist_ok=True)
        copy_of(self._primary, directory)
        self.start()
        name = urlsplit(self._primary).path.removeprefix("/")
        self.url = self.server.url(name)

    def start(self) -> None:
        """Starts it, or starts it again."""
        self.server = Postgres(self._directory)

    def kill(self) -> None:
        """Ends it as a power cut would."""
        process = psutil.Process(self.server.pid)
        family = [process, *process.children(recursive=True)]
        for one in family:
            one.kill()
        psutil.wait_procs(family, timeout=10)

    def ask(self, sql: str) -> object:
        """The one value of a statement there."""
        with psycopg.connect(self.url, autocommit=True) as there:
            row = there.execute(sql).fetchone()
            return None if row is None else row[0]

    def caught_up(self) -> None:
        """Waits until it has all that is written by now."""
        with psycopg.connect(self._primary, autocommit=True) as here:
            # Written, and not only promised: the tests' server takes its time.
            here.execute("checkpoint")
            newest = here.execute("select pg_current_wal_lsn()::text").fetchone()
        ends = time.monotonic() + SECONDS
        assert newest is not None
        while not self.ask(f"select pg_last_wal_replay_lsn() >= '{newest[0]}'::pg_lsn"):
            assert time.monotonic() < ends, "the standby does not follow"
            time.sleep(0.02)

    def pause(self) -> None:
        """From now on it shows what it has by now."""
        self.ask("select pg_wal_replay_pause()")
        ends = time.monotonic() + SECONDS
        while self.ask("select pg_get_wal_replay_pause_state()") != "paused":
            assert time.monotonic() < ends, "the standby goes on"
            time.sleep(0.02)

    def resume(self) -> None:
        self.ask("select pg_wal_replay_resume()")

    def stop(self) -> None:
        self.server.stop()
        shutil.rmtree(self.server.directory, ignore_errors=True)


def copy_of(url: str, directory: Path) -> None:
    """The data of the server at that address, as pg_basebackup takes it, with how to follow it."""
    parts = urlsplit(url)
    host = parse_qs(parts.query).get("host", [parts.hostname or ""])[0]
    source = urlunsplit(parts._replace(path="/postgres"))
    command = [str(programs() / "pg_basebackup"), "--dbname", source, "--pgdata", str(directory)]
    command += ["--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast"]
    subprocess.run(command, check=True, capture_output=True)
    with (directory / "postgresql.conf").open("a") as file:
        file.write("hot_standby = on\nhot_standby_feedback = on\n")
    # What belongs to the server that was copied.
    for left in [directory / "log", directory / ".handle_pids.json", *directory.glob(".s.PGSQL.*")]:
        left.unlink(missing_ok=True)
    assert host, "the server is reached by name or by socket"
    if os.geteuid() == 0:
        owner = pwd.getpwnam("pgserver")
        for path in [directory, *directory.rglob("*")]:
            os.chown(path, owner.pw_uid, owner.pw_gid, follow_symlinks=False)

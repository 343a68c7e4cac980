"""A whole site for tests: Daphne, worker, beat and steward as processes on the test's database."""

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings
from django.db import connection

from tarneeb_site.celery import app
from tarneeb_site.children import ROOT, commands
from tarneeb_site.embedded.valkey import free_port
from tarneeb_site.tether import TETHER

START_SECONDS = 60
STOP_SECONDS = 10


class LiveSite:
    """A running site. `url` has no slash at its end; `directory` has a log of each process."""

    def __init__(self, directory: Path) -> None:
        self.port = free_port()
        self.host = f"127.0.0.1:{self.port}"
        self.url = f"http://{self.host}"
        self.directory = directory
        self.commands = commands("127.0.0.1", self.port)
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        # What its processes find in the environment beside what they all do.
        self.environment: dict[str, str] = {}

    def socket(self, path: str) -> str:
        """The address of a socket, as in socket("/ws/tables/K7QF2/")."""
        return f"ws://{self.host}{path}"

    def log(self, name: str) -> str:
        """What the process of that name has written so far."""
        return (self.directory / f"{name}.log").read_text()

    def start(self, name: str) -> None:
        """Starts (again) the process of that name: web, worker, beat or steward."""
        with (self.directory / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, str(TETHER), *self.commands[name]],
                cwd=ROOT,
                env=environment(self.directory) | self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                # The worker's children end with it, and a Ctrl-C is for pytest alone.
                start_new_session=True,
            )

    def kill(self, name: str) -> None:
        """Ends the process and its children as a power cut would."""
        os.killpg(self.processes[name].pid, 9)
        self.processes[name].wait()

    def stop(self) -> None:
        """Ends all the processes."""
        for process in self.processes.values():
            process.terminate()
        for name, process in self.processes.items():
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.kill(name)

    def wait_until_green(self) -> None:
        """Returns once /healthz says that every part works."""
        deadline = time.monotonic() + START_SECONDS
        while not self.is_green():
            dead = [name for name, process in self.processes.items() if process.poll() is not None]
            if dead or time.monotonic() > deadline:
                logs = "\n".join(f"--- {name}\n{self.log(name)[-3000:]}" for name in dead or self.processes)
                raise AssertionError(f"the site did not start; ended by themselves: {dead}\n{logs}")
            time.sleep(0.1)

    def is_green(self) -> bool:
        """Whether every part works."""
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False


@contextmanager
def running_site(directory: Path) -> Iterator[LiveSite]:
    """A site that is green, until the end of the block."""
    # What tests without a worker sent is nobody's business any more.
    app.control.purge()
    site = LiveSite(directory)
    try:
        for name in site.commands:
            site.start(name)
        site.wait_until_green()
        yield site
    finally:
        site.stop()


def environment(directory: Path) -> dict[str, str]:
    """The environment of the processes: the test's database and broker, files of their own."""
    return os.environ | {
        "DATABASE_URL": database_url(),
        "REDIS_URL": settings.REDIS_URL,
        "SECRET_KEY": settings.SECRET_KEY,
        "TARNEEB_VAR": str(directory),
        "PYTHONUNBUFFERED": "1",
    }


def database_url() -> str:
    """The address of the database that the tests see."""
    name = connection.settings_dict["NAME"]
    return urlunsplit(urlsplit(settings.DATABASE_URL)._replace(path=f"/{name}"))

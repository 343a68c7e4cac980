"""Gives the tests real servers: PostgreSQL and Valkey of their own, unless the environment names others.

A plugin (`-p tests.servers`), so that the addresses stand in the environment before settings are read.
Every run has its own directory and ports; workers of one run share its servers, each with its own database.
"""

import atexit
import os
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psutil
import pytest

ROOT = Path(__file__).resolve().parent.parent
# Tests stop their servers with the run; nothing of them has to outlive a power cut.
POSTGRES = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "200",
}
QUICK_TABLES = {
    "TABLE_FIRST_DEAL_SECONDS": "0.05",
    "TABLE_DEAL_PAUSE_SECONDS": "0.05",
    "TABLE_BOT_SECONDS": "0",
    "TABLE_AWAY_SECONDS": "0.05",
}


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests() -> Generator[None, None, None]:
    prepare()
    return (yield)


def prepare() -> None:
    """Sets the environment of the tests; starts the servers that it does not name yet."""
    for name, value in QUICK_TABLES.items():
        os.environ.setdefault(name, value)
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if not worker:
        start_servers()
    else:
        separate(int(worker.removeprefix("gw")) + 1)


def separate(number: int) -> None:
    """Keeps the workers of one run apart on the Valkey that they share."""
    os.environ["REDIS_URL"] = urlunsplit(urlsplit(os.environ["REDIS_URL"])._replace(path=f"/{number}"))
    os.environ["CHANNEL_PREFIX"] = f"tarneeb{number}"


def start_servers() -> None:
    from tarneeb_site.embedded.postgres import Postgres
    from tarneeb_site.embedded.valkey import Valkey

    directory = run_directory()
    os.environ["TARNEEB_VAR"] = str(directory)
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    if not os.environ.get("DATABASE_URL"):
        postgres = Postgres(directory / "postgres", configuration=POSTGRES)
        atexit.register(postgres.stop)
        postgres.ensure_database("tarneeb")
        os.environ["DATABASE_URL"] = postgres.url("tarneeb")
    if not os.environ.get("REDIS_URL"):
        valkey = Valkey(directory / "valkey")
        atexit.register(valkey.stop)
        os.environ["REDIS_URL"] = valkey.url


def run_directory() -> Path:
    """A new directory of this run; those of runs that were killed are cleared away first."""
    runs = Path(os.environ.get("TARNEEB_VAR", ROOT / "var")) / "tests"
    runs.mkdir(parents=True, exist_ok=True)
    for left in runs.iterdir():
        if not psutil.pid_exists(int(left.name.split("-")[0])):
            clear(left)
    return Path(tempfile.mkdtemp(dir=runs, prefix=f"{os.getpid()}-"))


def clear(directory: Path) -> None:
    """Ends the servers that a killed run left behind, and removes its directory."""
    for process in psutil.process_iter(["name", "cmdline", "cwd"]):
        if process.info["name"] in {"postgres", "valkey-server"} and _works_in(process, directory):
            process.kill()
    shutil.rmtree(directory, ignore_errors=True)


def _works_in(process: psutil.Process, directory: Path) -> bool:
    places = [process.info["cwd"] or "", *(process.info["cmdline"] or [])]
    return any(place.startswith(str(directory)) for place in places)

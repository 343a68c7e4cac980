"""A whole site to measure: servers, processes, players at their tables; and what each process uses."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any

import psutil
from search import Step, highest, step_of, summary

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

if TYPE_CHECKING:
    from tests.live import LiveSite

# No pause but the players' own; limits that hold up single people are lifted for this machine's own sockets.
QUICK = {
    "TABLE_FIRST_DEAL_SECONDS": "1",
    "TABLE_DEAL_PAUSE_SECONDS": "0",
    "LIMITS_ON_LOOPBACK": "0",
    "DEMO": "0",
    "DEBUG": "0",
    "ALLOWED_HOSTS": "127.0.0.1,localhost",
}
MATCH = {"ruleset": "kotchina", "target": 31, "turn_seconds": 600, "visibility": "link"}
# One that no round cap ends.
UNCAPPED = {"round_cap": None}
# Four calls or a few more, then 52 cards; who does not play half of that in so long is measured as it stands.
MOVES_A_DEAL, SPREAD_SECONDS = 56, 10.0


class Stack:
    """A running site: `webs` are the ports of its web processes."""

    def __init__(self, site: "LiveSite", webs: list[int], servers: dict[str, int]) -> None:
        self.site, self.webs = site, webs
        self._trees = dict(servers)

    def processes(self) -> dict[str, list[psutil.Process]]:
        """Every part of the site with its processes, by name."""
        roots = {name: process.pid for name, process in self.site.processes.items()} | self._trees
        return {name: tree(pid) for name, pid in roots.items()}


def tree(pid: int) -> list[psutil.Process]:
    """A process with its children and theirs."""
    root = psutil.Process(pid)
    return [root, *root.children(recursive=True)]


@contextmanager
def running_stack(directory: Path, *, server: str, processes: int) -> Iterator[Stack]:
    """A site of its own on an empty database, whatever the environment names."""
    for name in ("DATABASE_URL", "REDIS_URL", "PAGES_AT_ONCE", "HTTPS"):
        os.environ.pop(name, None)
    os.environ |= QUICK | {"TARNEEB_VAR": str(directory), "SECRET_KEY": "only-for-a-bench-" + "x" * 50}
    with ExitStack() as stack:
        from tarneeb_site.up import prepare, servers

        pids = stack.enter_context(servers(directory))
        prepare(debug=False)
        from tarneeb_site.embedded.valkey import free_port
        from tests.live import LiveSite

        site = LiveSite(directory)
        stack.callback(site.stop)
        webs = [site.port, *(free_port() for _ in range(processes - 1))]
        for number, port in enumerate(webs, 1):
            site.commands["web" if number == 1 else f"web{number}"] = web_command(server, port)
        for name in site.commands:
            site.start(name)
        site.wait_until_green()
        for port in webs:
            wait_until_open(port)
        yield Stack(site, webs, pids)


def wait_until_open(port: int) -> None:
    """Returns once somebody listens there; the others were waited for by their health."""
    while True:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        sleep(0.1)


def web_command(server: str, port: int) -> list[str]:
    """The command of one web process."""
    from tarneeb_site.children import commands

    return commands("127.0.0.1", port)["web"]


def durability() -> dict[str, str]:
    """What the database says of its own care: `fsync`, `synchronous_commit`, `full_page_writes`."""
    from django.db import connection

    names = ("fsync", "synchronous_commit", "full_page_writes")
    found = {}
    with connection.cursor() as cursor:
        for name in names:
            cursor.execute(f"show {name}")
            found[name] = cursor.fetchone()[0]
    return found


def seat_players(tables: int) -> list[tuple[str, list[str]]]:
    """So many started tables at which four sit: each one's code, and the session keys of the four by seat."""
    from django.utils import timezone

    from games.services.tables import open_table, sit

    users, keys = sign_in(4 * tables)
    seated = []
    for number in range(tables):
        four, now = users[4 * number : 4 * number + 4], timezone.now()
        code = open_table(host=four[0], **MATCH, options=UNCAPPED, now=now).code
        for seat, user in enumerate(four):
            sit(table_code=code, user=user, seat=seat, now=now)
        seated.append((code, keys[4 * number : 4 * number + 4]))
    return seated


def sign_in(count: int) -> tuple[list[Any], list[str]]:
    """So many new accounts, and the key of a session of each."""
    from datetime import timedelta
    from importlib import import_module

    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.models import Session
    from django.utils import timezone
    from django.utils.crypto import get_random_string

    from accounts.models import User

    before = User.objects.count()
    names = [f"bench{before + number}" for number in range(count)]
    users = User.objects.bulk_create(
        [
            User(username=name, name_key=name, email=f"{name}@example.org", password=f"!{name}")
            for name in names
        ],
        batch_size=1000,
    )
    backend = settings.AUTHENTICATION_BACKENDS[0]
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    until = timezone.now() + timedelta(days=1)
    sessions = [
        Session(
            session_key=get_random_string(32, "abcdefghijklmnopqrstuvwxyz0123456789"),
            session_data=store.encode(
                {
                    SESSION_KEY: str(user.pk),
                    BACKEND_SESSION_KEY: backend,
                    HASH_SESSION_KEY: user.get_session_auth_hash(),
                }
            ),
            expire_date=until,
        )
        for user in users
    ]
    Session.objects.bulk_create(sessions, batch_size=1000)
    return users, [session.session_key for session in sessions]


class LoadEnded(Exception):
    """The load generator broke off."""


class Load:
    """The load generator: orders in, answers out."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(HERE / "load.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.pid = self._process.pid

    def do(self, **order: Any) -> dict[str, Any]:
        """Give an order, wait for what came of it.

        Raises: LoadEnded.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise LoadEnded("the load generator broke off")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def __enter__(self) -> "Load":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()


class Meter:
    """What processes use between its start and `read`."""

    def __init__(self, groups: dict[str, list[psutil.Process]]) -> None:
        self._groups = groups
        self._began, self._cpu = perf_counter(), self._seconds()

    def _seconds(self) -> dict[str, float]:
        return {name: sum(map(cpu_seconds, group)) for name, group in self._groups.items()}

    def read(self) -> dict[str, dict[str, float]]:
        """By name: percent of one core, and MiB in memory (what processes share is counted once)."""
        elapsed, now = perf_counter() - self._began, self._seconds()
        return {
            name: {
                "cpu_percent": round(100 * (now[name] - self._cpu[name]) / elapsed, 1),
                "rss_mib": round(memory_kib(group) / 1024, 1),
            }
            for name, group in self._groups.items()
        }


def cpu_seconds(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


def memory_kib(group: Sequence[psutil.Process]) -> float:
    """Of one process its resident memory; of several, each one's share of it."""
    total = 0
    for process in group:
        try:
            total += process.memory_info().rss if len(group) == 1 else process.memory_full_info().pss
        except psutil.Error:
            continue
    return total / 1024


def rates(load: Load, groups: dict[str, list[psutil.Process]], *, until: float, tries: int) -> dict[str, Any]:
    """The highest rate that holds at the tables which are connected, and all that was tried for it."""
    load.do(do="spread", moves=MOVES_A_DEAL, seconds=SPREAD_SECONDS)

    def run(rate: float | None, warm: float, seconds: float) -> Step:
        meter = Meter(groups)
        came = load.do(do="offer", rate=rate, warm=warm, seconds=seconds)
        return step_of(rate, came, meter.read())

    return summary(*highest(run, until=until, tries=tries))

"""The peers, beside the site in one run: installed once from npm, started, driven by the same load generator."""

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import parse_qs, urlsplit

from stack import ROOT, Load, LoadEnded, rates, tree

HERE = Path(__file__).resolve().parent
FILES = ("package.json", "cards.js", "boardgame.js", "colyseus.js")
# What the run of one peer needs at least.
LEAST_SECONDS = 6.0
DATABASE = "boardgame"

IN_MEMORY = "boardgame.io in memory"
STORED = "boardgame.io with PostgreSQL"
ROOM = "colyseus in memory"


class Missing(Exception):
    """Why the peers cannot run."""


class Packages:
    """The peers' packages, in a directory of their own that later runs find again."""

    def __init__(self) -> None:
        """Begins to install them, unless they are there."""
        digest = hashlib.sha256(b"".join((HERE / name).read_bytes() for name in FILES)).hexdigest()[:12]
        self.directory = ROOT / "var" / "bench-peers" / digest
        self._npm: subprocess.Popen[bytes] | None = None
        self._missing = ""
        if (self.directory / "complete").exists():
            return
        if not shutil.which("node") or not shutil.which("npm"):
            self._missing = "node and npm are not installed"
            return
        self.directory.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            shutil.copy(HERE / name, self.directory)
        command = ["npm", "install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"]
        self._npm = subprocess.Popen(
            [*command, "--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=20000"],
            cwd=self.directory,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def wait(self, *, until: float) -> Path:
        """The directory, once all is installed. `until`: on the monotonic clock, in seconds.

        Raises: Missing.
        """
        if self._npm is not None:
            try:
                _, errors = self._npm.communicate(timeout=max(0.1, until - monotonic()))
            except subprocess.TimeoutExpired:
                self.stop()
                raise Missing("npm took too long") from None
            if self._npm.returncode:
                raise Missing(f"npm could not install them: {errors.decode()[:300].strip()}")
            (self.directory / "complete").touch()
            self._npm = None
        if self._missing:
            raise Missing(self._missing)
        return self.directory

    def stop(self) -> None:
        """Give up an installation that is under way."""
        if self._npm is not None and self._npm.poll() is None:
            self._npm.kill()
            self._npm.wait()


def measured(
    packages: Path, tables: int, *, until: float, own: float, tries: int
) -> dict[str, dict[str, Any]]:
    """Each peer's figures by its name, with `ratio`: how many of its moves go into our `own` (a second)."""
    runs: list[tuple[str, Callable[..., dict[str, Any]]]] = [
        (IN_MEMORY, boardgame),
        (STORED, stored_boardgame),
        (ROOM, colyseus),
    ]
    found = {}
    for left, (name, run) in zip(range(len(runs), 0, -1), runs, strict=True):
        share = monotonic() + (until - monotonic()) / left
        try:
            found[name] = (
                run(packages, tables, share, tries) if share - monotonic() > LEAST_SECONDS else late()
            )
        except (Missing, LoadEnded) as error:
            found[name] = {"error": str(error)}
        # One that holds no rate in time is taken for the most that it did at all.
        theirs = found[name].get("moves_per_s") or found[name].get("most_done")
        found[name]["ratio"] = round(own / theirs, 2) if theirs else None
    return found


def late() -> dict[str, Any]:
    return {"error": "no time was left for it: give --seconds more"}


def boardgame(
    packages: Path, tables: int, until: float, tries: int, storage: tuple[str, ...] = ()
) -> dict[str, Any]:
    """boardgame.io, which keeps its matches in memory."""
    port = free_port()
    with started(packages, "boardgame.js", str(port), *storage) as (server, _):
        path = "/socket.io/?EIO=4&transport=websocket"
        places = [[["127.0.0.1", port, path, "", f"match{number}"]] * 4 for number in range(tables)]
        return searched("boardgame.io", server, places, until, tries)


def stored_boardgame(packages: Path, tables: int, until: float, tries: int) -> dict[str, Any]:
    """boardgame.io with bgio-postgres, on the PostgreSQL that served us."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(f"create database {DATABASE}")
    directory = parse_qs(urlsplit(os.environ["DATABASE_URL"]).query)["host"][0]
    return boardgame(packages, tables, until, tries, (directory, DATABASE))


def colyseus(packages: Path, tables: int, until: float, tries: int) -> dict[str, Any]:
    """A Colyseus room a table."""
    port = free_port()
    with started(packages, "colyseus.js", str(port), str(tables)) as (server, said):
        places = [[["127.0.0.1", port, path, "", ""] for path in paths] for paths in json.loads(said)]
        return searched("colyseus", server, places, until, tries)


def searched(
    brand: str, server: int, places: list[list[list[Any]]], until: float, tries: int
) -> dict[str, Any]:
    """The same search as ours."""
    with Load() as load:
        opened = load.do(do="connect", brand=brand, tables=places)
        if opened["lost"] or opened["opened"] < 4 * len(places):
            raise Missing(f"of {4 * len(places)} sockets {opened['opened']} opened; lost: {opened['lost']}")
        groups = {"server": tree(server), "load generator": tree(load.pid)}
        return rates(load, groups, until=until, tries=tries)


@contextmanager
def started(packages: Path, script: str, *arguments: str) -> Iterator[tuple[int, str]]:
    """A server of node's: its process id, and the line with which it says that it is ready."""
    with (packages / f"{script}.log").open("w") as log:
        process = subprocess.Popen(
            ["node", script, *arguments],
            cwd=packages,
            env=os.environ | {"NODE_ENV": "production"},
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    try:
        yield process.pid, ready_line(process)
    finally:
        process.kill()
        process.wait()


def ready_line(process: "subprocess.Popen[str]") -> str:
    """Raises: Missing where the server ends instead."""
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith(("ready", "[[")):
            return line
    raise Missing("the server ended by itself")


def free_port() -> int:
    from tarneeb_site.embedded.valkey import free_port as found

    return found()

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

import psutil
import pytest
from django.conf import settings

from tarneeb_site.embedded.valkey import free_port
from tarneeb_site.leftovers import MARK

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 120
ALL_WELL = dict.fromkeys(("database", "broker", "worker", "steward"), "ok")


class Up:
    """One run of `manage.py up` in a directory of its own."""

    def __init__(self, directory, **environment):
        self.directory, self.port = directory, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        kept = {
            name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}
        }
        self.log = directory.parent / f"up-{self.port}.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "up"],
                cwd=ROOT,
                env={**kept, "TARNEEB_VAR": str(directory), "PORT": str(self.port), **environment},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def says(self, pattern):
        """What the run printed, once it matches; fails where it ends or goes on without."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (found := re.search(pattern, self.log.read_text())):
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.1)
        return found

    def child(self, name):
        """The process id of its child of that name."""
        return int(self.says(rf"{name} started \(pid=(\d+)\)")[1])

    def ended(self):
        """The exit status, and the last line."""
        status = self.process.wait(PATIENCE_SECONDS)
        return status, self.log.read_text().splitlines()[-1]

    def get(self, path):
        with urllib.request.urlopen(self.url + path) as answer:
            return answer.read().decode()


def log_in(url, name, password):
    """The page that a person sees after logging in."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    form = browser.open(f"{url}/accounts/login/").read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', form)[1]
    fields = {"csrfmiddlewaretoken": token, "login": name, "password": password}
    with browser.open(f"{url}/accounts/login/", urllib.parse.urlencode(fields).encode()) as answer:
        return answer.geturl(), answer.read().decode()


def left_of(directory):
    """The names of the processes that belong to the site in the directory."""
    found = []
    for process in psutil.process_iter(["name", "environ", "cmdline"]):
        marked = (process.info["environ"] or {}).get(MARK) == str(directory)
        if marked or str(directory / "postgres") in (process.info["cmdline"] or []):
            found.append(process.info["name"])
    return found


@pytest.fixture(scope="module")
def directory():
    path = settings.VAR_DIR / "up"
    path.mkdir()
    yield path
    for process in psutil.process_iter(["cmdline"]):
        if str(path / "postgres") in (process.info["cmdline"] or []):
            process.kill()
    shutil.rmtree(path)


def test_site_starts_stops_starts_again_and_survives_a_kill(directory):
    first = Up(directory)
    first.says("ready at " + re.escape(first.url))
    assert json.loads(first.get("/healthz")) == ALL_WELL
    password = first.says(r"Demo accounts, all with the password (\S+)")[1]
    for name in ("admin", "organiser", "layla", "هدى"):
        place, page = log_in(first.url, name, password)
        assert (place, name in page) == (f"{first.url}/", True)
    home = first.get("/")
    first.process.terminate()
    assert first.ended() == (0, "tarneeb: stopped")
    assert left_of(directory) == []

    second = Up(directory)
    second.says("ready at " + re.escape(second.url))
    assert second.says(r"Demo accounts, all with the password (\S+)")[1] == password
    assert tables_on(second.get("/")) == tables_on(home)
    os.killpg(second.process.pid, signal.SIGKILL)
    second.process.wait()

    third = Up(directory)
    third.says("adopted the PostgreSQL that was still running")
    third.says("ready at " + re.escape(third.url))
    assert tables_on(third.get("/")) == tables_on(home)
    os.kill(third.child("steward"), signal.SIGKILL)
    status, line = third.ended()
    assert status == 1
    assert line == "tarneeb: a process ended by itself (see above), so the rest was stopped"
    assert left_of(directory) == []


@pytest.mark.parametrize("name", ["PostgreSQL", "Valkey"])
def test_site_ends_with_a_line_where_an_embedded_server_ends(directory, name):
    run = Up(directory)
    run.says("ready at " + re.escape(run.url))
    servers = psutil.Process(run.child("servers")).cmdline()
    [pid] = [int(found[1]) for word in servers if (found := re.fullmatch(rf"{name}=(\d+)", word))]
    os.kill(pid, signal.SIGKILL)
    status, line = run.ended()
    assert status == 1
    assert line == "tarneeb: a process ended by itself (see above), so the rest was stopped"
    assert re.search(rf"servers +\| {name} ended", run.log.read_text())
    assert left_of(directory) == []


def tables_on(page):
    """The codes of the tables that a page leads to."""
    codes = sorted(set(re.findall(r'href="/tables/([A-Z0-9]{5,})/"', page)))
    assert codes != []
    return codes


def refused(directory, **environment):
    """What a start says that must not succeed: the whole of it, as lines."""
    run = Up(directory, **environment)
    assert run.ended()[0] == 1
    lines = run.log.read_text().splitlines()
    return [line for line in lines if not line.startswith("tarneeb: run by root")]


def test_start_is_refused_in_a_line_where_the_directory_cannot_be_written(tmp_path):
    (tmp_path / "var").write_text("")
    assert refused(tmp_path / "var") == [
        f"tarneeb: {tmp_path}/var is not writable (File exists): "
        "give the right to write there, or name another directory in TARNEEB_VAR"
    ]


def test_start_is_refused_in_a_line_where_another_postgresql_made_the_data(tmp_path):
    (tmp_path / "var" / "postgres").mkdir(parents=True)
    (tmp_path / "var" / "postgres" / "PG_VERSION").write_text("16\n")
    assert refused(tmp_path / "var") == [
        f"tarneeb: {tmp_path}/var/postgres was made by PostgreSQL 16, the installed one is 18: "
        "see 'Upgrade' in docs/operating.md"
    ]


@pytest.mark.parametrize(
    ("environment", "line"),
    [
        ({"PORT": "eighty"}, "PORT must be a number from 1 to 65535, not 'eighty'"),
        (
            {"DEBUG": "0"},
            "DEBUG=0 is a production start, which needs SECRET_KEY and ALLOWED_HOSTS in the environment",
        ),
        (
            {"DATABASE_URL": "nonsense"},
            "DATABASE_URL must read postgresql://USER:PASSWORD@HOST:PORT/DATABASE",
        ),
        (
            {"DATABASE_URL": os.environ["DATABASE_URL"], "REDIS_URL": "nonsense"},
            "REDIS_URL must read redis://:PASSWORD@HOST:PORT/NUMBER, "
            "or sentinel://:PASSWORD@HOST:PORT,HOST:PORT/NAME/NUMBER",
        ),
        (
            {"DATABASE_URL": os.environ["DATABASE_URL"], "REDIS_URL": "redis://127.0.0.1:1/0"},
            "REDIS_URL: Error 111 connecting to 127.0.0.1:1. Connection refused.",
        ),
    ],
)
def test_start_is_refused_in_a_line_where_the_environment_is_wrong(tmp_path, environment, line):
    assert refused(tmp_path / "var", **environment) == [f"tarneeb: {line}"]


def test_other_commands_refuse_a_production_without_secrets_in_a_line():
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={**os.environ, "DEBUG": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.splitlines()) == (
        1,
        ["tarneeb: DEBUG=0 needs SECRET_KEY and ALLOWED_HOSTS in the environment"],
    )

import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import psutil
import psycopg
import pytest
import redis
from django.conf import settings

from tarneeb_site.embedded.postgres import VERSION, Postgres, check_version, settle
from tarneeb_site.embedded.valkey import Valkey
from tarneeb_site.environment import database
from tarneeb_site.leftovers import end_leftovers, marked
from tarneeb_site.refusal import CannotStart
from tarneeb_site.tether import TETHER


def is_gone(pid):
    """Whether the process has ended within a few seconds; one that waits to be buried has."""
    for _ in range(100):
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.1)
    return False


@pytest.fixture(scope="module")
def postgres():
    server = Postgres(settings.VAR_DIR / "embedded" / "ترنيب-%41", configuration={"fsync": "off"})
    yield server
    Postgres(server.directory).stop()
    shutil.rmtree(server.directory.parent)


def test_postgres_address_reads_the_same_for_django(postgres):
    parsed = database(postgres.url("tarneeb"))
    assert (parsed["NAME"], parsed["USER"], parsed["HOST"]) == ("tarneeb", "postgres", "")
    assert parsed["OPTIONS"] == {"host": str(postgres.server.get_postmaster_info().socket_dir)}


def test_postgres_takes_connections_from_its_owner_alone(postgres):
    with psycopg.connect(postgres.url("postgres")) as connection:
        assert connection.execute("show unix_socket_permissions").fetchone() == ("0700",)
        assert connection.execute("show listen_addresses").fetchone() == ("",)


def test_path_that_a_shell_would_take_apart_is_refused(tmp_path):
    with pytest.raises(CannotStart) as refusal:
        Postgres(tmp_path / "my 'games'" / "postgres")
    assert str(refusal.value) == (
        f"PostgreSQL cannot keep its data in {tmp_path}/my 'games'/postgres, for the \" '\" in its name: "
        "name another directory in TARNEEB_VAR"
    )


def test_data_of_another_version_is_refused(tmp_path):
    check_version(tmp_path)
    (tmp_path / "PG_VERSION").write_text(f"{VERSION}\n")
    check_version(tmp_path)
    (tmp_path / "PG_VERSION").write_text("17\n")
    with pytest.raises(CannotStart, match=rf"was made by PostgreSQL 17, the installed one is {VERSION}"):
        check_version(tmp_path)


@pytest.mark.parametrize(
    "note", ["", "not a number\n", "2147483646\n", f"{os.getpid()}\n/x\n1\n5432\n/x\n\n1 2\nready\n"]
)
def test_note_of_a_server_that_is_gone_is_removed(tmp_path, note):
    (tmp_path / "postmaster.pid").write_text(note)
    assert settle(tmp_path) is False
    assert not (tmp_path / "postmaster.pid").exists()


def test_valkey_wants_its_password_and_keeps_it_from_files_and_process_lists(tmp_path):
    valkey = Valkey(tmp_path / "valkey")
    try:
        with redis.Redis(port=valkey.port) as stranger, pytest.raises(redis.AuthenticationError):
            stranger.ping()
        with redis.Redis.from_url(valkey.url) as client:
            assert client.ping()
        assert valkey.password not in " ".join(psutil.Process(valkey.process.pid).cmdline())
        assert all(valkey.password not in path.read_text() for path in (tmp_path / "valkey").iterdir())
        assert stat.S_IMODE((tmp_path / "valkey").stat().st_mode) == 0o700
    finally:
        valkey.stop()
    assert is_gone(valkey.process.pid)


def test_two_valkeys_run_side_by_side(tmp_path):
    one, other = Valkey(tmp_path / "one"), Valkey(tmp_path / "other")
    try:
        assert one.port != other.port
    finally:
        one.stop()
        other.stop()


def test_leftovers_of_a_directory_are_ended_and_those_of_others_are_not(tmp_path):
    mine, theirs = tmp_path / "mine", tmp_path / "theirs"
    valkey = Valkey(mine / "valkey", environment=marked(os.environ, mine))
    stubborn = sleeper(mine, "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); ")
    other = sleeper(theirs, "")
    try:
        assert end_leftovers(mine) == 2
        assert is_gone(valkey.process.pid)
        assert is_gone(stubborn.pid)
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()
        stubborn.wait()
        valkey.process.wait()


def sleeper(directory, first):
    """A child of the site in the directory that sleeps; it runs when this returns."""
    process = subprocess.Popen(
        [sys.executable, "-c", f"{first}print('ready', flush=True); import time; time.sleep(60)"],
        env=marked(os.environ, directory),
        stdout=subprocess.PIPE,
    )
    with process.stdout as output:
        assert output.readline() == b"ready\n"
    return process


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's end")
def test_tethered_command_ends_with_whoever_started_it(tmp_path):
    note = tmp_path / "pid"
    command = [sys.executable, str(TETHER), sys.executable, "-c"]
    child = (
        f"import os, pathlib, time; pathlib.Path({str(note)!r}).write_text(str(os.getpid())); time.sleep(60)"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", f"import subprocess; subprocess.run({[*command, child]!r})"],
        start_new_session=True,
    )
    while not (note.exists() and note.read_text()):
        time.sleep(0.05)
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    assert is_gone(int(note.read_text()))


def test_secrets_lie_where_opening_the_way_to_the_data_does_not_reach(postgres):
    secret = Path(settings.VAR_DIR, "secret")
    assert stat.S_IMODE(secret.stat().st_mode) == 0o700
    assert stat.S_IMODE((secret / "key").stat().st_mode) == 0o600


def test_postgres_keeps_its_data_and_is_adopted_while_it_runs(postgres):
    postgres.ensure_database("tarneeb")
    postgres.ensure_database("tarneeb")
    with psycopg.connect(postgres.url("tarneeb")) as connection:
        connection.execute("create table kept as select 7 as number")
    assert not postgres.adopted
    again = Postgres(postgres.directory)
    assert again.adopted
    with psycopg.connect(again.url("tarneeb")) as connection:
        assert connection.execute("select number from kept").fetchone() == (7,)
    again.stop()
    third = Postgres(postgres.directory)
    assert not third.adopted
    with psycopg.connect(third.url("tarneeb")) as connection:
        assert connection.execute("select number from kept").fetchone() == (7,)


def test_postgres_starts_after_a_first_start_that_was_killed_half_way():
    directory = settings.VAR_DIR / "half" / "postgres"
    draft = directory.with_name("postgres.new")
    draft.mkdir(parents=True)
    (draft / "PG_VERSION").write_text(f"{VERSION}\n")
    directory.mkdir()
    server = Postgres(directory, configuration={"fsync": "off"})
    with psycopg.connect(server.url("postgres")) as connection:
        assert connection.execute("show fsync").fetchone() == ("off",)
    server.stop()
    assert not draft.exists()
    shutil.rmtree(directory.parent)

import os
import socket
import subprocess
import sys
from contextlib import contextmanager

import pytest

from tarneeb_site import preflight
from tarneeb_site.embedded.valkey import free_port
from tarneeb_site.refusal import CannotStart


def refusal_of(check, *arguments, **named):
    with pytest.raises(CannotStart) as refusal:
        check(*arguments, **named)
    return str(refusal.value)


def test_python_too_old_is_refused():
    preflight.check_python((3, 11, 0))
    assert refusal_of(preflight.check_python, (3, 10, 4)) == "Python 3.11 or newer is needed, this is 3.10"


@pytest.mark.parametrize(
    ("environment", "missing"),
    [
        ({}, "SECRET_KEY and ALLOWED_HOSTS"),
        ({"SECRET_KEY": "k"}, "ALLOWED_HOSTS"),
        ({"ALLOWED_HOSTS": "a.example"}, "SECRET_KEY"),
        ({"SECRET_KEY": "", "ALLOWED_HOSTS": "a.example"}, "SECRET_KEY"),
    ],
)
def test_production_without_its_secrets_is_refused(environment, missing):
    assert refusal_of(preflight.check_production, environment, debug=False) == (
        f"DEBUG=0 is a production start, which needs {missing} in the environment"
    )
    preflight.check_production(environment, debug=True)


def test_production_with_its_secrets_is_accepted():
    preflight.check_production({"SECRET_KEY": "k", "ALLOWED_HOSTS": "a.example"}, debug=False)


@pytest.mark.parametrize("text", ["", "0", "65536", "-1", "80a", "8000.0", "٨٠٠٠"])
def test_port_that_is_none_is_refused(text):
    assert refusal_of(preflight.port_number, text) == f"PORT must be a number from 1 to 65535, not {text!r}"


@pytest.mark.parametrize(("text", "port"), [("1", 1), ("8000", 8000), ("65535", 65535)])
def test_port_is_read(text, port):
    assert preflight.port_number(text) == port


def test_port_taken_is_refused_with_another_one_to_try():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert refusal_of(preflight.check_port, "127.0.0.1", port) == (
            f"127.0.0.1 port {port} cannot be used (Address already in use): "
            f"free it or take another one, as in PORT={port + 1} make run"
        )
    preflight.check_port("127.0.0.1", port)


def test_address_of_another_machine_is_refused():
    assert refusal_of(preflight.check_port, "192.0.2.1", 8000).startswith(
        "192.0.2.1 port 8000 cannot be used"
    )


def test_directory_is_made_where_missing(tmp_path):
    preflight.check_writable(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()


def test_directory_under_a_file_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    assert refusal_of(preflight.check_writable, tmp_path / "file" / "var") == (
        f"{tmp_path}/file/var is not writable (Not a directory): "
        "give the right to write there, or name another directory in TARNEEB_VAR"
    )


def test_directory_without_the_right_to_write_is_refused(tmp_path):
    tmp_path.chmod(0o500)
    with nobody_special():
        refusal = refusal_of(preflight.check_writable, tmp_path)
    assert refusal.startswith(f"{tmp_path} is not writable (Permission denied)")


@contextmanager
def nobody_special():
    """Lays root's rights down for a while: root may write anywhere."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


def test_directory_is_claimed_by_one_process_at_a_time(tmp_path):
    claim = (
        "from pathlib import Path; from tarneeb_site.preflight import claimed; "
        f"claimed(Path({str(tmp_path)!r}))"
    )
    with preflight.claimed(tmp_path):
        second = subprocess.run([sys.executable, "-c", claim], check=False, capture_output=True, text=True)
        assert second.stderr.splitlines()[-1] == (
            f"tarneeb_site.refusal.CannotStart: the site already runs from {tmp_path} "
            f"(process {os.getpid()}): stop it first"
        )
    assert subprocess.run([sys.executable, "-c", claim], check=False).returncode == 0


def test_database_that_does_not_answer_is_refused_in_one_line():
    port = free_port()
    refusal = refusal_of(preflight.check_database, f"postgresql://me:secret@127.0.0.1:{port}/tarneeb")
    assert refusal.startswith("DATABASE_URL: connection failed:")
    assert len(refusal.splitlines()) == 1
    assert "secret" not in refusal


def test_broker_that_does_not_answer_is_refused_in_one_line():
    port = free_port()
    refusal = refusal_of(preflight.check_broker, f"redis://:secret@127.0.0.1:{port}/0")
    assert refusal == f"REDIS_URL: Error 111 connecting to 127.0.0.1:{port}. Connection refused."


def test_servers_of_the_tests_answer():
    preflight.check_database(os.environ["DATABASE_URL"])
    preflight.check_broker(os.environ["REDIS_URL"])

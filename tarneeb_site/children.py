"""The processes of a running site, and their keeper."""

import shlex
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

import honcho.manager
from honcho.manager import Manager

from tarneeb_site.tether import TETHER

ROOT = Path(__file__).resolve().parent.parent
VIGIL = ROOT / "tarneeb_site" / "vigil.py"
# The wire's limit for a frame from a browser.
FRAME_BYTES = 4096
# How long those that were told to end may take: a task in the worker's hands is finished first.
honcho.manager.KILL_WAIT = 10


def commands(bind: str, port: int) -> dict[str, list[str]]:
    """The command of each process, by its name."""
    return {
        "web": [
            *_module("tarneeb_site.web"),
            *("--bind", bind, "--port", str(port), "--no-server-name", "--verbosity", "0"),
            *("--websocket-max-message-size", str(FRAME_BYTES)),
            *("--websocket-max-frame-size", str(FRAME_BYTES)),
            *("--websocket_timeout", "-1"),
            # After a restart everybody is back at once; each sign-in is looked up one after the other.
            *("--websocket_connect_timeout", "30"),
            "tarneeb_site.asgi:application",
        ],
        "worker": [
            *_module("celery"),
            *("--app", "tarneeb_site", "--quiet", "worker", "--concurrency", "2", "--loglevel", "WARNING"),
            *("--without-gossip", "--without-mingle"),
        ],
        # No process-id file: after a kill it would only be in the way, and there is one keeper already.
        "beat": [
            *_module("celery"),
            *("--app", "tarneeb_site", "--quiet", "beat", "--loglevel", "WARNING", "--pidfile", ""),
        ],
        "steward": [sys.executable, str(ROOT / "manage.py"), "steward"],
    }


def vigil(servers: Mapping[str, int]) -> dict[str, list[str]]:
    """The command that ends with the first of the servers (process ids by name), by its own name."""
    if not servers:
        return {}
    return {"servers": [sys.executable, str(VIGIL), *(f"{name}={pid}" for name, pid in servers.items())]}


def _module(name: str) -> list[str]:
    return [sys.executable, "-m", name]


class Keeper(Manager):
    """A process manager: where one child ends, it ends the rest."""

    def __init__(self, children: Mapping[str, list[str]], environment: Mapping[str, str]) -> None:
        super().__init__()
        for name, command in children.items():
            tethered = shlex.join([sys.executable, str(TETHER), *command])
            self.add_process(name, f"exec {tethered}", env=dict(environment), cwd=str(ROOT))

    def run(self, meanwhile: Callable[[], None]) -> bool:
        """Runs the children until they end; `meanwhile` in a thread beside. True: somebody told them to end."""
        self._meanwhile = meanwhile
        self.loop()
        return self.returncode in {128 + signal.SIGINT, 128 + signal.SIGTERM}

    def _start(self) -> None:
        # It forks; what a thread holds at that moment would be held in the child for ever.
        super()._start()
        threading.Thread(target=self._meanwhile, daemon=True).start()

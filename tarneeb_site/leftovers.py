"""Finds and ends what a site that was killed left running: its children carry its directory's name."""

import os
from collections.abc import Mapping
from pathlib import Path

import psutil

# In the environment of every child, and of its children: the directory of the site it belongs to.
MARK = "TARNEEB_CHILD_OF"
PATIENCE_SECONDS = 2


def marked(environment: Mapping[str, str], directory: Path) -> dict[str, str]:
    """The environment for a child of the site in that directory."""
    return {**environment, MARK: str(directory)}


def end_leftovers(directory: Path) -> int:
    """Ends all that an earlier site in that directory left running; returns how many there were."""
    left = [process for process in psutil.process_iter() if _belongs(process, directory)]
    for process in left:
        _send(process, kill=False)
    _, stubborn = psutil.wait_procs(left, timeout=PATIENCE_SECONDS)
    for process in stubborn:
        _send(process, kill=True)
    psutil.wait_procs(stubborn, timeout=PATIENCE_SECONDS)
    return len(left)


def _belongs(process: psutil.Process, directory: Path) -> bool:
    try:
        return bool(process.pid != os.getpid() and process.environ().get(MARK) == str(directory))
    except (psutil.Error, OSError):
        return False


def _send(process: psutil.Process, *, kill: bool) -> None:
    try:
        if kill:
            process.kill()
        else:
            process.terminate()
    except psutil.NoSuchProcess:
        pass

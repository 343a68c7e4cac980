"""Runs until one of the servers that it is told of has ended, and says which: `vigil.py NAME=PID...`.

The embedded servers are not children of the keeper; this one is, so that it ends the rest with them.
"""

import sys
import time

import psutil

LOOK_SECONDS = 0.5


def main(named: list[str]) -> None:
    """Ends, with status 1, as soon as the first server does."""
    servers = {name: int(pid) for name, pid in (pair.split("=") for pair in named)}
    while not (ended := [name for name, pid in servers.items() if not lives(pid)]):
        time.sleep(LOOK_SECONDS)
    sys.exit(f"{' and '.join(ended)} ended")


def lives(pid: int) -> bool:
    """Whether there is such a process, and more of it than the entry that its parent has not read yet."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


if __name__ == "__main__":
    main(sys.argv[1:])

"""Runs a command that is told to stop when whoever started it is gone: `tether.py COMMAND...`.

Without it the children of a killed site would go on serving from the directory that the next start claims.
Where the system cannot tell (it is not Linux), the next start ends them.
"""

import contextlib
import ctypes
import os
import signal
import sys
from pathlib import Path

TETHER = Path(__file__).resolve()
PR_SET_PDEATHSIG = 1


def main(command: list[str]) -> None:
    parent = os.getppid()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        sys.exit(0)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])

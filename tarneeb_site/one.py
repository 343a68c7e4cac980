"""Becomes one process of the site: `python -m tarneeb_site.one web|worker|beat|steward`.

For who keeps the processes otherwise than `manage.py up` does: on several machines, or more of a kind. `PORT` and
`BIND` say where a web process listens; database, broker and key have to be named, nothing is embedded here.
"""

import os
import sys
from collections.abc import Sequence

from tarneeb_site.children import ROOT, commands
from tarneeb_site.preflight import port_number
from tarneeb_site.refusal import CannotStart

NEEDED = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY")


def command(arguments: Sequence[str], environment: dict[str, str]) -> list[str]:
    """The command of the process that is asked for.

    Raises: CannotStart.
    """
    if missing := [name for name in NEEDED if not environment.get(name)]:
        raise CannotStart(f"{', '.join(missing)} must be in the environment: all processes need the same")
    port = port_number(environment.get("PORT") or "8000")
    known = commands(environment.get("BIND") or "127.0.0.1", port)
    if len(arguments) != 1 or arguments[0] not in known:
        raise CannotStart(f"one of {', '.join(known)} has to be named")
    return known[arguments[0]]


if __name__ == "__main__":
    try:
        words = command(sys.argv[1:], dict(os.environ))
    except CannotStart as refusal:
        sys.exit(f"tarneeb: {refusal}")
    os.chdir(ROOT)
    os.execv(words[0], words)

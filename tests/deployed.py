"""Files of deploy/ as tests run them: the same but for addresses, places and TLS."""

import re
import shlex
import sys
from pathlib import Path

from tarneeb_site.children import ROOT

PYTHON = "/opt/tarneeb/.venv/bin/python"


def unit_command(unit: Path) -> list[str]:
    """The words of a unit's ExecStart."""
    [line] = re.findall(r"^ExecStart=(.*)$", unit.read_text(), re.MULTILINE)
    return shlex.split(line)


def unit_here(kind: str) -> list[str]:
    """The command of the unit for one kind of process, with the Python of the tests; it runs in the project."""
    [unit] = (ROOT / "deploy" / "several").glob(f"tarneeb-{kind}*.service")
    words = unit_command(unit)
    assert words[0] == PYTHON
    return [sys.executable, *words[1:]]


def nginx_text(path: Path, directory: Path, port: int) -> str:
    """A whole configuration with that file in it, on a port of this machine and without TLS."""
    text = re.sub(r"server \{\n    listen 80;.*?\n\}\n", "", path.read_text(), count=1, flags=re.DOTALL)
    text = re.sub(r"    (listen \[::\]|ssl_certificate|http2).*\n", "", text)
    text = text.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {directory}/{kind};\n" for kind in kinds)
    return f"pid {directory}/nginx.pid;\nevents {{}}\nhttp {{\naccess_log off;\n{places}{text}\n}}\n"

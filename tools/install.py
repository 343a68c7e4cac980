"""Makes .venv and brings it to requirements.txt: `python3 tools/install.py`, as `make setup` does.

Runs on Pythons too old for the project, to say so in one line: nothing newer than 3.6 stands here.
"""

import hashlib
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Callable, List, Sequence

ROOT = Path(__file__).resolve().parent.parent
OLDEST = (3, 11)
PIP = ["-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input"]


class CannotInstall(Exception):
    """What keeps the project from being installed, in one line."""


def check_python(version: Sequence[Any]) -> None:
    """Raises: CannotInstall where the Python of that version is too old."""
    if tuple(version[:2]) < OLDEST:
        raise CannotInstall(
            f"Python 3.11 or newer is needed, this is {version[0]}.{version[1]}; "
            "name another one, as in PY=python3.12 make run"
        )


def check_venv(find: Callable[[str], Any]) -> None:
    """Raises: CannotInstall where `find` knows no module that makes virtual environments."""
    for module in ("venv", "ensurepip"):
        if find(module) is None:
            raise CannotInstall(
                f"this Python has no {module} module; Debian and Ubuntu have it in the package python3-venv"
            )


def fingerprint(requirements: bytes, version: Sequence[Any]) -> str:
    """What an environment was made of, in a line: the pins, and the Python."""
    return f"{hashlib.sha256(requirements).hexdigest()} {version_text(version)}"


def version_text(version: Sequence[Any]) -> str:
    return "{}.{}.{}".format(*version[:3])


def is_current(venv: Path, wanted: str) -> bool:
    """Whether the environment was brought to just that, to the end, and its Python still runs."""
    note = venv / "made-of"
    return note.exists() and note.read_text() == wanted and is_of_this_python(venv)


def is_of_this_python(venv: Path) -> bool:
    """Whether the environment's Python runs, has pip, and is of the version that runs this."""
    command = [python_of(venv), "-c", "import pip, sys; print('{}.{}.{}'.format(*sys.version_info[:3]))"]
    try:
        answer = subprocess.check_output(command, stderr=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError):
        return False
    return answer.decode().strip() == version_text(sys.version_info)


def install(venv: Path, requirements: Path, wanted: str) -> None:
    """Brings the environment to the pins, made anew where it is of another Python; notes it at the end.

    Raises: CannotInstall where a step fails; what it printed stands above.
    """
    if not is_of_this_python(venv):
        run([sys.executable, "-m", "venv", "--clear", str(venv)], "the virtual environment could not be made")
    run([python_of(venv), *PIP, "install", "-r", str(requirements)], "the packages could not be installed")
    (venv / "made-of").write_text(wanted)


def run(command: List[str], failure: str) -> None:
    if subprocess.call(command) != 0:
        raise CannotInstall(f"{failure}, see above")


def python_of(venv: Path) -> str:
    return str(venv / "bin" / "python")


def main() -> int:
    venv, requirements = ROOT / ".venv", ROOT / "requirements.txt"
    try:
        check_python(sys.version_info)
        check_venv(find_spec)
        wanted = fingerprint(requirements.read_bytes(), sys.version_info)
        if not is_current(venv, wanted):
            print("tarneeb: installing the packages of requirements.txt into .venv", flush=True)
            install(venv, requirements, wanted)
    except CannotInstall as error:
        print(f"tarneeb: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"tarneeb: {error.filename} cannot be used: {error.strerror}", file=sys.stderr)
        return 1
    return subprocess.call([python_of(venv), "-m", "tarneeb_site.translations", "compile"], cwd=str(ROOT))


if __name__ == "__main__":
    sys.exit(main())

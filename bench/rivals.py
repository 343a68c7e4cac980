"""Peers of the tournament bench, in the same run: brackets-manager (npm, in memory) and swisspair (PyPI)."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SWISSPAIR = "swisspair==0.2.1"
INSTALL_SECONDS = 120
FILES = ("package.json", "play.js")


class Missing(Exception):
    """Why a peer cannot run."""


def brackets_manager(count: int, format_: str, *, seconds: float) -> dict[str, Any]:
    """Seconds to make and to play out an elimination with brackets-manager.

    Raises: Missing.
    """
    directory = _installed(
        "brackets", ["npm", "install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"]
    )
    command = ["node", "play.js", str(count), format_]
    try:
        ended = subprocess.run(
            command, cwd=directory, capture_output=True, text=True, timeout=seconds, check=True
        )
    except (subprocess.SubprocessError, OSError) as error:
        raise Missing(f"brackets-manager: {type(error).__name__}") from error
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


def swisspair(
    history: list[list[tuple[str, str]]], points: dict[str, int], *, seconds: float
) -> dict[str, Any]:
    """Seconds in which swisspair pairs the next round of the same event.

    Raises: Missing.
    """
    directory = _installed(
        "swisspair", [sys.executable, "-m", "pip", "install", "--quiet", "--target", ".", SWISSPAIR]
    )
    event = json.dumps({"history": history, "points": points})
    try:
        ended = subprocess.run(
            [sys.executable, str(HERE / "pair.py"), str(directory)],
            input=event,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=True,
        )
    except (subprocess.SubprocessError, OSError) as error:
        raise Missing(f"swisspair: {type(error).__name__}") from error
    return {"paired_s": float(ended.stdout)}


def _installed(name: str, command: list[str]) -> Path:
    """The peer's own directory, which later runs find again."""
    directory = ROOT / "var" / "bench-rivals" / name
    if (directory / "complete").exists():
        return directory
    if shutil.which(command[0]) is None:
        raise Missing(f"{command[0]} is not installed")
    directory.mkdir(parents=True, exist_ok=True)
    for file in FILES if name == "brackets" else ():
        shutil.copy(HERE / name / file, directory)
    try:
        subprocess.run(command, cwd=directory, capture_output=True, timeout=INSTALL_SECONDS, check=True)
    except (subprocess.SubprocessError, OSError) as error:
        raise Missing(f"{name} could not be installed: {type(error).__name__}") from error
    (directory / "complete").touch()
    return directory


def best(run: Any, *, times: int = 3) -> float:
    """The best of a few runs, in seconds."""
    seconds = []
    for _ in range(times):
        began = perf_counter()
        run()
        seconds.append(perf_counter() - began)
    return min(seconds)

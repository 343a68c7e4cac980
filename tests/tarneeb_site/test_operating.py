"""The operator's guide and what is run: every command, every task, by its name and its time."""

import re

from django.conf import settings
from django.core.management import get_commands

from tarneeb_site.celery import app
from tarneeb_site.children import ROOT

OURS = {"accounts", "games", "tournaments", "review", "tarneeb_site"}
GUIDE = (ROOT / "docs" / "operating.md").read_text()


def rows(header: str) -> list[list[str]]:
    """The rows of the table with that header, each as its cells."""
    [table] = re.findall(rf"^{re.escape(header)}\n\|[-|]+\n((?:\|.*\n)+)", GUIDE, re.MULTILINE)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


def test_operating_names_every_command() -> None:
    commands = {name for name, place in get_commands().items() if place in OURS}
    assert {"up", "steward", "history", "verify"} <= commands
    named = {
        word.split()[0]
        for table in re.findall(
            r"^\| `\.venv/bin/python manage\.py …` \|.*\n(?:\|.*\n)+", GUIDE, re.MULTILINE
        )
        for word in re.findall(r"^\| `([a-z_][^`]*)`", table, re.MULTILINE)
    }
    assert named == commands


def test_operating_says_of_every_task_what_becomes_of_it_lost_and_twice() -> None:
    app.loader.import_default_modules()
    tasks = {name for name in app.tasks if name.split(".")[0] in OURS}
    told = [name for task, *_ in rows("| task | lost | twice |") for name in re.findall(r"`([\w.]+)`", task)]
    assert sorted(told) == sorted(tasks)


def test_operating_says_what_runs_by_the_clock_and_how_often() -> None:
    seconds = {"s": 1, "min": 60}
    told = {}
    for every, task, _ in rows("| every | task | does |"):
        number, unit = every.split()
        told[task.strip("`")] = 86400.0 if every == "a day" else float(number) * seconds[unit]
    schedule = {entry["task"]: entry["schedule"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert told == schedule


def test_operating_names_every_figure() -> None:
    sources = (ROOT / "tarneeb_site" / "metrics.py").read_text()
    told = set(re.findall(r"`(tarneeb_\w+)", GUIDE))
    made = set(re.findall(r'"(tarneeb_[a-z_]+)"', sources))
    assert {name.removesuffix("_total") for name in told} >= made
    assert len(made) > 10

"""What is deployed names programs, settings and files that there are. No container is started here."""

import configparser
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands

from tarneeb_site.brokers import broker
from tarneeb_site.children import ROOT, commands
from tarneeb_site.environment import database, history_database
from tests.deployed import PYTHON, nginx_text, unit_command

DEPLOY = ROOT / "deploy"
UNITS = sorted(DEPLOY.rglob("*.service"))
COMPOSED = sorted(DEPLOY.rglob("compose.yaml"))
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
KINDS = set(commands("127.0.0.1", 8000))


def settings_of_the_site() -> set[str]:
    """The variables that docs/operating.md lists; that the code reads each of them is asked elsewhere."""
    rows = re.findall(r"^\| (`[A-Z_`, ]+`) \|", (ROOT / "docs" / "operating.md").read_text(), re.MULTILINE)
    return {name for row in rows for name in re.findall(r"[A-Z_]+", row)}


def program(words: list[str]) -> str:
    """What a command of the site runs; fails where there is nothing of that name."""
    assert words[0] in {PYTHON, "python"}
    if words[1:3] == ["-m", "tarneeb_site.one"]:
        assert words[3] in KINDS
        return words[3]
    assert (words[1], words[2] in get_commands()) == ("manage.py", True)
    return words[2]


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_unit_runs_a_program_of_the_site_with_settings_that_there_are(unit: Path) -> None:
    assert program(unit_command(unit)) in {"up", *KINDS}
    found = configparser.ConfigParser(strict=False, interpolation=None)
    found.optionxform = str  # type: ignore[assignment,method-assign]
    found.read(unit)
    given = found["Service"].get("Environment", "")
    assert {word.split("=")[0] for word in given.split()} - settings_of_the_site() == set()
    assert (found["Service"]["EnvironmentFile"], found["Service"]["WorkingDirectory"]) == (
        "/etc/tarneeb.env",
        "/opt/tarneeb",
    )


def test_every_process_of_the_site_has_a_unit() -> None:
    several = {program(unit_command(unit)) for unit in UNITS if unit.parent.name == "several"}
    assert several == KINDS


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_systemd_finds_nothing_wrong_with_a_unit(unit: Path, tmp_path: Path) -> None:
    text = unit.read_text().replace(PYTHON, sys.executable).replace("/opt/tarneeb", str(ROOT))
    copy = tmp_path / unit.name.replace("@", "@8001")
    copy.write_text(text.replace("/etc/tarneeb.env", str(DEPLOY / "tarneeb.env")))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--recursive-errors=no", "--man=no", str(copy)],
        capture_output=True,
        text=True,
        check=False,
    )
    # Of this unit alone: what else is installed on the machine is not ours.
    said = [line for line in done.stderr.splitlines() if copy.name in line or str(copy) in line]
    assert (done.returncode, said) == (0, [])


def test_systemd_check_finds_what_is_wrong(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd here")
    copy = tmp_path / "tarneeb-wrong.service"
    copy.write_text("[Service]\nExecStart=/nowhere/python\nRestrat=always\n")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(copy)], capture_output=True, text=True, check=False
    )
    assert "Restrat" in done.stderr


def test_file_of_settings_names_settings_that_there_are() -> None:
    text = (DEPLOY / "tarneeb.env").read_text()
    named = set(re.findall(r"^(?:# )?([A-Z_]+)=", text, re.MULTILINE))
    assert {"SECRET_KEY", "DATABASE_URL", "HISTORY_DATABASE_URL", "REDIS_URL"} <= named
    assert named - settings_of_the_site() == set()
    values = dict(re.findall(r"^(?:# )?([A-Z_]+)=(.+)$", text, re.MULTILINE))
    assert database(values["DATABASE_URL"])["NAME"] == "tarneeb"
    assert history_database(values["HISTORY_DATABASE_URL"])["NAME"] == "tarneeb"
    for address in re.findall(r"^(?:# )?REDIS_URL=(.+)$", text, re.MULTILINE):
        assert broker(address).url == address


def composed(path: Path) -> dict[str, Any]:
    """The file with a word for each variable, as compose reads it."""
    text = re.sub(r"(?<!\$)\$\{(\w+)(?::[?-](\w*))?\}", lambda found: found[2] or "given", path.read_text())
    return yaml.safe_load(text)


@pytest.mark.parametrize("path", COMPOSED, ids=lambda path: path.parent.name)
def test_composed_services_name_what_there_is(path: Path) -> None:
    whole = composed(path)
    services = whole["services"]
    for name, service in services.items():
        known = service.get("depends_on", [])
        assert set(known) - set(services) == set(), name
        for volume in service.get("volumes", []):
            place = volume.split(":")[0]
            assert place in whole["volumes"] or place.startswith("/") or (path.parent / place).exists(), (
                volume
            )
        for config in service.get("configs", []):
            assert config["source"] in whole["configs"], name
        assert (
            "image" in service or (path.parent / service["build"]["context"] / "deploy/Dockerfile").exists()
        )
    assert {place.split(":")[0] for one in services.values() for place in one.get("volumes", [])} >= set(
        whole["volumes"]
    )


@pytest.mark.parametrize("path", COMPOSED, ids=lambda path: path.parent.name)
def test_composed_processes_are_programs_of_the_site_with_settings_that_there_are(path: Path) -> None:
    services = composed(path)["services"]
    ours = {name: one for name, one in services.items() if "build" in one}
    for name, service in ours.items():
        environment = service["environment"]
        assert set(environment) - settings_of_the_site() == set(), name
        assert database(environment["DATABASE_URL"])["HOST"] in services
        if address := environment.get("HISTORY_DATABASE_URL"):
            assert history_database(address)["HOST"] in services
        asked = broker(environment["REDIS_URL"]).sentinels
        hosts = [host for host, _ in asked.hosts] if asked else [environment["REDIS_URL"].split("/")[2]]
        assert {host.split(":")[0] for host in hosts} <= set(services)
        for words in words_of(service.get("command", ["python", "manage.py", "up"])):
            assert program(words)
    if path.parent.name == "several":
        assert {one["command"][-1] for name, one in ours.items() if name != "prepared"} == KINDS


def words_of(command: list[str]) -> list[list[str]]:
    """A command, or those that a shell is given."""
    return [shlex.split(one) for one in command[2].split("&&")] if command[:2] == ["sh", "-c"] else [command]


def test_dockerfile_starts_the_site() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    [words] = re.findall(r"^CMD (\[.*\])$", text, re.MULTILINE)
    assert program(yaml.safe_load(words)) == "up"
    named = set(re.findall(r"\b([A-Z_]{4,})=", text)) - {"PYTHONDONTWRITEBYTECODE"}
    assert named - settings_of_the_site() == set()


@pytest.mark.skipif(NGINX is None, reason="there is no nginx here")
@pytest.mark.parametrize("path", sorted(DEPLOY.rglob("nginx.conf")), ids=lambda path: path.parent.name)
def test_nginx_reads_the_file(path: Path, tmp_path: Path) -> None:
    (tmp_path / "nginx.conf").write_text(nginx_text(path, tmp_path, 8080))
    done = subprocess.run(
        [str(NGINX), "-t", "-e", str(tmp_path / "log"), "-c", str(tmp_path / "nginx.conf")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr

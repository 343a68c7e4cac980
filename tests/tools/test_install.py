import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
spec = spec_from_file_location("install", ROOT / "tools" / "install.py")
install = module_from_spec(spec)
spec.loader.exec_module(install)


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 11, 9), (3, 12, 1), (3, 14, 0)])
def test_python_new_enough_is_accepted(version):
    install.check_python(version)


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 6, 0), (3, 10, 14)])
def test_python_too_old_is_refused_with_both_versions(version):
    with pytest.raises(install.CannotInstall) as refusal:
        install.check_python(version)
    assert str(refusal.value) == (
        f"Python 3.11 or newer is needed, this is {version[0]}.{version[1]}; "
        "name another one, as in PY=python3.12 make run"
    )


@pytest.mark.parametrize("absent", ["venv", "ensurepip"])
def test_python_without_venv_is_refused_with_the_package_that_has_it(absent):
    with pytest.raises(install.CannotInstall) as refusal:
        install.check_venv(lambda name: None if name == absent else name)
    assert str(refusal.value) == (
        f"this Python has no {absent} module; Debian and Ubuntu have it in the package python3-venv"
    )


def test_fingerprint_changes_with_the_pins_and_with_the_python():
    prints = {
        install.fingerprint(pins, version)
        for pins in (b"Django==5.2\n", b"Django==5.3\n")
        for version in ((3, 11, 7, "final"), (3, 12, 0, "final"))
    }
    assert len(prints) == 4


def test_environment_is_current_only_when_made_of_the_same_to_the_end(tmp_path):
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").symlink_to(sys.executable)
    assert not install.is_current(venv, "pins")
    (venv / "made-of").write_text("pins")
    assert install.is_current(venv, "pins")
    assert not install.is_current(venv, "other pins")


def test_environment_whose_python_is_gone_is_not_current(tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(tmp_path / "nowhere")
    (tmp_path / "made-of").write_text("pins")
    assert not install.is_current(tmp_path, "pins")


def refused_setup(python):
    """The first line of what `make setup` says of a Python that it cannot use."""
    command = ["make", "--no-print-directory", "setup", f"PY={python}"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode != 0
    assert done.stdout == ""
    return done.stderr.splitlines()[0]


def test_setup_without_a_python_says_so_in_a_line():
    assert refused_setup("python-of-nowhere") == (
        "tarneeb: python-of-nowhere was not found; Python 3.11 or newer is needed"
    )


def test_setup_with_an_old_python_says_so_in_a_line(tmp_path):
    old = tmp_path / "python-old"
    # One that answers the question for its version as an old one does.
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    assert refused_setup(old) == (
        f"tarneeb: Python 3.11 or newer is needed, {old} is older; name another one, as in PY=python3.12 make run"
    )

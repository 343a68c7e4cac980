import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
THIS = f"{Path(__file__).relative_to(ROOT)}::test_chromium_that_is_found_is_a_program"


def outcome_without_chromium(**environment):
    """How a browser test ends where there is no Chromium: the exit status, and what is printed."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", THIS],
        cwd=ROOT,
        env={**os.environ, "CHROMIUM": "/nowhere/chromium", "TARNEEB_BROWSER_REQUIRED": "", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


@pytest.mark.browser
def test_chromium_that_is_found_is_a_program(chromium):
    assert os.access(chromium, os.X_OK)


def test_browser_tests_without_chromium_are_skipped_loudly():
    status, printed = outcome_without_chromium()
    assert (status, "BROWSER TESTS WERE SKIPPED" in printed, "1 skipped" in printed) == (0, True, True)


def test_browser_tests_without_chromium_fail_where_they_are_required():
    status, printed = outcome_without_chromium(TARNEEB_BROWSER_REQUIRED="1")
    assert (status, "1 error" in printed) == (1, True)

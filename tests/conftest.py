import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import setup_databases, teardown_databases
from pytest_django import DjangoDbBlocker

from tests.live import LiveSite, running_site

BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
# What drives real processes or a browser, or measures, shares the machine with no other test.
ALONE = (
    *("tests/bench/", "tests/games/live/", "tests/tools/"),
    *(
        f"tests/tarneeb_site/test_{name}.py"
        for name in (
            *("backups", "browser", "embedded", "failover", "health", "live_site", "log_session"),
            *("several", "signed_in", "standby", "turnstile", "up", "web"),
        )
    ),
)
ALONE_FIXTURES = frozenset({"live_site", "chromium"})
SKIPPED = "no Chromium was found (name one in CHROMIUM)"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what runs alone, before `-m` chooses; the rest of the suite may run in several processes."""
    for item in items:
        fixtures = ALONE_FIXTURES.intersection(getattr(item, "fixturenames", ()))
        if fixtures or item.nodeid.startswith(ALONE):
            item.add_marker("alone")


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_modify_db_settings: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """The test's database, for marked tests and for those of a live site alike; one a process of the run."""
    with django_db_blocker.unblock():
        before = setup_databases(verbosity=0, interactive=False)
        yield
        end_other_sessions()
        teardown_databases(before, verbosity=0)


def end_other_sessions() -> None:
    """Lets go of what a thread or a killed process still holds, so that the database can be dropped."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select pg_terminate_backend(pid, 5000) from pg_stat_activity "
            "where datname = current_database() and pid <> pg_backend_pid()"
        )


@pytest.fixture(scope="module")
def live_site(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LiveSite]:
    """Daphne, worker, beat and steward on the test's database, for the tests of one module.

    Its tests may use the database without a mark; what they write stays for the module, whose end empties
    the database. A mark that rolls back or flushes between tests would pull the ground from under the site.
    """
    with django_db_blocker.unblock():
        with running_site(tmp_path_factory.mktemp("site")) as site:
            yield site
        call_command("flush", interactive=False, verbosity=0)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium. Without one the test is skipped, or fails where CI says that it must run."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is not None and Path(path).exists():
        return path
    if os.environ.get("TARNEEB_BROWSER_REQUIRED"):
        pytest.fail(SKIPPED)
    pytest.skip(SKIPPED)


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[object]:
    """A Chromium driven by Playwright's synchronous interface (`browser.new_context(...)`)."""
    from playwright.sync_api import sync_playwright

    # Playwright runs an event loop in this thread; Django's queries wait beside it, not inside.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            yield browser
            browser.close()
    finally:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = [
        report for report in terminalreporter.stats.get("skipped", []) if SKIPPED in str(report.longrepr)
    ]
    if skipped:
        terminalreporter.section("BROWSER TESTS WERE SKIPPED", sep="!", red=True, bold=True)
        terminalreporter.line(f"{len(skipped)} tests did not run: {SKIPPED}")

"""`manage.py up`: the whole site from one command, stopped by Ctrl-C or SIGTERM with its data whole.

Runs before Django is set up: the settings need the addresses of the servers that are started here.
"""

import os
import signal
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tarneeb_site import preflight, translations
from tarneeb_site.children import ROOT, Keeper, commands, vigil
from tarneeb_site.environment import SERVICES_NOTE, flag, write_secret
from tarneeb_site.leftovers import end_leftovers, marked
from tarneeb_site.refusal import CannotStart

if TYPE_CHECKING:
    from tarneeb_site.embedded.postgres import Postgres
    from tarneeb_site.embedded.valkey import Valkey

GREEN_SECONDS = 60


def main() -> int:
    """Runs the site until it is told to stop; returns the exit status."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    signal.signal(signal.SIGHUP, _hang_up)
    try:
        return run()
    except CannotStart as refusal:
        print(f"tarneeb: {refusal}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0


def run() -> int:
    """Everything from the checks to the end of the last process."""
    debug = flag("DEBUG", default=True)
    bind = os.environ.get("BIND") or "127.0.0.1"
    port = preflight.port_number(os.environ.get("PORT") or "8000")
    directory = Path(os.environ.get("TARNEEB_VAR") or ROOT / "var").resolve()
    preflight.check_python()
    preflight.check_production(os.environ, debug=debug)
    preflight.check_writable(directory)
    os.environ["TARNEEB_VAR"] = str(directory)
    with preflight.claimed(directory):
        if left := end_leftovers(directory):
            say(f"ended {left} processes that a killed run had left")
        preflight.check_port(bind, port)
        warn_of_open_door(bind, debug=debug)
        with servers(directory) as embedded:
            accounts = prepare(debug=debug)
            children = commands(bind, port) | vigil(embedded)
            return watch(Keeper(children, child_environment(directory)), bind, port, accounts)


def warn_of_open_door(bind: str, *, debug: bool) -> None:
    """Says so where others can reach a site that shows them its insides."""
    if debug and bind not in {"127.0.0.1", "::1", "localhost"}:
        say(f"bound to {bind} with DEBUG on, so others see error pages with settings: use DEBUG=0 for them")


@contextmanager
def servers(directory: Path) -> Iterator[dict[str, int]]:
    """PostgreSQL and Valkey at the addresses in the environment; embedded ones where it names none.

    Yields the process ids of the embedded ones, by name.
    """
    with ExitStack() as stack:
        addresses, pids = {}, {}
        if url := os.environ.get("DATABASE_URL"):
            preflight.check_database(url)
        else:
            postgres = embedded_postgres(directory, stack)
            addresses["DATABASE_URL"], pids["PostgreSQL"] = postgres.url("tarneeb"), postgres.pid
        if url := os.environ.get("REDIS_URL"):
            preflight.check_broker(url)
        else:
            valkey = embedded_valkey(directory, stack)
            addresses["REDIS_URL"], pids["Valkey"] = valkey.url, valkey.pid
        os.environ.update(addresses)
        note_services(directory, addresses, stack)
        yield pids


def embedded_postgres(directory: Path, stack: ExitStack) -> "Postgres":
    """The embedded PostgreSQL, which ends with the stack."""
    from tarneeb_site.embedded.postgres import Postgres

    if os.geteuid() == 0:
        say(
            f"run by root: PostgreSQL gets the user 'pgserver', and the directories above {directory} "
            "are opened for reading; keep secrets in 0600 files"
        )
    postgres = Postgres(directory / "postgres")
    stack.callback(postgres.stop)
    if postgres.adopted:
        say("adopted the PostgreSQL that was still running")
    postgres.ensure_database("tarneeb")
    return postgres


def embedded_valkey(directory: Path, stack: ExitStack) -> "Valkey":
    """The embedded Valkey, which ends with the stack."""
    from tarneeb_site.embedded.valkey import Valkey

    valkey = Valkey(directory / "valkey", environment=marked(os.environ, directory))
    stack.callback(valkey.stop)
    return valkey


def note_services(directory: Path, embedded: dict[str, str], stack: ExitStack) -> None:
    """Tells other commands, while the site runs, where the embedded servers are."""
    note = directory / SERVICES_NOTE
    write_secret(note, "".join(f"{name}={url}\n" for name, url in embedded.items()), replace=True)
    stack.callback(note.unlink, missing_ok=True)


def prepare(*, debug: bool) -> str:
    """Brings database, translations and static files up to date; returns what to say of demo accounts."""
    import django
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import call_command
    from django.db import DatabaseError, connections

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tarneeb_site.settings")
    # Where the project's folder is read-only, `make setup` has compiled them already.
    with suppress(PermissionError):
        translations.compile_all()
    try:
        django.setup()
    except ImproperlyConfigured as error:
        raise CannotStart(str(error)) from error
    from tarneeb_site.health import forget_signs

    try:
        call_command("migrate", interactive=False, verbosity=0)
    except DatabaseError as error:
        raise CannotStart(
            f"the database cannot be brought up to date: {preflight.first_line(error)}"
        ) from error
    forget_signs()
    if not debug:
        call_command("collectstatic", interactive=False, verbosity=0)
    accounts = demo_accounts() if flag("DEMO", default=debug) else ""
    connections.close_all()
    return accounts


def demo_accounts() -> str:
    """Whom to log in as at a site for trying out; made on its first start."""
    from django.conf import settings
    from django.utils import timezone

    from tarneeb_site import demo

    return demo.show(settings.VAR_DIR, now=timezone.now())


def child_environment(directory: Path) -> dict[str, str]:
    """What the processes of the site find in their environment."""
    return marked({**os.environ, "PYTHONUNBUFFERED": "1"}, directory)


def watch(keeper: Keeper, bind: str, port: int, accounts: str) -> int:
    """Keeps the processes until they end; 0 where somebody told them to."""
    if keeper.run(lambda: greet(bind, port, accounts)):
        say("stopped")
        return 0
    print("tarneeb: a process ended by itself (see above), so the rest was stopped", file=sys.stderr)
    return 1


def greet(bind: str, port: int, accounts: str) -> None:
    """Says where the site is, once every part of it works."""
    address = f"http://{shown_host(bind)}:{port}"
    deadline = time.monotonic() + GREEN_SECONDS
    while not is_green(f"{address}/healthz"):
        if time.monotonic() > deadline:
            say(f"{address} is up, but not every part of it: see {address}/healthz")
            return
        time.sleep(0.2)
    say(f"ready at {address}/{accounts}")


def shown_host(bind: str) -> str:
    """The host to type into a browser on this machine for a server bound to that address."""
    if bind in {"0.0.0.0", "::"}:
        return "127.0.0.1"
    return f"[{bind}]" if ":" in bind else bind


def is_green(url: str) -> bool:
    """Whether the health page answers that every part works."""
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def say(text: str) -> None:
    print(f"tarneeb: {text}", flush=True)


def _interrupt(signum: int, frame: object) -> None:
    # Once is enough: a second one must not keep the servers from stopping well.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def _hang_up(signum: int, frame: object) -> None:
    os.kill(os.getpid(), signal.SIGTERM)

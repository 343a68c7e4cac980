"""Reads the environment for the settings file, and refuses in one line what makes no sense."""

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

# Where `manage.py up` notes the addresses (and passwords) of the servers that it embeds.
SERVICES_NOTE = Path("secret", "services.env")
FALLBACK = {
    "DATABASE_URL": "postgresql://postgres@127.0.0.1:5432/tarneeb",
    "REDIS_URL": "redis://127.0.0.1:6379/0",
}


def flag(name: str, *, default: bool) -> bool:
    """The truth of an environment variable: 1/true/yes/on or 0/false/no/off or empty."""
    value = os.environ.get(name)
    if value is None:
        return default
    return value.strip().lower() in {"1", "true", "yes", "on"}


def listed(name: str, *, default: str = "") -> list[str]:
    """The comma-separated values of an environment variable."""
    return [part.strip() for part in os.environ.get(name, default).split(",") if part.strip()]


def number(name: str, *, default: float) -> float:
    """The number in an environment variable, not below 0.

    Raises: ImproperlyConfigured where it is none.
    """
    try:
        value = float(os.environ.get(name) or default)
    except ValueError:
        value = -1
    if not 0 <= value < float("inf"):
        raise ImproperlyConfigured(f"{name} must be a number, not {os.environ[name]!r}")
    return value


def hosts(*, debug: bool) -> list[str]:
    """The host names that the site answers to: this machine's in development, else ALLOWED_HOSTS.

    Raises: ImproperlyConfigured in production without ALLOWED_HOSTS.
    """
    named = listed("ALLOWED_HOSTS", default="localhost,127.0.0.1,[::1]" if debug else "")
    if not named:
        raise ImproperlyConfigured("DEBUG=0 needs ALLOWED_HOSTS in the environment, as in play.example.org")
    return named


def site_url(named: list[str], *, https: bool) -> str:
    """The address of the site as letters give it, without a slash: of its first host that is a name of its own."""
    host = next((name for name in named if not name.startswith((".", "*"))), "localhost")
    if https:
        return f"https://{host}"
    return f"http://{host}:{int(number('PORT', default=8000))}"


def secret_key(var_dir: Path, *, debug: bool) -> str:
    """The key from SECRET_KEY; in development one made once and kept under `var_dir`.

    Raises: ImproperlyConfigured in production without SECRET_KEY.
    """
    given = os.environ.get("SECRET_KEY")
    if given:
        return given
    if not debug:
        raise ImproperlyConfigured("DEBUG=0 needs SECRET_KEY and ALLOWED_HOSTS in the environment")
    return kept_secret(var_dir / "secret" / "key", length=50)


def kept_secret(path: Path, *, length: int) -> str:
    """The secret in that file, readable by its owner alone; made of `length` bytes where there is none.

    Raises: ImproperlyConfigured where the file can be neither read nor made.
    """
    try:
        if not path.exists():
            write_secret(path, secrets.token_urlsafe(length), replace=False)
        return path.read_text()
    except OSError as error:
        raise ImproperlyConfigured(
            f"the secrets in {path.parent} cannot be kept: {error.strerror}"
        ) from error


def write_secret(path: Path, text: str, *, replace: bool) -> None:
    """Puts the text into a file that never was readable by others, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)
    if replace:
        draft.replace(path)
        return
    # Of two processes that make it at once, one wins and both read the same.
    with suppress(FileExistsError):
        path.hardlink_to(draft)
    draft.unlink()


def service_url(name: str, var_dir: Path) -> str:
    """The address of a server: from the environment, else from the embedded ones' note."""
    return os.environ.get(name) or noted_services(var_dir).get(name) or FALLBACK[name]


def noted_services(var_dir: Path) -> dict[str, str]:
    """The addresses noted by a running `manage.py up`, by the variable that would name them."""
    try:
        lines = (var_dir / SERVICES_NOTE).read_text().splitlines()
    except OSError:
        return {}
    return dict(line.split("=", 1) for line in lines if "=" in line)


def database(url: str, variable: str = "DATABASE_URL") -> dict[str, Any]:
    """Django's settings for the PostgreSQL at that address, which stands in `variable`.

    Under ASGI a connection kept by each thread would pile up, so none is kept.
    Raises: ImproperlyConfigured where the address is none of PostgreSQL's.
    """
    wanted = f"{variable} must read postgresql://USER:PASSWORD@HOST:PORT/DATABASE"
    try:
        parsed = dj_database_url.parse(url, conn_max_age=0)
    except ValueError as error:
        raise ImproperlyConfigured(wanted) from error
    if parsed["ENGINE"] != "django.db.backends.postgresql" or not parsed["NAME"]:
        raise ImproperlyConfigured(wanted)
    return dict(parsed)


def history_database(url: str) -> dict[str, Any]:
    """Django's settings for a standby that histories are read from.

    Raises: ImproperlyConfigured where the address is none of PostgreSQL's.
    """
    parsed = database(url, "HISTORY_DATABASE_URL")
    # One that is away is given up soon: the database itself is asked then.
    parsed["OPTIONS"] = {"connect_timeout": 2, **parsed.get("OPTIONS", {})}
    return parsed | {"TEST": {"MIRROR": "default"}}

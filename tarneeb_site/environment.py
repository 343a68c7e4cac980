"""Reads the environment for the settings file, with clear refusals."""

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

# Where `manage.py up` notes the addresses of the servers that it embeds.
SERVICES_FILE = "services.env"
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


def secret_key(var_dir: Path, *, debug: bool) -> str:
    """The key from SECRET_KEY; in development one made once and kept under `var_dir`.

    Raises: ImproperlyConfigured in production without SECRET_KEY.
    """
    given = os.environ.get("SECRET_KEY")
    if given:
        return given
    if not debug:
        raise ImproperlyConfigured("DEBUG=0 needs SECRET_KEY and ALLOWED_HOSTS in the environment")
    return _kept_key(var_dir / "secret" / "key")


def _kept_key(path: Path) -> str:
    try:
        return path.read_text()
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    key = secrets.token_urlsafe(50)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text()
    with os.fdopen(descriptor, "w") as file:
        file.write(key)
    return key


def service_url(name: str, var_dir: Path) -> str:
    """The address of a server: from the environment, else from the embedded ones' note."""
    return os.environ.get(name) or _noted(var_dir / SERVICES_FILE).get(name) or FALLBACK[name]


def _noted(path: Path) -> dict[str, str]:
    try:
        lines = path.read_text().splitlines()
    except OSError:
        return {}
    return dict(line.split("=", 1) for line in lines if "=" in line)

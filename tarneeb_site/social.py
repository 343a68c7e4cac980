"""Signing in by an account elsewhere: off unless the environment names providers.

`SOCIAL_LOGIN=google,github` needs `SOCIAL_GOOGLE_ID`, `SOCIAL_GOOGLE_SECRET` and so on. `openid` is any server of
OpenID Connect: it also needs `SOCIAL_OPENID_SERVER`, and may be called `SOCIAL_OPENID_NAME`.
"""

import os
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

# Where a browser is sent to: forms of our pages may lead there, and nowhere else.
SITES = {
    "discord": "https://discord.com",
    "facebook": "https://www.facebook.com",
    "github": "https://github.com",
    "google": "https://accounts.google.com",
    "lichess": "https://lichess.org",
    "microsoft": "https://login.microsoftonline.com",
}
OPENID = "openid"


class Social(NamedTuple):
    """What the settings need: allauth's apps, its `SOCIALACCOUNT_PROVIDERS`, the sites that forms may lead to."""

    apps: list[str]
    providers: dict[str, Any]
    sites: list[str]


def social(named: Sequence[str]) -> Social:
    """The providers of these names, with what the environment says of them.

    Raises: ImproperlyConfigured for a name that is not known, or one without its keys.
    """
    found = Social([], {}, [])
    for name in named:
        if name == OPENID:
            _add_openid(found)
        elif name in SITES:
            found.apps.append(f"allauth.socialaccount.providers.{name}")
            found.providers[name] = {"APPS": [_keys(name)]}
            found.sites.append(SITES[name])
        else:
            known = ", ".join([*SITES, OPENID])
            raise ImproperlyConfigured(f"SOCIAL_LOGIN knows {known}; not {name!r}")
    return found


def _add_openid(found: Social) -> None:
    server = _needed("SOCIAL_OPENID_SERVER")
    app = _keys(OPENID) | {
        "provider_id": OPENID,
        "name": os.environ.get("SOCIAL_OPENID_NAME", "OpenID"),
        "settings": {"server_url": server},
    }
    found.apps.append("allauth.socialaccount.providers.openid_connect")
    found.providers["openid_connect"] = {"APPS": [app]}
    parts = urlsplit(server)
    found.sites.append(f"{parts.scheme}://{parts.netloc}")


def _keys(name: str) -> dict[str, Any]:
    return {
        "client_id": _needed(f"SOCIAL_{name.upper()}_ID"),
        "secret": _needed(f"SOCIAL_{name.upper()}_SECRET"),
        "key": "",
    }


def _needed(name: str) -> str:
    value = os.environ.get(name, "")
    if not value:
        raise ImproperlyConfigured(f"SOCIAL_LOGIN needs {name} in the environment")
    return value

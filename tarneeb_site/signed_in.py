"""Who opens a socket: what Django's session middleware finds out, on the connections of the live tables.

After a restart everybody is back at once. Channels' own middleware would look up one after the other in a single
thread, each with a new connection to the database, and would keep a session in memory for every socket.
"""

import asyncio
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.http import parse_cookie
from django.utils.crypto import constant_time_compare

from accounts.models import User
from games.live.store import Store, store

SESSION_SQL = "select session_data from django_session where session_key = %s and expire_date > now()"
COLUMNS = [str(field.column) for field in User._meta.concrete_fields]
NAMES = [field.attname for field in User._meta.concrete_fields]
USER_SQL = f"select {', '.join(COLUMNS)} from {User._meta.db_table} where id = %s and is_active"
# The tables in play need the connections more than who comes.
AT_ONCE = 2


class SignedIn:
    """Puts `user`, `session_key` and `cookies` into the scope; `session_key` is None for who has not signed in."""

    def __init__(self, application: Any) -> None:
        self._application = application
        self._places = asyncio.Semaphore(AT_ONCE)
        self._sessions = import_module(settings.SESSION_ENGINE).SessionStore

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        cookies = cookies_of(scope["headers"])
        key, user = None, None
        if given := cookies.get(settings.SESSION_COOKIE_NAME):
            session = self._sessions(given)
            # A key that no session can have becomes none.
            if key := session.session_key:
                async with self._places:
                    user = await signed_in(store(), session, key)
        found = {"user": user or AnonymousUser(), "session_key": key if user else None, "cookies": cookies}
        await self._application(scope | found, receive, send)


async def signed_in(live: Store, session: Any, key: str) -> User | None:
    """The user whose session has that key, or None."""
    rows = await live.fetch(SESSION_SQL, [key])
    said = session.decode(rows[0]["session_data"]) if rows else {}
    if said.get(BACKEND_SESSION_KEY) not in settings.AUTHENTICATION_BACKENDS:
        return None
    rows = await live.fetch(USER_SQL, [int(said[SESSION_KEY])])
    if not rows:
        return None
    user = User.from_db("default", NAMES, [rows[0][column] for column in COLUMNS])
    is_theirs = constant_time_compare(said.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash())
    return user if is_theirs else None


def cookies_of(headers: Any) -> dict[str, str]:
    """The cookies that a browser sent, by name."""
    return parse_cookie("; ".join(value.decode("latin-1") for name, value in headers if name == b"cookie"))

"""Who opens a socket: what Django's session middleware finds out, on the connections of the live tables.

After a restart everybody is back at once. Channels' own middleware would look up one after the other in a single
thread, each with a new connection to the database, and would keep a session in memory for every socket.
"""

import logging
from importlib import import_module
from typing import Any
from weakref import WeakKeyDictionary

import psycopg
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.http import parse_cookie
from django.utils.crypto import constant_time_compare

from accounts.models import User
from games.live.lookup import Lookup
from games.live.store import Store, store
from games.sockets import COME_BACK

log = logging.getLogger(__name__)

SESSIONS_SQL = """
select session_key as key, session_data from django_session where session_key = any(%s) and expire_date > now()
"""
COLUMNS = [str(field.column) for field in User._meta.concrete_fields]
NAMES = [field.attname for field in User._meta.concrete_fields]
USERS_SQL = (
    f"select id as key, {', '.join(COLUMNS)} from {User._meta.db_table} where id = any(%s) and is_active"
)


class Doorkeeper:
    """Looks up who comes, on the connections of one event loop's live tables."""

    def __init__(self, live: Store) -> None:
        self._sessions = Lookup[str](live, SESSIONS_SQL)
        self._users = Lookup[int](live, USERS_SQL)

    async def signed_in(self, session: Any, key: str) -> User | None:
        """The user whose session has that key, or None."""
        row = await self._sessions.find(key)
        said = session.decode(row["session_data"]) if row else {}
        if said.get(BACKEND_SESSION_KEY) not in settings.AUTHENTICATION_BACKENDS:
            return None
        row = await self._users.find(int(said[SESSION_KEY]))
        if row is None:
            return None
        user = User.from_db("default", NAMES, [row[column] for column in COLUMNS])
        is_theirs = constant_time_compare(said.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash())
        return user if is_theirs else None


_doorkeepers: WeakKeyDictionary[Store, Doorkeeper] = WeakKeyDictionary()


def doorkeeper() -> Doorkeeper:
    """The doorkeeper of the running event loop."""
    live = store()
    if live not in _doorkeepers:
        _doorkeepers[live] = Doorkeeper(live)
    return _doorkeepers[live]


class SignedIn:
    """Puts `user`, `session_key` and `cookies` into the scope; `session_key` is None for who has not signed in."""

    def __init__(self, application: Any) -> None:
        self._application = application
        self._sessions = import_module(settings.SESSION_ENGINE).SessionStore

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        cookies = cookies_of(scope["headers"])
        try:
            key, user = await self._who(cookies)
        except psycopg.OperationalError as error:
            log.warning("a socket was sent away while the database is: %s", error)
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": COME_BACK})
            return
        found = {"user": user or AnonymousUser(), "session_key": key if user else None, "cookies": cookies}
        await self._application(scope | found, receive, send)

    async def _who(self, cookies: dict[str, str]) -> tuple[str | None, User | None]:
        if not (given := cookies.get(settings.SESSION_COOKIE_NAME)):
            return None, None
        session = self._sessions(given)
        # A key that no session can have becomes none.
        key: str | None = session.session_key
        return key, await doorkeeper().signed_in(session, key) if key else None


def cookies_of(headers: Any) -> dict[str, str]:
    """The cookies that a browser sent, by name."""
    return parse_cookie("; ".join(value.decode("latin-1") for name, value in headers if name == b"cookie"))

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import connections
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.live.store import store
from tarneeb_site.signed_in import SignedIn
from tests.factories import make_user


@pytest.fixture
async def live(transactional_db: None) -> AsyncIterator[None]:
    """The store of the test's event loop, closed at the end."""
    yield
    await store().close()
    await sync_to_async(connections.close_all)()


@sync_to_async
def browser_of(user: User) -> str:
    """The key of a new session of theirs."""
    browser = Client()
    browser.force_login(user)
    return browser.cookies[settings.SESSION_COOKIE_NAME].value


async def scope_of(cookie: str) -> dict[str, Any]:
    """The scope that an application is given for whoever sends that cookie."""
    scopes: list[dict[str, Any]] = []

    async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
        scopes.append(scope)

    headers = [(b"cookie", cookie.encode())] if cookie else []
    await SignedIn(application)({"type": "websocket", "headers": headers}, None, None)
    return scopes[0]


async def test_who_has_signed_in_is_the_user_with_all_that_belongs_to_them(live):
    user = await sync_to_async(make_user)("Salma")
    key = await browser_of(user)
    scope = await scope_of(f"django_language=en; sessionid={key}")
    assert (scope["user"].pk, scope["user"].username, scope["session_key"]) == (user.pk, "Salma", key)
    assert scope["user"].get_deferred_fields() == set()
    assert scope["cookies"] == {"django_language": "en", "sessionid": key}


@pytest.mark.parametrize("cookie", ["", "sessionid=", "sessionid=a\0b", "sessionid=" + "x" * 32, "other=1"])
async def test_who_has_no_session_is_nobody(live, cookie):
    scope = await scope_of(cookie)
    assert (scope["user"].is_authenticated, scope["session_key"]) == (False, None)


@sync_to_async
def end(user: User, key: str, how: str) -> None:
    session = Session.objects.get(session_key=key)
    if how == "expired":
        session.expire_date = timezone.now() - timedelta(seconds=1)
    elif how == "signed out":
        session.delete()
        return
    elif how == "closed":
        User.objects.filter(pk=user.pk).update(is_active=False)
    elif how == "new password":
        User.objects.filter(pk=user.pk).update(password="another")
    elif how == "deleted":
        user.delete()
    elif how == "tampered":
        session.session_data = session.session_data[:-1] + "!"
    elif how == "without a hash":
        said = session.get_decoded()
        del said[HASH_SESSION_KEY]
        session.session_data = Session.objects.encode(said)
    session.save()


@pytest.mark.parametrize(
    "how", ["expired", "signed out", "closed", "new password", "deleted", "tampered", "without a hash"]
)
async def test_a_session_that_does_not_hold_any_more_is_nobodys(live, how):
    user = await sync_to_async(make_user)()
    key = await browser_of(user)
    await end(user, key, how)
    scope = await scope_of(f"sessionid={key}")
    assert (scope["user"].is_authenticated, scope["session_key"]) == (False, None)


async def test_while_the_database_is_away_who_comes_is_told_to_come_back(live, monkeypatch):
    async def away(*_: Any) -> None:
        raise psycopg.OperationalError("gone")

    monkeypatch.setattr(store(), "fetch", away)
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    headers = [(b"cookie", b"sessionid=" + b"x" * 32)]
    await SignedIn(None)({"type": "websocket", "headers": headers}, None, send)
    assert sent == [{"type": "websocket.accept"}, {"type": "websocket.close", "code": 1012}]

from typing import Any

import pytest
from django.urls import get_resolver, reverse

from games import limits
from games.limits import Allowance, Rate
from tarneeb_site import doorway
from tarneeb_site.doorway import AddressDoor, ClientAddress, client_address
from tests.factories import PASSWORD, make_user

FORWARDED = b"x-forwarded-for"


@pytest.fixture(autouse=True)
def afresh(monkeypatch):
    """Nobody has done anything yet."""
    for name in ("forms", "openings"):
        monkeypatch.setattr(limits, name, limits.Buckets())


@pytest.mark.parametrize(
    ("proxies", "given", "address"),
    [
        (0, [], "198.51.100.9"),
        (0, [b"192.0.2.1"], "198.51.100.9"),
        (1, [b"192.0.2.1"], "192.0.2.1"),
        (1, [b"6.6.6.6, 192.0.2.1"], "192.0.2.1"),
        (1, [b"6.6.6.6", b"192.0.2.1"], "192.0.2.1"),
        (2, [b"6.6.6.6, 192.0.2.1, 10.0.0.1"], "192.0.2.1"),
        (2, [b"192.0.2.1"], "198.51.100.9"),
        (1, [], "198.51.100.9"),
        (1, [b""], "198.51.100.9"),
        (1, [b"192.0.2.1:4711"], "192.0.2.1"),
        (1, [b"[2001:db8::1]:4711"], "2001:db8::1"),
        (1, [b"2001:db8::1"], "2001:db8::1"),
        (1, [b"[2001:db8::1"], "198.51.100.9"),
        (1, [b"unknown"], "198.51.100.9"),
        (1, [b"\xff"], "198.51.100.9"),
    ],
)
def test_the_browsers_address_is_what_the_trusted_proxies_say(settings, proxies, given, address):
    settings.TRUSTED_PROXIES = proxies
    assert client_address([(FORWARDED, value) for value in given], "198.51.100.9") == address


class Inner:
    """Remembers the scopes that reach it."""

    def __init__(self) -> None:
        self.scopes: list[dict[str, Any]] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.scopes.append(scope)


async def opened(application: Any, *, address: str, headers: Any = ()) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {"type": "websocket", "client": [address, 5], "headers": list(headers), "path": "/"}
    await application(scope, receive, send)
    return sent


async def test_an_address_that_opens_too_many_sockets_is_told_4429(monkeypatch):
    monkeypatch.setattr(limits, "OPENINGS", Allowance(user=Rate(1, 0), address=Rate(2, 0)))
    inner = Inner()
    door = ClientAddress(AddressDoor(inner))
    answers = [await opened(door, address="192.0.2.1") for _ in range(3)]
    refused = [{"type": "websocket.accept"}, {"type": "websocket.close", "code": 4429}]
    assert answers == [[], [], refused]
    assert await opened(door, address="192.0.2.2") == []
    assert len(inner.scopes) == 3


async def test_what_a_proxy_forwards_from_loopback_keeps_its_limits(settings):
    settings.LIMITS_ON_LOOPBACK = False
    inner = Inner()
    for headers in ((), [(FORWARDED, b"127.0.0.1")], [(b"x-real-ip", b"127.0.0.1")]):
        await opened(ClientAddress(inner), address="127.0.0.1", headers=headers)
    await opened(ClientAddress(inner), address="192.0.2.1")
    assert [scope["limits_lifted"] for scope in inner.scopes] == [True, False, False, False]


def test_every_form_with_limits_of_its_own_is_a_page_of_the_site():
    assert [name for name in doorway.FORMS if name not in get_resolver().reverse_dict] == []


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setitem(doorway.FORMS, "table_new", Allowance(user=Rate(2, 0), address=Rate(3, 0)))


@pytest.mark.django_db
def test_who_sends_too_many_forms_is_answered_429_and_may_still_read(client, few):
    client.force_login(make_user())
    path = reverse("table_new")
    statuses = [client.post(path).status_code for _ in range(3)]
    assert statuses == [400, 400, 429]
    assert client.get(path).status_code == 200
    refused = client.post(path)
    assert (refused.status_code, refused["Retry-After"]) == (429, "60")
    # Others at the same address have what is left of the address's.
    client.force_login(make_user())
    assert [client.post(path).status_code for _ in range(2)] == [400, 429]


@pytest.mark.django_db
def test_forms_without_limits_of_their_own_have_a_common_one(client, monkeypatch):
    monkeypatch.setattr(limits, "OTHER_FORMS", Allowance(user=Rate(1, 0), address=Rate(2, 0)))
    paths = [reverse("set_language"), reverse("account_logout"), reverse("set_language")]
    assert [client.post(path).status_code for path in paths] == [302, 302, 429]


@pytest.mark.django_db
@pytest.mark.parametrize(("on_loopback", "last"), [(True, 429), (False, 400)])
def test_one_setting_lifts_the_limits_on_loopback(client, few, settings, on_loopback, last):
    settings.LIMITS_ON_LOOPBACK = on_loopback
    client.force_login(make_user())
    assert [client.post(reverse("table_new")).status_code for _ in range(5)][-1] == last


@pytest.mark.django_db
@pytest.mark.parametrize(("on_loopback", "status"), [(True, 400), (False, 302)])
def test_the_same_setting_lifts_the_limits_of_signing_in(client, settings, on_loopback, status):
    settings.LIMITS_ON_LOOPBACK = on_loopback
    name = make_user().username
    path = reverse("account_login")
    for _ in range(6):
        client.post(path, {"login": name, "password": "not this one"})
    assert client.post(path, {"login": name, "password": PASSWORD}).status_code == status


@pytest.mark.django_db
@pytest.mark.parametrize(("on_loopback", "status"), [(True, 429), (False, 400)])
def test_the_same_setting_lifts_the_limits_of_signing_up(client, settings, on_loopback, status):
    settings.LIMITS_ON_LOOPBACK = on_loopback
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"signup": "2/m/ip"}
    path = reverse("account_signup")
    assert [client.post(path, REMOTE_ADDR="127.0.0.9").status_code for _ in range(3)][-1] == status

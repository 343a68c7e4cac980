"""On which ways notices come, and browsers that are told while the page is closed."""

import base64
import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.core.exceptions import ValidationError
from django.db import transaction
from django.test import Client
from django.utils import timezone

from accounts import notices, pushing, ways
from accounts.models import Notice, NoticeChoice, NoticeKind, PushAddress, User
from accounts.ways import Ways
from tests.factories import make_user

pytestmark = pytest.mark.django_db
NOW = timezone.now()
KNOWN = "https://fcm.googleapis.com/fcm/send/abc"


def text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


class BrowserOfTest:
    """The keys of a browser that asked to be told."""

    def __init__(self) -> None:
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), bytes(range(16))

    @property
    def keys(self) -> dict[str, str]:
        raw = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"p256dh": text(raw), "auth": text(self.auth)}

    def read(self, body: bytes) -> dict[str, str]:
        return json.loads(
            http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm")
        )


@pytest.fixture
def key(settings) -> str:
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    settings.VAPID_PRIVATE_KEY = text(number.to_bytes(32))
    return settings.VAPID_PRIVATE_KEY


class Service:
    """A push service that writes down what it was given, and answers as it is told to."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.status = 201
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                service.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(service.status)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/push"


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    thread = threading.Thread(target=made.server.serve_forever)
    thread.start()
    yield made
    made.server.shutdown()
    thread.join()
    made.server.server_close()


def tell(*users: User, key: str = "k", kind: str = NoticeKind.TOURNAMENTS, by_mail: bool = True) -> None:
    with transaction.atomic():
        notices.notify(users, key, lambda: "سطر", kind=kind, by_mail=by_mail, url="/tables/", now=NOW)


def browser_of(user: User, address: str) -> BrowserOfTest:
    found = BrowserOfTest()
    PushAddress.objects.create(user=user, endpoint=address, at=NOW, **found.keys)
    return found


def test_who_chose_nothing_is_told_as_stated() -> None:
    user = make_user()
    for kind in NoticeKind.values:
        tell(user, key=kind, kind=kind)
    rows = Notice.objects.order_by("pk").values_list("kind", "by_mail", "push_at")
    assert list(rows) == [("invitations", False, None), ("tournaments", True, None), ("reviews", True, None)]


def test_each_kind_comes_on_the_ways_that_were_chosen(client: Client, key: str) -> None:
    user = make_user()
    browser_of(user, KNOWN)
    client.force_login(user)
    fields = {"wants_mail": "on", "follows_here": "on", "follows_mail": "on", "invitations_push": "on"}
    assert client.post("/accounts/settings/notices/", fields).status_code == 302
    for kind in NoticeKind.values:
        tell(user, key=kind, kind=kind)
    found = {notice.kind: (notice.by_mail, notice.push_at is not None) for notice in Notice.objects.all()}
    assert found == {
        "invitations": (False, True),
        "tournaments": (False, False),
        "reviews": (False, False),
        "follows": (True, False),
    }


def test_choices_are_kept_though_pushing_is_not_offered_meanwhile(client: Client) -> None:
    user = make_user()
    ways.choose(user=user, ways={"follows": Ways(here=True, mail=False, push=True)}, wants_mail=True)
    client.force_login(user)
    client.post("/accounts/settings/notices/", {"wants_mail": "on"})
    choice = NoticeChoice.objects.get(user=user, kind="follows")
    assert (choice.here, choice.push) == (False, True)


def test_nothing_of_pushing_is_seen_without_a_key(client: Client) -> None:
    client.force_login(make_user())
    assert b"push" not in client.get("/accounts/settings/notices/").content
    assert client.get("/accounts/push/worker.js").status_code == 404
    refused = client.post("/accounts/push/", {"endpoint": KNOWN}, content_type="application/json")
    assert refused.status_code == 400


def test_browser_asks_to_be_told_and_takes_it_back(client: Client, key: str) -> None:
    user = make_user()
    client.force_login(user)
    page = client.get("/accounts/settings/notices/").content.decode()
    assert f'data-push="{pushing.public_key()}"' in page
    assert client.get("/accounts/push/worker.js")["Content-Type"] == "text/javascript"
    said = {"endpoint": KNOWN, "keys": BrowserOfTest().keys}
    assert client.post("/accounts/push/", said, content_type="application/json").status_code == 200
    assert PushAddress.objects.get().user == user
    client.post("/accounts/push/end/", {"endpoint": KNOWN}, content_type="application/json")
    assert not PushAddress.objects.exists()


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://fcm.googleapis.com/x",
        "https://127.0.0.1/x",
        "https://localhost/x",
        "https://evil.example/fcm.googleapis.com",
        "https://fcm.googleapis.com.evil.example/x",
        "https://fcm.googleapis.com:8443/x",
        "https://push.services.mozilla.com.evil.example/",
        "https://fcm.googleapis.com@127.0.0.1/x",
        "https://[::1]/x",
        "file:///etc/passwd",
        "https://fcm.googleapis.com/" + "x" * 700,
        "",
    ],
)
def test_only_known_services_are_written_to(key: str, endpoint: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        pushing.add_browser(user=make_user(), endpoint=endpoint, now=NOW, **BrowserOfTest().keys)
    assert refusal.value.code == "unknown_service"


@pytest.mark.parametrize("said", ["", "[]", "{", '{"endpoint": 1, "keys": 2}', '{"keys": {"auth": "x"}}'])
def test_what_no_browser_says_is_refused(client: Client, key: str, said: str) -> None:
    client.force_login(make_user())
    assert client.post("/accounts/push/", said, content_type="application/json").status_code == 400


def test_browser_belongs_to_who_uses_it_last_and_one_has_ten_at_most(key: str) -> None:
    one, other = make_user(), make_user()
    for user in (one, other):
        pushing.add_browser(user=user, endpoint=KNOWN, now=NOW, **BrowserOfTest().keys)
    assert [row.user for row in PushAddress.objects.all()] == [other]
    for number in range(12):
        at = NOW + timedelta(seconds=number)
        pushing.add_browser(user=one, endpoint=f"{KNOWN}{number}", now=at, **BrowserOfTest().keys)
    assert PushAddress.objects.filter(user=one).count() == pushing.MOST_BROWSERS


def test_browser_is_told_in_its_readers_language(key: str, service: Service) -> None:
    user = make_user(language="ar")
    browser = browser_of(user, service.address)
    tell(user)
    assert [pushing.send_pushes(now=NOW), pushing.send_pushes(now=NOW + timedelta(hours=1))] == [1, 0]
    [body] = service.bodies
    notice = Notice.objects.get()
    assert browser.read(body) == {
        "title": "طرنيب",
        "body": "سطر",
        "tag": "k",
        "lang": "ar",
        "dir": "rtl",
        "url": f"/accounts/notices/{notice.pk}/",
    }


@pytest.mark.parametrize(
    ("status", "kept", "tried"), [(410, 0, 1), (404, 0, 1), (400, 1, 1), (500, 1, 4), (429, 1, 4)]
)
def test_browser_that_is_gone_is_forgotten_and_a_service_that_fails_is_tried_again(
    key: str, service: Service, status: int, kept: int, tried: int
) -> None:
    user = make_user()
    browser_of(user, service.address)
    service.status = status
    tell(user)
    for hours in range(8):
        pushing.send_pushes(now=NOW + timedelta(hours=hours))
    assert (PushAddress.objects.count(), len(service.bodies)) == (kept, tried)


def test_closed_account_is_pushed_nothing(key: str, service: Service) -> None:
    user = make_user()
    browser_of(user, service.address)
    tell(user)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert (pushing.send_pushes(now=NOW), service.bodies) == (0, [])

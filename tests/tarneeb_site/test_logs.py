"""The log: one object a line where that is set, and nothing in it that tells who somebody is."""

import io
import json
import logging
import sys
from collections.abc import Iterator

import pytest
from django.db import DatabaseError, connection
from django.test import Client

from accounts.models import User
from tarneeb_site.logs import HIDDEN, Json, Plain, without_people
from tests.factories import PASSWORD, make_table, make_user

NAME, MAIL, ADDRESS = "Vorname", "vorname@mail.example.org", "203.0.113.77"


@pytest.mark.parametrize(
    ("said", "written"),
    [
        (f"a letter to {MAIL} failed", f"a letter to {HIDDEN} failed"),
        (f"from {ADDRESS} twice", f"from {HIDDEN} twice"),
        ("from 2001:db8::7 twice", f"from {HIDDEN} twice"),
        ("GET /players/Vorname/matches/", f"GET /players/{HIDDEN}/matches/"),
        ("GET /play/?next=/x&token=abc", f"GET /play/?{HIDDEN}"),
        ("/accounts/confirm-email/MQ:1abc:x_y/", f"/accounts/confirm-email/{HIDDEN}/"),
        ("/accounts/password/reset/key/3-abcdef/", f"/accounts/password/reset/key/{HIDDEN}/"),
        ("session 8m2kq0xv1l4f9w6z3t7y5r8u1i2o4p6a ended", f"session {HIDDEN} ended"),
        ("postgresql://site:secret@db:5432/x", f"postgresql://{HIDDEN}@db:5432/x"),
        ("DETAIL:  Key (username)=(Vorname) already exists.", f"DETAIL: {HIDDEN}"),
        ("a batch of 12 events failed at 12:30:45", "a batch of 12 events failed at 12:30:45"),
        ("the step at table 4711 failed", "the step at table 4711 failed"),
        ("tournament open-damascus-2026 goes on", "tournament open-damascus-2026 goes on"),
    ],
)
def test_logs_leave_out_what_tells_who_somebody_is(said: str, written: str) -> None:
    assert without_people(said) == written


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """All that is logged in the test, once for people and once as JSON."""
    written = io.StringIO()
    handlers = [logging.StreamHandler(written), logging.StreamHandler(written)]
    for handler, formatter in zip(handlers, (Plain(), Json()), strict=True):
        handler.setFormatter(formatter)
        logging.getLogger().addHandler(handler)
    before = {name: logging.getLogger(name).level for name in ("", "django.request")}
    for name in ("", "django.request"):
        logging.getLogger(name).setLevel(logging.INFO)
    yield written
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)
    for handler in handlers:
        logging.getLogger().removeHandler(handler)


@pytest.mark.django_db
def test_logs_of_ordinary_requests_name_nobody(log: io.StringIO) -> None:
    client, user = Client(REMOTE_ADDR=ADDRESS, raise_request_exception=False), make_user(NAME)
    User.objects.filter(pk=user.pk).update(email=MAIL)
    table = make_table(host=user)
    client.post("/accounts/login/", {"login": NAME, "password": "wrong"})
    client.post("/accounts/login/", {"login": MAIL, "password": PASSWORD})
    session = client.session.session_key or ""
    client.get(f"/players/{NAME}/nowhere/?mail={MAIL}")
    client.post("/accounts/password/reset/", {"email": MAIL})
    client.get("/accounts/password/reset/key/3-abcdef123/")
    client.post(f"/tables/{table.code}/sit/", {"seat": "9", "salt": "x"})
    client.get("/accounts/settings/", headers={"host": "evil.example"})
    Client(enforce_csrf_checks=True, REMOTE_ADDR=ADDRESS).post("/play/", {"ruleset": NAME})
    logging.getLogger("games").info("the table of %s at %s", MAIL, ADDRESS)
    found = log.getvalue()
    assert found.count("\n") > 6
    kept = [secret for secret in (NAME, MAIL, ADDRESS, PASSWORD, session, "abcdef123") if secret in found]
    assert (kept, len(session)) == ([], 32)


@pytest.mark.django_db(transaction=True)
def test_logs_of_an_error_of_the_database_name_nobody(log: io.StringIO) -> None:
    make_user(NAME)
    try:
        with connection.cursor() as cursor:
            cursor.execute("insert into accounts_user select * from accounts_user")
    except DatabaseError:
        logging.getLogger("games").exception("it failed")
    assert ("it failed" in log.getvalue(), NAME in log.getvalue()) == (True, False)


def test_logs_as_json_are_an_object_a_line() -> None:
    try:
        raise ValueError("what came")
    except ValueError:
        caught = sys.exc_info()
    record = logging.LogRecord("games.x", logging.ERROR, "x.py", 1, "a table %s", ("K7",), caught)
    told = json.loads(Json().format(record))
    assert "\n" not in Json().format(record)
    assert {key: told[key] for key in ("level", "logger", "message", "error")} == {
        "level": "error",
        "logger": "games.x",
        "message": "a table K7",
        "error": "ValueError",
    }
    assert told["trace"].endswith("ValueError: what came")

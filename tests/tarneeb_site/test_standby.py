"""Histories are read from a real standby that follows, and from the database wherever that would show less."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.core.management import call_command
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import DjangoDbBlocker

from accounts.models import User
from games import replica
from games.models import Appearance, Table
from tarneeb_site import metrics
from tarneeb_site.environment import history_database
from tests.factories import make_table, make_users
from tests.games.matches import make_match
from tests.standby import Standby
from tests.tampering import rewrite


@pytest.fixture(scope="module")
def following(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Standby]:
    """A standby of the tests' server, which the site knows of; what tests write stays for the module."""
    with django_db_blocker.unblock():
        standby = Standby(site_settings.VAR_DIR / "following" / "postgres")
        connections.settings[replica.ALIAS] = connections.configure_settings(
            {"default": {}, replica.ALIAS: history_database(standby.url)}
        )[replica.ALIAS]
        try:
            yield standby
        finally:
            connections[replica.ALIAS].close()
            del connections.settings[replica.ALIAS]
            delattr(connections._connections, replica.ALIAS)
            standby.stop()
            call_command("flush", interactive=False, verbosity=0)


@pytest.fixture
def standby(following: Standby, monkeypatch: pytest.MonkeyPatch) -> Iterator[Standby]:
    monkeypatch.setattr(replica, "LOOK_SECONDS", 0)
    monkeypatch.setattr(metrics, "_kept", None)
    replica.LOOKS.forget()
    replica.READS.clear()
    yield following
    following.resume()
    following.caught_up()


def whole(client: Client, path: str) -> int:
    """The status of an answer that was read to its end."""
    answer = client.get(path)
    if answer.streaming:
        answer.getvalue()
    return answer.status_code


class Asked:
    """Which tables a page reads where."""

    def __init__(self, client: Client, path: str) -> None:
        with (
            CaptureQueriesContext(connection) as here,
            CaptureQueriesContext(connections[replica.ALIAS]) as there,
        ):
            self.status = whole(client, path)
        self.here, self.there = (
            {
                table
                for query in captured.captured_queries
                for table in (
                    "games_appearance",
                    "games_event",
                    "games_deal",
                    "accounts_user",
                    "django_session",
                )
                if f'FROM "{table}"' in query["sql"]
            }
            for captured in (here, there)
        )


def of_all(users: list[User], table: Table) -> list[str]:
    name = users[0].username
    return [
        f"/players/{name}/matches/",
        f"/players/{name}/matches/?opponent={users[1].username}",
        f"/players/{name}/statistics/",
        f"/players/{name}/records/",
        f"/matches/{table.code}/",
        f"/matches/{table.code}/pbn/",
        f"/matches/{table.code}/print/",
        f"/tables/{table.code}/record/",
    ]


def test_histories_are_read_from_the_standby(standby: Standby, client: Client) -> None:
    users = make_users(4)
    table = make_match(users)
    standby.caught_up()
    client.force_login(users[0])
    for path in of_all(users, table):
        asked = Asked(client, path)
        assert asked.status == 200, path
        assert asked.there & {"games_appearance", "games_event"}, path
        # Who is asking is nothing that a copy is asked for; and the events are read once.
        assert asked.there & {"django_session"} == set(), path
        assert asked.here & {"games_event", "games_deal"} == set(), path
    assert {"standby": len(of_all(users, table))} == replica.READS


def test_a_match_that_has_just_ended_is_there_though_the_standby_does_not_have_it(
    standby: Standby, client: Client
) -> None:
    users = make_users(4)
    make_match(users, ended_at=timezone.now() - timedelta(days=1))
    standby.caught_up()
    standby.pause()
    table = make_match(users, seed="2", ended_at=timezone.now())
    for path in of_all(users, table):
        asked = Asked(client, path)
        assert (asked.status, path) == (200, path)
        assert asked.there & {"games_event", "games_deal"} == set(), path
    listed = client.get(f"/players/{users[0].username}/matches/").content.decode()
    assert f"/matches/{table.code}/" in listed
    records = client.get(f"/players/{users[0].username}/records/").getvalue()
    assert records.count(b"\n") == 2


def test_what_is_read_is_what_the_standby_has(standby: Standby, client: Client) -> None:
    """A control: with the check switched off the page shows less, so that the check is what keeps it whole."""
    users = make_users(4)
    make_match(users, ended_at=timezone.now() - timedelta(days=1))
    standby.caught_up()
    standby.pause()
    make_match(users, seed="2", ended_at=timezone.now())
    with replica.reading():
        assert Appearance.objects.filter(user=users[0]).count() == 1
    assert Appearance.objects.filter(user=users[0]).count() == 2


def test_a_standby_that_is_too_far_behind_is_not_read(
    standby: Standby, client: Client, settings: Any
) -> None:
    settings.HISTORY_LAG_SECONDS = 0.2
    users = make_users(4)
    make_match(users)
    standby.caught_up()
    assert replica.is_near()
    standby.pause()
    rewrite(User.objects.filter(pk=users[0].pk), city="Homs")
    connection.cursor().execute("checkpoint")
    standby.ask("select pg_sleep(0.3)")
    assert not replica.is_near()
    asked = Asked(client, f"/players/{users[0].username}/matches/")
    assert (asked.status, asked.there) == (200, set())
    standby.resume()
    standby.caught_up()
    assert replica.is_near()


def test_cards_of_a_deck_that_is_in_play_elsewhere_are_never_asked_of_the_standby(
    standby: Standby, client: Client
) -> None:
    users = make_users(4)
    table = make_match(users)
    standby.caught_up()
    standby.pause()
    # The same cards are dealt to others, which the standby has not heard of.
    other = make_table(commitment=table.commitment, phase="play")
    for path in (f"/matches/{table.code}/", f"/tables/{table.code}/record/"):
        assert client.get(path).status_code == 404, path
    assert client.get(f"/players/{users[0].username}/records/").getvalue() == b""
    rewrite(Table.objects.filter(pk=other.pk), phase="over")


def test_a_standby_that_is_killed_costs_no_page_and_is_read_again_when_it_is_back(
    standby: Standby, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    users = make_users(4)
    table = make_match(users, seed="3")
    standby.caught_up()
    assert replica.is_near()
    # Gone between the look and the page.
    monkeypatch.setattr(replica, "LOOK_SECONDS", 60)
    standby.kill()
    assert [path for path in of_all(users, table) if whole(client, path) != 200] == []
    assert {"database": len(of_all(users, table))} == replica.READS
    assert client.get("/healthz").json()["history"] == "missing"
    standby.start()
    standby.caught_up()
    replica.LOOKS.forget()
    assert Asked(client, f"/matches/{table.code}/").there >= {"games_event"}


def told(client: Client) -> dict[tuple[str, str], float]:
    families = text_string_to_metric_families(client.get("/metrics").content.decode())
    samples = [sample for family in families for sample in family.samples]
    return {(one.name, "".join(one.labels.values())): one.value for one in samples}


def test_health_and_figures_tell_of_the_standby(
    standby: Standby, client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_match(make_users(4))
    standby.caught_up()
    found = told(client)
    assert found["tarneeb_site_history_up", ""] == 1
    assert found["tarneeb_site_history_lag_seconds", ""] < 5
    assert client.get("/healthz").json()["history"] == "ok"
    assert client.get("/readyz").json() == {"database": "ok", "broker": "ok"}
    standby.pause()
    make_users(1)
    connection.cursor().execute("checkpoint")
    standby.ask("select pg_sleep(0.3)")
    settings.HISTORY_LAG_SECONDS = 0.1
    monkeypatch.setattr(metrics, "_kept", None)
    assert told(client)["tarneeb_site_history_lag_seconds", ""] > 0.2
    assert client.get("/healthz").json()["history"] == "missing"


def test_a_server_that_follows_nobody_is_no_standby(
    standby: Standby, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replica, "ALIAS", "default")
    assert replica.measured() is None

import asyncio
import socket
from contextlib import contextmanager
from datetime import timedelta

import psycopg
import pytest
from django.conf import settings as site_settings
from django.utils import timezone

from games.models import Heartbeat
from tarneeb_site import health
from tarneeb_site.embedded.valkey import free_port
from tests.live import database_url

PARTS = ("database", "broker", "worker", "steward")
ALL_WELL = dict.fromkeys(PARTS, "ok")

# The report asks over a connection of its own, which sees what is committed.
pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def silent_server():
    """The port of a server that takes connections and says nothing."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


@pytest.fixture(autouse=True)
def signs():
    health.sign("worker", now=timezone.now())
    health.sign("steward", now=timezone.now())


def test_healthz_is_200_when_every_part_works(client):
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (200, ALL_WELL)
    assert response["Cache-Control"] == "no-store"


async def test_healthz_answers_on_the_event_loop_too(async_client):
    response = await async_client.get("/healthz")
    assert (response.status_code, response.json()) == (200, ALL_WELL)


@pytest.mark.parametrize(("name", "limit"), health.STALE.items())
def test_healthz_is_503_when_a_process_gives_no_sign(client, name, limit):
    Heartbeat.objects.filter(name=name).update(at=timezone.now() - limit)
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (503, ALL_WELL | {name: "missing"})


def test_healthz_is_503_when_a_process_never_gave_a_sign(client):
    health.forget_signs()
    response = client.get("/healthz")
    assert response.status_code == 503
    assert response.json() == ALL_WELL | {"worker": "missing", "steward": "missing"}


def test_healthz_is_503_without_a_broker(client, settings):
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (503, ALL_WELL | {"broker": "missing"})


def test_healthz_answers_in_time_when_the_broker_does_not(client, settings, monkeypatch):
    monkeypatch.setattr(health, "LIMIT_SECONDS", 0.2)
    with silent_server() as port:
        settings.REDIS_URL = f"redis://127.0.0.1:{port}/0"
        started = timezone.now()
        assert client.get("/healthz").json() == ALL_WELL | {"broker": "missing"}
        assert timezone.now() - started < timedelta(seconds=2)


def test_healthz_answers_in_time_when_the_database_does_not(client, monkeypatch):
    monkeypatch.setattr(health, "LIMIT_SECONDS", 0.3)
    with psycopg.connect(database_url()) as other:
        other.execute("lock table games_heartbeat")
        response = client.get("/healthz")
    assert response.status_code == 503
    assert response.json() == ALL_WELL | dict.fromkeys(("database", "worker", "steward"), "missing")


def test_healthz_answers_a_watcher_who_calls_the_site_by_any_name(client):
    assert client.get("/healthz", headers={"host": "10.0.0.7:8000"}).status_code == 200


def test_healthz_takes_no_post(client):
    assert client.post("/healthz").status_code == 405


async def test_those_who_ask_together_share_one_report(monkeypatch):
    asked = []
    monkeypatch.setattr(health, "heartbeats", lambda: asked.append(1) or asyncio.sleep(0.05, {}))
    reports = await asyncio.gather(*(health.shared_report() for _ in range(50)))
    assert len(asked) == 1
    assert all(report == reports[0] for report in reports)


def test_canary_goes_through_the_broker_and_back():
    from tarneeb_site.tasks import sign_of_life

    Heartbeat.objects.filter(name="worker").update(at=timezone.now() - timedelta(days=1))
    sign_of_life()
    assert timezone.now() - Heartbeat.objects.get(name="worker").at < timedelta(seconds=5)
    assert site_settings.CELERY_BEAT_SCHEDULE["sign-of-life"]["task"] == sign_of_life.name


def test_livez_asks_nobody(client, settings):
    health.forget_signs()
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    response = client.get("/livez")
    assert (response.status_code, response.json()) == (200, {"web": "ok"})


def test_readyz_asks_for_what_a_web_process_needs(client, settings):
    health.forget_signs()
    response = client.get("/readyz")
    assert (response.status_code, response.json()) == (200, {"database": "ok", "broker": "ok"})
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    response = client.get("/readyz")
    assert (response.status_code, response.json()) == (503, {"database": "ok", "broker": "missing"})


@pytest.mark.parametrize("path", ["/livez", "/readyz"])
async def test_livez_and_readyz_answer_on_the_event_loop_too(async_client, path):
    assert (await async_client.get(path)).status_code == 200

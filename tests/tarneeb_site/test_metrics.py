"""Figures for Prometheus: who may ask, what is told, and what a move adds."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from accounts.models import Notice
from games.live.meter import METER, STEPS, Meter
from games.models import Phase
from tarneeb_site import health, metrics
from tests.factories import make_table, make_user

# The figures are read over a connection of their own, which sees what is committed.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "_kept", None)


def told(client: Client, **headers: Any) -> dict[tuple[str, str], float]:
    """Every figure by its name and its label."""
    answer = client.get("/metrics", headers=headers)
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.content.decode())
    samples = [sample for family in families for sample in family.samples]
    return {(one.name, "".join(one.labels.values())): one.value for one in samples}


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("198.51.100.7", {}, 404),
        ("", {}, 404),
        ("127.0.0.1", {"X-Forwarded-For": "198.51.100.7"}, 404),
        ("127.0.0.1", {"X-Real-IP": "127.0.0.1"}, 404),
        ("198.51.100.7", {"Authorization": "Bearer right"}, 200),
        ("198.51.100.7", {"Authorization": "Bearer wrong"}, 404),
        ("198.51.100.7", {"Authorization": "Bearer "}, 404),
    ],
)
def test_metrics_are_for_this_machine_and_who_knows_the_token(
    client: Client, settings: Any, address: str, headers: dict[str, str], status: int
) -> None:
    settings.METRICS_TOKEN = "right"
    assert client.get("/metrics", headers=headers, REMOTE_ADDR=address).status_code == status


def test_metrics_without_a_token_know_no_empty_one(client: Client) -> None:
    answer = client.get("/metrics", headers={"Authorization": "Bearer "}, REMOTE_ADDR="198.51.100.7")
    assert answer.status_code == 404


def test_metrics_take_nothing(client: Client) -> None:
    assert client.post("/metrics").status_code == 405


async def test_metrics_answer_on_the_event_loop_too(async_client: Any) -> None:
    assert (await async_client.get("/metrics")).status_code == 200


def test_metrics_tell_what_is_in_play_and_what_waits(client: Client) -> None:
    now = timezone.now()
    make_table(phase=Phase.PLAY, due_at=now - timedelta(seconds=40))
    make_table()
    make_table(phase=Phase.OVER, started_at=now, ended_at=now - timedelta(seconds=300))
    user = make_user()
    Notice.objects.create(
        user=user, key="k", text_ar="س", text_en="x", at=now, mail_at=now - timedelta(seconds=90)
    )
    health.sign("worker", now=now - timedelta(seconds=20))
    found = told(client)
    asked = {
        ("tarneeb_site_database_up", ""): 1,
        ("tarneeb_site_tables", "play"): 1,
        ("tarneeb_site_tables", "waiting"): 1,
        ("tarneeb_site_tables", "auction"): 0,
        ("tarneeb_site_steward_lag_seconds", ""): 40,
        ("tarneeb_site_queue_age_seconds", "rating"): 300,
        ("tarneeb_site_queue_age_seconds", "letter"): 90,
        ("tarneeb_site_queue_age_seconds", "push"): 0,
        ("tarneeb_site_queue_age_seconds", "adjudication"): 0,
        ("tarneeb_site_sign_age_seconds", "worker"): 20,
    }
    assert {key: found[key] for key in asked} == pytest.approx(asked, abs=5)


def test_metrics_tell_the_moves_of_this_process(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    before = told(client)
    METER.moved(0.004)
    METER.moved(60)
    METER.refused["stale"] += 1
    monkeypatch.setattr(METER, "sockets", METER.sockets + 3)
    after = told(client)
    grown = {key: after[key] - before.get(key, 0) for key in after if after[key] != before.get(key, 0)}
    assert grown == pytest.approx(
        {
            **{("tarneeb_move_seconds_bucket", str(step)): 1 for step in STEPS if step >= 0.005},
            ("tarneeb_move_seconds_bucket", "+Inf"): 2,
            ("tarneeb_move_seconds_count", ""): 2,
            ("tarneeb_move_seconds_sum", ""): 60.004,
            ("tarneeb_moves_total", ""): 2,
            ("tarneeb_frames_refused_total", "stale"): 1,
            ("tarneeb_sockets", ""): 3,
        }
    )


def test_metrics_say_when_the_database_is_away(client: Client, settings: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(metrics, "TABLES_SQL", "select no_such_column")
    found = told(client)
    assert found["tarneeb_site_database_up", ""] == 0
    assert not any(name.startswith("tarneeb_site_tables") for name, _ in found)


@pytest.mark.parametrize(("seconds", "step"), [(0, 0), (0.002, 0), (0.0021, 1), (5.0, 11), (5.1, 12)])
def test_meter_counts_a_move_at_its_step(seconds: float, step: int) -> None:
    meter = Meter()
    meter.moved(seconds)
    assert (meter.moves, meter.steps.index(1)) == (1, step)

"""The tasks that are told of ended matches: few messages for many ends, none of them lost."""

import asyncio
from collections.abc import Callable

import pytest
from celery import current_app
from django.conf import settings as site_settings
from kombu import Queue

from games.live.announce import Announcer, send_ends
from tarneeb_site.celery import app

Sent = Callable[[], list[tuple[str, list[int]]]]


@pytest.fixture
def sent(monkeypatch, settings) -> Sent:
    """What was sent to the broker so far and not read yet: each task's name and its arguments."""
    monkeypatch.setitem(app.conf, "broker_url", "memory://")
    monkeypatch.setitem(app.conf, "broker_transport_options", {})
    monkeypatch.setattr(app.amqp, "_producer_pool", None)
    settings.MATCH_END_TASKS = {"one.listens": 0.2, "another.listens": 30}

    def read() -> list[tuple[str, list[int]]]:
        found = []
        with current_app.connection_for_write() as connection:
            queue = Queue("celery")(connection.default_channel)
            queue.declare()
            while message := queue.get(no_ack=True):
                found.append((message.headers["task"], message.payload[0]))
        return sorted(found)

    read()
    return read


async def until(sent: Sent, name: str) -> list[int]:
    """The arguments of the next message to this task, and of all that came with it."""
    for _ in range(200):
        if found := [arguments for task, arguments in sent() if task == name]:
            return [number for arguments in found for number in arguments]
        await asyncio.sleep(0.02)
    raise AssertionError(f"nothing was sent to {name}")


async def test_the_first_end_goes_at_once_and_those_after_it_together(sent: Sent):
    announcer = Announcer()
    announcer.match_ended(1)
    assert await until(sent, "one.listens") == [1]
    for number in (2, 3, 4):
        announcer.match_ended(number)
    assert sent() in ([], [("another.listens", [1])])
    assert await until(sent, "one.listens") == [2, 3, 4]
    await announcer.finish()


async def test_what_is_gathered_is_sent_before_the_process_ends(sent: Sent):
    announcer = Announcer()
    announcer.match_ended(1)
    await until(sent, "another.listens")
    announcer.match_ended(2)
    async with asyncio.timeout(10):
        await announcer.finish()
    assert ("another.listens", [2]) in sent()


def test_ends_that_are_known_together_go_in_one_message_a_task(sent: Sent):
    send_ends([5, 6])
    assert sent() == [("another.listens", [5, 6]), ("one.listens", [5, 6])]


def test_the_next_table_goes_before_histories_and_ratings():
    def place(name: str) -> int:
        return app.amqp.router.route({}, name).get("priority", 0)

    first, *later = site_settings.MATCH_END_TASKS
    assert first == "tournaments.tasks.adjudicate"
    assert all(place(first) < place(name) for name in later)
    assert place("tournaments.tasks.sweep") == place(first)

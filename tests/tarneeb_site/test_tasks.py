"""What beat asks for, and how the worker's processes are set up."""

import pytest
from django.conf import settings
from django.db import close_old_connections, connections

from tarneeb_site.celery import app, keep_the_database


def test_beat_asks_only_for_tasks_that_a_worker_knows() -> None:
    app.loader.import_default_modules()
    asked = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert asked - set(app.tasks) == set()


@pytest.mark.django_db(transaction=True)
def test_process_of_the_worker_keeps_its_connection_until_the_database_is_gone(
    monkeypatch: pytest.MonkeyPatch,
):
    connection = connections["default"]

    def backend() -> int:
        # As Celery does between two tasks.
        close_old_connections()
        with connection.cursor() as cursor:
            cursor.execute("select pg_backend_pid()")
            return int(cursor.fetchone()[0])

    connection.close()
    for name in ("CONN_MAX_AGE", "CONN_HEALTH_CHECKS"):
        monkeypatch.setitem(connection.settings_dict, name, connection.settings_dict[name])
    assert backend() != backend()
    connection.close()
    keep_the_database()
    first = backend()
    assert backend() == first
    other = connection.copy()
    with other.temporary_connection() as cursor:
        cursor.execute("select pg_terminate_backend(%s)", [first])
    assert backend() != first
    connection.close()

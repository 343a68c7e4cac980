"""What beat asks for."""

from django.conf import settings

from tarneeb_site.celery import app


def test_beat_asks_only_for_tasks_that_a_worker_knows() -> None:
    app.loader.import_default_modules()
    asked = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert asked - set(app.tasks) == set()

"""The Celery application of the site."""

import gc
import os
import warnings

from celery import Celery
from celery.signals import worker_process_init, worker_ready

# How long a process of the worker keeps its connection to the database.
KEPT_SECONDS = 600

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tarneeb_site.settings")

# Whoever runs the site as root is told so once, by `manage.py up`.
warnings.filterwarnings("ignore", message=r"You're running the worker with superuser privileges")

app = Celery("tarneeb")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_ready.connect
def ask_for_a_sign(**_: object) -> None:
    """Sends the canary at once, through the broker as ever: a start need not wait for beat's first."""
    app.send_task("tarneeb_site.tasks.sign_of_life", expires=10)


@worker_process_init.connect
def spare_the_collector(**_: object) -> None:
    """A round that ends all at once makes many objects, hardly any of them in cycles: full passes would hold it up."""
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


@worker_process_init.connect
def keep_the_database(**_: object) -> None:
    """A connection for each of hundreds of short tasks a second would cost more than what they do."""
    from django.db import connections

    for connection in connections.all():
        connection.settings_dict |= {"CONN_MAX_AGE": KEPT_SECONDS, "CONN_HEALTH_CHECKS": True}


@worker_process_init.connect
def keep_a_line_to_the_pages(**_: object) -> None:
    """What a task announces goes out by a connection that stays."""
    from games.live.announce import keep_a_line

    keep_a_line()

"""Rows changed that the database keeps as they are: to make in a test what only a fault could leave."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.models import QuerySet


@contextmanager
def triggers_off() -> Iterator[None]:
    """No trigger of the database fires inside; those that check references do not either. A superuser's only."""
    with connection.cursor() as cursor:
        cursor.execute("set session_replication_role = replica")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("set session_replication_role = origin")


def rewrite(rows: QuerySet[Any], **values: object) -> None:
    """These rows with other values, whatever keeps them as they are."""
    with triggers_off():
        rows.update(**values)


def erase(rows: QuerySet[Any]) -> None:
    """These rows gone, whatever keeps them."""
    with triggers_off():
        rows.delete()

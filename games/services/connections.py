"""What is kept of who came to the tables and went, and for how long."""

from datetime import datetime, timedelta
from typing import Final

from django.db import connection

KEPT_FOR: Final = timedelta(days=90)
# For so long a row can be compared with those of the month before it.
COMPARED_FOR: Final = timedelta(days=30)
AT_ONCE: Final = 10_000

DELETE_SQL: Final = """
delete from games_connection where id in (select id from games_connection where at < %s limit %s)
"""
PART_SQL: Final = """
update games_connection set address_before = '', device_before = '' where id in (
    select id from games_connection where at < %s and (address_before <> '' or device_before <> '') limit %s)
"""


def forget_connections(*, now: datetime) -> int:
    """Rows older than `KEPT_FOR` are gone; how many. Those older than `COMPARED_FOR` keep one month's mark."""
    _in_portions(PART_SQL, now - COMPARED_FOR)
    return _in_portions(DELETE_SQL, now - KEPT_FOR)


def _in_portions(sql: str, before: datetime) -> int:
    done = 0
    with connection.cursor() as cursor:
        while True:
            cursor.execute(sql, [before, AT_ONCE])
            taken: int = cursor.rowcount
            done += taken
            if taken < AT_ONCE:
                return done

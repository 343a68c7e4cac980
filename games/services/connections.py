"""What is kept of who came to the tables and went, and for how long."""

from datetime import datetime, timedelta
from typing import Final

from django.db import connection

KEPT_FOR: Final = timedelta(days=90)
AT_ONCE: Final = 10_000


def forget_connections(*, now: datetime) -> int:
    """Rows older than `KEPT_FOR` are gone, a portion at a time; how many that were."""
    gone = 0
    with connection.cursor() as cursor:
        while True:
            cursor.execute(
                "delete from games_connection where id in (select id from games_connection where at < %s limit %s)",
                [now - KEPT_FOR, AT_ONCE],
            )
            taken: int = cursor.rowcount
            gone += taken
            if taken < AT_ONCE:
                return gone

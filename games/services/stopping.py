"""Matches that are ended before their time: at once, or once the deal in play is finished.

Inside an open transaction, for whoever set a limit to a round. What was played is told as facts of the finished
deals; one that was not finished does not count.
"""

from collections.abc import Collection
from datetime import datetime

from games.models import EventKind, Phase
from games.queries import Played, played
from games.services.moving import close_all, hold, move


def stop_table(table_id: int, now: datetime) -> Played:
    """Close one table; see `stop_tables`."""
    return stop_tables([table_id], now)[table_id]


def stop_tables(table_ids: Collection[int], now: datetime) -> dict[int, Played]:
    """Close these tables without a result; what had been played at each, also at those that were over."""
    hold(table_ids)
    close_all(table_ids, now)
    return played(table_ids)


def stop_after_deal(table_id: int, now: datetime) -> Played:
    """Let one table close after its deal in play; see `stop_after_deals`."""
    return stop_after_deals([table_id], now)[table_id]


def stop_after_deals(table_ids: Collection[int], now: datetime) -> dict[int, Played]:
    """Let the deal in play be the last at these tables; at once where none is in play. Asked again is the same.

    What has been played so far; final where the table `is_over`.
    """
    phases = dict(hold(table_ids).exclude(stops_after_deal=True).values_list("pk", "phase"))
    close_all([pk for pk, phase in phases.items() if phase in {Phase.WAITING, Phase.DEAL}], now)
    dealt = [pk for pk, phase in phases.items() if phase in {Phase.AUCTION, Phase.TRUMP, Phase.PLAY}]
    move(dealt, EventKind.LAST, now, stops_after_deal=True)
    return played(table_ids)

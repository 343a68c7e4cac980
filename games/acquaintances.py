"""What the page of one's people shows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import F

from accounts.models import Block, Follow, User
from games.models import Seat, Table
from games.spectating import public_in_play

A_PAGE = 50


@dataclass(frozen=True, slots=True)
class Followed:
    """A player whom one follows, and the public table where they play now."""

    user: User
    table: Table | None


def of(user: User, page: str) -> Mapping[str, Any]:
    """Whom a user follows, a page at a time, those who play first; and whom the user blocks, newest first."""
    found = Follow.objects.filter(user=user).select_related("followed").order_by("followed__sort_key", "pk")
    playing = _tables([follow.followed for follow in found])
    rows = [Followed(follow.followed, playing.get(follow.followed_id)) for follow in found]
    rows.sort(key=lambda row: row.table is None)
    shown: Page[Followed] = Paginator(rows, A_PAGE).get_page(page)
    blocks = Block.objects.filter(user=user).select_related("blocked").order_by("-at", "-pk")
    return {"followed": shown, "blocked": [block.blocked for block in blocks]}


def _tables(players: list[User]) -> dict[int, Table]:
    """By player the public table in play that began last; nobody who does not want to be led to."""
    ids = [player.pk for player in players if player.shows_play]
    seats = Seat.objects.filter(user__in=ids, table__in=public_in_play()).select_related("table")
    ordered = seats.order_by(F("table__started_at").asc(nulls_first=True), "table_id")
    return {seat.user_id: seat.table for seat in ordered if seat.user_id is not None}

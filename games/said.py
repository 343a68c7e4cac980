"""What was said at a table in free words, each line at the moment of the match at which it was said.

Read by whom it was for: the four read the players' room, accounts that did not play the spectators'; reviewers read
both. What was shown to the spectators later than it was played stands where it was said.
"""

from bisect import bisect_right
from datetime import datetime
from typing import Final, TypedDict

from accounts.models import Block, Mute, User
from games.models import ChatLine, Event, EventKind, Room, Seat, Table

MOST: Final = 500
SEES_ALL: Final = "games.view_chatline"


class Line(TypedDict):
    """One line. `deal` counts from 0; `after` so many acts of it; both 0 before the first deal."""

    deal: int
    after: int
    room: str
    seat: int | None
    name: str
    text: str
    at: datetime


def rooms_of(table: Table, reader: User | None) -> list[str]:
    """The rooms of a table that a reader may read now that the match is over."""
    if reader is None or not reader.is_active:
        return []
    if reader.has_perm(SEES_ALL):
        return [Room.TABLE, Room.WATCHERS]
    if Seat.objects.filter(table=table, user=reader).exists():
        return [Room.TABLE]
    return [] if reader.is_guest else [Room.WATCHERS]


def lines_of(table: Table, reader: User | None) -> list[Line]:
    """What was said, as far as a reader may read it and wants to; the last MOST lines, in order."""
    rooms = rooms_of(table, reader)
    if not rooms or reader is None:
        return []
    said = ChatLine.objects.filter(table=table, room__in=rooms).select_related("user")
    if not reader.has_perm(SEES_ALL):
        said = said.exclude(user__in=Mute.objects.filter(user=reader).values("muted"))
        said = said.exclude(user__in=Block.objects.filter(user=reader).values("blocked"))
    newest = list(said.order_by("-pk")[:MOST])
    deals, acts = _versions(table) if newest else ([], [])
    return [_line(line, deals, acts) for line in reversed(newest)]


def _versions(table: Table) -> tuple[list[int], list[int]]:
    """The versions at which deals were dealt, and those of the acts."""
    events = Event.objects.filter(table=table, kind__in=(EventKind.DEAL, EventKind.ACT)).order_by("version")
    found = list(events.values_list("kind", "version"))
    deals = [version for kind, version in found if kind == EventKind.DEAL]
    return deals, [version for kind, version in found if kind == EventKind.ACT]


def _line(line: ChatLine, deals: list[int], acts: list[int]) -> Line:
    deal = bisect_right(deals, line.version) - 1
    after = bisect_right(acts, line.version) - bisect_right(acts, deals[deal]) if deal >= 0 else 0
    return {
        "deal": max(deal, 0),
        "after": after,
        "room": line.room,
        "seat": line.seat,
        "name": line.user.username,
        "text": line.text,
        "at": line.at,
    }

"""The finished matches of a player, searched: one page at a time, found by its place and not by counting.

Whoever looks at another's matches finds the public ones, and those they played in themselves. What a deal's cards
tell is found only once no table with the same cards is in play.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import reduce
from operator import or_
from typing import Any, Final
from urllib.parse import urlencode

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.names import search_key
from games import replica
from games.contracts import numbers
from games.history_form import HistoryForm
from games.models import Appearance, Void

A_PAGE: Final = 20
ON_A_PROFILE: Final = 10
COUNTED: Final = 1000
MOST_BEARERS: Final = 1000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class MatchPage:
    """A page of matches, newest first. `older`, `newer`: the keys of the pages beside it, or "" at an end.

    `found`: how many there are in all, not counted beyond COUNTED; None where nobody asked.
    """

    rows: Sequence[Appearance]
    older: str = ""
    newer: str = ""
    found: int | None = None

    @property
    def is_counted(self) -> bool:
        """Whether `found` is all of them."""
        return self.found is not None and self.found <= COUNTED


def may_list(player: User, reader: User | None) -> bool:
    """Whether a reader is shown matches of this player at all: guests and closed accounts have no history."""
    if reader is not None and reader.pk == player.pk:
        return True
    return not player.is_guest and player.closed_at is None


def visible(player: User, reader: User | None) -> QuerySet[Appearance]:
    """The parts in matches of a player that a reader may know of."""
    if not may_list(player, reader):
        return Appearance.objects.none()
    rows = Appearance.objects.filter(user=player)
    if reader is None:
        return rows.filter(public=True)
    if reader.pk == player.pk:
        return rows
    return rows.filter(Q(public=True) | Q(partner=reader) | Q(right=reader) | Q(left=reader))


def standby_has_history(player: User, partner: User | None = None) -> bool:
    """Whether the standby has the newest of a player's matches (beside a partner), as it is by now."""
    rows = Appearance.objects.filter(user=player)
    if partner is not None:
        rows = rows.filter(partner=partner)
    newest = rows.order_by("-ended_at", "-table_id").values_list("table_id", "ended_at", "open")[:1]
    return list(newest.using(DEFAULT_DB_ALIAS)) == list(newest.using(replica.ALIAS))


def counted(rows: QuerySet[Appearance]) -> QuerySet[Appearance]:
    """Of these the ones that count: those of void matches do not."""
    return rows.filter(~Exists(_voids()))


def matches_of(
    player: User,
    reader: User | None,
    filters: Mapping[str, Any] | None = None,
    page: str = "",
    *,
    most: int = A_PAGE,
) -> MatchPage:
    """A page of a player's matches as a reader may see them. `filters`: the clean data of a HistoryForm.

    `page`: "" for the newest, else a key that an earlier page named.
    """
    rows = searched(visible(player, reader), filters or {})
    direction, key = _read(page)
    taken = rows.filter(_beyond(direction, key)) if key else rows
    order = ("ended_at", "table_id") if direction == "newer" else ("-ended_at", "-table_id")
    with_people = taken.select_related("table", "partner", "right", "left").annotate(is_void=Exists(_voids()))
    found = list(with_people.order_by(*order)[: most + 1])
    more, found = len(found) > most, found[:most]
    if direction == "newer":
        found.reverse()
    back, on = (more, bool(key)) if direction == "newer" else (bool(key), more)
    return MatchPage(
        found,
        older=f"older-{_key(found[-1])}" if found and on else "",
        newer=f"newer-{_key(found[0])}" if found and back else "",
        found=rows[: COUNTED + 1].count() if filters is not None else None,
    )


def searched(rows: QuerySet[Appearance], filters: Mapping[str, Any]) -> QuerySet[Appearance]:
    """Of these the ones that fit the clean data of a HistoryForm."""
    for name in ("ruleset", "speed"):
        if filters.get(name):
            rows = rows.filter(**{name: filters[name]})
    if filters.get("result"):
        rows = rows.filter(outcome=filters["result"])
    if filters.get("rated"):
        rows = rows.filter(rated=filters["rated"] == "1")
    return _with_contract(_in_span(_with_names(rows, filters), filters), filters)


def _with_names(rows: QuerySet[Appearance], filters: Mapping[str, Any]) -> QuerySet[Appearance]:
    partner, opponent, tournament = (
        search_key(filters.get(name) or "") for name in ("partner", "opponent", "tournament")
    )
    if partner:
        rows = rows.filter(_named(partner, "partner"))
    if opponent:
        rows = rows.filter(_named(opponent, "right", "left"))
    return rows.filter(title_key__contains=tournament) if tournament else rows


def _named(key: str, *places: str) -> Q:
    """Who sits there has a name that holds the key. Who bears it is looked up once, unless they are very many."""
    bearers = list(
        User.objects.filter(search_key__contains=key).values_list("pk", flat=True)[: MOST_BEARERS + 1]
    )
    if len(bearers) <= MOST_BEARERS:
        return reduce(or_, (Q(**{f"{place}__in": bearers}) for place in places))
    return reduce(or_, (Q(**{f"{place}__search_key__contains": key}) for place in places))


def _in_span(rows: QuerySet[Appearance], filters: Mapping[str, Any]) -> QuerySet[Appearance]:
    zone = timezone.get_current_timezone()
    if filters.get("since"):
        rows = rows.filter(ended_at__gte=datetime.combine(filters["since"], time.min, zone))
    if filters.get("until"):
        day_after = filters["until"] + timedelta(days=1)
        rows = rows.filter(ended_at__lt=datetime.combine(day_after, time.min, zone))
    return rows


def _with_contract(rows: QuerySet[Appearance], filters: Mapping[str, Any]) -> QuerySet[Appearance]:
    asked = {name: filters.get(name) or "" for name in HistoryForm.CONTRACT}
    if not any(asked.values()):
        return rows
    fitting = numbers(
        who=int(asked["who"]) if asked["who"] else None,
        level=int(asked["level"]) if asked["level"] else None,
        trump=asked["trump"],
        made=asked["made"] == "1" if asked["made"] else None,
    )
    return rows.filter(open=True, contracts__overlap=fitting)


def _voids() -> QuerySet[Void]:
    return Void.objects.filter(table=OuterRef("table"), lifted_at=None)


# ---- Places in the list: the microsecond of the end, and the table


def _key(row: Appearance) -> str:
    return f"{(row.ended_at - _EPOCH) // timedelta(microseconds=1)}-{row.table_id}"


def _read(page: str) -> tuple[str, tuple[datetime, int] | None]:
    """The direction and the place that a page's key names; an unreadable one names the newest page."""
    direction, *place = page.split("-")
    if direction not in ("older", "newer") or len(place) != 2 or not all(map(_is_number, place)):
        return "older", None
    return direction, (_EPOCH + timedelta(microseconds=int(place[0])), int(place[1]))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 17


def _beyond(direction: str, key: tuple[datetime, int]) -> Q:
    moment, table = key
    if direction == "newer":
        return Q(ended_at__gte=moment) & (Q(ended_at__gt=moment) | Q(table_id__gt=table))
    return Q(ended_at__lte=moment) & (Q(ended_at__lt=moment) | Q(table_id__lt=table))


def address(filters: Mapping[str, Any], **more: str) -> str:
    """A search as an address has it, without what was not asked for."""
    asked = {name: value for name, value in {**filters, **more}.items() if value not in (None, "")}
    return urlencode(asked)

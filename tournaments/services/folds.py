"""Tournaments with their logs folded, kept by this process from one transaction to the next.

Kept is only what was committed, and it is used only while the rows it was folded from are still the same: the
database itself says so, by a digest. Whatever was added meanwhile, here or elsewhere, is folded on.
"""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from json import dumps
from threading import Lock
from typing import Any

from django.db import connection

from tournaments.formats.notation import read_item
from tournaments.formats.plan import Plan
from tournaments.formats.plan import Tournament as Fold
from tournaments.models import Tournament
from tournaments.queries import folded, log_items, settings_of

KEPT = 8

STATE_SQL = """
select (select count(*) from tournaments_logitem where tournament_id = %(id)s),
       (select coalesce(md5(string_agg(item::text, '|' order by number)), '')
          from tournaments_logitem where tournament_id = %(id)s and number < %(count)s),
       (select coalesce(md5(string_agg(number || ':' || seed, ',' order by seed)), '')
          from tournaments_entry where tournament_id = %(id)s and seed is not null)
"""


@dataclass(frozen=True, slots=True)
class Kept:
    """A fold of the first `count` items of a log. `field`: a digest of the seeds, `items` one of those items.

    `plan`: what it came to, where that was asked.
    """

    fold: Fold
    plan: Plan | None
    count: int
    rounds: frozenset[tuple[int, int]]
    settings: str
    items: str
    field: str


_kept: "OrderedDict[int, Kept]" = OrderedDict()
_lock = Lock()


@dataclass(frozen=True, slots=True)
class Opened:
    """A log as it is now. `news`: its items from the place on that was asked for; `plan`: where it is known."""

    fold: Fold
    plan: Plan | None
    count: int
    rounds: set[tuple[int, int]]
    news: list[Mapping[str, Any]]


def opened(tournament: Tournament, since: int) -> Opened:
    """The log of the locked, started tournament, folded. Nobody else has this fold: it may be written further."""
    with _lock:
        kept = _kept.pop(tournament.pk, None)
    if kept is None or not _holds(tournament, kept):
        items = log_items(tournament)
        return Opened(folded(tournament, items), None, len(items), rounds_of(items), list(items[since:]))
    start = min(since, kept.count)
    later = list(tournament.log.filter(number__gte=start).order_by("number").values_list("item", flat=True))
    fresh = later[kept.count - start :]
    for item in fresh:
        kept.fold.add(read_item(item))
    rounds = set(kept.rounds) | rounds_of(fresh)
    plan = None if fresh else kept.plan
    return Opened(kept.fold, plan, kept.count + len(fresh), rounds, later[since - start :])


def rounds_of(items: list[dict[str, Any]]) -> set[tuple[int, int]]:
    """Stage and number of the rounds that a log states."""
    return {(item.get("stage", 0), item["round"]) for item in items if item["type"] == "round"}


def keep(
    tournament: Tournament, fold: Fold, plan: Plan | None, count: int, rounds: set[tuple[int, int]]
) -> None:
    """After the commit: the fold of all `count` items that are stored; another number of them, and it is forgotten."""
    stored, items, field = _state(tournament, count)
    if stored < count:
        return
    made = Kept(fold, plan, count, frozenset(rounds), _settings(tournament), items, field)
    with _lock:
        _kept[tournament.pk] = made
        _kept.move_to_end(tournament.pk)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)


def _holds(tournament: Tournament, kept: Kept) -> bool:
    stored, items, field = _state(tournament, kept.count)
    return (
        stored >= kept.count
        and (items, field) == (kept.items, kept.field)
        and _settings(tournament) == kept.settings
    )


def _state(tournament: Tournament, count: int) -> tuple[int, str, str]:
    with connection.cursor() as cursor:
        cursor.execute(STATE_SQL, {"id": tournament.pk, "count": count})
        row: tuple[int, str, str] = cursor.fetchone()
    return row


def _settings(tournament: Tournament) -> str:
    return dumps(settings_of(tournament), sort_keys=True)

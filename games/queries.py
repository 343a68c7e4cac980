"""Reads: a table's record, its outcome."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, TypedDict

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Prefetch, QuerySet

from accounts.models import User
from accounts.names import search_key
from games import replica
from games.models import Deal, Event, EventKind, Phase, ResultKind, Seat, SeatKind, Table, Visibility
from games.rules.seats import SEATS, side


class Act(NamedTuple):
    """One action as stored: its code, who acted, and its thinking time in milliseconds."""

    code: str
    by: str
    ms: int | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a table ended: `kind` of a record, or "" where it was closed unplayed; scores by side."""

    kind: str
    score: tuple[int, int]
    winner: int | None
    advances: int | None


def outcome(table: Table) -> Outcome:
    """How a table that is over ended."""
    return Outcome(table.result_kind, (table.score[0], table.score[1]), table.winner, table.advances)


@dataclass(frozen=True, slots=True)
class Played:
    """What has been counted at a table, over or not: its finished deals; what was not finished does not count.

    By side: `score`; `deals_won`, the counted rounds in which a side gained, and more than the other;
    `contracts_made`, those in which it declared and gained. `gained`: the side that won the last counted round,
    None before one was counted.
    """

    is_over: bool
    score: tuple[int, int]
    counted: int
    gained: int | None
    deals_won: tuple[int, int]
    contracts_made: tuple[int, int]


def played(table_ids: Collection[int]) -> dict[int, Played]:
    """What has been counted at each of these tables."""
    over = dict(Table.objects.filter(pk__in=table_ids).values_list("pk", "phase"))
    rounds = Deal.objects.filter(table__in=table_ids, finished=True, change__isnull=False)
    rows = rounds.order_by("table_id", "index").values_list("table_id", "contract", "change")
    by_table = {pk: [row[1:] for row in group] for pk, group in groupby(rows, key=itemgetter(0))}
    return {pk: _played(phase == Phase.OVER, by_table.get(pk, [])) for pk, phase in over.items()}


# Whoever is looked for by a part of a name; more of them name nobody.
MOST_BEARERS = 200
# What happens at a table beside calls and cards, as far as it matters to who looks at a match afterwards.
BESIDE = ("leave", "back", "sub", "rest", "pause", "resume", "last", "yield", "close")


class Happening(TypedDict):
    """Something beside the play: its kind, whose seat, when, and `after` how many acts of its deal."""

    after: int
    kind: str
    seat: int | None
    at: datetime


@dataclass(frozen=True, slots=True)
class Moments:
    """Of one deal: when each of its acts was done, in order, and what happened beside them."""

    at: list[datetime]
    beside: list[Happening]


def moments(table: Table) -> list[Moments]:
    """The times of a match, deal by deal; what happened between two deals stands with the one before."""
    found: list[Moments] = []
    early: list[Happening] = []
    kinds = (EventKind.START, EventKind.DEAL, EventKind.ACT, *BESIDE)
    events = Event.objects.filter(table=table, kind__in=kinds).order_by("version")
    for kind, seat, at in events.values_list("kind", "seat", "at"):
        if kind == EventKind.START:
            early.clear()
        elif kind == EventKind.DEAL:
            found.append(Moments([], early))
            early = []
        elif kind == EventKind.ACT:
            found[-1].at.append(at)
        else:
            after = len(found[-1].at) if found else 0
            beside = found[-1].beside if found else early
            beside.append({"after": after, "kind": kind, "seat": seat, "at": at})
    return found


def has_replay(table: Table) -> bool:
    """Whether a table that is over has a match to look at: one with a result, or of a tournament and cut short."""
    return bool(table.result_kind) or (bool(table.title) and Deal.objects.filter(table=table).exists())


def match_figures(table: Table) -> Played:
    """The same of one table."""
    return played([table.pk])[table.pk]


def _played(is_over: bool, rounds: Sequence[tuple[Any, Any]]) -> Played:
    winners = [_winner(change) for _, change in rounds]
    makers = [
        maker for contract, change in rounds if contract and change[maker := side(contract["seat"])] > 0
    ]
    return Played(
        is_over=is_over,
        score=(sum(change[0] for _, change in rounds), sum(change[1] for _, change in rounds)),
        counted=len(rounds),
        gained=winners[-1] if winners else None,
        deals_won=(winners.count(0), winners.count(1)),
        contracts_made=(makers.count(0), makers.count(1)),
    )


def _winner(change: list[int]) -> int | None:
    """The side that won a counted round: it gained, and more than the other."""
    best = 0 if change[0] > change[1] else 1
    return best if change[best] > max(0, change[1 - best]) else None


def missing_seats(table_ids: Collection[int]) -> dict[int, list[int]]:
    """By table the seats whose owners were called to it and have not come since; none at other tables."""
    called = Seat.objects.filter(table__in=table_ids, table__first_deal_seconds__isnull=False)
    missing = called.filter(kind=SeatKind.PLAYER, arrived_at=None).order_by("number")
    found: dict[int, list[int]] = {table_id: [] for table_id in table_ids}
    for table_id, number in missing.values_list("table_id", "number"):
        found[table_id].append(number)
    return found


def open_tables() -> QuerySet[Table]:
    """Public tables that wait for players, newest first, with their seats."""
    return (
        Table.objects.filter(phase=Phase.WAITING, visibility=Visibility.PUBLIC)
        .prefetch_related(seats_with_users())
        .order_by("-created_at", "-pk")
    )


def seats_with_users() -> "Prefetch[str, QuerySet[Seat], str]":
    """The prefetch of a table's seats in order, each with its player."""
    return Prefetch("seats", Seat.objects.select_related("user").order_by("number"))


class UnreadableMatch(Exception):
    """What is stored of a match does not fit together: an event is missing, or one that no rules accept."""

    def __init__(self, code: str) -> None:
        super().__init__(f"the facts of table {code} cannot be read")
        self.code = code


def record(table: Table) -> dict[str, Any]:
    """The record (`tarneeb-record/1`) of a match that is over, with its proof.

    Raises: ValueError for a table whose match is not over: its cards are nobody's business yet; UnreadableMatch.
    """
    found = records([table])[0]
    if found is None:
        raise UnreadableMatch(table.code)
    return found


def records(tables: Sequence[Table]) -> list[dict[str, Any] | None]:
    """The records of several matches that are over, in their order, in as many queries as of one.

    None for one whose facts do not fit together: it keeps no other from being read.

    Raises: ValueError where one of them is not over.
    """
    if any(table.phase != Phase.OVER or table.first_dealer is None for table in tables):
        raise ValueError("only a finished match has a record")
    ids = [table.pk for table in tables]
    players: dict[int, list[str]] = {pk: [] for pk in ids}
    for seat in Seat.objects.filter(table__in=ids).select_related("user").order_by("table_id", "number"):
        players[seat.table_id].append(seat_name(seat))
    deals = _deals(ids)
    return [_record(table, players[table.pk], deals[table.pk]) for table in tables]


def _record(table: Table, players: list[str], deals: list[dict[str, Any]] | None) -> dict[str, Any] | None:
    if deals is None or len(players) != len(SEATS):
        return None
    found: dict[str, Any] = {
        "format": "tarneeb-record/1",
        "ruleset": table.ruleset,
        "target": table.target,
        "dealer": table.first_dealer,
        "players": players,
    }
    if table.options:
        found["options"] = table.options
    found["deals"] = deals
    if table.result_kind:
        # The rules know no resigning: to them such a match is unfinished, and claims no result.
        key = "ended" if table.result_kind == ResultKind.RESIGNED else "result"
        found[key] = {"kind": table.result_kind, "winner": table.winner, "score": list(table.score)}
    found["proof"] = {
        "secret": bytes(table.secret).hex(),
        "salt": table.salt,
        "commitment": table.commitment,
    }
    return found


def seat_name(seat: Seat) -> str:
    """The name of who owns a seat."""
    if seat.kind == SeatKind.PLAYER and seat.user is not None:
        return seat.user.username
    return seat.bot


def _deals(table_ids: Collection[int]) -> dict[int, list[dict[str, Any]] | None]:
    """The deals of each of these tables, as a record has them; None where events and decks do not fit."""
    played: dict[int, list[list[Act]]] = {pk: [] for pk in table_ids}
    astray = set()
    events = Event.objects.filter(table__in=table_ids, kind__in=(EventKind.DEAL, EventKind.ACT))
    rows = events.order_by("table_id", "version").values_list("table_id", "kind", "code", "by", "ms")
    for pk, kind, code, by, ms in rows:
        if kind == EventKind.DEAL:
            played[pk].append([])
        elif played[pk]:
            played[pk][-1].append(Act(code, by, ms))
        else:
            astray.add(pk)
    decks: dict[int, list[str]] = {pk: [] for pk in table_ids}
    dealt = Deal.objects.filter(table__in=table_ids).order_by("table_id", "index")
    for pk, deck in dealt.values_list("table_id", "deck"):
        decks[pk].append(deck)
    astray |= {pk for pk in table_ids if len(decks[pk]) != len(played[pk])}
    return {
        pk: None if pk in astray else [_deal(*one) for one in zip(decks[pk], played[pk], strict=True)]
        for pk in table_ids
    }


def _deal(deck: str, acts: list[Act]) -> dict[str, Any]:
    return {"deck": deck, "actions": " ".join(act.code for act in acts)} | _who_and_when(acts)


def _who_and_when(acts: list[Act]) -> dict[str, Any]:
    found: dict[str, Any] = {"ms": [act.ms or 0 for act in acts]}
    by = "".join(act.by for act in acts)
    return found if set(by) <= {"m"} else {"by": by} | found


def cards_are_out(table: Table) -> bool:
    """Whether a table's secret and decks may be seen: it, and all others dealt from its secret, are over."""
    return table.phase == Phase.OVER and not shut([table])


def standby_has(tables: Collection[Table]) -> bool:
    """Whether the standby has all that has happened at these tables, as they were read from the database."""
    there = Table.objects.using(replica.ALIAS).filter(pk__in=[table.pk for table in tables])
    return dict(there.values_list("pk", "version")) == {table.pk: table.version for table in tables}


def standby_has_match(code: str) -> bool:
    """The same of the table with that code; nothing is missing of one that is nowhere."""
    return standby_has(Table.objects.using(DEFAULT_DB_ALIAS).filter(code=code.upper()))


def shut(tables: Collection[Table]) -> set[int]:
    """Those of these tables whose cards are still in play, there or elsewhere; by their ids.

    The database itself is asked: a standby may not have heard yet of a table that was opened.
    """
    in_play = Table.objects.using(DEFAULT_DB_ALIAS).filter(
        commitment__in={table.commitment for table in tables}
    )
    promises = set(in_play.exclude(phase=Phase.OVER).values_list("commitment", flat=True))
    return {table.pk for table in tables if table.commitment in promises}


def bearers(term: str) -> list[int]:
    """The ids of players whose names hold the term in any spelling.

    They are looked up first: to join and compare would read all the rows of every match.
    """
    found = User.objects.filter(search_key__contains=search_key(term)).order_by("pk")
    return list(found.values_list("pk", flat=True)[:MOST_BEARERS])


def tables_of(term: str) -> list[int]:
    """The id of the table with that code, if there is one."""
    return list(Table.objects.filter(code=term.strip().upper()).values_list("pk", flat=True))

"""Tournaments for tests: with pairs in, started, with tables that ended one way or another."""

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from games.models import Deal, Phase, ResultKind, Table
from games.services.tables import close_table
from tests.factories import make_user, make_users
from tournaments.formats.plan import Plan
from tournaments.models import Entry, PairingTable, Tournament
from tournaments.queries import plan_of
from tournaments.services import entry, results, rounds

NOW = timezone.now().replace(microsecond=0)
TONIGHT = NOW + timedelta(hours=2)


def make_tournament(**more: Any) -> Tournament:
    """A tournament open for registration, in two hours."""
    fields: dict[str, Any] = {
        "name": "Thursday night",
        "format": "single_elimination",
        "ruleset": "kotchina",
        "target": 31,
        "turn_seconds": 20,
        "round_cap": 50,
        "capacity": 16,
        "starts_at": TONIGHT,
        "lot": "0" * 32,
        "now": NOW,
    }
    organiser = more.pop("organiser", None) or make_user()
    return entry.create(organiser=organiser, **(fields | more))


def enter_pair(tournament: Tournament, *users: Any) -> Entry:
    """A pair that is in; its players are new unless given."""
    first, second = users or make_users(2)
    made = entry.enter(tournament_id=tournament.pk, user=first, partner=second, now=NOW)
    return entry.accept(tournament_id=tournament.pk, entry_number=made.number, user=second, now=NOW)


def started(pairs: int, **more: Any) -> Tournament:
    """A running tournament of so many pairs."""
    tournament = make_tournament(**more)
    for _ in range(pairs):
        enter_pair(tournament)
    return rounds.start(tournament_id=tournament.pk, actor=tournament.organiser, now=NOW)


def running(pairs: int, **fields: Any) -> Tournament:
    """A running tournament of so many pairs, these fields of its row set before it started."""
    tournament = make_tournament()
    Tournament.objects.filter(pk=tournament.pk).update(**fields)
    for _ in range(pairs):
        enter_pair(tournament)
    return rounds.start(tournament_id=tournament.pk, actor=tournament.organiser, now=NOW)


def minutes(count: float) -> datetime:
    """So many minutes after the start."""
    return NOW + timedelta(minutes=count)


def deal(table: Table, *changes: tuple[int, int], declarer: int = 0) -> None:
    """Finished deals of a table with these points, each a counted round."""
    for index, change in enumerate(changes):
        Deal.objects.create(
            table=table,
            index=index,
            version=6 + index,
            dealer=0,
            deck="",
            finished=True,
            contract={"seat": declarer, "tricks": 7},
            tricks=[7, 6],
            change=list(change),
        )
    Table.objects.filter(pk=table.pk).update(phase=Phase.DEAL, version=6 + len(changes))


def arrive(table: Table, *numbers: int, at: datetime = NOW) -> None:
    """Those who sit there have come to the table."""
    table.seats.filter(number__in=numbers).update(arrived_at=at)


def open_table(tournament: Tournament, pairing: str) -> PairingTable:
    """The table whose result a pairing waits for."""
    return tournament.tables.select_related("table").get(pairing=pairing, state="open")


def end(tournament: Tournament, pairing: str, score: tuple[int, int] = (31, 12), **facts: Any) -> Table:
    """The pairing's table, its match over with these facts: by default the target, for who has more points."""
    table = open_table(tournament, pairing).table
    winner = 0 if score[0] > score[1] else 1
    facts = {"result_kind": ResultKind.TARGET, "winner": winner, "advances": winner} | facts
    Table.objects.filter(pk=table.pk).update(
        phase=Phase.OVER, score=list(score), ended_at=NOW, due_at=None, **facts
    )
    return table


def end_level(tournament: Tournament, pairing: str, last_gainer: int, points: int = 20) -> Table:
    """The pairing's table, level when the last round allowed was played."""
    facts = {"result_kind": ResultKind.DRAW, "winner": None, "advances": last_gainer}
    return end(tournament, pairing, (points, points), **facts)


def end_dead(tournament: Tournament, pairing: str) -> Table:
    """The pairing's table, closed without a result."""
    facts = {"result_kind": ResultKind.NO_RESULT, "winner": None, "advances": None}
    return end(tournament, pairing, (0, 0), **facts)


def close_unplayed(tournament: Tournament, pairing: str) -> Table:
    """The pairing's table, closed by an administrator before anything was decided."""
    return close_table(table_id=open_table(tournament, pairing).table_id, now=NOW)


def adjudicate(tournament: Tournament) -> int:
    """How many results were recorded."""
    return results.adjudicate(tournament_id=tournament.pk, now=NOW)


def lines(plan: Plan | Tournament) -> dict[str, tuple[Any, ...]]:
    """Of every pairing: its sides, its status, what decided it, its winner."""
    plan = plan_of(plan) if isinstance(plan, Tournament) else plan
    return {p.id: (p.sides, p.status, p.decided_by, p.winner) for p in plan.pairings}


def awaited(tournament: Tournament) -> list[tuple[str, int]]:
    """Pairings with a table whose result is awaited, and the attempt it is."""
    return list(tournament.tables.filter(state="open").order_by("pairing").values_list("pairing", "attempt"))

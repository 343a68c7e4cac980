"""Whole matches as rows, played beforehand by built-in players."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from accounts.models import User
from games.models import Deal, Event, EventKind, Phase, Seat, SeatKind, Table
from games.rules.cards import CODES
from games.rules.match import Match
from games.rules.record import DealRecord, Proof
from games.rules.ruleset import RULESETS
from games.rules.shuffle import commitment
from games.rules.simulation import simulated
from games.services.histories import keep
from tests.factories import NOON, make_table
from tests.tampering import triggers_off

THINKING_MS = 1200


def make_match(
    users: Sequence[User | None],
    *,
    ruleset: str = "kotchina",
    target: int = 31,
    seed: str = "1",
    ended_at: datetime = NOON,
    **more: Any,
) -> Table:
    """A finished match of `users` by seat; None is a bot. Persons acted for themselves."""
    match, deals, proof = _played(ruleset, target, seed)
    with triggers_off():
        table = _make_table(users, match, proof, target=target, ended_at=ended_at, **more)
        _store(table, match, deals, users)
    keep([table.pk])
    return table


def make_match_in_play(users: Sequence[User | None], *, seed: str = "1", **more: Any) -> Table:
    """A match whose first deal lies on the table with four cards of the play left to the players."""
    match, deals, proof = _played("kotchina", 31, seed)
    first = deals[0]
    half = DealRecord(first.deck, first.actions[:-4], by=first.by[:-4])
    with triggers_off():
        table = _make_table(users, match, proof, target=31, ended_at=None, **more)
        _store(table, match, [half], users)
        Deal.objects.filter(table=table).update(finished=False, change=None)
        Table.objects.filter(pk=table.pk).update(
            phase=Phase.PLAY, score=[0, 0], counted=0, result_kind="", winner=None, advances=None
        )
    table.refresh_from_db()
    return table


def finish(table: Table, users: Sequence[User | None], *, ended_at: datetime, seed: str = "1") -> Table:
    """A table that was opened for these users, with a whole match played there."""
    match, deals, proof = _played(table.ruleset, table.target, seed)
    assert match.result is not None
    with triggers_off():
        table.events.all().delete()
        table.deals.all().delete()
        _store(table, match, deals, users)
    Table.objects.filter(pk=table.pk).update(
        phase=Phase.OVER,
        due_at=None,
        secret=proof.secret,
        salt=proof.salt,
        commitment=commitment(proof.secret),
        first_dealer=proof.first_dealer,
        score=match.score,
        counted=match.counted,
        result_kind=match.result["kind"],
        winner=match.result["winner"],
        advances=match.result["advances"],
        ended_at=ended_at,
    )
    table.refresh_from_db()
    return table


@cache
def _played(ruleset: str, target: int, seed: str) -> tuple[Match, list[DealRecord], Proof]:
    return simulated(RULESETS[ruleset], target=target, seed=seed, index=0, players=["cautious"])


def _make_table(
    users: Sequence[User | None], match: Match, proof: Proof, *, ended_at: datetime | None, **more: Any
) -> Table:
    assert match.result is not None
    table = make_table(
        phase=Phase.OVER,
        ruleset=match.ruleset.name,
        secret=proof.secret,
        salt=proof.salt,
        commitment=commitment(proof.secret),
        first_dealer=proof.first_dealer,
        score=match.score,
        counted=match.counted,
        result_kind=match.result["kind"],
        winner=match.result["winner"],
        advances=match.result["advances"],
        started_at=NOON,
        ended_at=ended_at,
        **more,
    )
    for number, user in enumerate(users):
        kind = SeatKind.BOT if user is None else SeatKind.PLAYER
        bot = "" if user else "cautious"
        Seat.objects.filter(table=table, number=number).update(kind=kind, user=user, bot=bot)
    return table


def _store(table: Table, match: Match, deals: Sequence[DealRecord], users: Sequence[User | None]) -> None:
    replayed = Match(match.ruleset, target=match.target, dealer=table.first_dealer or 0)
    rows, events = [], []
    for index, deal in enumerate(deals):
        dealer, counted = replayed.dealer, replayed.counted
        replayed.start_deal(deal.deck)
        events.append(Event(kind=EventKind.DEAL))
        rows.append(
            Deal(
                table=table,
                index=index,
                version=len(events),
                dealer=dealer,
                deck=" ".join(CODES[c] for c in deal.deck),
            )
        )
        for code in deal.actions:
            seat = replayed.turn
            assert seat is not None
            by = "m" if users[seat] else "b"
            events.append(
                Event(kind=EventKind.ACT, seat=seat, code=code, by=by, ms=THINKING_MS, user=users[seat])
            )
            replayed.act(code, by)
        rows[-1].finished = True
        rows[-1].change = replayed.changes[-1] if replayed.counted > counted else None
        shown = replayed.shown_deal
        if shown is not None and shown.phase == "over":
            rows[-1].contract, rows[-1].tricks = shown.contract, shown.tricks
    for version, event in enumerate(events, start=1):
        event.table, event.version, event.at = table, version, NOON + timedelta(seconds=version)
    Deal.objects.bulk_create(rows)
    Event.objects.bulk_create(events)
    Table.objects.filter(pk=table.pk).update(version=len(events))

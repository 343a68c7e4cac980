"""Finished matches as ratings see them: who sat where, who won, who did the acts. No cards are played."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from accounts.models import Pair, Rating, RatingChange, SeasonRating, User
from games.models import Deal, Event, EventKind, Phase, ResultKind, Seat, SeatKind, Table
from games.services import ratings
from games.speeds import SPEEDS
from tests.factories import NOON, make_table
from tests.tampering import triggers_off

LATER = NOON + timedelta(days=365)
# By default each of the four did so many acts.
OWN = "mmmm"


def played(
    users: Sequence[User | None],
    winner: int | None = 0,
    *,
    minutes: float = 0,
    speed: str = "normal",
    acts: Mapping[int, str] | None = None,
    kind: str | None = None,
    dealt: bool = True,
    events: Sequence[tuple[str, int, User]] = (),
    **more: Any,
) -> Table:
    """A finished rated match; `acts`: by seat, who did each of its acts. `minutes`: how long after noon it ended."""
    ended_at = more.pop("ended_at", NOON + timedelta(minutes=minutes))
    pace = SPEEDS.get(speed)
    fields = {
        "phase": Phase.OVER,
        "rated": None not in users,
        "winner": winner,
        "advances": winner,
        "result_kind": kind
        if kind is not None
        else ResultKind.TARGET
        if winner is not None
        else ResultKind.DRAW,
        "call_seconds": pace.call if pace else 7,
        "turn_seconds": pace.card if pace else 7,
        "bank_seconds": pace.bank if pace else 7,
        "started_at": ended_at - timedelta(minutes=10),
        "ended_at": ended_at,
    }
    with triggers_off():
        table = make_table(**(fields | more))
        for number, user in enumerate(users):
            what = (
                {"kind": SeatKind.PLAYER, "user": user} if user else {"kind": SeatKind.BOT, "bot": "cautious"}
            )
            Seat.objects.filter(table=table, number=number).update(**what)
        if dealt:
            Deal.objects.create(table=table, index=0, version=1, dealer=0, deck="")
        _store(table, acts or {}, events, ended_at)
    return table


def _store(
    table: Table, acts: Mapping[int, str], events: Sequence[tuple[str, int, User]], ended_at: datetime
) -> None:
    rows = [Event(kind=EventKind.ACT, seat=seat, by=by) for seat in range(4) for by in acts.get(seat, OWN)]
    rows += [Event(kind=kind, seat=seat, user=user) for kind, seat, user in events]
    for version, event in enumerate(rows, start=2):
        event.table, event.version, event.at = table, version, ended_at - timedelta(minutes=5)
    Event.objects.bulk_create(rows)


def rate(now: datetime = LATER) -> int:
    """Whatever is not taken in yet."""
    return ratings.rate_finished(now=now)


def points(user: User, speed: str = "all", ruleset: str = "kotchina") -> int | None:
    """What a player's rating shows; None where there is none."""
    return (
        Rating.objects.filter(user=user, speed=speed, ruleset=ruleset)
        .values_list("points", flat=True)
        .first()
    )


def pair_points(one: User, other: User, speed: str = "all") -> int | None:
    """The same of a pair."""
    found = Rating.objects.filter(pair__first=one, pair__second=other, speed=speed)
    return found.values_list("points", flat=True).first()


def picture() -> list[list[tuple[Any, ...]]]:
    """All that is stored of ratings, to the last bit, without the numbers that the database gave the rows."""
    who = ("rating__user", "rating__pair__first", "rating__pair__second", "rating__ruleset", "rating__speed")
    facts = ("mu", "sigma", "points")
    return [
        sorted(
            Rating.objects.values_list(
                "user",
                "pair__first",
                "pair__second",
                "ruleset",
                "speed",
                *facts,
                "least",
                "matches",
                "last_at",
                "known_until",
            ),
            key=repr,
        ),
        sorted(RatingChange.objects.values_list(*who, "table_number", "at", *facts, "change"), key=repr),
        sorted(
            SeasonRating.objects.values_list(
                *who, "season", *facts, "least", "gained", "matches", "last_at", "listed"
            ),
            key=repr,
        ),
        sorted(Pair.objects.values_list("first", "second", "made_at"), key=repr),
    ]

"""What a finished match says to the ratings: who played, who won, and for whom of the four it counts."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple

from django.db import connection

from games.models import Overruled, ResultKind, Void
from games.rules.seats import partner
from games.speeds import CUSTOM, speed_of
from games.strength import ALL

# Of the calls, namings and cards of a seat: beyond this share the clock or a bot played it, not its owner.
LENT_SHARE: Final = 0.25
COUNTING: Final = (ResultKind.TARGET, ResultKind.ROUND_CAP, ResultKind.DRAW, ResultKind.RESIGNED)


class Place(NamedTuple):
    """Where a match stands in the order in which ratings take matches."""

    at: datetime
    table_id: int


@dataclass(frozen=True, slots=True)
class Match:
    """A match that counts: four people by seat, the side that won (None: a draw), and whose seats were lent."""

    place: Place
    code: str
    ruleset: str
    speed: str
    users: tuple[int, int, int, int]
    winner: int | None
    lent: frozenset[int]

    @property
    def lists(self) -> tuple[str, ...]:
        """The speeds in which it counts: its own, and all of them together."""
        return (ALL,) if self.speed == CUSTOM else (self.speed, ALL)

    def counts_for(self, seat: int) -> bool:
        """Whether it counts for who owns a seat.

        For whose seat was lent: only if lost, as a bot's play wins nobody a rating. For the partner of such a one:
        only if won, as nobody is punished for the other's leaving. For everybody else always.
        """
        if seat in self.lent:
            return self.winner is not None and self.winner != seat % 2
        if partner(seat) in self.lent:
            return self.winner == seat % 2
        return True

    def counts_for_pair(self, side: int) -> bool:
        """Whether it counts for a side as a pair: where the two played it themselves."""
        return not self.lent & {side, side + 2}


class Acts(NamedTuple):
    """How many actions of a seat its owner did, and how many others did: the clock and a bot sitting in."""

    own: int = 0
    clock: int = 0
    bot: int = 0

    @property
    def is_lent(self) -> bool:
        return self.clock + self.bot > LENT_SHARE * (self.own + self.clock + self.bot)


MATCHES_SQL = """
select t.id, t.ended_at, t.code, t.ruleset, coalesce(t.call_seconds, t.turn_seconds), t.turn_seconds,
       t.bank_seconds, t.winner, array_agg(s.user_id order by s.number)
  from games_table t join games_seat s on s.table_id = t.id
 where t.id = any(%s) and t.phase = 'over' and t.rated and t.result_kind = any(%s)
 group by t.id
having count(s.user_id) = 4
 order by t.ended_at, t.id
"""
ACTS_SQL = """
select table_id, seat, count(*) filter (where by not in ('c', 's')), count(*) filter (where by = 'c'),
       count(*) filter (where by = 's')
  from games_event where table_id = any(%s) and kind = 'act' group by table_id, seat order by table_id
"""


def matches(table_ids: Collection[int], lent: dict[int, frozenset[int]]) -> list[Match]:
    """Of these tables those whose matches count, in the order in which they do. `lent`: seats by table."""
    kept = set(table_ids) - void(table_ids) - overruled(table_ids)
    with connection.cursor() as cursor:
        cursor.execute(MATCHES_SQL, [list(kept), list(COUNTING)])
        rows = cursor.fetchall()
    return [
        Match(
            place=Place(ended_at, table_id),
            code=code,
            ruleset=ruleset,
            speed=speed_of(call, card, bank),
            users=tuple(users),
            winner=winner,
            lent=lent.get(table_id, frozenset()),
        )
        for table_id, ended_at, code, ruleset, call, card, bank, winner, users in rows
    ]


def void(table_ids: Iterable[int]) -> set[int]:
    """Of these tables those whose matches were declared void."""
    standing = Void.objects.filter(table__in=list(table_ids), lifted_at=None)
    return set(standing.values_list("table", flat=True))


def overruled(table_ids: Iterable[int]) -> set[int]:
    """Of these tables those whose tournament has decided otherwise than they were played."""
    standing = Overruled.objects.filter(table__in=list(table_ids))
    return set(standing.values_list("table", flat=True))


def acts(table_ids: Collection[int]) -> dict[int, dict[int, Acts]]:
    """Who did the actions of each seat, by table and seat."""
    with connection.cursor() as cursor:
        cursor.execute(ACTS_SQL, [list(table_ids)])
        rows = cursor.fetchall()
    return {
        table_id: {seat: Acts(own, clock, bot) for _, seat, own, clock, bot in of_table}
        for table_id, of_table in groupby(rows, key=itemgetter(0))
    }


def lent_seats(acts: dict[int, Acts]) -> frozenset[int]:
    """The seats of a match that others than their owners played too much of."""
    return frozenset(seat for seat, done in acts.items() if done.is_lent)


def as_bits(seats: Iterable[int]) -> int:
    """Seats as a number, a bit each."""
    return sum(1 << seat for seat in seats)


def from_bits(number: int) -> frozenset[int]:
    """The seats of such a number."""
    return frozenset(seat for seat in range(4) if number >> seat & 1)

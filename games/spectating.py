"""What the list of live tables and those who follow a player read: a fixed number of queries whatever is listed."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from accounts.models import User
from games.live.hub import watching
from games.models import WHOLE_DEAL, Deal, Event, EventKind, Phase, Seat, Table, Visibility
from games.queries import seats_with_users
from games.rules.actions import TRUMPS

LISTED_TABLES = 60
IN_PLAY = (Phase.DEAL, Phase.AUCTION, Phase.TRUMP, Phase.PLAY)
_BID = re.compile(r"b(?P<bid>[0-9]+)(?P<trump>[CDHSN]?)")


@dataclass(frozen=True)
class SoFar:
    """The standing bid of a deal in play: `bid` tricks, `trump` "" while it is not named."""

    seat: int
    bid: int
    trump: str = ""
    doubled: int = 1


@dataclass(frozen=True)
class WatchRow:
    """A live table as it is listed. What spectators may not know yet is not told here either."""

    table: Table
    seats: list[Seat]
    watching: int
    contract: SoFar | None

    @property
    def is_delayed(self) -> bool:
        """Whether spectators see it later than it is played."""
        return is_delayed(self.table)

    @property
    def is_by_deal(self) -> bool:
        """Whether spectators see each deal once it is finished."""
        return self.table.watch_delay == WHOLE_DEAL or _is_shared(self.table)

    @property
    def sides(self) -> list[tuple[list[Seat], int | None]]:
        """The two seats of each side and its points, where they may be told."""
        points = [None, None] if self.is_delayed else self.table.score
        return [(self.seats[number::2], points[number]) for number in (0, 1)]

    @property
    def declarer(self) -> Seat | None:
        """The seat of the standing bid."""
        return None if self.contract is None else self.seats[self.contract.seat]


def live_tables(user: User | None, ruleset: str = "") -> list[WatchRow]:
    """The public tables in play where a reader does not sit, those with most spectators first."""
    tables = public_in_play()
    if ruleset:
        tables = tables.filter(ruleset=ruleset)
    if user is not None:
        tables = tables.exclude(seats__user=user)
    newest = list(tables.prefetch_related(seats_with_users()).order_by("-started_at", "-pk")[:LISTED_TABLES])
    contracts = _contracts([table.pk for table in newest if not is_delayed(table)])
    rows = [_row(table, contracts.get(table.pk)) for table in newest]
    return sorted(rows, key=lambda row: -row.watching)


def table_of(player: User) -> Table | None:
    """The public table in play where somebody sits, the one begun last; None for who does not show it."""
    if not player.shows_play:
        return None
    return (
        public_in_play()
        .filter(seats__user=player)
        .order_by(F("started_at").desc(nulls_last=True), "-pk")
        .first()
    )


def is_delayed(table: Table) -> bool:
    """Whether spectators of a table in play see it later. `table` is one of `with_sharing`."""
    return bool(table.watch_delay) or _is_shared(table)


def _is_shared(table: Table) -> bool:
    return getattr(table, "is_shared", False)


def with_sharing(tables: QuerySet[Table]) -> QuerySet[Table]:
    """Tables that know whether another one that is not over is dealt from the same secret."""
    others = Table.objects.filter(commitment=OuterRef("commitment")).exclude(pk=OuterRef("pk"))
    return tables.annotate(is_shared=Exists(others.exclude(phase=Phase.OVER)))


def spectators(table: Table, seats: Iterable[Seat]) -> int:
    """How many watch a table, in all processes: known here at most a second late, ten where this one just began."""
    return watching(table.pk, [seat.user_id for seat in seats if seat.user_id is not None])


def public_in_play() -> QuerySet[Table]:
    """The tables in play that all may watch."""
    return with_sharing(Table.objects.filter(visibility=Visibility.PUBLIC, phase__in=IN_PLAY))


def _row(table: Table, contract: SoFar | None) -> WatchRow:
    seats = list(table.seats.all())
    return WatchRow(table, seats, spectators(table, seats), contract)


def _contracts(table_ids: list[int]) -> dict[int, SoFar]:
    """The standing bids of the deals in play, by table."""
    begun = Deal.objects.filter(table=OuterRef("table")).order_by("-index").values("version")[:1]
    said = Q(code__startswith="b") | Q(code__in=[*TRUMPS, "x", "xx"])
    calls = Event.objects.filter(said, table__in=table_ids, kind=EventKind.ACT, version__gt=Subquery(begun))
    calls = calls.exclude(table__phase=Phase.DEAL).order_by("table", "version")
    found: dict[int, SoFar] = {}
    for table_id, seat, code in calls.values_list("table_id", "seat", "code"):
        contract = _after(found.get(table_id), seat, code)
        if contract is not None:
            found[table_id] = contract
    return found


def _after(contract: SoFar | None, seat: int | None, code: str) -> SoFar | None:
    """The standing bid after one more call."""
    bid = _BID.fullmatch(code)
    if bid is not None and seat is not None:
        return SoFar(seat, int(bid["bid"]), bid["trump"])
    if contract is None:
        return None
    if code in TRUMPS:
        return replace(contract, trump=code[1])
    return replace(contract, doubled=4 if code == "xx" else 2)

"""What the lobby and the profile pages read: a fixed number of queries whatever the number of rows."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

from accounts.models import User
from games.models import Invitation, Phase, ResultKind, Ruleset, Seat, SeatKind, Table, Visibility
from games.queries import seats_with_users
from games.rules.seats import partner, side
from games.services.invitations import open_invitations
from games.spectating import is_delayed, spectators, with_sharing
from games.speeds import CUSTOM, SPEEDS, speed_of

LISTED_TABLES = 60
MATCHES_A_PAGE = 20
_BEING_PLAYED = (Phase.DEAL, Phase.AUCTION, Phase.TRUMP, Phase.PLAY)


@dataclass(frozen=True)
class LobbyTable:
    """A table as the lobby lists it. `seat` is the reader's own, None where the reader does not sit."""

    table: Table
    seats: list[Seat]
    seat: int | None

    @property
    def is_waiting(self) -> bool:
        return self.table.phase == Phase.WAITING

    @property
    def sides(self) -> list[tuple[list[Seat], int | None]]:
        """The two seats of each side and its points, where the reader may know them."""
        points = [None, None] if self.is_delayed else self.table.score
        return [(self.seats[number::2], points[number]) for number in (0, 1)]

    @property
    def is_delayed(self) -> bool:
        """Whether the reader, who does not sit there, may not know yet how it stands."""
        return self.seat is None and is_delayed(self.table)

    @property
    def watching(self) -> int:
        """How many watch."""
        return spectators(self.table, self.seats)

    @property
    def speed(self) -> str:
        """The name of its pace, as in `games/speeds.py`."""
        call = self.table.call_seconds or self.table.turn_seconds
        return speed_of(call, self.table.turn_seconds, self.table.bank_seconds)

    @property
    def taken(self) -> int:
        """How many of the four seats are taken."""
        return sum(seat.kind != SeatKind.OPEN for seat in self.seats)


@dataclass(frozen=True)
class Filters:
    """Which tables of others a reader wants listed; what is "" or 0 does not matter. `free`: seats at least."""

    ruleset: str = ""
    speed: str = ""
    rated: str = ""
    free: int = 0

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> "Filters":
        """The filters of an address or a cookie, where anything may stand."""
        free = str(given.get("free", ""))
        return cls(
            ruleset=_one_of(given.get("ruleset"), Ruleset.values),
            speed=_one_of(given.get("speed"), (*SPEEDS, CUSTOM)),
            rated=_one_of(given.get("rated"), ("1", "0")),
            free=int(free) if free in ("2", "3") else 0,
        )

    def but(self, **changed: Any) -> str:
        """These filters as an address has them, some of them changed."""
        return urlencode(asdict(replace(self, **changed)))

    @property
    def address(self) -> str:
        """These filters as an address has them."""
        return self.but()

    @property
    def is_any(self) -> bool:
        """Whether anything is filtered."""
        return self != Filters()

    def applied(self, tables: QuerySet[Table]) -> QuerySet[Table]:
        """The tables that are wanted, whatever their seats."""
        if self.ruleset:
            tables = tables.filter(ruleset=self.ruleset)
        if self.rated:
            tables = tables.filter(rated=self.rated == "1")
        if self.speed:
            tables = tables.annotate(call=Coalesce("call_seconds", "turn_seconds"))
            tables = tables.exclude(_NAMED) if self.speed == CUSTOM else tables.filter(_paced(self.speed))
        return tables

    def with_seats(self, tables: QuerySet[Table]) -> QuerySet[Table]:
        """Of these tables those with enough free seats."""
        if not self.free:
            return tables
        counted = tables.annotate(open=Count("seats", filter=Q(seats__kind=SeatKind.OPEN)))
        return counted.filter(open__gte=self.free)


def _one_of(value: Any, allowed: Iterable[str]) -> str:
    return value if value in tuple(allowed) else ""


def _paced(name: str) -> Q:
    speed = SPEEDS[name]
    return Q(call=speed.call, turn_seconds=speed.card, bank_seconds=speed.bank)


_NAMED = _paced("fast") | _paced("normal") | _paced("slow")


@dataclass(frozen=True)
class Lobby:
    """What one reader is shown: the own unfinished tables and invitations, open public tables, those in play."""

    mine: list[LobbyTable]
    invitations: list[Invitation]
    waiting: list[LobbyTable]
    playing: list[LobbyTable]

    @property
    def is_cut(self) -> bool:
        """Whether there are more tables than are listed."""
        return LISTED_TABLES in (len(self.waiting), len(self.playing))

    @property
    def next_table(self) -> LobbyTable | None:
        """Where "play" leads: back to a match in play, else to the own table; None: to quick match."""
        return next(iter(sorted(self.mine, key=lambda row: row.is_waiting)), None)


def lobby(user: User | None, filters: Filters = Filters()) -> Lobby:
    """The lobby of one reader (None: not logged in). What is the reader's own is listed whatever the filters."""
    mine = _rows(_own_tables(user), user) if user else []
    own = {row.table.pk for row in mine}
    public = filters.applied(Table.objects.filter(visibility=Visibility.PUBLIC).exclude(pk__in=own))
    return Lobby(
        mine=mine,
        invitations=list(open_invitations(user)) if user else [],
        waiting=_rows(filters.with_seats(public.filter(phase=Phase.WAITING)), user),
        playing=_rows(public.filter(phase__in=_BEING_PLAYED), user),
    )


def _own_tables(user: User) -> QuerySet[Table]:
    seated = Q(pk__in=Seat.objects.filter(user=user).values("table"))
    hosted = Q(host=user, phase=Phase.WAITING)
    return Table.objects.filter(seated | hosted).exclude(phase=Phase.OVER)


def _rows(tables: QuerySet[Table], user: User | None) -> list[LobbyTable]:
    newest = with_sharing(tables).order_by("-created_at").prefetch_related(seats_with_users())[:LISTED_TABLES]
    return [lobby_table(table, user) for table in newest]


def lobby_table(table: Table, user: User | None) -> LobbyTable:
    """A table, its seats at hand, as it is listed for a reader."""
    seats = list(table.seats.all())
    return LobbyTable(table, seats, seat_of(seats, user))


def seat_of(seats: Iterable[Seat], user: User | None) -> int | None:
    """The number of the seat that a user owns, or None."""
    if user is None:
        return None
    return next((seat.number for seat in seats if seat.user_id == user.pk), None)


def shown_name(seat: Seat) -> str:
    """What people are told of who owns a seat, in the reader's language."""
    return seat.user.username if seat.user else gettext("Bot")


def table_at(code: str) -> Table | None:
    """The table of a code in any case, with its seats and their players; None where there is none."""
    if not code.isalnum():
        # Not from an address only, which holds nothing else, and the database takes no NUL.
        return None
    return (
        Table.objects.select_related("host")
        .prefetch_related(seats_with_users())
        .filter(code=code.upper())
        .first()
    )


@dataclass(frozen=True)
class PlayedMatch:
    """A finished match as one of its players saw it. `outcome`: won, lost, draw or no-result."""

    table: Table
    partner: Seat
    opponents: list[Seat]
    ours: int
    theirs: int
    outcome: str


@dataclass(frozen=True)
class History:
    """One page of a player's finished matches."""

    page: Page[Table]
    matches: list[PlayedMatch]


def history(user: User, number: str | int = 1) -> History:
    """A page of a player's finished matches, newest first; past the last page comes the last."""
    tables = finished().filter(seats__user=user).prefetch_related(seats_with_users())
    page = Paginator(tables.order_by("-ended_at", "-pk"), MATCHES_A_PAGE).get_page(number)
    return History(page, [_played(table, user) for table in page])


def finished() -> QuerySet[Table]:
    """Tables whose match was played to an end; those closed before it are not among them."""
    return Table.objects.filter(phase=Phase.OVER).exclude(result_kind="")


def _played(table: Table, user: User) -> PlayedMatch:
    seats = list(table.seats.all())
    own = next(seat.number for seat in seats if seat.user_id == user.pk)
    return PlayedMatch(
        table=table,
        partner=seats[partner(own)],
        opponents=[seat for seat in seats if side(seat.number) != side(own)],
        ours=table.score[side(own)],
        theirs=table.score[1 - side(own)],
        outcome=_outcome(table, side(own)),
    )


def _outcome(table: Table, own_side: int) -> str:
    if table.winner is not None:
        return "won" if table.winner == own_side else "lost"
    return "draw" if table.result_kind == ResultKind.DRAW else "no-result"


@dataclass(frozen=True)
class Statistics:
    """A player's finished matches in numbers; contracts are those of his side."""

    played: int
    won: int
    contracts: int
    made: int

    @property
    def won_percent(self) -> int:
        """Of the matches played, rounded; 0 where there are none."""
        return round(100 * self.won / self.played) if self.played else 0

    @property
    def made_percent(self) -> int:
        """Of the side's contracts, rounded; 0 where there are none."""
        return round(100 * self.made / self.contracts) if self.contracts else 0


# A made contract leaves the defenders at 0, a failed one costs the bidders: the points tell whose it was.
_EVEN, _ODD = Q(number__in=(0, 2)), Q(number__in=(1, 3))
_OWN_MADE = _EVEN & Q(table__deals__change__0__gt=0, table__deals__change__1=0) | _ODD & Q(
    table__deals__change__1__gt=0, table__deals__change__0=0
)
_OWN_FAILED = _EVEN & Q(table__deals__change__0__lt=0) | _ODD & Q(table__deals__change__1__lt=0)


def statistics(user: User) -> Statistics:
    """What the stored facts say of a player, in two queries and without running any rules."""
    seats = Seat.objects.filter(user=user, table__phase=Phase.OVER).exclude(table__result_kind="")
    matches = seats.aggregate(played=Count("pk"), won=Count("pk", filter=Q(table__winner=F("number") % 2)))
    contracts = seats.aggregate(
        made=Count("table__deals", filter=_OWN_MADE), failed=Count("table__deals", filter=_OWN_FAILED)
    )
    return Statistics(**matches, contracts=sum(contracts.values()), made=contracts["made"])


def cards_are_out(table: Table) -> bool:
    """Whether a table's secret and decks may be seen: it, and all others dealt from its secret, are over."""
    if table.phase != Phase.OVER:
        return False
    return not Table.objects.filter(commitment=table.commitment).exclude(phase=Phase.OVER).exists()

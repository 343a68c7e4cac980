"""What the lobby and the profile pages read: a fixed number of queries whatever the number of rows."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

from accounts.models import User
from games.models import Invitation, Phase, Ruleset, Seat, SeatKind, Table, Visibility
from games.queries import cards_are_out as cards_are_out
from games.queries import seats_with_users
from games.services.invitations import open_invitations
from games.spectating import is_delayed, spectators, with_sharing
from games.speeds import CUSTOM, SPEEDS, speed_of

LISTED_TABLES = 60
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

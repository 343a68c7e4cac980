"""Why a match is not played: a round waits to be opened, a pair lacks a player or plays elsewhere, a table is still."""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.text import isolate
from games.models import Event, Phase, Seat
from tournaments.formats.names import read_name
from tournaments.formats.results import Pairing
from tournaments.models import Entry, Pace, PairingTable, State, TableState, Tournament
from tournaments.queries import pair_name, players
from tournaments.services.crews import CREW, gives_up_at, short_since
from tournaments.services.elsewhere import waited_for
from tournaments.services.pace import Rounds, wave

if TYPE_CHECKING:
    from tournaments.console import Console

# Where nothing has happened for so long at a table somebody should look.
STILL = timedelta(minutes=5)
# The steward has had time enough to do what was due.
OVERDUE = timedelta(minutes=1)


def with_last_sign(rows: QuerySet[PairingTable]) -> QuerySet[PairingTable]:
    """The rows, each with the moment of the newest event at its table, `moved_at`."""
    newest = Event.objects.filter(table=OuterRef("table")).order_by("-version").values("at")[:1]
    return rows.annotate(moved_at=Subquery(newest))


def still_minutes(row: PairingTable, now: datetime) -> int:
    """For how many minutes nothing has happened at a table in play; 0 while it goes on, or its clock runs."""
    table = row.table
    if row.state != TableState.OPEN or table.phase == Phase.OVER:
        return 0
    if table.due_at is not None and table.due_at > now - OVERDUE:
        return 0
    since = max(filter(None, (getattr(row, "moved_at", None), row.opened_at, table.paused_at)), default=now)
    return int((now - since).total_seconds() // 60) if now - since >= STILL else 0


def at_other_tables(users: Iterable[int], but: Collection[int]) -> set[int]:
    """Ids of those of these users who play now, at a table that is none of these."""
    seats = Seat.objects.filter(user__in=list(users)).exclude(table__in=but)
    playing = seats.exclude(table__phase__in=(Phase.WAITING, Phase.OVER))
    return {user for user in playing.values_list("user", flat=True) if user is not None}


class Hindrances:
    """Of the pairings that could be played and have no table: what each waits for. Each is read once, if asked for."""

    def __init__(self, console: "Console") -> None:
        self._console = console
        self._tournament: Tournament = console.tournament

    @cached_property
    def waiting(self) -> dict[str, Pairing]:
        """The ready pairings without a table, by id."""
        if self._tournament.state != State.RUNNING or self._console.plan is None:
            return {}
        rows = self._console.rows.values()
        tabled = {row.pairing for row in rows if row.state in (TableState.OPEN, TableState.HELD)}
        return {p.id: p for p in self._console.plan.pairings if p.status == "ready" and p.id not in tabled}

    @cached_property
    def rounds(self) -> Rounds:
        return Rounds(self._tournament)

    @cached_property
    def to_be_opened(self) -> list[tuple[str, int]]:
        """The rounds that only a human opens now, each with how many of its pairings could be played."""
        tournament, times = self._tournament, self.rounds.times
        opened = {key for key, time in times.items() if time.opened_at is not None}
        if tournament.pace != Pace.ROUNDS or tournament.break_minutes is not None or not opened:
            return []
        keys = [read_name(id_).key for id_ in self.waiting]
        if self._is_played(opened):
            return []
        nobody = [key for key in wave(keys) if key not in times or times[key].starts_at is None]
        return [(key, keys.count(key)) for key in nobody]

    def _is_played(self, opened: Collection[str]) -> bool:
        """Whether an open round still has something to play."""
        plan = self._console.plan
        pairings = plan.pairings if plan else ()
        return any(p.status == "ready" and read_name(p.id).key in opened for p in pairings)

    @cached_property
    def short(self) -> dict[str, datetime]:
        """Those that a short-handed pair keeps from being played, since when."""
        return short_since(self._tournament, list(self.waiting)) if self.waiting else {}

    @cached_property
    def elsewhere(self) -> dict[str, list[tuple[User, Tournament]]]:
        """Those whose players play in another tournament now, with who and where."""
        by_ident = self._console.by_ident
        crews = {
            id_: [user for side in pairing.sides if side in by_ident for user in players(by_ident[side])]
            for id_, pairing in self.waiting.items()
            if self.is_open(pairing)
        }
        users = {user.pk: user for crew in crews.values() for user in crew}
        found = waited_for(self._tournament, users.values()) if users else {}
        return {
            id_: [(user, found[user.pk]) for user in crew if user.pk in found]
            for id_, crew in crews.items()
            if any(user.pk in found for user in crew)
        }

    @cached_property
    def _playing(self) -> dict[str, PairingTable]:
        """By entrant the table of this tournament where it plays now."""
        return {side: row for row in self._console.open_rows for side in row.sides}

    def is_open(self, pairing: Pairing) -> bool:
        """Whether its round is open and its hour has come."""
        return self.rounds.may_play(pairing, self._console.now)

    def why(self, pairing: Pairing) -> str:
        """Why a ready pairing has no table, in a sentence; empty where nothing is known."""
        if pairing.id not in self.waiting:
            return ""
        if pairing.id in self.short:
            return self.lacking(pairing)
        if pairing.id in self.elsewhere:
            return self.away(pairing.id)
        if not self.is_open(pairing):
            return _("Its round has not begun.")
        for side in pairing.sides:
            row = self._playing.get(side or "")
            if row is not None and side is not None:
                said = _("%(pair)s still plays at table %(number)s.")
                return said % {"pair": self._named(side), "number": row.number or row.table.code}
        return ""

    def lacking(self, pairing: Pairing) -> str:
        """Which pair is short of a player, and what follows when."""
        short = [side for side in pairing.sides if side in self._console.by_ident and self._is_short(side)]
        said = _("%(pair)s lacks a player.") % {
            "pair": _(", ").join(self._named(side) for side in short or pairing.sides if side)
        }
        until = gives_up_at(self._tournament, self.short[pairing.id])
        if until is None:
            return said
        left = max(0, int((until - self._console.now).total_seconds() // 60))
        return said + " " + _("Forfeited in %(minutes)s min.") % {"minutes": left}

    def away(self, pairing: str) -> str:
        """Who is waited for, and in which tournament that one plays."""
        said = [
            _("%(player)s plays in another tournament.") % {"player": isolate(user.username)}
            if other.is_private
            else _("%(player)s plays in %(tournament)s.")
            % {"player": isolate(user.username), "tournament": isolate(other.name)}
            for user, other in self.elsewhere[pairing]
        ]
        return " ".join(said)

    def _is_short(self, ident: str) -> bool:
        return sum(user.is_active for user in players(self._console.by_ident[ident])) < CREW

    def _named(self, ident: str) -> str:
        entry: Entry | None = self._console.by_ident.get(ident)
        return isolate(pair_name(entry)) if entry else ""

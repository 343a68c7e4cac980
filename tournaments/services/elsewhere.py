"""Nobody is called to two tables at once: who plays in another tournament is waited for."""

from collections.abc import Iterable

from accounts.models import User
from games.models import Phase, Seat
from tournaments.models import Member, PairingTable, State, TableState, Tournament

UNDER_WAY = (State.OPEN, State.READY, State.RUNNING)


def called_elsewhere(tournament: Tournament, users: Iterable[User]) -> set[int]:
    """Ids of those of these users who play in another tournament now.

    The rows of those who take part in several are held till the end of the open transaction: two tournaments
    that want the same player at one instant take turns.
    """
    asked = [user.pk for user in users]
    others = Member.objects.filter(user__in=asked, active=True, tournament__state__in=UNDER_WAY)
    shared = sorted(set(others.exclude(tournament=tournament).values_list("user", flat=True)))
    if not shared:
        return set()
    # Without the key: a move of one of them refers to the row, and all moves stored with it would wait for us.
    list(User.objects.select_for_update(no_key=True).filter(pk__in=shared).order_by("pk").values_list("pk"))
    rows = PairingTable.objects.filter(state=TableState.OPEN).exclude(tournament=tournament)
    seats = Seat.objects.filter(table__in=rows.values("table"), user__in=shared)
    return set(seats.exclude(table__phase=Phase.OVER).values_list("user", flat=True))


def playing_elsewhere(tournament: Tournament) -> set[int]:
    """Ids of those of the tournament's players who play in another one now; nothing is held."""
    rows = PairingTable.objects.filter(state=TableState.OPEN).exclude(tournament=tournament)
    own = Member.objects.filter(tournament=tournament, active=True)
    seats = Seat.objects.filter(table__in=rows.values("table"), user__in=own.values("user"))
    return set(seats.exclude(table__phase=Phase.OVER).values_list("user", flat=True))


def waited_for(tournament: Tournament, users: Iterable[User]) -> dict[int, Tournament]:
    """By user the other tournament where that one plays now; for those who look at the console."""
    rows = PairingTable.objects.filter(state=TableState.OPEN).exclude(tournament=tournament)
    seats = Seat.objects.filter(table__in=rows.values("table"), user__in=[user.pk for user in users])
    playing = seats.exclude(table__phase=Phase.OVER).select_related("table__pairing__tournament")
    return {seat.user_id: seat.table.pairing.tournament for seat in playing if seat.user_id is not None}

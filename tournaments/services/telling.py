"""What players and officials are told of a tournament that runs; each of it once."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.notices import Telling, notify
from accounts.text import isolate
from games.models import SeatKind
from tournaments.formats.results import Pairing
from tournaments.models import PairingTable, Tournament
from tournaments.services.permissions import ALLOWED

Say = Callable[[], str]


def officials(tournament: Tournament, act: str) -> list[User]:
    """Who may do this in the tournament: its owner and the officials of these roles."""
    offices = Q(offices__tournament=tournament, offices__role__in=ALLOWED[act])
    return list(User.objects.filter(Q(pk=tournament.organiser_id) | offices).distinct().order_by("pk"))


def side_users(row: PairingTable) -> tuple[list[User], list[User]]:
    """The players of a pairing's table, by side."""
    seats = row.table.seats.filter(kind=SeatKind.PLAYER).select_related("user").order_by("number")
    sides: tuple[list[User], list[User]] = ([], [])
    for seat in seats:
        if seat.user is not None:
            sides[seat.number % 2].append(seat.user)
    return sides


def ready(tournament: Tournament, row: PairingTable, users: Iterable[User], names: Sequence[str]) -> Telling:
    """The players' table is open."""
    said = {"tournament": isolate(tournament.name), "one": isolate(names[0]), "other": isolate(names[1])}

    def say() -> str:
        return _("%(tournament)s: your table is ready, %(one)s against %(other)s.") % said

    return Telling(users, f"table-{row.pk}-ready", say, row.table.get_absolute_url())


def walkover(tournament: Tournament, pairing: Pairing, users: Mapping[str, Iterable[User]]) -> Telling:
    """The other side has left before the match could begin."""
    said = {"tournament": isolate(tournament.name)}

    def say() -> str:
        return _("%(tournament)s: the pair you were to meet has left, the match is yours.") % said

    gone = next(side for side in pairing.sides if side != pairing.winner)
    key = f"tournament-{tournament.pk}-{pairing.id}-without-{gone}"
    return Telling(users.get(pairing.winner or "", ()), key, say, tournament.get_absolute_url())


def tell_called(tournament: Tournament, row: PairingTable, users: Iterable[User], now: datetime) -> None:
    """Who has not come to the table is called again."""
    left = None if row.late_at is None else max(1, round((row.late_at - now).total_seconds() / 60))

    def say() -> str:
        said = {"tournament": isolate(tournament.name), "minutes": left}
        if left is None:
            return _("%(tournament)s: you are awaited at your table.") % said
        return (
            ngettext(
                "%(tournament)s: you are awaited at your table. You have one more minute.",
                "%(tournament)s: you are awaited at your table. You have %(minutes)s more minutes.",
                left,
            )
            % said
        )

    notify(users, f"table-{row.pk}-called", say, url=row.table.get_absolute_url(), now=now)


def tell_officials(
    tournament: Tournament,
    act: str,
    key: str,
    say: Say,
    now: datetime,
    *,
    url: str = "",
    by_mail: bool = False,
) -> None:
    """Whoever may do something about it is told."""
    users = officials(tournament, act)
    notify(users, key, say, url=url or f"{tournament.get_absolute_url()}organise/", by_mail=by_mail, now=now)


def closed(tournament: Tournament, row: PairingTable, pairing: Pairing | None) -> list[Telling]:
    """The players' table counts no more: the match was decided otherwise, or others are to play it."""
    url = tournament.get_absolute_url()
    return [
        Telling(users, f"table-{row.pk}-closed", _why_closed(tournament, row, pairing, side), url)
        for side, users in enumerate(side_users(row))
    ]


def _why_closed(tournament: Tournament, row: PairingTable, pairing: Pairing | None, side: int) -> Say:
    said = {"tournament": isolate(tournament.name)}
    same = pairing is not None and list(pairing.sides) == row.sides
    won = pairing is not None and pairing.winner == row.sides[side]

    def say() -> str:
        if pairing is None or not same or pairing.status != "done":
            return _("%(tournament)s: your match does not count any more, the pairing was changed.") % said
        if pairing.decided_by == "double-forfeit":
            return _("%(tournament)s: neither pair wins your match, both have forfeited it.") % said
        if pairing.decided_by in ("forfeit", "walkover"):
            return (_WON if won else _LOST)() % said
        return _("%(tournament)s: your match was decided by an official.") % said

    return say


def _WON() -> str:  # noqa: N802
    return _("%(tournament)s: your opponents have forfeited the match, it is yours.")


def _LOST() -> str:  # noqa: N802
    return _("%(tournament)s: your pair has forfeited its match.")


def tell_paused(tournament: Tournament, users: Iterable[User], *, resumed: bool, now: datetime) -> None:
    """Everything stands still, or goes on."""
    said = {"tournament": isolate(tournament.name)}

    def say() -> str:
        if resumed:
            return _("%(tournament)s goes on. Come back to your table.") % said
        return _("%(tournament)s is paused: all clocks stand still.") % said

    kind = "resumed" if resumed else "paused"
    key = f"tournament-{tournament.pk}-{kind}-{now:%Y%m%d%H%M%S}"
    notify(users, key, say, url=tournament.get_absolute_url(), now=now)


def tell_to_confirm(tournament: Tournament, row: PairingTable, now: datetime) -> None:
    """The result of the players' match waits for their word."""
    score = f"{row.table.score[0]} : {row.table.score[1]}"
    said = {"tournament": isolate(tournament.name), "score": isolate(score)}

    def say() -> str:
        return _("%(tournament)s: confirm the result of your match, %(score)s, or object to it.") % said

    users = [user for side in side_users(row) for user in side]
    notify(users, f"table-{row.pk}-confirm", say, url=tournament.get_absolute_url(), now=now)

"""What players and officials are told of a tournament that runs; each of it once."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.notices import Telling, notify
from accounts.text import POP_ISOLATE, isolate
from games.models import Seat, SeatKind
from tournaments.formats.results import Pairing
from tournaments.models import PairingTable, Tournament
from tournaments.services.permissions import ALLOWED

LEFT_TO_RIGHT_ISOLATE = "\N{LEFT-TO-RIGHT ISOLATE}"
MINUS = "\N{MINUS SIGN}"
Say = Callable[[], str]
TwoSides = tuple[list[User], list[User]]


def officials(tournament: Tournament, act: str) -> list[User]:
    """Who may do this in the tournament: its owner and the officials of these roles."""
    offices = Q(offices__tournament=tournament, offices__role__in=ALLOWED[act])
    return list(User.objects.filter(Q(pk=tournament.organiser_id) | offices).distinct().order_by("pk"))


def side_users(rows: Iterable[PairingTable]) -> dict[int, TwoSides]:
    """The players of each of these pairings' tables, by side; by the rows' keys."""
    by_table = {row.table_id: row.pk for row in rows}
    found: dict[int, TwoSides] = {pk: ([], []) for pk in by_table.values()}
    seats = Seat.objects.filter(table__in=by_table, kind=SeatKind.PLAYER, user__isnull=False)
    for seat in seats.select_related("user").order_by("table", "number"):
        assert seat.user is not None
        found[by_table[seat.table_id]][seat.number % 2].append(seat.user)
    return found


def ready(
    tournament: Tournament,
    row: PairingTable,
    users: Iterable[User],
    names: Sequence[str],
    match: tuple[int, int] | None = None,
) -> Telling:
    """The players' table is open. `match`: which of how many, where several decide the pairing."""
    said: dict[str, object] = {"tournament": isolate(tournament.name)}
    said |= {"one": isolate(names[0]), "other": isolate(names[1])}
    if match is not None:
        said |= {"match": match[0], "matches": match[1]}

    def say() -> str:
        if match is not None:
            return (
                _(
                    "%(tournament)s: your table is ready, %(one)s against %(other)s; "
                    "match %(match)s of at most %(matches)s."
                )
                % said
            )
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


def closed(
    tournament: Tournament, row: PairingTable, pairing: Pairing | None, seated: TwoSides
) -> list[Telling]:
    """The players' table counts no more: the match was decided otherwise, or others are to play it."""
    url = tournament.get_absolute_url()
    return [
        Telling(users, f"table-{row.pk}-closed", _why_closed(tournament, row, pairing, side), url)
        for side, users in enumerate(seated)
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
            return (_won() if won else _lost()) % said
        return _("%(tournament)s: your match was decided by an official.") % said

    return say


def lost(tournament: Tournament, row: PairingTable, gone: int, seated: TwoSides) -> list[Telling]:
    """A side did not come to one match of several; the pairing goes on, or this was the last of it."""
    said = {"tournament": isolate(tournament.name)}

    def say_lost() -> str:
        return _("%(tournament)s: your pair was not at the table in time; this match is lost.") % said

    def say_won() -> str:
        return _("%(tournament)s: your opponents were not at the table in time; this match is yours.") % said

    url, key = tournament.get_absolute_url(), f"table-{row.pk}-closed"
    return [
        Telling(users, key, say_lost if side == gone else say_won, url) for side, users in enumerate(seated)
    ]


def entered(tournament: Tournament, row: PairingTable, seated: TwoSides) -> list[Telling]:
    """The players' table is closed: an official has entered how their match ended."""
    said = {"tournament": isolate(tournament.name)}

    def say() -> str:
        return _("%(tournament)s: an official has entered the result of your match.") % said

    url, key = tournament.get_absolute_url(), f"table-{row.pk}-closed"
    return [Telling(users, key, say, url) for users in seated]


def _won() -> str:
    return _("%(tournament)s: your opponents have forfeited the match, it is yours.")


def _lost() -> str:
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


def to_be_confirmed(tournament: Tournament, row: PairingTable, seated: TwoSides) -> list[Telling]:
    """The result of the players' match waits for their word; each side reads its own points first."""
    url = tournament.get_absolute_url()
    return [
        Telling(users, f"table-{row.pk}-confirm", _asks_to_confirm(tournament, row, side), url)
        for side, users in enumerate(seated)
    ]


def _asks_to_confirm(tournament: Tournament, row: PairingTable, side: int) -> Say:
    points = row.table.score
    said = {
        "tournament": isolate(tournament.name),
        "own": _points(points[side]),
        "others": _points(points[1 - side]),
    }

    def say() -> str:
        return (
            _("%(tournament)s: confirm the result of your match, %(own)s to %(others)s, or object to it.")
            % said
        )

    return say


def _points(points: int) -> str:
    """Points with their sign before them, in either language."""
    return f"{LEFT_TO_RIGHT_ISOLATE}{points}{POP_ISOLATE}".replace("-", MINUS)


def time_is_up(tournament: Tournament, row: PairingTable, seated: TwoSides, *, is_over: bool) -> Telling:
    """The match has lasted as long as it may."""
    said = {"tournament": isolate(tournament.name)}

    def say() -> str:
        if is_over:
            return (
                _("%(tournament)s: the time of your match is up, the points of the finished deals decide.")
                % said
            )
        return _("%(tournament)s: the time of your match is up, this deal is the last.") % said

    users = [user for side in seated for user in side]
    return Telling(users, f"table-{row.pk}-limit", say, row.table.get_absolute_url())

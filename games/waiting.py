"""What people who look for a match are shown: how they stand, who else waits, who asks them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q, QuerySet

from accounts import notices
from accounts.models import Mute, Notice, User
from accounts.queries import search_players
from games.models import Invitation, Phase, Ruleset, Seat, Seek, Table
from games.services.invitations import open_invitations
from games.services.quick import BOTS_AFTER
from games.services.wishes import SEEN_FOR

SUGGESTED = 8
SHOWN_NOTICES = 5
TOLD = 100
SHORTEST_SEARCH = 2


@dataclass(frozen=True)
class Standing:
    """How somebody stands with quick match. `state`: none, asking (a partner), waiting, found."""

    state: str
    wish: Seek | None = None
    partner: User | None = None
    waited_seconds: int = 0
    people: int = 0
    bots_in_seconds: int = 0

    @property
    def table(self) -> Table | None:
        """The table that was found."""
        return self.wish.table if self.wish and self.state == "found" else None


@dataclass(frozen=True)
class Crowd:
    """So many people wait for the same match; `bots_since`: since when one does who would play with bots."""

    ruleset: str
    speed: str
    rated: bool
    people: int
    since: datetime
    bots_since: datetime | None

    @property
    def ruleset_name(self) -> str:
        """The ruleset as people call it."""
        return str(Ruleset(self.ruleset).label)


def standing(user: User, *, now: datetime) -> Standing:
    """How a user stands with quick match."""
    own = Q(user=user) | Q(partner=user, accepted=True)
    wish = Seek.objects.filter(own).select_related("user", "partner", "table").order_by("-pk").first()
    if wish is None:
        return Standing("none")
    other = wish.partner if wish.user_id == user.pk else wish.user
    waited = max(0, int((now - wish.created_at) / timedelta(seconds=1)))
    if wish.table is not None:
        state = "none" if wish.table.phase == Phase.OVER else "found"
        return Standing(state, wish, other, waited)
    if wish.seen_at <= now - SEEN_FOR:
        return Standing("none")
    if not wish.accepted:
        return Standing("asking", wish, other, waited)
    crowd = next(crowd for crowd in crowds(now=now) if _same(crowd, wish))
    bots_in = (crowd.bots_since or now) + BOTS_AFTER - now
    return Standing("waiting", wish, other, waited, crowd.people, max(0, int(bots_in.total_seconds())))


def _same(crowd: Crowd, wish: Seek) -> bool:
    return (crowd.ruleset, crowd.speed, crowd.rated) == (wish.ruleset, wish.speed, wish.rated)


def crowds(*, now: datetime) -> list[Crowd]:
    """Who waits for what, most people first."""
    waiting = Seek.objects.filter(accepted=True, table=None, seen_at__gt=now - SEEN_FOR).order_by(
        "created_at"
    )
    kinds: dict[tuple[str, str, bool], list[Seek]] = {}
    for wish in waiting:
        kinds.setdefault((wish.ruleset, wish.speed, wish.rated), []).append(wish)
    found = [_crowd(alike) for alike in kinds.values()]
    return sorted(found, key=lambda crowd: -crowd.people)


def _crowd(alike: Sequence[Seek]) -> Crowd:
    first = alike[0]
    return Crowd(
        ruleset=first.ruleset,
        speed=first.speed,
        rated=first.rated,
        people=sum(_size(wish) for wish in alike),
        since=first.created_at,
        bots_since=next((wish.created_at for wish in alike if wish.bots), None),
    )


def _size(wish: Seek) -> int:
    return 1 if wish.partner_id is None else 2


def people_waiting(*, now: datetime) -> int:
    """How many people look for a match, in one query."""
    waiting = Seek.objects.filter(accepted=True, table=None, seen_at__gt=now - SEEN_FOR)
    counted = waiting.aggregate(wishes=Count("pk"), partners=Count("partner"))
    return int(counted["wishes"] + counted["partners"])


def asks(user: User, *, now: datetime) -> QuerySet[Seek]:
    """Who asks this user to be their partner now; nobody whom the user has muted."""
    muted = Mute.objects.filter(user=user).values("muted")
    asking = Seek.objects.filter(partner=user, accepted=False, seen_at__gt=now - SEEN_FOR)
    return asking.exclude(user__in=muted).select_related("user").order_by("created_at", "pk")


@dataclass(frozen=True)
class News:
    """What waits for a user's word, who has declined at the user's own tables, and which of a tournament call.

    `notices`: what the user was told and has not read, newest first, no more than are shown.
    """

    invitations: list[Invitation]
    asks: list[Seek]
    declined: list[Invitation]
    tournament_tables: list[Table]
    notices: list[Notice]

    @property
    def count(self) -> int:
        """How many questions wait for an answer, and notices to be read."""
        return len(self.invitations) + len(self.asks) + len(self.notices)


def news(user: User, *, now: datetime) -> News:
    """What concerns a user wherever they are on the site, in five queries."""
    declined = Invitation.objects.filter(by=user, accepted=False, table__phase=Phase.WAITING)
    return News(
        invitations=list(open_invitations(user)),
        asks=list(asks(user, now=now)),
        declined=list(declined.select_related("to", "table")),
        tournament_tables=list(_tournament_tables(user)),
        notices=list(notices.unread(user)[:SHOWN_NOTICES]),
    )


def told(user: User) -> list[Notice]:
    """What the user was told of late, read or not, newest first."""
    return list(Notice.objects.filter(user=user)[:TOLD])


def _tournament_tables(user: User) -> QuerySet[Table]:
    """The tables of tournaments where this user has to play now."""
    seated = Seat.objects.filter(user=user).exclude(table__title="").exclude(table__phase=Phase.OVER)
    return Table.objects.filter(pk__in=seated.values("table")).order_by("pk")


def may_invite(table: Table, user: User | None) -> bool:
    """Whether a reader may ask people by name to a table: who sits there or opened it, until it starts."""
    if user is None or user.is_guest or table.phase != Phase.WAITING:
        return False
    return table.host_id == user.pk or any(seat.user_id == user.pk for seat in table.seats.all())


def invited(table: Table, reader: User) -> list[Invitation]:
    """Whom a reader who may invite has to wait for at a table, or who said no."""
    found = Invitation.objects.filter(table=table).exclude(accepted=True).select_related("to")
    return list(found.exclude(to__in=table.seats.exclude(user=None).values("user")).exclude(to=reader))


def suggested(text: str, *, reader: User, at_table: Iterable[int] = ()) -> list[str]:
    """Names of players that hold the text: a few, and only of people with accounts."""
    if len(text.strip()) < SHORTEST_SEARCH:
        return []
    left_out = {reader.pk, *at_table}
    found = search_players(text, limit=SUGGESTED + len(left_out))
    return [player.username for player in found if player.pk not in left_out][:SUGGESTED]

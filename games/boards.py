"""The boards: players, pairs, clubs and countries by what is certain of their ratings. Every read is bounded.

Listed is whose rating is known well enough now, of a season whoever played ten matches in it; guests and closed
accounts are not. A club, as a country, is as strong as its four best who are listed: enough for a table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.db import connection
from django.db.models import Q, QuerySet

from accounts.countries import country_name
from accounts.models import Pair, Rating, SeasonRating, User
from games.models import Ruleset
from games.speeds import SPEEDS
from games.strength import ALL, Strength, margin, rested, season_of

KINDS: Final = ("players", "pairs", "clubs", "countries")
LISTED: Final = 1000
A_PAGE: Final = 50
TEAM: Final = 4
# Clubs and countries are counted among so many of the best players.
COUNTED: Final = 5000
SEASONS: Final = 8

TEAMS_SQL = """
with best as ({best}),
numbered as (
    select *, row_number() over (partition by team order by least desc) as place, count(*) over (partition by team)
           as members
      from best where team <> ''
)
select mode() within group (order by name), round(avg(least)), max(members)
  from numbered where place <= {team} group by team having count(*) = {team}
 order by avg(least) desc, team limit {most}
"""
ALL_TIME_SQL = """
select r.least, {team} as team, {name} as name from accounts_rating r join accounts_user u on u.id = r.user_id
 where r.pair_id is null and r.ruleset = %(ruleset)s and r.speed = %(speed)s and r.known_until > %(now)s
   and u.is_active and not u.is_guest and u.closed_at is null
 order by r.least desc, r.id limit {most}
"""
SEASON_SQL = """
select s.least, {team} as team, {name} as name
  from accounts_seasonrating s join accounts_rating r on r.id = s.rating_id join accounts_user u on u.id = r.user_id
 where s.season = %(season)s and s.ruleset = %(ruleset)s and s.speed = %(speed)s and not s.is_pair and s.listed
   and u.is_active and not u.is_guest and u.closed_at is null
 order by s.least desc, s.rating_id limit {most}
"""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which board is looked at; `season` "" is all time."""

    kind: str = "players"
    ruleset: str = Ruleset.KOTCHINA
    speed: str = ALL
    season: str = ""

    @classmethod
    def read(cls, given: Mapping[str, Any], now: datetime) -> "Choice":
        """The choice of an address, where anything may stand."""
        return cls(
            kind=_one_of(given.get("kind"), KINDS),
            ruleset=_one_of(given.get("ruleset"), Ruleset.values),
            speed=_one_of(given.get("speed"), (ALL, *SPEEDS)),
            season=_one_of(given.get("season"), ("", *seasons(now))),
        )

    @property
    def address(self) -> str:
        """The choice as an address has it."""
        return urlencode(asdict(self))

    @property
    def is_of_pairs(self) -> bool:
        return self.kind == "pairs"


@dataclass(frozen=True, slots=True)
class Row:
    """One line: its place, who it is, what is certain of the rating, the rating and how uncertain it is."""

    place: int
    who: User | Pair
    least: int
    points: int
    margin: int
    matches: int
    gained: int | None = None
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class Team:
    """A club or a country: the mean of its four best, and how many of it are listed."""

    place: int
    name: str
    least: int
    members: int


@dataclass(frozen=True)
class Board:
    """A page of a board. `own`: the reader's own line, wherever it stands."""

    choice: Choice
    rows: Sequence[Row]
    teams: Sequence[Team]
    page: "Page[Any] | None"
    own: Row | None


def board(choice: Choice, page: int | str, reader: User | None, now: datetime) -> Board:
    """What one reader is shown of a board."""
    if choice.kind in ("clubs", "countries"):
        return Board(choice, [], _teams(choice, now), None, None)
    ordered = _ordered(choice, now)
    found = Paginator(ordered[:LISTED], A_PAGE).get_page(page)
    rows = [
        _row(place, row, choice, reader, now)
        for place, row in enumerate(found.object_list, found.start_index())
    ]
    own = next((row for row in rows if row.is_own), None) or _own(choice, ordered, reader, now)
    return Board(choice, rows, [], found, own)


def seasons(now: datetime) -> list[str]:
    """The seasons that can be looked at, the running one first."""
    year, quarter = map(int, season_of(now).split("-"))
    last = 4 * year + quarter - 1
    return [f"{number // 4}-{number % 4 + 1}" for number in range(last, last - SEASONS, -1)]


def listed_ratings(is_of_pairs: bool, now: datetime) -> QuerySet[Rating]:
    """The ratings that may stand on a board of all time."""
    rows = Rating.objects.filter(known_until__gt=now)
    if is_of_pairs:
        return rows.filter(_open("pair__first__"), _open("pair__second__"), user=None)
    return rows.filter(_open("user__"), pair=None)


def _open(path: str) -> Q:
    wanted = {"is_active": True, "is_guest": False, "closed_at": None}
    return Q(**{f"{path}{name}": value for name, value in wanted.items()})


def _ordered(choice: Choice, now: datetime) -> QuerySet[Any]:
    people = ("pair__first", "pair__second") if choice.is_of_pairs else ("user",)
    wanted = {"ruleset": choice.ruleset, "speed": choice.speed}
    if not choice.season:
        rows = listed_ratings(choice.is_of_pairs, now).filter(**wanted)
        return rows.select_related(*people).order_by("-least", "pk")
    seasonal = SeasonRating.objects.filter(
        season=choice.season, is_pair=choice.is_of_pairs, listed=True, **wanted
    )
    for person in people:
        seasonal = seasonal.filter(_open(f"rating__{person}__"))
    return seasonal.select_related(*(f"rating__{person}" for person in people)).order_by("-least", "rating")


def _row(place: int, found: Rating | SeasonRating, choice: Choice, reader: User | None, now: datetime) -> Row:
    rating = found.rating if isinstance(found, SeasonRating) else found
    who = rating.pair or rating.user
    assert who is not None
    strength = Strength(found.mu, found.sigma)
    members = {who.pk} if isinstance(who, User) else {who.first_id, who.second_id}
    return Row(
        place=place,
        who=who,
        least=found.least,
        points=found.points,
        margin=margin(strength if choice.season else rested(strength, now - found.last_at)),
        matches=found.matches,
        gained=found.gained if isinstance(found, SeasonRating) else None,
        is_own=reader is not None and reader.pk in members,
    )


def _own(choice: Choice, ordered: QuerySet[Any], reader: User | None, now: datetime) -> Row | None:
    """The reader's best line, with the place that it has."""
    if reader is None:
        return None
    path = "rating__" if choice.season else ""
    mine = Q(**{f"{path}user": reader})
    if choice.is_of_pairs:
        mine = Q(**{f"{path}pair__first": reader}) | Q(**{f"{path}pair__second": reader})
    found = ordered.filter(mine).first()
    if found is None:
        return None
    key = found.rating_id if choice.season else found.pk
    before = Q(least__gt=found.least) | Q(
        least=found.least, **{"rating__lt" if choice.season else "pk__lt": key}
    )
    return _row(ordered.filter(before).count() + 1, found, choice, reader, now)


def _teams(choice: Choice, now: datetime) -> list[Team]:
    columns = ("u.club_key", "u.club") if choice.kind == "clubs" else ("u.country", "u.country")
    best = (SEASON_SQL if choice.season else ALL_TIME_SQL).format(
        team=columns[0], name=columns[1], most=COUNTED
    )
    wanted: dict[str, Any] = {
        "ruleset": choice.ruleset,
        "speed": choice.speed,
        "season": choice.season,
        "now": now,
    }
    with connection.cursor() as cursor:
        cursor.execute(TEAMS_SQL.format(best=best, team=TEAM, most=A_PAGE), wanted)
        rows = cursor.fetchall()
    named = country_name if choice.kind == "countries" else str
    return [
        Team(place, named(name), int(least), members) for place, (name, least, members) in enumerate(rows, 1)
    ]


def _one_of(value: Any, allowed: Sequence[str]) -> str:
    return str(value) if value in allowed else allowed[0]

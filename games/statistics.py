"""What a player's finished matches say in numbers, alone or with one partner, from the rows of the history alone."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

from django.core.cache import caches
from django.db import connections
from django.db.models import Count, Max, QuerySet, Sum
from django.db.models.functions import TruncMonth

from accounts.models import Pair, User
from games.contracts import LEVELS, ME, OPPONENTS, PARTNER, Kind, kind_of
from games.history import ON_A_PROFILE, counted, matches_of, may_list, searched, visible
from games.models import Appearance, Outcome, Ruleset
from games.plots import Bar, Point
from games.rules.ruleset import STRAINS

MONTHS: Final = 24
# In the memory of one process; a match more, or one void, is another key.
KEPT_SECONDS: Final = 600
# Tricks above or below the bid; what lies beyond counts with the last.
FARTHEST: Final = 4
PERIODS: Final = {"month": 30, "quarter": 91, "year": 365}


class Rate(NamedTuple):
    """So many, and so many of them that went well."""

    total: int = 0
    part: int = 0

    @property
    def percent(self) -> int | None:
        """In hundredths, rounded; None of nothing."""
        return round(100 * self.part / self.total) if self.total else None

    def plus(self, other: "Rate") -> "Rate":
        """Both together."""
        return Rate(self.total + other.total, self.part + other.part)


class Counted(NamedTuple):
    """So many contracts of one kind in one ruleset, all with the same margin."""

    ruleset: str
    kind: Kind
    margin: int
    many: int


class Month(NamedTuple):
    """The matches of a month: all, and those won."""

    first: date
    played: int
    won: int


class OfRuleset(NamedTuple):
    """What was played by one ruleset; `contracts` are those of the own side."""

    ruleset: Ruleset
    matches: Rate
    contracts: Rate
    defences: Rate


@dataclass(frozen=True)
class Statistics:
    """Finished matches in numbers. `outcomes`: ruleset and outcome; `contracts`: kinds of them, each counted."""

    outcomes: Mapping[tuple[str, str], int] = field(default_factory=dict)
    contracts: list[Counted] = field(default_factory=list)
    months: list[Month] = field(default_factory=list)

    @property
    def matches(self) -> Rate:
        """All matches, and those won."""
        return Rate(sum(self.outcomes.values()), self._outcomes(Outcome.WON))

    @property
    def lost(self) -> int:
        """Matches lost."""
        return self._outcomes(Outcome.LOST)

    @property
    def neither(self) -> int:
        """Matches that nobody won."""
        return self._outcomes(Outcome.DRAW) + self._outcomes(Outcome.NO_RESULT)

    def _outcomes(self, outcome: str) -> int:
        return sum(many for (_, found), many in self.outcomes.items() if found == outcome)

    @property
    def own(self) -> Rate:
        """Contracts that the player declared, and those made."""
        return self._rate(who=(ME,))

    @property
    def partners(self) -> Rate:
        """Contracts that the partner declared, and those made."""
        return self._rate(who=(PARTNER,))

    @property
    def side(self) -> Rate:
        """Contracts of the side, and those made."""
        return self.own.plus(self.partners)

    @property
    def defended(self) -> Rate:
        """Contracts of the opponents, and those that failed."""
        theirs = self._rate(who=(OPPONENTS,))
        return Rate(theirs.total, theirs.total - theirs.part)

    def levels(self, *who: int) -> list[Bar]:
        """By the tricks bid: the contracts of these declarers, and those made."""
        return [Bar(str(level), *self._rate(who=who or (ME, PARTNER), level=level)) for level in LEVELS]

    def trumps(self, *who: int) -> list[Bar]:
        """By trump, the highest first: the contracts of these declarers, and those made. Without those never had."""
        bars = [Bar(trump, *self._rate(who=who or (ME,), trump=trump), sign="suit") for trump in "SHDCN"]
        return [bar for bar in bars if bar.total or bar.label in STRAINS[:4]]

    def margins(self, *who: int) -> list[Bar]:
        """By how many tricks a contract was made or failed; the outermost hold what lies beyond."""
        totals: dict[int, int] = {}
        for row in self.contracts:
            if row.kind.who in (who or (ME, PARTNER)):
                place = max(-FARTHEST, min(FARTHEST, row.margin))
                totals[place] = totals.get(place, 0) + row.many
        return [
            Bar(str(place), totals.get(place, 0), totals.get(place, 0) if place >= 0 else 0, sign="margin")
            for place in range(-FARTHEST, FARTHEST + 1)
        ]

    def rulesets(self) -> list[OfRuleset]:
        """Ruleset by ruleset, those that were played."""
        played = {name for name, _ in self.outcomes}
        return [self._of(Ruleset(name)) for name in Ruleset.values if name in played]

    def wins(self) -> list[Point]:
        """Month by month the share of matches won, in hundredths; months without a match are left out."""
        return [
            Point(
                month.first.year * 12 + month.first.month,
                100 * month.won / month.played,
                f"{month.first:%Y-%m}",
            )
            for month in self.months
        ]

    def _of(self, ruleset: Ruleset) -> OfRuleset:
        matches = {found: many for (name, found), many in self.outcomes.items() if name == ruleset}
        theirs = self._rate(who=(OPPONENTS,), ruleset=ruleset)
        return OfRuleset(
            ruleset,
            Rate(sum(matches.values()), matches.get(Outcome.WON, 0)),
            self._rate(who=(ME, PARTNER), ruleset=ruleset),
            Rate(theirs.total, theirs.total - theirs.part),
        )

    def _rate(
        self, *, who: Iterable[int], level: int | None = None, trump: str = "", ruleset: str = ""
    ) -> Rate:
        fitting = [
            row
            for row in self.contracts
            if row.kind.who in who
            and level in (None, row.kind.level)
            and trump in ("", row.kind.trump)
            and ruleset in ("", row.ruleset)
        ]
        made = sum(row.many for row in fitting if row.kind.made)
        return Rate(sum(row.many for row in fitting), made)


def statistics_of(
    player: User,
    reader: User | None,
    filters: Mapping[str, Any] | None = None,
    *,
    partner: User | None = None,
    now: datetime | None = None,
) -> Statistics:
    """The numbers of a player's matches that a reader may know of, or of those beside one partner.

    `filters`: what `games.history.searched` takes, and `period`, a name of PERIODS, which needs `now`.
    """
    rows = counted(visible(player, reader)).filter(open=True)
    if partner is not None:
        rows = rows.filter(partner=partner)
    asked = {name: value for name, value in (filters or {}).items() if value}
    if now is not None and asked.get("period") in PERIODS:
        rows = rows.filter(ended_at__gte=now - timedelta(days=PERIODS[asked["period"]]))
    key = _key(rows, player, reader, partner, asked)
    kept = caches["statistics"]
    found: Statistics | None = kept.get(key)
    if found is None:
        found = _statistics(searched(rows, asked))
        kept.set(key, found, KEPT_SECONDS)
    return found


def _key(
    rows: QuerySet[Appearance],
    player: User,
    reader: User | None,
    partner: User | None,
    asked: Mapping[str, Any],
) -> str:
    """What numbers are kept under: who asks what, and how many matches there are to count, up to which."""
    state = rows.order_by().aggregate(many=Count("pk"), last=Max("pk"), tables=Sum("table_id"))
    people = [user.pk if user else 0 for user in (player, reader, partner)]
    told = repr((people, sorted(asked.items()), sorted(state.items())))
    return f"statistics-{hashlib.sha256(told.encode()).hexdigest()}"


def statistics_of_pair(
    pair: Pair, reader: User | None, filters: Mapping[str, Any] | None = None, *, now: datetime | None = None
) -> Statistics:
    """The same of two partners; the declarer "me" is the pair's first."""
    return statistics_of(pair.first, reader, filters, partner=pair.second, now=now)


def matches_part(player: User, reader: User | None) -> dict[str, Any]:
    """What the page of a player shows of the matches; `page` is None where none are listed at all."""
    if not may_list(player, reader):
        return {"page": None, "statistics": Statistics()}
    page = matches_of(player, reader, most=ON_A_PROFILE)
    return {"page": page, "statistics": statistics_of(player, reader)}


def _statistics(rows: QuerySet[Appearance]) -> Statistics:
    by_month = rows.order_by().annotate(month=TruncMonth("ended_at"))
    ends = by_month.values_list("ruleset", "outcome", "month").annotate(many=Count("pk"))
    outcomes: Counter[tuple[str, str]] = Counter()
    played: Counter[date] = Counter()
    won: Counter[date] = Counter()
    for ruleset, outcome, month, many in ends:
        outcomes[ruleset, outcome] += many
        played[month.date()] += many
        won[month.date()] += many if outcome == Outcome.WON else 0
    months = [Month(first, played[first], won[first]) for first in sorted(played)[-MONTHS:]]
    return Statistics(outcomes, _contracts(rows), months)


# Opened in the list of columns, in step with each other: a join with each row's lists costs several times as much.
_CONTRACTS_SQL = """
select ruleset, number, margin, count(*)
  from (select ruleset, unnest(contracts) as number, unnest(margins) as margin from ({rows}) r) c
 group by 1, 2, 3
"""


def _contracts(rows: QuerySet[Appearance]) -> list[Counted]:
    """All contracts of these matches, by kind. The lists are opened in the database: thousands become hundreds."""
    chosen = rows.order_by().values_list("ruleset", "contracts", "margins")
    sql, arguments = chosen.query.get_compiler(chosen.db).as_sql()
    # Where the rows are read from is where they are counted.
    with connections[chosen.db].cursor() as cursor:
        cursor.execute(_CONTRACTS_SQL.format(rows=sql), arguments)
        found = cursor.fetchall()
    return [Counted(ruleset, kind_of(number), margin, many) for ruleset, number, margin, many in found]

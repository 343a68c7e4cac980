"""The ratings as they are worked on: loaded as matches need them, changed match by match, stored together.

One way for whatever is taken in, a single match or all of them: so both come to the same numbers, to the last bit.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import connection

from accounts.models import Rating, SeasonRating
from games.services.counting import Match, Place
from games.services.ledger_statements import (
    CHANGES,
    KEEP_SEASONS_SQL,
    LEFT_SQL,
    PAIRS_SQL,
    RATINGS_SQL,
    SEASON_SQL,
    SEASONS_SQL,
    UNDO_SQL,
    UPDATE_SQL,
)
from games.strength import (
    CENTRE,
    SEASON_MATCHES,
    Strength,
    after_match,
    known_until,
    least,
    points,
    rested,
    season_of,
    season_start,
)

KEPT_IN_MEMORY: Final = 20_000
_SEASON_FACTS: Final = ("mu", "sigma", "points", "least", "gained", "matches", "last_at", "listed")


class Key(NamedTuple):
    """Whose rating, a player's or a pair's, and in what."""

    user: int | None
    pair: int | None
    ruleset: str
    speed: str


@dataclass(slots=True)
class Standing:
    """One rating as it stands; `matches` 0: not rated yet."""

    key: Key
    pk: int | None = None
    strength: Strength = field(default_factory=Strength)
    points: int = CENTRE
    matches: int = 0
    last_at: datetime | None = None

    def before(self, at: datetime) -> Strength:
        """The strength with which a match is begun."""
        if self.last_at is None or not self.matches:
            return Strength()
        return rested(self.strength, at - self.last_at)

    @property
    def facts(self) -> dict[str, Any]:
        assert self.last_at is not None
        return {
            "mu": self.strength.mu,
            "sigma": self.strength.sigma,
            "points": self.points,
            "least": least(self.strength),
            "matches": self.matches,
            "last_at": self.last_at,
            "known_until": known_until(self.strength, self.matches, self.last_at),
        }


@dataclass(slots=True)
class Season:
    """What one rating did in one season so far."""

    standing: Standing
    season: str
    matches: int = 0
    gained: int = 0
    facts: dict[str, Any] = field(default_factory=dict)

    def note(self, change: int) -> None:
        """A further match in it."""
        self.matches += 1
        self.gained += change
        self.hold()

    def hold(self) -> None:
        """Take over how the rating stands now."""
        found = self.standing.facts
        is_known = found.pop("known_until") is not None
        listed = is_known and self.matches >= SEASON_MATCHES
        self.facts = found | {"matches": self.matches, "gained": self.gained, "listed": listed}


class Ledger:
    """Ratings in memory. `take` matches in their order, then `save`; again and again."""

    def __init__(self) -> None:
        self._standings: dict[Key, Standing] = {}
        self._seasons: dict[tuple[Key, str], Season] = {}
        self._pairs: dict[tuple[int, int], int] = {}
        self._loaded: set[tuple[str, int]] = set()
        self._changed: dict[Key, Standing] = {}
        self._changed_seasons: dict[tuple[Key, str], Season] = {}
        self._changes: list[tuple[Standing, tuple[Any, ...]]] = []
        self._undone: set[int] = set()

    def take(self, matches: Sequence[Match]) -> None:
        """What these matches do to the ratings of those for whom they count."""
        self._load(matches)
        for match in matches:
            for speed in match.lists:
                self._take_players(match, speed)
                self._take_pairs(match, speed)

    def undo(self, since: Place) -> None:
        """Put all ratings back to what they were before any match from that place on."""
        rows = _fetch(UNDO_SQL, [since.at, since.table_id])
        undone = [row[0] for row in rows]
        self._undone.update(undone)
        season = season_of(since.at)
        SeasonRating.objects.filter(rating__in=undone, season__gte=season).delete()
        by_pk = {standing.pk: standing for standing in map(self._put_back, _fetch(LEFT_SQL, [undone]))}
        for pk, matches, gained in _fetch(SEASON_SQL, [undone, season_start(season)]):
            kept = Season(by_pk[pk], season, matches, gained)
            kept.hold()
            self._seasons[kept.standing.key, season] = self._changed_seasons[kept.standing.key, season] = kept

    def save(self) -> None:
        """Store what has changed since the last time."""
        self._save_ratings()
        self._save_changes()
        self._save_seasons()
        if len(self._standings) > KEPT_IN_MEMORY:
            # All is stored: what is needed again is loaded again.
            for kept in (self._standings, self._seasons, self._pairs, self._loaded):
                kept.clear()

    def drop_empty(self) -> None:
        """Remove ratings whose every match is gone."""
        Rating.objects.filter(pk__in=self._undone, matches=0).delete()

    def _take_players(self, match: Match, speed: str) -> None:
        keys = [Key(user, None, match.ruleset, speed) for user in match.users]
        self._play(
            match, (keys[0::2], keys[1::2]), {keys[seat] for seat in range(4) if match.counts_for(seat)}
        )

    def _take_pairs(self, match: Match, speed: str) -> None:
        ids = [self._pairs.get(_in_order(*match.users[side::2])) for side in (0, 1)]
        keys = [Key(None, pair, match.ruleset, speed) for pair in ids]
        if None not in ids:
            counted = {keys[side] for side in (0, 1) if match.counts_for_pair(side)}
            self._play(match, (keys[:1], keys[1:]), counted)

    def _play(self, match: Match, sides: tuple[list[Key], list[Key]], counted: set[Key]) -> None:
        if not counted:
            return
        one, other = ([self._standing(key).before(match.place.at) for key in side] for side in sides)
        after = after_match((one, other), match.winner)
        for keys, strengths in zip(sides, after, strict=True):
            for key, strength in zip(keys, strengths, strict=True):
                if key in counted:
                    self._note(self._standing(key), strength, match)

    def _standing(self, key: Key) -> Standing:
        return self._standings.setdefault(key, Standing(key))

    def _note(self, standing: Standing, strength: Strength, match: Match) -> None:
        at, shown = match.place.at, points(strength)
        change = shown - standing.points
        standing.strength, standing.points, standing.last_at = strength, shown, at
        standing.matches += 1
        self._changed[standing.key] = standing
        row = (match.place.table_id, match.code, at, strength.mu, strength.sigma, shown, change)
        self._changes.append((standing, row))
        place = standing.key, season_of(at)
        season = self._seasons.setdefault(place, Season(standing, place[1]))
        season.note(change)
        self._changed_seasons[place] = season

    def _load(self, matches: Sequence[Match]) -> None:
        users = {user for match in matches for user in match.users}
        sides = {
            _in_order(*match.users[side::2]) for match in matches for side in (0, 1)
        } - self._pairs.keys()
        for pk, first, second in _fetch(
            PAIRS_SQL, [[one for one, _ in sides], [other for _, other in sides]]
        ):
            self._pairs[first, second] = pk
        pairs = {self._pairs[side] for side in sides if side in self._pairs}
        self._load_ratings("user", users)
        self._load_ratings("pair", pairs)
        self._load_seasons({season_of(match.place.at) for match in matches})

    def _load_ratings(self, kind: str, ids: set[int]) -> None:
        missing = {pk for pk in ids if (kind, pk) not in self._loaded}
        self._loaded.update((kind, pk) for pk in missing)
        for row in _fetch(RATINGS_SQL.format(kind), [list(missing)]) if missing else ():
            pk, *key, mu, sigma, shown, matches, last_at = row
            self._standings.setdefault(
                Key(*key), Standing(Key(*key), pk, Strength(mu, sigma), shown, matches, last_at)
            )

    def _load_seasons(self, seasons: set[str]) -> None:
        for season in sorted(seasons):
            known = (
                standing
                for key, standing in self._standings.items()
                if standing.pk is not None and (key, season) not in self._seasons
            )
            by_pk = {standing.pk: standing for standing in known}
            for pk, matches, gained in _fetch(SEASONS_SQL, [list(by_pk), season]) if by_pk else ():
                standing = by_pk.pop(pk)
                self._seasons[standing.key, season] = Season(standing, season, matches, gained)
            for standing in by_pk.values():
                self._seasons[standing.key, season] = Season(standing, season)

    def _put_back(self, row: tuple[Any, ...]) -> Standing:
        pk, user, pair, ruleset, speed, last_at, matches, mu, sigma, shown, at = row
        standing = Standing(Key(user, pair, ruleset, speed), pk, last_at=at or last_at)
        if matches:
            standing.strength, standing.points, standing.matches = Strength(mu, sigma), shown, matches
        self._standings[standing.key] = self._changed[standing.key] = standing
        return standing

    def _save_ratings(self) -> None:
        new = [standing for standing in self._changed.values() if standing.pk is None]
        rows = Rating.objects.bulk_create(
            Rating(
                user_id=one.key.user,
                pair_id=one.key.pair,
                ruleset=one.key.ruleset,
                speed=one.key.speed,
                **one.facts,
            )
            for one in new
        )
        kept = [standing for standing in self._changed.values() if standing.pk is not None]
        if kept:
            facts = [standing.facts for standing in kept]
            columns = [[fact[name] for fact in facts] for name in facts[0]]
            with connection.cursor() as cursor:
                cursor.execute(UPDATE_SQL, [[standing.pk for standing in kept], *columns])
        for standing, row in zip(new, rows, strict=True):
            standing.pk = row.pk
        self._changed.clear()

    def _save_changes(self) -> None:
        with (
            connection.cursor() as cursor,
            cursor.copy(f"copy accounts_ratingchange ({CHANGES}) from stdin") as copy,
        ):
            for standing, row in self._changes:
                copy.write_row((standing.pk, *row))
        self._changes.clear()

    def _save_seasons(self) -> None:
        rows = [
            (
                one.standing.pk,
                one.season,
                one.standing.key.ruleset,
                one.standing.key.speed,
                one.standing.key.pair is not None,
                *(one.facts[name] for name in _SEASON_FACTS),
            )
            for one in self._changed_seasons.values()
        ]
        if rows:
            with connection.cursor() as cursor:
                cursor.execute(KEEP_SEASONS_SQL, [list(column) for column in zip(*rows, strict=True)])
        self._changed_seasons.clear()


def _in_order(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _fetch(sql: str, arguments: Iterable[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, list(arguments))
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows

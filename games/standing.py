"""How strong and how reliable somebody is, as the pages show it: a player, or a pair."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import get_language_bidi

from accounts import sanctions
from accounts.models import Pair, Rating, RatingChange, Sanction, User
from games.history import visible
from games.models import Appearance, Outcome, Ruleset, Void
from games.plots import LinePlot, Point, line_plot
from games.services.reliability import Reliability, reliability_of
from games.speeds import SPEEDS
from games.strength import ALL, Strength, margin, points, rested

LISTS: Final = (ALL, *SPEEDS)
# Of a plot: so many of the last matches, and so many points of them.
PLOTTED: Final = 400
SPOTS: Final = 40
PAIRS: Final = 8
MATCHES: Final = 20


@dataclass(frozen=True, slots=True)
class Cell:
    """One rating: what it shows now, how uncertain, and whether that is too uncertain to be known."""

    key: str
    points: int
    margin: int
    matches: int
    is_known: bool
    last_at: datetime


@dataclass(frozen=True, slots=True)
class Line:
    """The ratings in one ruleset; a cell for each list, None where nothing was played."""

    ruleset: str
    label: str
    cells: list[Cell | None]


@dataclass(frozen=True, slots=True)
class Curve:
    """A rating over time, and what it is of."""

    key: str
    ruleset: str
    speed: str
    plot: LinePlot


@dataclass(frozen=True, slots=True)
class Strengths:
    """The ratings of a player or a pair, one of them as a curve."""

    lines: list[Line]
    curve: Curve | None


@dataclass(frozen=True, slots=True)
class Mate:
    """A partner: the pair, the other one of it, and their rating where they have played most."""

    pair: Pair
    partner: User
    best: Rating | None


@dataclass(frozen=True, slots=True)
class Together:
    """What two have played together, as far as a reader may know: counted, and the newest matches."""

    counts: Mapping[str, int]
    matches: Sequence[Appearance]

    @property
    def total(self) -> int:
        return sum(self.counts.values())


def standing_of(player: User, reader: User | None, asked: str = "") -> dict[str, Any]:
    """The part of a player's page about ratings; what is remembered of reliability is for the player alone.

    `asked`: the key of the rating that is shown as a curve.
    """
    now = timezone.now()
    is_own = reader is not None and reader.pk == player.pk
    if player.is_guest or (player.closed_at is not None and not is_own):
        return {"strengths": Strengths([], None), "mates": [], "own": None}
    return {
        "strengths": strengths_of(Rating.objects.filter(user=player), asked, now),
        "mates": mates_of(player),
        "own": own_part(player, now) if is_own else None,
    }


def own_part(player: User, now: datetime) -> dict[str, Any]:
    """What a player alone sees: reliability, and what was imposed that stands."""
    reliability: Reliability = reliability_of(player, now)
    standing: QuerySet[Sanction] = sanctions.of(player).filter(sanctions.in_force(now), until__isnull=False)
    return {"reliability": reliability, "sanctions": list(standing[:5])}


def strengths_of(ratings: QuerySet[Rating], asked: str, now: datetime) -> Strengths:
    """These ratings, all of one player or pair."""
    found = {f"{rating.ruleset}-{rating.speed}": rating for rating in ratings}
    lines = [
        Line(
            ruleset,
            str(label),
            [_cell(found[key], now) if (key := f"{ruleset}-{name}") in found else None for name in LISTS],
        )
        for ruleset, label in Ruleset.choices
    ]
    shown = found.get(asked) or max(
        found.values(), key=lambda one: (one.matches, one.speed == ALL), default=None
    )
    curve = _curve(shown) if shown is not None else None
    return Strengths([line for line in lines if any(line.cells)], curve)


def mates_of(player: User) -> list[Mate]:
    """The pairs of a player whose both accounts are open, those who play most together first."""
    pairs = Pair.objects.filter(
        Q(first=player) | Q(second=player), first__closed_at=None, second__closed_at=None
    )
    rated = Rating.objects.filter(pair__in=pairs, speed=ALL).order_by("pair", "-matches").distinct("pair")
    best = {rating.pair_id: rating for rating in rated}
    ordered = pairs.select_related("first", "second").annotate(
        played=Count("ratings__changes", filter=Q(ratings__speed=ALL))
    )
    return [
        Mate(pair, pair.second if pair.first_id == player.pk else pair.first, best.get(pair.pk))
        for pair in ordered.order_by("-played", "-made_at", "pk")[:PAIRS]
    ]


def together(pair: Pair, reader: User | None) -> Together:
    """What a pair has played."""
    rows = visible(pair.first, reader if reader != pair.second else pair.first).filter(partner=pair.second)
    voids = Void.objects.filter(table=OuterRef("table"), lifted_at=None)
    rows = rows.annotate(is_void=Exists(voids))
    counting = rows.filter(is_void=False).order_by("outcome").values_list("outcome").annotate(Count("pk"))
    newest = rows.select_related("table", "partner", "right", "left").order_by("-ended_at", "-table_id")
    counts = dict.fromkeys((Outcome.WON, Outcome.LOST, Outcome.DRAW, Outcome.NO_RESULT), 0)
    named = {outcome.value.replace("-", "_"): number for outcome, number in counts.items()}
    named |= {outcome.replace("-", "_"): number for outcome, number in counting}
    return Together(named, list(newest[:MATCHES]))


def _cell(rating: Rating, now: datetime) -> Cell:
    strength = rested(Strength(rating.mu, rating.sigma), now - rating.last_at)
    return Cell(
        key=f"{rating.ruleset}-{rating.speed}",
        points=rating.points,
        margin=margin(strength),
        matches=rating.matches,
        is_known=rating.known_until is not None and rating.known_until > now,
        last_at=rating.last_at,
    )


def _curve(rating: Rating) -> Curve:
    changes = RatingChange.objects.filter(rating=rating).order_by("-at", "-table_number")
    rows = list(changes.values_list("at", "mu", "sigma")[:PLOTTED])[::-1]
    plotted = [
        Point(
            at=at.timestamp(),
            value=points(Strength(mu, sigma)),
            label=f"{timezone.localtime(at):%Y-%m-%d}",
            spread=margin(Strength(mu, sigma)),
        )
        for at, mu, sigma in _thinned(rows)
    ]
    return Curve(
        f"{rating.ruleset}-{rating.speed}",
        rating.ruleset,
        rating.speed,
        line_plot(plotted, mirrored=get_language_bidi()),
    )


def _thinned(rows: Sequence[Any]) -> list[Any]:
    """So many of the rows as a plot holds, evenly, the last one among them."""
    step = max(1, -(-len(rows) // SPOTS))
    return list(rows[::-1][::step])[::-1]

"""Plots as numbers that a template draws: bars, each with the part that went well, and lines over time.

Everything is laid out in whole units of a viewBox and comes as text, so that no language writes it in its own
digits. `mirrored` lays it out from right to left, as a page in Arabic reads.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Final

WIDTH: Final = 640
HEIGHT: Final = 260
GUTTER: Final = 48
FOOT: Final = 34
HEAD: Final = 22
TICKS: Final = 4
# Beside the first and the last point, for half of their labels.
MARGIN: Final = 44


@dataclass(frozen=True, slots=True)
class Bar:
    """A value and the part of it that went well, under a label. `sign`: what kind of label, for the template."""

    label: str
    total: int
    part: int
    sign: str = ""

    @property
    def percent(self) -> int | None:
        """The part in hundredths of the whole, rounded; None of nothing."""
        return round(100 * self.part / self.total) if self.total else None

    @property
    def signed(self) -> str:
        """A label that is a number, with its sign: a true minus below nothing, a plus above."""
        number = int(self.label)
        return f"\N{MINUS SIGN}{-number}" if number < 0 else f"+{number}" if number else "0"


@dataclass(frozen=True, slots=True)
class DrawnBar:
    """A bar where it stands: its box, the box of its part, and the middle for its words."""

    bar: Bar
    x: str
    width: str
    y: str
    height: str
    part_y: str
    part_height: str
    middle: str
    word_y: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A line across the plot and its number."""

    y: str
    label: str


@dataclass(frozen=True, slots=True)
class BarPlot:
    """Bars over a scale of whole numbers."""

    bars: list[DrawnBar]
    ticks: list[Tick]
    mirrored: bool
    width: str = str(WIDTH)
    height: str = str(HEIGHT)
    foot: str = str(HEIGHT - 10)
    scale_x: str = str(GUTTER // 2)
    base: str = str(HEIGHT - FOOT)
    begin: str = str(GUTTER)
    end: str = str(WIDTH)


def bar_plot(bars: Sequence[Bar], *, mirrored: bool = False) -> BarPlot:
    """The bars side by side in their order, over a scale that holds the highest."""
    step = tick_step(max((bar.total for bar in bars), default=0))
    top = step * max(1, ceil(max((bar.total for bar in bars), default=0) / step))
    each = (WIDTH - GUTTER) / max(1, len(bars))
    drawn = [_drawn(bar, GUTTER + number * each, each, top, mirrored) for number, bar in enumerate(bars)]
    ticks = [Tick(str(_y(value, 0, top)), str(value)) for value in range(0, top + 1, step)]
    if not mirrored:
        return BarPlot(drawn, ticks, mirrored)
    return BarPlot(
        drawn, ticks, mirrored, scale_x=str(WIDTH - GUTTER // 2), begin="0", end=str(WIDTH - GUTTER)
    )


def _drawn(bar: Bar, start: float, each: float, top: int, mirrored: bool) -> DrawnBar:
    wide = min(56, round(each * 0.62))
    middle = round(start + each / 2)
    if mirrored:
        middle = WIDTH - middle
    y, part_y, base = _y(bar.total, 0, top), _y(bar.part, 0, top), HEIGHT - FOOT
    return DrawnBar(
        bar,
        x=str(middle - wide // 2),
        width=str(wide),
        y=str(y),
        height=str(base - y),
        part_y=str(part_y),
        part_height=str(base - part_y),
        middle=str(middle),
        word_y=str(y - 6),
    )


def tick_step(highest: int) -> int:
    """The distance of the lines of a scale, 1, 2 or 5 times a power of ten, so that few of them reach so high."""
    wanted = max(1.0, highest / TICKS)
    power = 10 ** floor(log10(wanted))
    return int(next(factor * power for factor in (1, 2, 5, 10) if factor * power >= wanted))


def _y(value: float, low: float, high: float) -> int:
    room = HEIGHT - FOOT - HEAD
    return round(HEIGHT - FOOT - room * (value - low) / (high - low))


@dataclass(frozen=True, slots=True)
class Point:
    """A value at a place: days, months, matches. `spread`: how uncertain it is, to both sides."""

    at: float
    value: float
    label: str = ""
    spread: float = 0


@dataclass(frozen=True, slots=True)
class Spot:
    """A point where it stands."""

    point: Point
    x: str
    y: str


@dataclass(frozen=True, slots=True)
class LinePlot:
    """A line through its points: `line` and `band` (or "") as the points of SVG."""

    spots: list[Spot]
    line: str
    band: str
    ticks: list[Tick]
    mirrored: bool
    width: str = str(WIDTH)
    height: str = str(HEIGHT)
    foot: str = str(HEIGHT - 10)
    scale_x: str = str(GUTTER // 2)
    begin: str = str(GUTTER)
    end: str = str(WIDTH)

    @property
    def first(self) -> Spot | None:
        """Where the line begins."""
        return self.spots[0] if self.spots else None

    @property
    def last(self) -> Spot | None:
        """Where it ends."""
        return self.spots[-1] if self.spots else None


def line_plot(
    points: Sequence[Point], *, mirrored: bool = False, low: float | None = None, high: float | None = None
) -> LinePlot:
    """The points in the order of their places; the scale holds them all, and `low` and `high` where given."""
    ordered = sorted(points, key=lambda point: point.at)
    lows = [point.value - point.spread for point in ordered] + ([] if low is None else [low])
    highs = [point.value + point.spread for point in ordered] + ([] if high is None else [high])
    least, most = min(lows, default=0), max(highs, default=1)
    step = tick_step(ceil(most - least))
    bottom = floor(least / step) * step
    top = max(bottom + step, ceil(most / step) * step)
    spots = [_spot(point, ordered, bottom, top, mirrored) for point in ordered]
    plot = LinePlot(
        spots,
        line=" ".join(f"{spot.x},{spot.y}" for spot in spots),
        band=_band(spots, bottom, top) if any(point.spread for point in ordered) else "",
        ticks=[Tick(str(_y(value, bottom, top)), str(value)) for value in range(bottom, top + 1, step)],
        mirrored=mirrored,
    )
    if not mirrored:
        return plot
    return LinePlot(
        *(plot.spots, plot.line, plot.band, plot.ticks, True),
        scale_x=str(WIDTH - GUTTER // 2),
        begin="0",
        end=str(WIDTH - GUTTER),
    )


def _spot(point: Point, ordered: Sequence[Point], bottom: int, top: int, mirrored: bool) -> Spot:
    first, last = ordered[0].at, ordered[-1].at
    share = (point.at - first) / (last - first) if last > first else 0.5
    x = round(GUTTER + MARGIN + share * (WIDTH - GUTTER - 2 * MARGIN))
    return Spot(point, str(WIDTH - x if mirrored else x), str(_y(point.value, bottom, top)))


def _band(spots: Sequence[Spot], bottom: int, top: int) -> str:
    above = [(spot.x, _y(spot.point.value + spot.point.spread, bottom, top)) for spot in spots]
    below = [(spot.x, _y(spot.point.value - spot.point.spread, bottom, top)) for spot in reversed(spots)]
    return " ".join(f"{x},{y}" for x, y in [*above, *below])

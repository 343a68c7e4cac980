"""Draws the icons of the installed site: `python tools/draw_icons.py` writes static/img/icons/.

A spade of ivory inside the eight-pointed star, on the teal of the table. The pictures are filled line by
line and written as PNG with nothing but the standard library.
"""

import math
import struct
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parent.parent / "static" / "img" / "icons"
TEAL: Final = (15, 80, 84)
TEAL_DEEP: Final = (10, 59, 62)
BRASS: Final = (217, 174, 85)
IVORY: Final = (255, 253, 246)
# Lines of samples in each line of pixels; across, the cover is exact.
LINES: Final = 4

Point = tuple[float, float]
Outline = Sequence[Point]
Colour = tuple[int, int, int]

# How much of the picture a launcher may cut away, and how round the corners of an ordinary icon are.
NAMES: Final = {
    "icon-192.png": (192, 0.22, 1.0),
    "icon-512.png": (512, 0.22, 1.0),
    "maskable-192.png": (192, 0.0, 0.74),
    "maskable-512.png": (512, 0.0, 0.74),
    "apple-touch-icon.png": (180, 0.0, 0.86),
}


class Picture:
    """A square of opaque pixels on nothing, painted with filled outlines in the unit square."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.pixels = [[(0.0, 0.0, 0.0, 0.0)] * size for _ in range(size)]

    def fill(self, outlines: Sequence[Outline], colour: Colour) -> None:
        """Paints what lies inside an odd number of the outlines."""
        size = self.size
        scaled = [[(x * size, y * size) for x, y in outline] for outline in outlines]
        for row in range(size):
            cover = [0.0] * size
            for line in range(LINES):
                add_cover(cover, crossings(scaled, row + (line + 0.5) / LINES))
            self._paint(row, cover, colour)

    def _paint(self, row: int, cover: Sequence[float], colour: Colour) -> None:
        line = self.pixels[row]
        for column, share in enumerate(cover):
            if share > 0:
                line[column] = blended(line[column], colour, min(1.0, share / LINES))

    def png(self) -> bytes:
        """The picture as a file."""
        lines = (b"\0" + bytes(round(part) for pixel in row for part in pixel) for row in self.pixels)
        header = struct.pack(">IIBBBBB", self.size, self.size, 8, 6, 0, 0, 0)
        body = zlib.compress(b"".join(lines), 9)
        return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def chunk(kind: bytes, data: bytes) -> bytes:
    """One piece of a PNG file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def blended(
    below: tuple[float, float, float, float], colour: Colour, share: float
) -> tuple[float, float, float, float]:
    """The colour laid over a pixel that it covers in part. Alpha is 0 to 255."""
    under = below[3] / 255 * (1 - share)
    alpha = share + under
    red, green, blue = (
        (new * share + old * under) / alpha for new, old in zip(colour, below[:3], strict=True)
    )
    return red, green, blue, alpha * 255


def crossings(outlines: Iterable[Outline], y: float) -> list[float]:
    """Where a level line meets the outlines, from left to right."""
    found = []
    for outline in outlines:
        for (x1, y1), (x2, y2) in zip(outline, [*outline[1:], outline[0]], strict=True):
            if (y1 <= y) != (y2 <= y):
                found.append(x1 + (y - y1) * (x2 - x1) / (y2 - y1))
    return sorted(found)


def add_cover(cover: list[float], edges: Sequence[float]) -> None:
    """Adds to each pixel how much of it lies between the edges, taken two by two."""
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        for column in range(max(0, int(start)), min(len(cover), math.ceil(end))):
            cover[column] += min(end, column + 1) - max(start, column)


def star(outer: float) -> list[Point]:
    """The eight-pointed star around the middle."""
    inner = outer * 0.7654
    turns = [(math.radians(step * 22.5 - 90), inner if step % 2 else outer) for step in range(16)]
    return [(0.5 + radius * math.cos(turn), 0.5 + radius * math.sin(turn)) for turn, radius in turns]


def rounded(radius: float, steps: int = 16) -> list[Point]:
    """The whole square with round corners."""
    corners = [
        (1 - radius, radius, -90),
        (1 - radius, 1 - radius, 0),
        (radius, 1 - radius, 90),
        (radius, radius, 180),
    ]
    return [
        (
            x + radius * math.cos(math.radians(start + 90 * step / steps)),
            y + radius * math.sin(math.radians(start + 90 * step / steps)),
        )
        for x, y, start in corners
        for step in range(steps + 1)
    ]


def curve(start: Point, one: Point, other: Point, end: Point, steps: int = 12) -> list[Point]:
    """A cubic curve, without its first point."""
    points = []
    for step in range(1, steps + 1):
        t = step / steps
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        corners = (start, one, other, end)
        points.append(
            (
                sum(w * x for w, (x, _) in zip(weights, corners, strict=True)),
                sum(w * y for w, (_, y) in zip(weights, corners, strict=True)),
            )
        )
    return points


# The right half of the spade in a box of 24, from the top to the middle of the foot.
HALF: Final[Sequence[tuple[Point, Point, Point]]] = (
    ((14.6, 6.0), (22.2, 9.4), (22.2, 14.6)),
    ((22.2, 19.4), (16.2, 20.8), (13.2, 17.3)),
    ((13.4, 19.6), (14.2, 21.4), (16.2, 22.7)),
)


def spade(size: float) -> list[Point]:
    """The spade, around the middle."""
    half: list[Point] = [(12.0, 1.3)]
    for one, other, end in HALF:
        half += curve(half[-1], one, other, end)
    whole = half + [(24 - x, y) for x, y in reversed(half[1:])]
    return [(0.5 + (x - 12) / 24 * size, 0.5 + (y - 12) / 24 * size) for x, y in whole]


def icon(size: int, corner: float, scale: float) -> Picture:
    """The icon, its star and spade drawn at `scale`."""
    picture = Picture(size)
    picture.fill([rounded(corner) if corner else [(0, 0), (1, 0), (1, 1), (0, 1)]], TEAL)
    picture.fill([star(0.46 * scale)], TEAL_DEEP)
    picture.fill([star(0.46 * scale), star(0.425 * scale)], BRASS)
    picture.fill([spade(0.46 * scale)], IVORY)
    return picture


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, (size, corner, scale) in NAMES.items():
        (FOLDER / name).write_bytes(icon(size, corner, scale).png())


if __name__ == "__main__":
    main()

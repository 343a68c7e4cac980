import zlib

import pytest

from tools import draw_icons


@pytest.mark.parametrize("name", ["icon-192.png", "maskable-192.png", "apple-touch-icon.png"])
def test_the_icons_in_the_repository_are_what_is_drawn(name: str) -> None:
    drawn = draw_icons.icon(*draw_icons.NAMES[name]).png()
    assert pixels((draw_icons.FOLDER / name).read_bytes()) == pixels(drawn)


def test_an_icon_for_launchers_fills_its_square_and_keeps_its_picture_in_the_middle() -> None:
    size, corner, scale = draw_icons.NAMES["maskable-192.png"]
    picture = draw_icons.icon(size, corner, scale)
    assert {pixel[3] for row in picture.pixels for pixel in row} == {255.0}
    far = max(abs(x - 0.5) for x, _ in draw_icons.star(0.46 * scale))
    assert far < 0.4  # of a circle of four fifths nothing is ever cut away


def pixels(png: bytes) -> bytes:
    """The packed lines of a file of ours: how they are packed may differ between machines."""
    start = png.index(b"IDAT") + 4
    return zlib.decompress(png[start : png.index(b"IEND") - 8])

"""Draws the project's own playing cards: `python tools/draw_cards.py` writes static/img/cards/.

One sheet of 52 symbols, each 100 by 140 and named by its code (`#QS`); without its rank it is `#art-QS`,
and the ranks stand beside it in Latin and in Arabic. The paper is the page's; what has the colour of the
suit is `currentColor`, so that two or four colours are the page's choice too.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parent.parent / "static" / "img" / "cards"
SUITS: Final = "CDHS"
RANKS: Final = "23456789TJQKA"

INK: Final = "#1b2526"
BRASS: Final = "#d9ae55"
BRASS_DARK: Final = "#8a6116"
IVORY: Final = "#f7f0de"
SILVER: Final = "#e6e0d2"
SKIN: Final = "#e9c6a0"
SKIN_SHADE: Final = "#c99a6e"
TEAL: Final = "#0f5054"
TEAL_DEEP: Final = "#0a3b3e"
HAIR: Final = "#33261f"
LIPS: Final = "#a8414b"

# Each rank is a pen stroke in a box 20 wide and 28 high.
STROKES: Final = {
    "A": "M2.2 25.8L10 2.2L17.8 25.8M5.4 18H14.6",
    "K": "M3.4 2.2V25.8M17 2.2L4.6 15.6M8.8 11.6L17.6 25.8",
    "Q": "M10 2.2C15 2.2 17.8 7.2 17.8 14S15 25.8 10 25.8S2.2 20.8 2.2 14S5 2.2 10 2.2M11.6 18.6L17.8 26.4",
    "J": "M7.4 2.2H14.6V18.6C14.6 23.4 12.2 25.8 8.4 25.8S2.4 23.6 2.4 20",
    "T": "M-1.6 6.4L3 2.4V25.8M15 2.2C19 2.2 21 7 21 14S19 25.8 15 25.8S9 21 9 14S11 2.2 15 2.2",
    "9": "M17.2 9.8A7.2 7.5 0 1 1 2.8 9.8A7.2 7.5 0 1 1 17.2 9.8C17.2 18.6 13.6 24 6.8 25.8",
    "8": "M10 13A5.9 5.4 0 1 1 10 2.2A5.9 5.4 0 1 1 10 13A7.3 6.4 0 1 1 10 25.8A7.3 6.4 0 1 1 10 13",
    "7": "M2.6 2.4H17.4L8 25.8",
    "6": "M2.8 18.2A7.2 7.5 0 1 1 17.2 18.2A7.2 7.5 0 1 1 2.8 18.2C2.8 9.4 6.4 4 13.2 2.2",
    "5": "M16 2.4H5.4L4.2 12.6C6 11 8 10.4 10 10.4A7.6 7.7 0 0 1 10 25.8C6.8 25.8 4.2 24.4 2.8 22",
    "4": "M14 25.8V2.4L2.2 18.6H18.2",
    "3": "M3 2.4H16.6L9.4 10.8A7.5 7.5 0 1 1 2.6 21.4",
    "2": "M3 8.8A7 6.6 0 0 1 17 9C17 14.4 5.6 19 3 25.6H17.6",
}

# The same box for an Arabic pack: letters for ace, king, queen and jack, and the digits that go with them.
ARABIC: Final = {
    "A": "M10.6 2.2V12.6M14 17.6C9.4 15.6 6.2 18.6 8.4 21.4C9.6 22.8 12 22.8 14.4 22.2M15 23L5.8 26.6",
    "K": "M19.4 12.4V15.4C19.4 18.6 14.4 18.6 14.4 15.4V13.4M14.4 15.4C14.4 18.6 9.4 18.6 9.4 15.2V13.2"
    "M9.4 15.2C10 21.4 8 26 4.4 26C0.6 26 -0.6 22.4 0.4 18.6M11.6 8.3H16.8M14.2 3.9H14.22",
    "Q": "M19 8.6C20.4 14.6 18.6 17.4 14.8 17.4H5.4C1.2 17.4 0.4 14 2 9.2M10.2 24H10.24",
    "J": "M16 10.6A4.9 4.9 0 1 0 11 15.6C13.4 15.6 15.4 14.8 16.1 13M16 10.6C17.2 19.4 12.4 25.6 3.6 25.8",
    "T": "M3 2.4C4.6 9 5 17 5 25.8M14.6 16.4L16.6 14L18.6 16.4L16.6 18.8Z",
    "9": "M14.6 8.4A5.3 5.6 0 1 0 9.4 13.6C12.4 13.6 14.8 11.8 14.6 8.4C14.6 15 15.2 20.6 17 25.8",
    "8": "M2.6 25.8C6.6 19 9 11.6 10 2.8C11 11.6 13.4 19 17.4 25.8",
    "7": "M2.6 2.4C6.6 9.2 9 16.6 10 25.4C11 16.6 13.4 9.2 17.4 2.4",
    "6": "M3.6 2.6C4.6 8 9.4 8.2 14.6 6.4C14.4 13.6 15 19.8 17 25.8",
    "5": "M10 4.4C5.6 8.4 2.6 13.4 2.6 18C2.6 22.6 5.8 25.4 10 25.4S17.4 22.6 17.4 18C17.4 13.4 14.4 8.4 10 4.4Z",
    "4": "M15.8 2.6C9 2.2 4.6 5.4 5.8 8.6C6.8 11.4 10.4 12.6 14 12.4C8 13 3.4 16.2 4 20C4.8 24.2 10.4 26.2 16.8 25",
    "3": "M1.6 2.6C3 10 4.2 17 4.2 25.8M1.6 2.6C2.4 9.6 9.4 9.8 10 3.4C10.6 9.8 17.6 9.4 18 2.6",
    "2": "M3.6 2.6C5 10 6.2 17 6.2 25.8M3.6 2.6C4.6 10.6 15.6 10.6 16.2 2.6",
}

# Each suit fills a box of 24 by 24.
SHAPES: Final = {
    "S": "M12 1.3C14.6 6 22.2 9.4 22.2 14.6C22.2 19.4 16.2 20.8 13.2 17.3C13.4 19.6 14.2 21.4 16.2 22.7H7.8"
    "C9.8 21.4 10.6 19.6 10.8 17.3C7.8 20.8 1.8 19.4 1.8 14.6C1.8 9.4 9.4 6 12 1.3Z",
    "H": "M12 22.6C8.4 18 1.4 13.4 1.4 7.6C1.4 1.4 9.6 -0.2 12 6C14.4 -0.2 22.6 1.4 22.6 7.6C22.6 13.4 15.6 18 12 22.6Z",
    "D": "M12 1C14.3 5.5 17.4 9.2 20.8 12C17.4 14.8 14.3 18.5 12 23C9.7 18.5 6.6 14.8 3.2 12C6.6 9.2 9.7 5.5 12 1Z",
    "C": "M12 1.4A4.9 4.9 0 0 1 15.4 9.8A4.9 4.9 0 1 1 13.3 16.7C13.5 19.5 14.3 21.5 16.4 22.7H7.6"
    "C9.7 21.5 10.5 19.5 10.7 16.7A4.9 4.9 0 1 1 8.6 9.8A4.9 4.9 0 0 1 12 1.4Z",
}

LEFT, MIDDLE, RIGHT = 47.0, 64.0, 81.0
PIPS: Final[dict[str, Sequence[tuple[float, float]]]] = {
    "2": [(MIDDLE, 44), (MIDDLE, 104)],
    "3": [(MIDDLE, 34), (MIDDLE, 74), (MIDDLE, 114)],
    "4": [(x, y) for x in (LEFT, RIGHT) for y in (44, 104)],
    "5": [(x, y) for x in (LEFT, RIGHT) for y in (42, 106)] + [(MIDDLE, 74)],
    "6": [(x, y) for x in (LEFT, RIGHT) for y in (36, 74, 112)],
    "7": [(x, y) for x in (LEFT, RIGHT) for y in (36, 74, 112)] + [(MIDDLE, 55)],
    "8": [(x, y) for x in (LEFT, RIGHT) for y in (36, 74, 112)] + [(MIDDLE, 55), (MIDDLE, 93)],
    "9": [(x, y) for x in (LEFT, RIGHT) for y in (30, 59, 89, 118)] + [(MIDDLE, 74)],
    "T": [(x, y) for x in (LEFT, RIGHT) for y in (30, 59, 89, 118)] + [(MIDDLE, 44.5), (MIDDLE, 103.5)],
}


def star(x: float, y: float, outer: float, *, turn: float = 0.0) -> str:
    """The eight-pointed star: two squares laid across each other, as one outline."""
    inner = outer * 0.7654
    corners = []
    for step in range(16):
        radius = inner if step % 2 else outer
        angle = math.radians(turn + step * 22.5 - 90)
        corners.append(f"{x + radius * math.cos(angle):.2f} {y + radius * math.sin(angle):.2f}")
    return "M" + "L".join(corners) + "Z"


def suit_at(suit: str, x: float, y: float, size: float) -> str:
    """The suit's shape, centred."""
    scale = size / 24
    move = f"translate({x - size / 2:.2f} {y - size / 2:.2f}) scale({scale:.4f})"
    return f'<path transform="{move}" fill="currentColor" d="{SHAPES[suit]}"/>'


def pen(stroke: str) -> str:
    """A rank in the corner that stays in sight when cards overlap."""
    return (
        f'<path transform="translate(6.5 7) scale(1.24)" fill="none" stroke="currentColor" '
        f'stroke-width="3.9" stroke-linecap="round" stroke-linejoin="round" d="{stroke}"/>'
    )


def ace(suit: str) -> str:
    """One great suit inside the star."""
    frame = (
        f'<path fill="none" stroke="{BRASS}" stroke-width="1.6" stroke-linejoin="round" '
        f'd="{star(62, 88, 35)}{star(62, 88, 30.5)}"/>'
    )
    return frame + suit_at(suit, 62, 88, 36)


def pips(rank: str, suit: str) -> str:
    """As many suits as the card counts."""
    size = 21 if rank in "23456" else 18.5
    return "".join(suit_at(suit, x, y, size) for x, y in PIPS[rank])


def robe(neck: str) -> str:
    """Shoulders in the suit's colour, with a border of brass and the star as a clasp."""
    return (
        '<path fill="currentColor" d="M25 140C25 118 42 106 64 106C86 106 100 114 100 130V140Z"/>'
        f'<path fill="{neck}" d="M49 106.5C54 121 74 121 79 106.5C70 103 58 103 49 106.5Z"/>'
        f'<path fill="none" stroke="{BRASS}" stroke-width="3" d="M47.5 107C52 125 76 125 80.5 107"/>'
        f'<path fill="{BRASS}" d="{star(64, 128, 7.4)}"/><circle cx="64" cy="128" r="2.4" fill="currentColor"/>'
        f'<path fill="none" stroke="{BRASS}" stroke-width="1.6" d="M33 140C34 128 40 119 48 114M94 140C93 128 88 119 80 114"/>'
    )


def face() -> str:
    """Head and neck, eyes and nose."""
    return (
        f'<path fill="{SKIN_SHADE}" d="M57 88H71V106C69 112 59 112 57 106Z"/>'
        f'<path fill="{SKIN}" d="M48.5 66C48.5 52 55 46 64 46S79.5 52 79.5 66C79.5 84 72 97 64 97S48.5 84 48.5 66Z"/>'
        f'<path fill="none" stroke="{SKIN_SHADE}" stroke-width="1.8" stroke-linecap="round" '
        'd="M64 70C63.6 74 62.4 77 61.8 79C62.8 80.4 64.6 80.4 65.6 79.8"/>'
        f'<g fill="{INK}"><ellipse cx="57" cy="70" rx="2" ry="2.2"/><ellipse cx="71" cy="70" rx="2" ry="2.2"/></g>'
    )


def king() -> str:
    """The greybeard: crown, white brows and beard."""
    crown = (
        f'<path fill="{BRASS}" stroke="{BRASS_DARK}" stroke-width="1.4" stroke-linejoin="round" '
        'd="M46 58L42.5 33L54 43.5L64 27L74 43.5L85.5 33L82 58C70 54 58 54 46 58Z"/>'
        f'<g fill="currentColor"><circle cx="64" cy="47" r="3.4"/><circle cx="53.4" cy="50.4" r="2.1"/>'
        '<circle cx="74.6" cy="50.4" r="2.1"/></g>'
        f'<g fill="{BRASS}" stroke="{BRASS_DARK}" stroke-width="1.2"><circle cx="42.5" cy="31.5" r="2.9"/>'
        '<circle cx="64" cy="25.4" r="3.2"/><circle cx="85.5" cy="31.5" r="2.9"/></g>'
    )
    beard = (
        f'<path fill="{SILVER}" d="M47.5 62C45.5 92 52 116 64 120C76 116 82.5 92 80.5 62C78.5 76 75 80 70 80.4'
        'C67 80.6 66 82.4 64 82.4S61 80.6 58 80.4C53 80 49.5 76 47.5 62Z"/>'
        f'<path fill="#fff" d="M64 82C60 78.6 53 79.8 50.6 86C56 84.8 61 89 64 86.6C67 89 72 84.8 77.4 86C75 79.8 68 78.6 64 82Z"/>'
        f'<path fill="none" stroke="#b9b09c" stroke-width="1.3" stroke-linecap="round" '
        'd="M56 94C57 102 60 108 62 111M72 94C71 102 68 108 66 111M64 92V106"/>'
        f'<path fill="none" stroke="{LIPS}" stroke-width="1.8" stroke-linecap="round" d="M61 89.6H67"/>'
        f'<path fill="none" stroke="{SILVER}" stroke-width="3" stroke-linecap="round" d="M53 65.4L60 64.6M75 65.4L68 64.6"/>'
    )
    return robe(TEAL_DEEP) + face() + beard + crown


def queen() -> str:
    """The girl: long hair, a diadem with the star, earrings and a necklace."""
    hair = (
        f'<path fill="{HAIR}" d="M64 37C47 37 42 50 42 66C42 86 36 98 33 112C44 122 54 112 56 104H72'
        'C74 112 84 122 95 112C92 98 86 86 86 66C86 50 81 37 64 37Z"/>'
    )
    fringe = (
        f'<path fill="{HAIR}" d="M47.5 70C46 52 54 44.5 64 44.5S82 52 80.5 70C78.5 60 73 55 64 53C55 55 49.5 60 47.5 70Z"/>'
        f'<path fill="none" stroke="{HAIR}" stroke-width="1.9" stroke-linecap="round" '
        'd="M53.4 65.4C55 63.6 58 63.4 60 64.4M74.6 65.4C73 63.6 70 63.4 68 64.4M54 69L52.6 68M74 69L75.4 68"/>'
        f'<path fill="{LIPS}" d="M60 86.6C61.6 85 63 85.4 64 86C65 85.4 66.4 85 68 86.6C66.4 89.6 61.6 89.6 60 86.6Z"/>'
    )
    jewels = (
        f'<path fill="none" stroke="{BRASS}" stroke-width="3.6" stroke-linecap="round" d="M46 57C52 46.4 76 46.4 82 57"/>'
        f'<path fill="{BRASS}" stroke="{BRASS_DARK}" stroke-width="1" stroke-linejoin="round" d="{star(64, 40, 9.4)}"/>'
        '<circle cx="64" cy="40" r="3.2" fill="currentColor"/>'
        f'<g fill="{BRASS}"><circle cx="53" cy="47" r="2.2"/><circle cx="75" cy="47" r="2.2"/>'
        '<path d="M47.6 80L50 86.6L47.6 91L45.2 86.6ZM80.4 80L82.8 86.6L80.4 91L78 86.6Z"/></g>'
        f'<path fill="none" stroke="{BRASS}" stroke-width="1.8" stroke-dasharray="0.1 3.4" stroke-linecap="round" d="M55 104C58 112 70 112 73 104"/>'
    )
    return hair + robe(SKIN) + face() + fringe + jewels


def jack() -> str:
    """The boy: a tarboosh with its tassel, short hair."""
    hair = (
        f'<path fill="{HAIR}" d="M47 72C44 58 48 48 52 46H76C80 48 84 58 81 72C79.6 66 79 60 78 56H50C49 60 48.4 66 47 72Z"/>'
        f'<path fill="none" stroke="{HAIR}" stroke-width="2.6" stroke-linecap="round" d="M53 64.6L60 63.4M75 64.6L68 63.4"/>'
        f'<path fill="none" stroke="{LIPS}" stroke-width="2.2" stroke-linecap="round" d="M59.4 86.4C62 88.8 66 88.8 68.6 86.4"/>'
    )
    tarboosh = (
        '<path fill="currentColor" d="M46.6 56L51 28C58 25 70 25 77 28L81.4 56C70 51.6 58 51.6 46.6 56Z"/>'
        f'<path fill="none" stroke="{BRASS}" stroke-width="2.6" d="M46.8 55.6C58 51 70 51 81.2 55.6"/>'
        f'<path fill="none" stroke="{BRASS}" stroke-width="2" stroke-linecap="round" d="M64 26.4C74 27 84 31 87 40V50"/>'
        f'<path fill="{BRASS}" d="M84.4 49H89.6L91 62H83Z"/><circle cx="64" cy="26.4" r="2.4" fill="{BRASS}"/>'
    )
    return robe(IVORY) + face() + hair + tarboosh


COURTS: Final = {"K": king, "Q": queen, "J": jack}


def card(rank: str, suit: str) -> str:
    """One card as a symbol."""
    if rank == "A":
        art = ace(suit)
    elif rank in COURTS:
        art = COURTS[rank]()
    else:
        art = pips(rank, suit)
    bare = f'<g id="art-{rank}{suit}">{art}{suit_at(suit, 19, 58, 23)}</g>'
    return f'<symbol id="{rank}{suit}" viewBox="0 0 100 140">{bare}{pen(STROKES[rank])}</symbol>'


def suit_symbol(suit: str) -> str:
    """The bare suit, named `#suit-S`."""
    return f'<symbol id="suit-{suit}" viewBox="0 0 24 24"><path fill="currentColor" d="{SHAPES[suit]}"/></symbol>'


def ranks(name: str, strokes: dict[str, str]) -> str:
    """Each rank by itself, to be laid over a bare card: `#rank-Q`, `#arabic-Q`."""
    return "\n".join(f'<g id="{name}-{rank}">{pen(stroke)}</g>' for rank, stroke in strokes.items())


def sheet() -> str:
    """All cards, suits and ranks in one file."""
    cards = "\n".join(card(rank, suit) for suit in SUITS for rank in RANKS)
    indices = ranks("rank", STROKES) + "\n" + ranks("arabic", ARABIC)
    suits = "\n".join(suit_symbol(suit) for suit in SUITS)
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{suits}\n<defs>\n{indices}\n</defs>\n{cards}\n</svg>\n'


def back() -> str:
    """The back: a lattice of eight-pointed stars on teal, inside an ivory border."""
    lattice = "".join(
        star(x, y, 10) + star(x, y, 4.4) for x in range(0, 101, 20) for y in range(-10, 151, 20)
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 140">'
        f'<rect width="100" height="140" rx="9" fill="{IVORY}"/>'
        '<clipPath id="field"><rect x="6" y="6" width="88" height="128" rx="5"/></clipPath>'
        f'<g clip-path="url(#field)"><rect width="100" height="140" fill="{TEAL}"/>'
        f'<path fill="none" stroke="{BRASS}" stroke-width="1.1" stroke-linejoin="round" d="{lattice}"/></g>'
        f'<rect x="6" y="6" width="88" height="128" rx="5" fill="none" stroke="{BRASS}" stroke-width="1.6"/></svg>\n'
    )


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "faces.svg").write_text(sheet(), encoding="utf-8")
    (FOLDER / "back.svg").write_text(back(), encoding="utf-8")


if __name__ == "__main__":
    main()

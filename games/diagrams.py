"""A deal as it is written on paper: the four hands around the table, the calls, the tricks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from games.replays import DealReplay, Replay, Step

SUITS: Final = "SHCD"
_RANKS: Final = "AKQJT98765432"
PLACES: Final = ("bottom", "right", "top", "left")


@dataclass(frozen=True)
class Holding:
    """What a hand has of one suit, the highest first: "A", "10" …"""

    suit: str
    ranks: list[str]


@dataclass(frozen=True)
class Hand:
    """One hand and its place around the table; the table is never mirrored."""

    seat: int
    place: str
    holdings: list[Holding]
    is_dealer: bool


@dataclass(frozen=True)
class Call:
    """A call, the naming of trump or a card in a cell: what kind it is, its number or rank, its suit; who acted."""

    kind: str
    text: str
    suit: str
    by: str


@dataclass(frozen=True)
class Trick:
    """A trick from 1 on: the cards in the order of the columns, who led and who took it."""

    number: int
    cards: list[tuple[Call | None, bool, bool]]


@dataclass(frozen=True)
class Diagram:
    """A deal on paper. `calls` in rows under `callers`; `tricks` under `players`; seats by number."""

    deal: DealReplay
    hands: list[Hand]
    callers: list[int]
    calls: list[list[Call | None]]
    trump: Call | None
    players: list[int]
    tricks: list[Trick]

    @property
    def declarer(self) -> int | None:
        """Who declared, or None where nobody bid."""
        return self.deal["contract"]["seat"] if self.deal["contract"] else None


def diagrams(replay: Replay, bottom: int = 0) -> list[Diagram]:
    """Every deal of a match, drawn with that seat at the bottom."""
    return [_diagram(deal, bottom) for deal in replay["deals"]]


def _diagram(deal: DealReplay, bottom: int) -> Diagram:
    around = [(bottom + place) % 4 for place in range(4)]
    named = [step for step in deal["steps"] if step["code"].startswith("t")]
    callers = [(deal["dealer"] + 1 + place) % 4 for place in range(4)]
    return Diagram(
        deal,
        hands=[_hand(deal, seat, place) for seat, place in zip(around, PLACES, strict=True)],
        callers=callers,
        calls=_call_rows(deal, callers),
        trump=call_of(named[0]) if named else None,
        players=around,
        tricks=list(_tricks(deal, around)),
    )


def _hand(deal: DealReplay, seat: int, place: str) -> Hand:
    held = deal["hands"][seat]
    holdings = [
        Holding(suit, [_shown(code) for code in sorted(held, key=_rank) if code[1] == suit]) for suit in SUITS
    ]
    return Hand(seat, place, holdings, deal["dealer"] == seat)


def _rank(code: str) -> int:
    return _RANKS.index(code[0])


def _shown(code: str) -> str:
    return "10" if code[0] == "T" else code[0]


def is_card(code: str) -> bool:
    """Whether a code of a record is a card."""
    return len(code) == 2 and code[0] in _RANKS and code[1] in "CDHS"


def call_of(step: Step) -> Call:
    """An action as a cell shows it: `kind` is pass, double, redouble, bid, trump or card."""
    code, by = step["code"], step["by"]
    if is_card(code):
        return Call("card", _shown(code), code[1], by)
    if code in ("p", "x", "xx"):
        return Call({"p": "pass", "x": "double", "xx": "redouble"}[code], "", "", by)
    if code.startswith("t"):
        return Call("trump", "", code[1], by)
    number = code[1:].rstrip("CDHSN")
    return Call("bid", number, code[1 + len(number) :], by)


def _call_rows(deal: DealReplay, callers: Sequence[int]) -> list[list[Call | None]]:
    rows: list[list[Call | None]] = []
    before = 4
    for step in deal["steps"]:
        if is_card(step["code"]) or step["code"].startswith("t"):
            continue
        place = callers.index(step["seat"])
        if place <= before:
            rows.append([None] * 4)
        rows[-1][place] = call_of(step)
        before = place
    return rows


def _tricks(deal: DealReplay, around: Sequence[int]) -> Iterator[Trick]:
    cards = [step for step in deal["steps"] if is_card(step["code"])]
    for start in range(0, len(cards), 4):
        trick = cards[start : start + 4]
        winner = trick[-1].get("winner")
        by_seat = {step["seat"]: call_of(step) for step in trick}
        row = [(by_seat.get(seat), seat == trick[0]["seat"], seat == winner) for seat in around]
        yield Trick(start // 4 + 1, row)

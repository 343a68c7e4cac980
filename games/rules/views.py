"""What is seen of a match: the part everybody sees, and the part of one seat. Plain data, ready for JSON."""

from typing import TypedDict

from games.rules.cards import CODES
from games.rules.deal import Contract, Deal
from games.rules.match import Match, Phase
from games.rules.scoring import Result


class LastTrick(TypedDict):
    """A trick that was taken: its [seat, card] in the order played, and who took it."""

    cards: list[list[int | str]]
    winner: int


class PublicPart(TypedDict):
    """What everybody around the table sees. `cards`: how many each seat holds; `deal` counts from 0."""

    phase: Phase
    turn: int | None
    dealer: int
    deal: int | None
    calls: list[list[int | str]]
    contract: Contract | None
    trick: list[list[int | str]]
    last_trick: LastTrick | None
    tricks: list[int]
    score: list[int]
    changes: list[list[int]]
    counted: int
    dead_run: int
    result: Result | None
    cards: list[int]


class SeatPart(TypedDict):
    """What one seat sees besides: its hand by suit and rank, and what it may do now (empty out of turn)."""

    hand: list[str]
    legal: list[str]


class SeatView(PublicPart, SeatPart):
    """All that a player on seat `you` chooses by. `played`: the cards of this deal that have fallen."""

    ruleset: str
    target: int
    options: dict[str, int | bool | None]
    you: int
    played: list[str]


def public_part(match: Match) -> PublicPart:
    """What everybody sees. A deal just finished still shows its calls and its last trick."""
    shown = match.shown_deal
    return {
        "phase": match.phase,
        "turn": match.turn,
        "dealer": match.dealer,
        "deal": match.deal_index,
        "calls": [] if shown is None else [list(call) for call in shown.auction.calls],
        "contract": match.contract,
        "trick": [] if shown is None else _plays(shown.leader, shown.trick),
        "last_trick": _last_trick(shown),
        "tricks": match.tricks,
        "score": list(match.score),
        "changes": [list(change) for change in match.changes],
        "counted": match.counted,
        "dead_run": match.dead_run,
        "result": None if match.result is None else match.result.copy(),
        "cards": [0, 0, 0, 0] if match.deal is None else [sum(map(len, hand)) for hand in match.deal.hands],
    }


def seat_part(match: Match, seat: int) -> SeatPart:
    """What `seat` alone sees."""
    return {"hand": match.cards(seat), "legal": match.legal() if match.turn == seat else []}


def seat_view(match: Match, seat: int) -> SeatView:
    """All that a player on `seat` chooses by: nothing in it depends on how the hidden cards lie."""
    return {
        **public_part(match),
        **seat_part(match, seat),
        "ruleset": match.ruleset.name,
        "target": match.target,
        "options": match.options.changed(match.ruleset),
        "you": seat,
        "played": _played(match),
    }


def _last_trick(deal: Deal | None) -> LastTrick | None:
    if deal is None or deal.last_trick is None:
        return None
    return {"cards": _plays(deal.last_leader, deal.last_trick), "winner": deal.leader}


def _plays(leader: int, codes: list[str]) -> list[list[int | str]]:
    return [[(leader + place) % 4, code] for place, code in enumerate(codes)]


def _played(match: Match) -> list[str]:
    if match.deal is None:
        return []
    held: set[str] = set()
    for hand in match.deal.hands:
        held.update(*hand)
    return [code for code in CODES if code not in held]

"""Ways to bring a match where a test wants it, through the public doors of the rules alone."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from games.rules.actions import IllegalAction
from games.rules.cards import CARD, DECK
from games.rules.match import Match
from games.rules.ruleset import RULESETS, STRAINS
from games.rules.seats import SEATS, side
from games.rules.shuffle import deck
from games.rules.tricks import STRENGTH
from games.rules.views import public_part, seat_part

EVERY_CODE = (
    "p",
    "x",
    "xx",
    *(f"b{number}" for number in range(16)),
    *(f"b{number}{strain}" for number in range(5, 15) for strain in STRAINS),
    *(f"t{suit}" for suit in "CDHS"),
    *CARD,
)
ANY_DECK = deck(b"any", "deck", 0)
A_SUIT_EACH = [13 * (place % 4) + place // 4 for place in range(52)]


def match_in(ruleset: str, deals: Sequence[int] = ANY_DECK, **options: Any) -> Match:
    """A match of `ruleset` with its first deal dealt."""
    match = Match(RULESETS[ruleset], **options)
    match.start_deal(deals)
    return match


def act_all(match: Match, codes: str | Iterable[str], by: str = "m") -> Match:
    """Act `codes`, in a list or in a text with blanks between them."""
    for code in codes.split() if isinstance(codes, str) else codes:
        match.act(code, by)
    return match


def finish_deal(match: Match, by: str = "m") -> Match:
    """Act the first legal code until the deal is over."""
    while legal := match.legal():
        match.act(legal[0], by)
    return match


def deck_dealing(dealer: int, hands: Mapping[int, Sequence[str]]) -> list[int]:
    """A deck that gives `hands` (by seat, as far as named) when `dealer` deals; the rest as it comes."""
    named = {CARD[code] for hand in hands.values() for code in hand}
    rest = iter([card for card in DECK if card not in named])
    full = {seat: [CARD[code] for code in hands.get(seat, ())] for seat in SEATS}
    for hand in full.values():
        hand.extend([next(rest) for _ in range(13 - len(hand))])
    return [full[(dealer + 1 + place) % 4][place // 4] for place in range(52)]


def play_deal(
    match: Match, declarer: int, bid: str, tricks: int, *, doubled: bool = False, stop_after: int = 13
) -> Match:
    """The match after one more deal, in which `declarer` bids `bid` and its side takes its `tricks` first.

    All four seats lend a hand; decks and trumps are tried until it comes out. `stop_after` so many tricks.
    """
    for number in range(20_000):
        for suit in "CDHS":
            tried = match.copy()
            tried.start_deal(deck(b"playing", str(tricks), number) if number else A_SUIT_EACH)
            _bid_once(tried, declarer, bid, doubled=doubled)
            if tried.phase == "trump":
                tried.act("t" + suit)
            if _take(tried, side(declarer), tricks, stop_after):
                return tried
    raise AssertionError(f"no deal gives {tricks} tricks")


def _bid_once(match: Match, declarer: int, bid: str, *, doubled: bool) -> None:
    while match.phase == "auction":
        legal = match.legal()
        if match.turn == declarer and match.contract is None:
            match.act(bid)
        elif doubled and "x" in legal:
            match.act("x")
        else:
            match.act(legal[0])


def _take(match: Match, winners: int, tricks: int, stop_after: int) -> bool:
    deal = match.deal
    assert deal is not None
    strength = STRENGTH[str(deal.trump)]
    while sum(deal.tricks) < stop_after:
        wants = (side(deal.turn) == winners) == (deal.tricks[winners] < tricks)
        choose: Callable[..., str] = max if wants else min
        match.act(choose(match.legal(), key=lambda code: (strength[code], CARD[code])))
    return deal.tricks[winners] == tricks


def snapshot(match: Match) -> object:
    """Everything that can be told of a match: equal snapshots are equal states."""
    actors = match._actors  # who acted in this deal decides its end in one ruleset, and nobody is shown it
    return public_part(match), [seat_part(match, seat) for seat in SEATS], match.options, match.target, actors


def refusal(match: Match, code: str) -> str | None:
    """The code with which `match` refuses `code`, None where it accepts. The match stays as it was."""
    tried = match.copy()
    try:
        tried.act(code)
    except IllegalAction as illegal:
        return illegal.code
    return None

"""A sensible player: bids on length and high cards, counts its partner's bid, draws trumps.

It remembers what fell in this deal, but not who failed to follow; nothing is left to chance.
"""

from collections.abc import Callable, Mapping
from typing import Final

from games.rules.cards import CARD, FULL, RANK, SUIT, SUIT_MASKS, SUITS, hand_of
from games.rules.ruleset import STRAINS, bid_number
from games.rules.scoring import TRICKS
from games.rules.seats import partner, side
from games.rules.tricks import takes, winner
from games.rules.views import SeatView

_TO_BID: Final = 0.0  # how far a hope has to lie above the bid; variants played each other for it
_TO_DOUBLE: Final = 0.7
_PARTNER_BID: Final = 0.8
# For each card, the higher ones of its suit.
_ABOVE: Final = {code: SUIT_MASKS[SUIT[code]] & -(2 << card) for code, card in CARD.items()}


def cautious(view: SeatView, chance: Callable[[int], int]) -> str:
    """The code it chooses of `view["legal"]`."""
    if len(view["legal"]) == 1:
        return view["legal"][0]
    if view["phase"] == "auction":
        return _call(view)
    if view["phase"] == "trump":
        return "t" + max(SUITS, key=lambda suit: expected_tricks(view["hand"], suit))
    return _Table(view).card()


# ---- The auction
#
# What a card or a shape is worth, in tricks of its side: fitted by least squares to deals that four such
# players played out (standard error of one deal: 1.7 tricks, without a trump 2.1).

_DECLARING: Final = 2.6
_TRUMP_WORTH: Final = {"A": 0.9, "K": 0.6, "Q": 0.4, "J": 0.3, "T": 0.1}
_EACH_TRUMP: Final = 0.5
_SHORT_WORTH: Final = {0: 0.9, 1: 0.6, 2: 0.2}

_DECLARING_NO_TRUMP: Final = 4.2
_LONG_CARD: Final = 0.2

_DEFENDING: Final = 3.3
_DEFENDING_NO_TRUMP: Final = 4.8
_EACH_BID_ABOVE_SEVEN: Final = 0.5

_SIDE_WORTH: Final = {"A": 0.7, "K": 0.4, "Q": 0.15}
_NO_TRUMP_WORTH: Final = {"A": 0.65, "K": 0.7, "Q": 0.45, "J": 0.2}
_GUARDS: Final = {"A": 0, "K": 1, "Q": 2, "J": 2}


def expected_tricks(hand: list[str], trump: str) -> float:
    """The tricks that the side of `hand` takes on average as declarers under `trump` (C D H S or N)."""
    suits = {suit: [code[0] for code in hand if code[1] == suit] for suit in SUITS}
    if trump == "N":
        long_cards = sum(max(0, len(ranks) - 4) for ranks in suits.values())
        return _DECLARING_NO_TRUMP + _honours(suits, _NO_TRUMP_WORTH) + _LONG_CARD * long_cards
    trumps = suits.pop(trump)
    shape = sum(_SHORT_WORTH.get(len(ranks), 0.0) for ranks in suits.values())
    return _DECLARING + _trumps(trumps) + _honours(suits, _SIDE_WORTH) + shape


def expected_defence(hand: list[str], bid: str) -> float:
    """The tricks that the side of `hand` takes on average against an Egyptian `bid`."""
    suits = {suit: [code[0] for code in hand if code[1] == suit] for suit in SUITS}
    promised = _EACH_BID_ABOVE_SEVEN * (bid_number(bid) - 7)
    if bid[-1] == "N":
        return _DEFENDING_NO_TRUMP + _honours(suits, _NO_TRUMP_WORTH) - promised
    trumps = suits.pop(bid[-1])
    return _DEFENDING + _trumps(trumps) + _honours(suits, _SIDE_WORTH) - promised


def _trumps(ranks: list[str]) -> float:
    return _EACH_TRUMP * len(ranks) + sum(_TRUMP_WORTH.get(rank, 0.0) for rank in ranks)


def _honours(suits: Mapping[str, list[str]], worth: Mapping[str, float]) -> float:
    """High cards count only with enough small ones to keep them until they win."""
    return sum(
        worth.get(rank, 0.0)
        for ranks in suits.values()
        for rank in ranks
        if len(ranks) > _GUARDS.get(rank, 0)
    )


def _call(view: SeatView) -> str:
    legal, contract = view["legal"], view["contract"]
    if contract and side(contract["seat"]) == side(view["you"]):
        return "p"
    if contract and "x" in legal and _breaks(view["hand"], contract["bid"]):
        return "x"
    bids = [code for code in legal if code[0] == "b"]
    if bids and (wanted := _bid(view, bids)):
        return wanted
    return "p" if "p" in legal else bids[0]


def _bid(view: SeatView, bids: list[str]) -> str | None:
    """The lowest bid in the best strain, if the side can be expected to make it."""
    strains = STRAINS if bids[0][-1] in STRAINS else SUITS
    hopes = {strain: expected_tricks(view["hand"], strain) for strain in strains}
    best = max(strains, key=hopes.__getitem__)
    bid = next((bid for bid in bids if strains is SUITS or bid[-1] == best), None)
    if bid is None or hopes[best] + _partner_help(view) < bid_number(bid) + _TO_BID:
        return None
    return bid


def _breaks(hand: list[str], bid: str) -> bool:
    return expected_defence(hand, bid) >= TRICKS + 1 - bid_number(bid) + _TO_DOUBLE


def _partner_help(view: SeatView) -> float:
    """What the partner's last bid promises above an average hand, in tricks."""
    mate = partner(view["you"])
    bids = [str(code) for seat, code in view["calls"] if seat == mate and str(code)[0] == "b"]
    return _PARTNER_BID + 0.5 * (bid_number(bids[-1]) - 7) if bids else 0.0


# ---- The play


class _Table:
    """The trick as one seat sees it."""

    def __init__(self, view: SeatView) -> None:
        contract = view["contract"]
        if contract is None or contract["trump"] is None:
            raise ValueError("no card is played without a contract")
        self.you = view["you"]
        self.hand = view["hand"]
        self.legal = view["legal"]
        self.trump = contract["trump"]
        self.declaring = side(contract["seat"]) == side(self.you)
        self.trick = [(int(seat), str(code)) for seat, code in view["trick"]]
        self.unseen = FULL & ~hand_of(self.hand) & ~hand_of(view["played"])

    def card(self) -> str:
        return self._follow() if self.trick else self._lead()

    def _lead(self) -> str:
        trumps = [code for code in self.hand if code[1] == self.trump]
        plain = [code for code in self.hand if code[1] != self.trump]
        if trumps and (self._draws(trumps) or not plain):
            return trumps[-1]
        masters = [code for code in plain if self._is_master(code)]
        if masters:
            return min(masters, key=self._length)
        return min(plain, key=lambda code: (-self._length(code), RANK[code]))

    def _draws(self, trumps: list[str]) -> bool:
        """Whether to lead the highest of `trumps`: declarers do while the others may still hold some."""
        if not self.declaring or self.trump == "N":
            return False
        out = (self.unseen & SUIT_MASKS[SUITS.index(self.trump)]).bit_count()
        return out > 0 and (self._is_master(trumps[-1]) or len(trumps) >= out)

    def _follow(self) -> str:
        seat = winner(self.trick, self.trump)
        best = dict(self.trick)[seat]
        winning = sorted((code for code in self.legal if takes(code, best, self.trump)), key=RANK.__getitem__)
        last = len(self.trick) == 3
        if not winning or (seat == partner(self.you) and (last or self._stands(best))):
            return self._throw()
        if last or winning[0][1] != self.trick[0][1]:
            return winning[0]
        if self._is_master(winning[-1]) or (len(self.trick) == 2 and seat != partner(self.you)):
            return self._lowest_equal(winning)
        return self._throw()

    def _stands(self, best: str) -> bool:
        """Whether the partner's card is left alone: it is the highest out, or it could only be trumped."""
        return self._is_master(best) or self.legal[0][1] != self.trick[0][1]

    def _lowest_equal(self, winning: list[str]) -> str:
        """The lowest of `winning` (ascending, one suit) with no unseen card between it and the highest."""
        top = _ABOVE[winning[-1]]
        return next(code for code in winning if not self.unseen & _ABOVE[code] & ~top)

    def _throw(self) -> str:
        """The card that is missed least: no trump, no master, low, from a short suit."""
        return min(
            self.legal,
            key=lambda code: (
                code[1] == self.trump,
                self._is_master(code),
                RANK[code],
                self._length(code),
            ),
        )

    def _is_master(self, code: str) -> bool:
        return not self.unseen & _ABOVE[code]

    def _length(self, code: str) -> int:
        return sum(held[1] == code[1] for held in self.hand)

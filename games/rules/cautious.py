"""A sensible player: bids on length and high cards, counts its partner's bid, draws trumps.

It remembers what fell in this deal, but not who failed to follow; nothing is left to chance.
"""

from collections.abc import Callable

from games.rules.cards import BIT, CODES, FULL, HELD, SUIT_MASKS, SUIT_OF_BIT, SUITS, hand_of
from games.rules.seats import partner, side
from games.rules.tricks import BEATERS, winner
from games.rules.views import SeatView

_HIGHER = BEATERS["N"]
_TRICKS = 13


def cautious(view: SeatView, chance: Callable[[int], int]) -> str:
    """The code it chooses of `view["legal"]`."""
    legal = view["legal"]
    if len(legal) == 1:
        return legal[0]
    if view["phase"] == "auction":
        return _call(view)
    hand = hand_of(view["hand"])
    if view["phase"] == "trump":
        return "t" + max(SUITS, key=lambda suit: expected_tricks(hand, suit))
    return _Table(view, hand).choose()


# ---- The auction

# Tricks its side takes on average, by what one hand holds: least squares over deals that this player played out.
_BASE = 0.0


def expected_tricks(hand: int, trump: str) -> float:
    """The tricks that the side of `hand` takes on average as declarers under `trump` (C D H S, or N)."""
    tricks = 0.0
    for suit, mask in zip(SUITS, SUIT_MASKS, strict=True):
        ranks = hand & mask
        n = ranks.bit_count()
        top = ranks >> 13 * SUITS.index(suit)
        A, K, Q, J = (top >> i & 1 for i in (12, 11, 10, 9))
        if suit == trump:
            tricks += A + 0.8 * K + 0.6 * Q + 0.3 * J + 0.7 * max(0, n - 3)
        else:
            tricks += A + (0.6 * K if n > 1 else 0) + (0.25 * Q if n > 2 else 0)
            if trump != "N":
                tricks += {0: 1.0, 1: 0.5}.get(n, 0)
    return tricks + 3.0


def _call(view: SeatView) -> str:
    legal, you = view["legal"], view["you"]
    hand = hand_of(view["hand"])
    contract = view["contract"]
    help_ = _partner_help(view)
    if contract and contract["seat"] == partner(you) and "p" in legal:
        return "p"
    if (
        "x" in legal
        and contract
        and _defence(hand, contract["bid"]) + help_ > _TRICKS + 1 - int(contract["bid"][1:-1])
    ):
        return "x"
    bids = [code for code in legal if code[0] == "b"]
    strains = {code[-1] for code in bids} & set("CDHSN") or set(SUITS)
    best = {strain: expected_tricks(hand, strain) + help_ for strain in strains}
    for bid in bids:
        strain = bid[-1]
        if strain in best:
            if best[strain] == max(best.values()) and best[strain] >= int(bid[1:-1]) + 0.3:
                return bid
        elif max(best.values()) >= int(bid[1:]) + 0.3:
            return bid
        else:
            break
    return "p" if "p" in legal else bids[0]


def _defence(hand: int, bid: str) -> float:
    return expected_tricks(hand, "N") - 1


def _partner_help(view: SeatView) -> float:
    mate = partner(view["you"])
    return max(
        (
            0.8 + 0.5 * (int(str(code)[1:].rstrip("CDHSN")) - 7)
            for seat, code in view["calls"]
            if seat == mate and str(code)[0] == "b"
        ),
        default=0.0,
    )


# ---- The play


class _Table:
    """The trick as one seat sees it, in bit sets."""

    def __init__(self, view: SeatView, hand: int) -> None:
        contract = view["contract"]
        assert contract is not None and contract["trump"] is not None
        self.you = view["you"]
        self.hand = hand
        self.legal = hand_of(view["legal"])
        self.trick = [(int(seat), str(code)) for seat, code in view["trick"]]
        self.unseen = FULL & ~hand & ~hand_of(view["played"])
        self.trump = contract["trump"]
        self.trumps = SUIT_MASKS[SUITS.index(self.trump)] if self.trump != "N" else 0
        self.declaring = side(contract["seat"]) == side(self.you)

    def choose(self) -> str:
        bit = self._follow() if self.trick else self._lead()
        return CODES[bit.bit_length() - 1]

    # leading

    def _lead(self) -> int:
        trumps = self.hand & self.trumps
        plain = self.hand & ~self.trumps
        trumps_out = (self.unseen & self.trumps).bit_count()
        if self.declaring and trumps and trumps_out:
            top = _highest(trumps)
            if self._is_master(top) or trumps.bit_count() >= trumps_out:
                return top
        masters = [bit for bit in _bits(plain) if self._is_master(bit)]
        if masters:
            return min(masters, key=lambda bit: (self._length(bit), bit))
        if not plain:
            return _highest(trumps)
        return min(_bits(plain), key=lambda bit: (-self._length(bit), _rank(bit)))

    # following

    def _follow(self) -> int:
        seat = winner(self.trick, self.trump)
        best = BIT[dict(self.trick)[seat]]
        beaters = BEATERS[self.trump][best]
        last = len(self.trick) == 3
        winning = [bit for bit in _bits(self.legal) if bit & beaters]
        if seat == partner(self.you):
            safe = last or not self.unseen & beaters & (self._led | (0 if self._void else 0))
            if safe or not self._following:
                return self._throw()
            masters = [bit for bit in winning if self._is_master(bit)]
            return masters[-1] if masters else self._throw()
        if not winning:
            return self._throw()
        if last or not self._following:
            return min(winning, key=_rank)
        top = max(winning, key=_rank)
        if self._is_master(top) or len(self.trick) == 2:
            return self._cheapest_equal(top)
        return self._throw()

    def _cheapest_equal(self, top: int) -> int:
        """The lowest card of the hand that is as good as `top`: no unseen card lies between them."""
        best = top
        for bit in _bits(self.legal & SUIT_OF_BIT[top]):
            if (
                bit < top
                and not self.unseen & (top - bit) & ~bit
                and bit & BEATERS[self.trump][self._best_bit]
            ):
                return bit
        return best

    @property
    def _best_bit(self) -> int:
        return BIT[dict(self.trick)[winner(self.trick, self.trump)]]

    @property
    def _led(self) -> int:
        return SUIT_OF_BIT[BIT[self.trick[0][1]]]

    @property
    def _void(self) -> bool:
        return not self.hand & self._led

    @property
    def _following(self) -> bool:
        return not self._void

    def _throw(self) -> int:
        return min(
            _bits(self.legal),
            key=lambda bit: (bool(bit & self.trumps), self._is_master(bit), _rank(bit), self._length(bit)),
        )

    def _is_master(self, bit: int) -> bool:
        return not self.unseen & _HIGHER[bit]

    def _length(self, bit: int) -> int:
        return (self.hand & SUIT_OF_BIT[bit]).bit_count()


def _bits(cards: int) -> list[int]:
    return [BIT[code] for mask in SUIT_MASKS for code in HELD[cards & mask]]


def _highest(cards: int) -> int:
    return 1 << cards.bit_length() - 1


def _rank(bit: int) -> int:
    return (bit.bit_length() - 1) % 13

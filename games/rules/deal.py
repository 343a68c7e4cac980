"""One deal: four hands, an auction, a trump and thirteen tricks."""

from collections.abc import Sequence
from typing import Final, Literal, TypedDict

from games.rules.actions import IllegalAction, kind
from games.rules.auction import Auction
from games.rules.cards import BIT, CLUBS, DIAMONDS, HEARTS, HELD, SPADES, SUIT_NAMES, SUIT_OF_BIT
from games.rules.ruleset import Ruleset
from games.rules.seats import NEXT
from games.rules.tricks import BEATERS

DealPhase = Literal["auction", "trump", "play", "over"]
_TRUMP_CODES: Final = ("tC", "tD", "tH", "tS")
_SUIT_NAME_OF_MASK: Final = {SUIT_OF_BIT[BIT["2" + suit]]: name for suit, name in SUIT_NAMES.items()}


class Contract(TypedDict):
    """The standing bid. `trump`: None until fixed, then C D H S or N (no trump); `doubled`: 1, 2 or 4."""

    seat: int
    bid: str
    trump: str | None
    doubled: int


class Deal:
    """One deal in progress or over. Every card of a trick is (seat, code); `tricks` are [side 0, side 1]."""

    __slots__ = (
        "_beaters",
        "_beating",
        "_led",
        "_winning",
        "auction",
        "dealer",
        "hands",
        "last_trick",
        "last_winner",
        "phase",
        "trick",
        "tricks",
        "trump",
        "turn",
    )

    def __init__(self, ruleset: Ruleset, dealer: int, deck: Sequence[int], *, redouble: bool = False) -> None:
        """Deal `deck`, in dealt order: card `i` goes to seat `(dealer + 1 + i) mod 4`."""
        self.dealer = dealer
        self.hands = [0, 0, 0, 0]
        for seat in range(4):
            hand = 0
            for card in deck[(seat - dealer - 1) % 4 :: 4]:
                hand |= 1 << card
            self.hands[seat] = hand
        self.turn = NEXT[dealer]
        self.auction = Auction(ruleset, self.turn, redouble=redouble)
        self.phase: DealPhase = "auction"
        self.trump: str | None = None
        self.tricks = [0, 0]
        self.trick: list[tuple[int, str]] = []
        self.last_trick: list[tuple[int, str]] | None = None
        self.last_winner = -1
        self._beaters = BEATERS["N"]
        self._beating = 0  # the cards that would take the trick on the table from the one winning it
        self._led = 0  # the mask of the led suit, 0 when a lead is due
        self._winning = -1

    @property
    def contract(self) -> Contract | None:
        """The standing bid with its trump, or None before any bid."""
        bid = self.auction.bid
        if bid is None:
            return None
        return {
            "seat": self.auction.declarer,
            "bid": bid,
            "trump": self.trump,
            "doubled": self.auction.doubled,
        }

    @property
    def bid_tricks(self) -> int:
        """The number of tricks bid, 0 where nobody has bid."""
        bid = self.auction.bid
        return int(bid[1:].rstrip("CDHSN")) if bid else 0

    def legal(self) -> list[str]:
        """Every code the seat in turn may act with, in the order of the record format."""
        if self.phase == "play":
            hand = self.hands[self.turn]
            held = hand & self._led
            if held:
                return [*HELD[held]]
            return [*HELD[hand & CLUBS], *HELD[hand & DIAMONDS], *HELD[hand & HEARTS], *HELD[hand & SPADES]]
        if self.phase == "trump":
            return [*_TRUMP_CODES]
        return self.auction.legal()

    def act(self, code: str) -> None:
        """Do `code` for the seat in turn.

        Raises: IllegalAction, nothing changed, for what is not legal now.
        """
        if self.phase == "play":
            self._play(code)
        elif self.phase == "auction":
            self._call(code)
        elif self.phase == "trump":
            self._name_trump(code)
        else:
            raise IllegalAction("deal-over", "the deal is over")

    def copy(self) -> "Deal":
        """An independent deal in the same state; what no longer changes is shared."""
        twin = Deal.__new__(Deal)
        twin.dealer = self.dealer
        twin.hands = self.hands.copy()
        twin.turn = self.turn
        twin.auction = self.auction.copy() if self.phase == "auction" else self.auction
        twin.phase = self.phase
        twin.trump = self.trump
        twin.tricks = self.tricks.copy()
        twin.trick = self.trick.copy()
        twin.last_trick = self.last_trick
        twin.last_winner = self.last_winner
        twin._beaters = self._beaters
        twin._beating = self._beating
        twin._led = self._led
        twin._winning = self._winning
        return twin

    def _call(self, code: str) -> None:
        auction = self.auction
        auction.call(code)
        if not auction.closed:
            self.turn = auction.turn
        elif auction.high < 0:
            self.phase = "over"
        else:
            self.turn = auction.declarer
            if auction.ruleset.trump_is_named:
                self.phase = "trump"
            else:
                self._begin_play(auction.ruleset.bids[auction.high][-1])

    def _name_trump(self, code: str) -> None:
        if code not in _TRUMP_CODES:
            kind(code)
            raise IllegalAction("wrong-phase", f"seat {self.turn} has to name the trump suit, not {code}")
        self._begin_play(code[1])

    def _begin_play(self, trump: str) -> None:
        self.trump = trump
        self._beaters = BEATERS[trump]
        self.phase = "play"

    def _play(self, code: str) -> None:
        turn = self.turn
        hand = self.hands[turn]
        bit = BIT.get(code, 0)
        if not hand & bit:
            raise self._refusal(code)
        led = self._led
        if not led:
            self._led = SUIT_OF_BIT[bit]
            self._beating = self._beaters[bit]
            self._winning = turn
        elif hand & led and not bit & led:
            raise IllegalAction(
                "must-follow-suit", f"seat {turn} holds {_SUIT_NAME_OF_MASK[led]} and may not play {code}"
            )
        elif bit & self._beating:
            self._beating = self._beaters[bit]
            self._winning = turn
        self.hands[turn] = hand ^ bit
        trick = self.trick
        trick.append((turn, code))
        if len(trick) < 4:
            self.turn = NEXT[turn]
        else:
            self._take_trick()

    def _take_trick(self) -> None:
        seat = self._winning
        self.tricks[seat & 1] += 1
        self.last_trick = self.trick
        self.last_winner = seat
        self.trick = []
        self.turn = seat
        self._led = 0
        if not self.hands[seat]:
            self.phase = "over"

    def _refusal(self, code: str) -> IllegalAction:
        if kind(code) == "card":
            return IllegalAction("card-not-held", f"seat {self.turn} does not hold {code}")
        return IllegalAction("wrong-phase", f"a card is due, not {code[:20]}")

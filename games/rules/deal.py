"""One deal: four hands, an auction, a trump and thirteen tricks."""

from collections.abc import Sequence
from typing import Final, Literal, TypedDict

from games.rules.actions import TRUMPS, IllegalAction, kind
from games.rules.auction import Auction
from games.rules.cards import SUIT, SUIT_NAMES, by_suit
from games.rules.ruleset import Ruleset, bid_number
from games.rules.scoring import TRICKS
from games.rules.seats import NEXT, SEATS
from games.rules.tricks import A_LEAD, STRENGTH, STRONGEST_PLAIN, playable

DealPhase = Literal["auction", "trump", "play", "over"]

_NOTHING: Final = -1  # is beaten by any card


class Contract(TypedDict):
    """The standing bid. `trump`: None until fixed, then C D H S or N (no trump); `doubled`: 1, 2 or 4."""

    seat: int
    bid: str
    trump: str | None
    doubled: int


class Deal:
    """One deal in progress or over.

    `hands` are codes by seat and by suit (C D H S, rank ascending), `tricks` by side; `trick` holds the codes
    played from `leader` on, and `winner` is its winner so far (with none on the table: of the last one).
    """

    __slots__ = (
        "_best",
        "_led",
        "_strength",
        "auction",
        "dealer",
        "hands",
        "last_leader",
        "last_trick",
        "leader",
        "phase",
        "trick",
        "tricks",
        "trump",
        "turn",
        "winner",
    )

    def __init__(self, ruleset: Ruleset, dealer: int, deck: Sequence[int], *, redouble: bool = False) -> None:
        """Deal `deck`, in dealt order: card `i` goes to seat `(dealer + 1 + i) mod 4`."""
        first = NEXT[dealer]
        self.dealer = dealer
        self.hands = [by_suit(deck[(seat - first) % 4 :: 4]) for seat in SEATS]
        self.turn = first
        self.auction = Auction(ruleset, first, redouble=redouble)
        self.phase: DealPhase = "auction"
        self.trump: str | None = None
        self.tricks = [0, 0]
        self.leader = first
        self.trick: list[str] = []
        self.last_leader = first
        self.last_trick: list[str] | None = None
        self.winner = first
        self._strength = STRENGTH["N"]
        self._best = _NOTHING
        self._led = A_LEAD

    @property
    def contract(self) -> Contract | None:
        """The standing bid with its trump, or None before any bid."""
        auction = self.auction
        if auction.bid is None:
            return None
        return {
            "seat": auction.declarer,
            "bid": auction.bid,
            "trump": self.trump,
            "doubled": auction.doubled,
        }

    @property
    def bid_tricks(self) -> int:
        """How many tricks the standing bid names, 0 before any bid."""
        bid = self.auction.bid
        return bid_number(bid) if bid else 0

    def legal(self) -> list[str]:
        """Every code the seat in turn may act with, in the order of the record format."""
        if self.phase == "play":
            return playable(self.hands[self.turn], self._led)
        if self.phase == "trump":
            return [*TRUMPS]
        return self.auction.legal()

    def act(self, code: str) -> None:
        """Do `code` for the seat in turn.

        Raises: IllegalAction, nothing changed, for what is not legal now.
        """
        if self.phase != "play":
            self._act_before_play(code)
            return
        turn = self.turn
        hand = self.hands[turn]
        led = self._led
        try:
            suit = SUIT[code]
            if suit != led and led >= 0 and hand[led]:
                raise self._unplayable(code)
            hand[suit].remove(code)
        except (KeyError, ValueError):
            raise self._unplayable(code) from None
        if led < 0:
            self._led = led = suit
        strength = self._strength[code]
        if strength > self._best and (suit == led or strength > STRONGEST_PLAIN):
            self._best = strength
            self.winner = turn
        trick = self.trick
        trick.append(code)
        if len(trick) < 4:
            self.turn = NEXT[turn]
        else:
            self._take_trick()

    def copy(self) -> "Deal":
        """An independent deal in the same state; what no longer changes is shared."""
        twin = Deal.__new__(Deal)
        twin.dealer = self.dealer
        twin.hands = [[suit.copy() for suit in hand] for hand in self.hands]
        twin.turn = self.turn
        twin.auction = self.auction.copy() if self.phase == "auction" else self.auction
        twin.phase = self.phase
        twin.trump = self.trump
        twin.tricks = self.tricks.copy()
        twin.leader = self.leader
        twin.trick = self.trick.copy()
        twin.last_leader = self.last_leader
        twin.last_trick = self.last_trick
        twin.winner = self.winner
        twin._strength = self._strength
        twin._best = self._best
        twin._led = self._led
        return twin

    def _act_before_play(self, code: str) -> None:
        if self.phase == "auction":
            self._call(code)
        elif self.phase == "trump":
            self._name_trump(code)
        else:
            raise IllegalAction("deal-over", "the deal is over")

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
        if code not in TRUMPS:
            kind(code)  # no code at all is refused as such
            raise IllegalAction(
                "wrong-phase", f"seat {self.turn} has to name the trump suit, not {code[:20]}"
            )
        self._begin_play(code[1])

    def _begin_play(self, trump: str) -> None:
        self.trump = trump
        self.leader = self.turn
        self._strength = STRENGTH[trump]
        self.phase = "play"

    def _take_trick(self) -> None:
        winner = self.winner
        tricks = self.tricks
        tricks[winner & 1] += 1
        self.last_leader = self.leader
        self.last_trick = self.trick
        self.leader = self.turn = winner
        self.trick = []
        self._best = _NOTHING
        self._led = A_LEAD
        if tricks[0] + tricks[1] == TRICKS:
            self.phase = "over"

    def _unplayable(self, code: str) -> IllegalAction:
        if kind(code) != "card":
            return IllegalAction("wrong-phase", f"a card is due, not {code[:20]}")
        if code not in self.hands[self.turn][SUIT[code]]:
            return IllegalAction("card-not-held", f"seat {self.turn} does not hold {code}")
        suit = SUIT_NAMES[self._led]
        return IllegalAction("must-follow-suit", f"seat {self.turn} holds {suit} and may not play {code}")

"""A match as people would keep it on paper: hands of cards, the calls made, a score sheet."""

from tests.oracle.auction import Auction
from tests.oracle.rules import (
    DEAD_DEALS_THAT_CLOSE_A_TABLE,
    TRUMPS,
    Changes,
    RefusedError,
    default_options,
    doubled_points,
    kind_of,
    next_dealer,
    number_of,
    playable,
    strain_of,
    suit_of,
    trick_winner,
    verdict,
)

PHASE_OF_KIND = {
    "pass": "auction",
    "bid": "auction",
    "double": "auction",
    "trump": "trump",
    "card": "play",
}


class Deal:
    """One distribution of the 52 cards, up to its last trick or its fourth pass."""

    def __init__(self, ruleset: str, redouble: bool, dealer: int, deck: list[str]) -> None:
        self.ruleset = ruleset
        self.hands: list[list[str]] = [[], [], [], []]
        for i, card in enumerate(deck):
            self.hands[(dealer + 1 + i) % 4].append(card)
        self.auction = Auction(ruleset, dealer, redouble)
        self.bidding = True
        self.dead = False
        self.trump: str | None = None
        self.trick: list[tuple[int, str]] = []
        self.tricks = [0, 0]
        self.leader = 0

    def declarer(self) -> tuple[int, str] | None:
        return self.auction.standing()

    def phase(self) -> str:
        if self.bidding:
            return "auction"
        if self.dead or sum(self.tricks) == 13:
            return "finished"
        return "trump" if self.trump is None else "play"

    def turn(self) -> int | None:
        phase = self.phase()
        if phase == "finished":
            return None
        if phase == "auction":
            return self.auction.turn()
        if phase == "trump":
            return self.leader
        return (self.leader + len(self.trick)) % 4

    def led(self) -> str | None:
        return suit_of(self.trick[0][1]) if self.trick else None

    def legal(self) -> list[str]:
        phase = self.phase()
        if phase == "auction":
            return self.auction.legal()
        if phase == "trump":
            return list(TRUMPS)
        turn = self.turn()
        return [] if turn is None else playable(self.hands[turn], self.led())

    def act(self, code: str) -> None:
        """Plays one code for the seat whose turn it is, or says why it may not."""
        phase = self.phase()
        if phase == "finished":
            raise RefusedError("deal-over", "the deal is over")
        kind = kind_of(code)
        if kind == "nothing":
            raise RefusedError("malformed", f"{code} is no code")
        if PHASE_OF_KIND[kind] != phase:
            raise RefusedError("wrong-phase", f"{code} in the phase {phase}")
        if phase == "auction":
            self.call(code)
        elif phase == "trump":
            self.trump = code[1]
        else:
            self.play(code)

    def call(self, code: str) -> None:
        self.auction.say(code)
        if self.auction.closed():
            self.bidding = False
            self.begin_play_of(self.declarer())

    def begin_play_of(self, standing: tuple[int, str] | None) -> None:
        if standing is None:
            self.dead = True
        else:
            self.leader, bid = standing
            self.trump = strain_of(bid)

    def play(self, card: str) -> None:
        seat = (self.leader + len(self.trick)) % 4
        hand = self.hands[seat]
        if card not in hand:
            raise RefusedError("card-not-held", f"seat {seat} does not hold {card}")
        if card not in playable(hand, self.led()):
            raise RefusedError("must-follow-suit", f"seat {seat} holds the suit that was led")
        hand.remove(card)
        self.trick.append((seat, card))
        if len(self.trick) == 4:
            self.take_the_trick()

    def take_the_trick(self) -> None:
        assert self.trump is not None
        self.leader = trick_winner(self.trick, self.trump)
        self.tricks[self.leader % 2] += 1
        self.trick = []

    def contract(self) -> dict[str, object] | None:
        standing = self.declarer()
        if standing is None:
            return None
        seat, bid = standing
        return {
            "seat": seat,
            "bid": bid,
            "trump": self.trump,
            "doubled": self.auction.doubled(),
        }

    def change(self, double_defenders: bool) -> Changes:
        """Points of the finished deal as [side 0, side 1]."""
        standing = self.declarer()
        assert standing is not None
        seat, bid = standing
        side = seat % 2
        factor = self.auction.doubled()
        declarers, defenders = doubled_points(
            self.ruleset, number_of(bid), self.tricks[side], factor, double_defenders
        )
        return [declarers, defenders] if side == 0 else [defenders, declarers]


class Match:
    """Deals one after another until somebody has won or nobody is there."""

    def __init__(self, ruleset: str, target: int, dealer: int, options: dict[str, int | bool | None]) -> None:
        self.ruleset = ruleset
        self.target = target
        self.dealer = dealer
        self.options = default_options(ruleset) | options
        self.deals = 0
        self.dead_run = 0
        self.changes: list[Changes] = []
        self.result: dict[str, object] | None = None
        self.deal: Deal | None = None
        self.actors = ""

    def start(self, deck: list[str]) -> None:
        self.deals += 1
        self.deal = Deal(self.ruleset, bool(self.options.get("redouble")), self.dealer, deck)
        self.actors = ""

    def act(self, code: str, by: str) -> None:
        if self.deal is None:
            raise RefusedError("deal-over", "no deal is in progress")
        self.deal.act(code)
        self.actors += by
        if self.deal.phase() == "finished":
            self.finish(self.deal)

    def finish(self, deal: Deal) -> None:
        self.deal = None
        self.dealer = next_dealer(self.ruleset, self.dealer, deal.dead)
        if self.nobody_was_there():
            self.result = {"kind": "no-result", "winner": None, "advances": None}
        elif deal.dead:
            self.count_dead_deal()
        else:
            self.dead_run = 0
            self.changes.append(deal.change(bool(self.options.get("double_defenders"))))
            self.result = verdict(self.score(), self.target, self.changes, self.options["round_cap"])

    def nobody_was_there(self) -> bool:
        """Kings: no person played a seat of their own and somebody had to be stood in for."""
        absent = "c" in self.actors or "s" in self.actors
        return self.ruleset == "kings" and "m" not in self.actors and absent

    def count_dead_deal(self) -> None:
        self.dead_run += 1
        if self.dead_run == DEAD_DEALS_THAT_CLOSE_A_TABLE:
            self.result = {"kind": "no-result", "winner": None, "advances": None}

    def score(self) -> list[int]:
        return [sum(change[side] for change in self.changes) for side in (0, 1)]

    def phase(self) -> str:
        if self.result is not None:
            return "over"
        return "deal" if self.deal is None else self.deal.phase()

    def turn(self) -> int | None:
        return None if self.deal is None else self.deal.turn()

    def legal(self) -> list[str]:
        return [] if self.deal is None else self.deal.legal()

    def standing(self) -> dict[str, object]:
        """What a reader of the record is told about where the match stands."""
        return {
            "ok": True,
            "phase": self.phase(),
            "deals": self.deals,
            "counted": len(self.changes),
            "dead_run": self.dead_run,
            "dealer": self.dealer,
            "turn": self.turn(),
            "legal": self.legal(),
            "contract": None if self.deal is None else self.deal.contract(),
            "tricks": [0, 0] if self.deal is None else self.deal.tricks,
            "score": self.score(),
            "changes": self.changes,
            "result": self.result,
        }

"""The auction: whose call it is, which calls are legal, when it closes and who declares.

One rule serves all four rulesets: it closes after so many calls in a row without a bid. Where a pass is
final, passes before a bid count as well (whoever passed stays silent for good): a bid takes nothing back.
"""

from games.rules.actions import IllegalAction, kind
from games.rules.ruleset import Ruleset
from games.rules.seats import NEXT, side

_NOBODY_BIDS = 4


class Auction:
    """An auction in progress or closed. `high` is the standing bid's place among all bids, -1 before any."""

    __slots__ = (
        "calls",
        "closed",
        "declarer",
        "doubled",
        "high",
        "passed",
        "redouble",
        "ruleset",
        "silence",
        "turn",
    )

    def __init__(self, ruleset: Ruleset, first: int, *, redouble: bool = False) -> None:
        self.ruleset = ruleset
        self.redouble = redouble
        self.turn = first
        self.calls: list[tuple[int, str]] = []
        self.high = -1
        self.declarer = -1
        self.doubled = 1
        self.silence = 0
        self.passed = 0
        self.closed = False

    @property
    def bid(self) -> str | None:
        """The standing bid, or None before any."""
        return self.ruleset.bids[self.high] if self.high >= 0 else None

    def legal(self) -> list[str]:
        """Every call the seat in turn may make: pass, double, redouble, bids ascending."""
        if self.closed:
            return []
        calls = [*self.ruleset.calls_above[self.high + 1]]
        if self.doubled == 2 and self._may_redouble():
            calls.insert(1, "xx")
        if self.ruleset.doubles and self._may_double():
            calls.insert(1, "x")
        if self.ruleset.dealer_must_bid and self._must_bid():
            del calls[0]
        return calls

    def call(self, code: str) -> None:
        """Make the call of the seat in turn.

        Raises: IllegalAction, nothing changed, for a call that is not legal now.
        """
        turn = self.turn
        ruleset = self.ruleset
        place = ruleset.bid_order.get(code)
        if place is not None:
            self._bid(code, place)
        elif code == "p":
            self._pass()
        else:
            self._double(code)
        self.calls.append((turn, code))
        high = self.high
        if self.silence == (ruleset.closing_silence if high >= 0 else _NOBODY_BIDS) or (
            ruleset.top_bid_closes and high == len(ruleset.bids) - 1
        ):
            self.closed = True
            return
        turn = NEXT[turn]
        while self.passed >> turn & 1:
            turn = NEXT[turn]
        self.turn = turn

    def copy(self) -> "Auction":
        """An independent auction in the same state."""
        twin = Auction.__new__(Auction)
        twin.ruleset = self.ruleset
        twin.redouble = self.redouble
        twin.turn = self.turn
        twin.calls = self.calls.copy()
        twin.high = self.high
        twin.declarer = self.declarer
        twin.doubled = self.doubled
        twin.silence = self.silence
        twin.passed = self.passed
        twin.closed = self.closed
        return twin

    def _bid(self, code: str, place: int) -> None:
        if place <= self.high:
            raise IllegalAction("bid-too-low", f"{code} does not go above {self.bid}")
        self.high = place
        self.declarer = self.turn
        self.doubled = 1
        if not self.ruleset.pass_is_final:
            self.silence = 0

    def _pass(self) -> None:
        if self._must_bid():
            raise IllegalAction(
                "pass-not-allowed", f"seat {self.turn} deals and has to bid after three passes"
            )
        self.silence += 1
        if self.ruleset.pass_is_final:
            self.passed |= 1 << self.turn

    def _double(self, code: str) -> None:
        if not ((code == "x" and self._may_double()) or (code == "xx" and self._may_redouble())):
            raise self._refusal(code)
        self.doubled *= 2
        self.silence += 1

    def _must_bid(self) -> bool:
        return self.ruleset.dealer_must_bid and self.high < 0 and self.silence == _NOBODY_BIDS - 1

    def _may_double(self) -> bool:
        return (
            self.ruleset.doubles
            and self.high >= 0
            and self.doubled == 1
            and side(self.declarer) != side(self.turn)
        )

    def _may_redouble(self) -> bool:
        return self.redouble and self.doubled == 2 and side(self.declarer) == side(self.turn)

    def _refusal(self, code: str) -> IllegalAction:
        match kind(code):
            case "bid":
                return IllegalAction("bid-out-of-range", f"{self.ruleset.name} has no bid {code[:20]}")
            case "double":
                return IllegalAction("double-not-allowed", f"seat {self.turn} may not answer with {code} now")
            case _:
                return IllegalAction("wrong-phase", f"a call is due, not {code}")

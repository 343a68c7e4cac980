"""One auction, worked out afresh from the list of its calls each time something is asked."""

from tests.oracle.rules import BIDS, RefusedError, kind_of


class Auction:
    """Who may call what, after the calls made so far: a list of (seat, call)."""

    def __init__(self, ruleset: str, dealer: int, redouble: bool) -> None:
        self.ruleset = ruleset
        self.dealer = dealer
        self.redouble = redouble
        self.calls: list[tuple[int, str]] = []

    def standing(self) -> tuple[int, str] | None:
        """The highest bid and who made it; it is always the last one."""
        bids = [(seat, call) for seat, call in self.calls if call.startswith("b")]
        return bids[-1] if bids else None

    def since_the_bid(self) -> list[str]:
        """The calls after the standing bid, or all of them while nobody has bid."""
        calls: list[str] = []
        for _, call in self.calls:
            calls = [] if call.startswith("b") else [*calls, call]
        return calls

    def doubled(self) -> int:
        since = self.since_the_bid()
        return 4 if "xx" in since else 2 if "x" in since else 1

    def out(self) -> list[int]:
        """Seats that may not speak again: a pass is final in classic and kings."""
        if self.ruleset in ("kotchina", "egyptian"):
            return []
        return [seat for seat, call in self.calls if call == "p"]

    def closed(self) -> bool:
        standing = self.standing()
        if standing is None:
            return len(self.calls) == 4
        if self.ruleset == "kotchina":
            return len(self.since_the_bid()) == 3
        if self.ruleset == "egyptian":
            return len(self.since_the_bid()) == 4
        return standing[1] == "b13" or len(self.out()) == 3

    def turn(self) -> int:
        """The next seat to the right that is still in."""
        last = self.calls[-1][0] if self.calls else self.dealer
        seat = (last + 1) % 4
        while seat in self.out():
            seat = (seat + 1) % 4
        return seat

    def must_bid(self) -> bool:
        """Kings: three passed and nobody bid, so the dealer has to."""
        return self.ruleset == "kings" and [call for _, call in self.calls] == ["p", "p", "p"]

    def higher_bids(self) -> list[str]:
        standing = self.standing()
        bids = BIDS[self.ruleset]
        return bids if standing is None else bids[bids.index(standing[1]) + 1 :]

    def doubles(self) -> list[str]:
        """`x` against a bid of the other side, `xx` for the side whose bid was doubled."""
        standing = self.standing()
        if self.ruleset != "egyptian" or standing is None:
            return []
        own_side = standing[0] % 2 == self.turn() % 2
        if self.doubled() == 1 and not own_side:
            return ["x"]
        if self.doubled() == 2 and own_side and self.redouble:
            return ["xx"]
        return []

    def legal(self) -> list[str]:
        passing = [] if self.must_bid() else ["p"]
        return passing + self.doubles() + self.higher_bids()

    def say(self, call: str) -> None:
        """Adds the call of the seat whose turn it is, or says why it may not be made."""
        if call not in self.legal():
            raise RefusedError(self.objection(call), f"{call} may not be said here")
        self.calls.append((self.turn(), call))

    def objection(self, call: str) -> str:
        if call == "p":
            return "pass-not-allowed"
        if kind_of(call) == "double":
            return "double-not-allowed"
        return "bid-too-low" if call in BIDS[self.ruleset] else "bid-out-of-range"

"""The rules pages' facts, all taken from the rules themselves, so that text and code agree."""

from dataclasses import dataclass

from games.models import Ruleset as Name
from games.rules.cards import RANKS
from games.rules.ruleset import RULESETS, Ruleset
from games.rules.scoring import TRICKS, points

BIDS = range(7, TRICKS + 1)


@dataclass(frozen=True)
class Points:
    """What a deal brings: points of the bidding side and of the defenders."""

    bidders: int
    defenders: int

    @property
    def made(self) -> bool:
        return self.bidders > 0


@dataclass(frozen=True)
class Chapter:
    """One ruleset for its page: what it is called, the rules as data, and its points."""

    name: Name
    ruleset: Ruleset

    @property
    def points(self) -> list[tuple[int, list[Points]]]:
        """A row for each number of tricks taken, most first: that number, then the points by bid from 7."""
        return [
            (tricks, [Points(*points(self.ruleset, bid, tricks)) for bid in BIDS])
            for tricks in range(TRICKS, -1, -1)
        ]

    @property
    def examples(self) -> list[tuple[int, int, Points]]:
        """Bid, tricks taken and points, for the cases that players ask about."""
        cases = [(9, 9), (9, 10), (9, 8), (7, 13), (13, 13), (13, 12)]
        return [(bid, tricks, Points(*points(self.ruleset, bid, tricks))) for bid, tricks in cases]

    @property
    def bids(self) -> range:
        return BIDS

    @property
    def ranks(self) -> str:
        """The ranks from the highest, as printed on the cards."""
        return " ".join(reversed(RANKS)).replace("T", "10")


def chapter(name: str) -> Chapter:
    """The chapter of one ruleset. Raises: KeyError where there is no such ruleset."""
    return Chapter(Name(name), RULESETS[name])


def chapters() -> list[Chapter]:
    """All four, in the order they are offered."""
    return [chapter(name) for name in Name.values]

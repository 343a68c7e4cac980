"""A match: deals one after another until the rules end it."""

from collections.abc import Sequence
from typing import Literal

from games.rules.actions import ACTORS, IllegalAction
from games.rules.cards import hand_of, is_whole_deck
from games.rules.deal import Contract, Deal
from games.rules.ruleset import Options, Ruleset
from games.rules.scoring import Result, no_result, outcome, points
from games.rules.seats import NEXT, side

Phase = Literal["deal", "auction", "trump", "play", "over"]


class BadTarget(ValueError):
    """A target that the ruleset does not play to."""

    code = "bad-target"


class Match:
    """One match. Scores, changes and tricks are [side 0, side 1]; the lists are replaced, never changed."""

    __slots__ = (
        "_actors",
        "_deal",
        "_dealer",
        "changes",
        "dead_run",
        "deals",
        "finished_deal",
        "options",
        "result",
        "ruleset",
        "score",
        "target",
    )

    def __init__(
        self, ruleset: Ruleset, *, target: int = 31, dealer: int = 0, options: Options | None = None
    ) -> None:
        """A match about to begin, first dealt by `dealer`.

        Raises: BadTarget where the ruleset does not play to `target`.
        """
        if target not in ruleset.targets:
            raise BadTarget(f"{ruleset.name} is not played to {str(target)[:20]}")
        self.ruleset = ruleset
        self.target = target
        self.options = ruleset.default_options if options is None else options
        self.deals = 0
        self.dead_run = 0
        self.score: list[int] = [0, 0]
        self.changes: list[list[int]] = []
        self.result: Result | None = None
        self.finished_deal: Deal | None = None
        self._deal: Deal | None = None
        self._dealer = dealer
        self._actors: frozenset[str] = frozenset()

    @classmethod
    def resume(
        cls,
        ruleset: Ruleset,
        *,
        target: int,
        options: Options,
        dealer: int,
        deals: int,
        dead_run: int,
        score: Sequence[int],
        changes: Sequence[Sequence[int]],
        ended: Result | None = None,
    ) -> "Match":
        """A match between two deals (or over, where `ended`), from stored facts; `dealer` deals next.

        What a finished deal still shows (its calls, its last trick) is not among the facts: to show it,
        resume before that deal, then deal and act it again.
        """
        match = cls(ruleset, target=target, dealer=dealer, options=options)
        match.deals = deals
        match.dead_run = dead_run
        match.score = list(score)
        match.changes = [list(change) for change in changes]
        match.result = ended
        return match

    @property
    def phase(self) -> Phase:
        """`deal` before and between deals; `over` once the match has ended."""
        if self._deal is not None:
            return self._deal.phase
        return "deal" if self.result is None else "over"

    @property
    def turn(self) -> int | None:
        """The seat that is to act, None where no deal is in progress."""
        return None if self._deal is None else self._deal.turn

    @property
    def dealer(self) -> int:
        """The dealer of the deal in progress; between deals and at the end, whoever would deal next."""
        return self._dealer

    @property
    def deal_index(self) -> int | None:
        """The place from 0 of the deal in progress or just finished; None before the first."""
        return self.deals - 1 if self.deals else None

    @property
    def counted(self) -> int:
        """How many rounds have counted."""
        return len(self.changes)

    @property
    def deal(self) -> Deal | None:
        """The deal in progress, or None."""
        return self._deal

    @property
    def shown_deal(self) -> Deal | None:
        """The deal in progress, or the one just finished while it still lies on the table."""
        return self._deal or self.finished_deal

    @property
    def contract(self) -> Contract | None:
        """The standing bid of the deal in progress, or None."""
        return None if self._deal is None else self._deal.contract

    @property
    def tricks(self) -> list[int]:
        """The tricks taken in the deal in progress, by side; a fresh list."""
        return [0, 0] if self._deal is None else self._deal.tricks.copy()

    def hand(self, seat: int) -> int:
        """The bit set of what `seat` holds now; empty where no deal is in progress."""
        return hand_of(self.cards(seat))

    def cards(self, seat: int) -> list[str]:
        """What `seat` holds now, by suit C D H S and rank ascending; empty where no deal is in progress."""
        return [] if self._deal is None else [code for suit in self._deal.hands[seat] for code in suit]

    def legal(self) -> list[str]:
        """Every code that is legal now, in the order of the record format."""
        deal = self._deal
        return [] if deal is None else deal.legal()

    def start_deal(self, deck: Sequence[int]) -> None:
        """Deal `deck`: the 52 cards in dealt order.

        Raises: IllegalAction, nothing changed: `match-over`, `malformed` (a deal is unfinished), `bad-deck`.
        """
        if self.result is not None:
            raise IllegalAction("match-over", "the match is over")
        if self._deal is not None:
            raise IllegalAction("malformed", "the deal before is unfinished")
        if not is_whole_deck(deck):
            raise IllegalAction("bad-deck", "a deck is the 52 cards, each once")
        self._deal = Deal(self.ruleset, self._dealer, deck, redouble=self.options.redouble)
        self.finished_deal = None
        self.deals += 1
        self._actors = frozenset()

    def act(self, code: str, by: str = "m") -> None:
        """Do `code` for the seat in turn; `by`: `m` a person, `c` the clock, `b` a bot, `s` a bot sitting in.

        Raises: IllegalAction, nothing changed, for what is not legal now; ValueError for another `by`.
        """
        deal = self._deal
        if deal is None:
            raise IllegalAction("deal-over", "no deal is in progress")
        actors = self._actors
        if by not in actors:
            actors = _with_actor(actors, by)
        deal.act(code)
        self._actors = actors
        if deal.phase == "over":
            self._finish(deal)

    def copy(self) -> "Match":
        """An independent match in the same state; what is never changed in place is shared."""
        twin = Match.__new__(Match)
        twin.ruleset = self.ruleset
        twin.target = self.target
        twin.options = self.options
        twin.deals = self.deals
        twin.dead_run = self.dead_run
        twin.score = self.score
        twin.changes = self.changes
        twin.result = self.result
        twin.finished_deal = self.finished_deal
        twin._deal = None if self._deal is None else self._deal.copy()
        twin._dealer = self._dealer
        twin._actors = self._actors
        return twin

    def _finish(self, deal: Deal) -> None:
        self._deal = None
        self.finished_deal = deal
        dead = deal.auction.high < 0
        if not (dead and self.ruleset.dealer_keeps_dead_deal):
            self._dealer = NEXT[self._dealer]
        if self._nobody_was_there():
            self.result = no_result()
        elif dead:
            self._bury()
        else:
            self._score(deal)

    def _nobody_was_there(self) -> bool:
        somebody = "m" in self._actors
        return self.ruleset.idle_deal_ends_match and not somebody and not self._actors.isdisjoint("cs")

    def _bury(self) -> None:
        self.dead_run += 1
        if self.dead_run >= self.ruleset.dead_limit:
            self.result = no_result()

    def _score(self, deal: Deal) -> None:
        self.dead_run = 0
        bidding = side(deal.auction.declarer)
        bidders, defenders = points(
            self.ruleset,
            deal.bid_tricks,
            deal.tricks[bidding],
            doubled=deal.auction.doubled,
            double_defenders=self.options.double_defenders,
        )
        change = [defenders, bidders] if bidding else [bidders, defenders]
        self.score = [self.score[0] + change[0], self.score[1] + change[1]]
        self.changes = [*self.changes, change]
        self.result = outcome(self.target, self.options, self.changes, self.score)


def _with_actor(actors: frozenset[str], by: str) -> frozenset[str]:
    if by not in ACTORS:
        raise ValueError(f"{by!r} is nobody who could act")
    return actors | {by}

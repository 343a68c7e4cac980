"""The four rulesets as data: whatever differs between them is a field of one frozen value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

STRAINS: Final = "CDHSN"
_NUMBERS: Final = range(7, 14)


class UnknownOption(ValueError):
    """A match option that the ruleset does not have, or a value it cannot take."""

    code = "malformed"


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may choose within its ruleset."""

    round_cap: int | None = None
    redouble: bool = False
    double_defenders: bool = False

    def changed(self, ruleset: "Ruleset") -> dict[str, int | bool | None]:
        """The options that differ from the ruleset's own, by name: what records and the wire carry."""
        return {
            name: getattr(self, name)
            for name in ruleset.option_names
            if getattr(self, name) != getattr(ruleset.default_options, name)
        }


@dataclass(frozen=True, slots=True)
class Scale:
    """The points of a counted round, to the bidding side unless said otherwise; None: no such case."""

    made_scores_tricks: bool
    slam: int | None = None
    thirteen_made: int = 13
    thirteen_failed: int = -13
    thirteen_failed_defenders_factor: int = 1


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One way to play. `bids` ascend; so many calls as `closing_silence` without a bid close an auction."""

    name: str
    bids: tuple[str, ...]
    closing_silence: int
    pass_is_final: bool
    top_bid_closes: bool
    dealer_must_bid: bool
    doubles: bool
    trump_is_named: bool
    dealer_keeps_dead_deal: bool
    idle_deal_ends_match: bool
    scale: Scale
    targets: tuple[int, ...] = (31,)
    default_options: Options = Options()
    option_names: tuple[str, ...] = ("round_cap",)
    dead_limit: int = 8
    bid_order: Mapping[str, int] = field(init=False, repr=False, compare=False)
    calls_above: tuple[tuple[str, ...], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Lay out what every auction asks for: each bid's place; pass and the bids above each place."""
        object.__setattr__(self, "bid_order", {bid: place for place, bid in enumerate(self.bids)})
        above = tuple(("p", *self.bids[place:]) for place in range(len(self.bids) + 1))
        object.__setattr__(self, "calls_above", above)


_NUMBER_BIDS: Final = tuple(f"b{number}" for number in _NUMBERS)
_STRAIN_BIDS: Final = tuple(f"b{number}{strain}" for number in _NUMBERS for strain in STRAINS)
_TRICKS_SCORED: Final = Scale(
    made_scores_tricks=True,
    slam=16,
    thirteen_made=26,
    thirteen_failed=-16,
    thirteen_failed_defenders_factor=2,
)

KOTCHINA: Final = Ruleset(
    name="kotchina",
    bids=_NUMBER_BIDS,
    closing_silence=3,
    pass_is_final=False,
    top_bid_closes=False,
    dealer_must_bid=False,
    doubles=False,
    trump_is_named=True,
    dealer_keeps_dead_deal=False,
    idle_deal_ends_match=False,
    scale=Scale(made_scores_tricks=False),
    default_options=Options(round_cap=50),
)
CLASSIC: Final = Ruleset(
    name="classic",
    bids=_NUMBER_BIDS,
    closing_silence=3,
    pass_is_final=True,
    top_bid_closes=True,
    dealer_must_bid=False,
    doubles=False,
    trump_is_named=True,
    dealer_keeps_dead_deal=True,
    idle_deal_ends_match=False,
    scale=_TRICKS_SCORED,
)
EGYPTIAN: Final = Ruleset(
    name="egyptian",
    bids=_STRAIN_BIDS,
    closing_silence=4,
    pass_is_final=False,
    top_bid_closes=False,
    dealer_must_bid=False,
    doubles=True,
    trump_is_named=False,
    dealer_keeps_dead_deal=True,
    idle_deal_ends_match=False,
    scale=_TRICKS_SCORED,
    option_names=("round_cap", "redouble", "double_defenders"),
)
KINGS: Final = Ruleset(
    name="kings",
    bids=_NUMBER_BIDS,
    closing_silence=3,
    pass_is_final=True,
    top_bid_closes=True,
    dealer_must_bid=True,
    doubles=False,
    trump_is_named=True,
    dealer_keeps_dead_deal=False,
    idle_deal_ends_match=True,
    scale=_TRICKS_SCORED,
    targets=(31, 41, 61),
)

RULESETS: Final[Mapping[str, Ruleset]] = {
    ruleset.name: ruleset for ruleset in (KOTCHINA, CLASSIC, EGYPTIAN, KINGS)
}


def bid_number(bid: str) -> int:
    """The tricks that a bid code names: 8 for `b8` and for `b8S`."""
    return int(bid[1:].rstrip(STRAINS))


def read_options(ruleset: Ruleset, given: Mapping[str, Any]) -> Options:
    """The options of a match: `given` by name over the ruleset's own.

    Raises: UnknownOption for a name the ruleset does not have or a value of the wrong kind.
    """
    values: dict[str, Any] = {name: getattr(ruleset.default_options, name) for name in ruleset.option_names}
    for name, value in given.items():
        if name not in values:
            raise UnknownOption(f"{ruleset.name} has no option {str(name)[:40]!r}")
        if not (_is_cap(value) if name == "round_cap" else isinstance(value, bool)):
            raise UnknownOption(f"option {name} cannot be {str(value)[:40]!r}")
        values[name] = value
    return Options(**values)


def _is_cap(value: object) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 1)

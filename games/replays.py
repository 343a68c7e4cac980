"""What the replay page of a finished match steps through, folded once from its record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NotRequired, TypedDict

from games.models import Table
from games.queries import Happening, Moments, UnreadableMatch, moments, record
from games.rules.actions import IllegalAction
from games.rules.cards import CARD, codes
from games.rules.deal import Contract, Deal
from games.rules.match import Match
from games.rules.ruleset import RULESETS, read_options
from games.rules.scoring import Result
from games.rules.seats import SEATS, side
from games.rules.views import public_part


class Step(TypedDict):
    """One action. `contract`: the standing bid where it changed; `winner`: of the trick it ended; `at`: when."""

    seat: int
    code: str
    by: str
    ms: int | None
    contract: NotRequired[Contract]
    winner: NotRequired[int]
    at: NotRequired[datetime]


class DealReplay(TypedDict):
    """One deal from the cards dealt to its points; `number` counts from 1, `score` is after it.

    `beside`: what happened at the table between its steps. `hands` are four lists of codes by seat. A dead deal's
    `change`, `contract` and `made` are None.
    """

    number: int
    dealer: int
    hands: list[list[str]]
    steps: list[Step]
    contract: Contract | None
    bid_tricks: int
    tricks: list[int]
    change: list[int] | None
    score: list[int]
    made: bool | None
    beside: list[Happening]


class Replay(TypedDict):
    """A whole match. `names` by seat; `dealer` dealt first; `proof` as in the record, None without one."""

    ruleset: str
    target: int
    names: list[str]
    deals: list[DealReplay]
    score: list[int]
    result: Result | None
    dealer: int
    proof: dict[str, str] | None


def replay_of(record: Mapping[str, Any]) -> Replay:
    """Every step of a `tarneeb-record/1` record that the rules accept.

    Raises: IllegalAction where they do not: a stored match is one they accepted.
    """
    ruleset = RULESETS[record["ruleset"]]
    match = Match(
        ruleset,
        target=record.get("target", 31),
        dealer=record["dealer"],
        options=read_options(ruleset, record.get("options", {})),
    )
    deals = [_replay_deal(match, deal) for deal in record["deals"]]
    return {
        "ruleset": ruleset.name,
        "target": match.target,
        "names": list(record["players"]),
        "deals": deals,
        "score": list(match.score),
        "result": match.result,
        "dealer": record["dealer"],
        "proof": record.get("proof"),
    }


def stored_replay(table: Table, *, timed: bool = False) -> Replay:
    """The replay of a match that is over; `timed`: with the times of its steps and what happened beside them.

    Raises: UnreadableMatch where the rules do not accept what is stored of it.
    """
    found = record(table)
    try:
        replay = replay_of(found)
        return with_moments(replay, moments(table)) if timed else replay
    except (IllegalAction, LookupError, TypeError, ValueError, AssertionError) as fault:
        raise UnreadableMatch(table.code) from fault


def with_moments(replay: Replay, moments: Sequence[Moments]) -> Replay:
    """The replay with the times of its steps and with what happened beside them."""
    for deal, moment in zip(replay["deals"], moments, strict=True):
        deal["beside"] = moment.beside
        for step, at in zip(deal["steps"], moment.at, strict=True):
            step["at"] = at
    return replay


def _replay_deal(match: Match, deal: Mapping[str, Any]) -> DealReplay:
    dealer, counted = match.dealer, match.counted
    match.start_deal([CARD[code] for code in deal["deck"].split()])
    hands = [codes(match.hand(seat)) for seat in SEATS]
    steps = _steps(match, deal)
    outcome = _outcome(match.shown_deal, match.changes[counted:])
    return {
        "number": match.deals,
        "dealer": dealer,
        "hands": hands,
        "steps": steps,
        "score": list(match.score),
        "beside": [],
        **outcome,
    }


def _steps(match: Match, deal: Mapping[str, Any]) -> list[Step]:
    actions = deal["actions"].split()
    actors = deal.get("by") or "m" * len(actions)
    times = deal.get("ms") or [None] * len(actions)
    return [_step(match, *act) for act in zip(actions, actors, times, strict=True)]


def _step(match: Match, code: str, by: str, ms: int | None) -> Step:
    deal = match.deal
    assert deal is not None, "a deal is in progress at each of its actions"
    step: Step = {"seat": deal.turn, "code": code, "by": by, "ms": ms}
    before, taken = deal.contract, sum(deal.tricks)
    match.act(code, by)
    if deal.contract is not None and deal.contract != before:
        step["contract"] = deal.contract
    if sum(deal.tricks) > taken:
        step["winner"] = _last_winner(match)
    return step


def _last_winner(match: Match) -> int:
    trick = public_part(match)["last_trick"]
    assert trick is not None, "a trick was taken"
    return trick["winner"]


class _Outcome(TypedDict):
    contract: Contract | None
    bid_tricks: int
    tricks: list[int]
    change: list[int] | None
    made: bool | None


def _outcome(deal: Deal | None, changes: Sequence[list[int]]) -> _Outcome:
    assert deal is not None, "a deal that was dealt lies on the table until the next"
    change = list(changes[0]) if changes else None
    contract = deal.contract
    return {
        "contract": contract,
        "bid_tricks": deal.bid_tricks,
        "tricks": list(deal.tricks),
        "change": change,
        "made": None if change is None or contract is None else change[side(contract["seat"])] > 0,
    }


@dataclass(frozen=True)
class SheetRow:
    """A line of the score sheet. `taken`: the declaring side's tricks; `points` by side, or None."""

    deal: DealReplay
    declarer: int | None
    taken: int | None

    @property
    def points(self) -> Sequence[int | None]:
        return self.deal["change"] or (None, None)


def score_sheet(replay: Replay) -> list[SheetRow]:
    """The score sheet of a match: a line for each deal, dead ones too."""
    return [_sheet_row(deal) for deal in replay["deals"]]


def _sheet_row(deal: DealReplay) -> SheetRow:
    if deal["contract"] is None:
        return SheetRow(deal, None, None)
    declarer = deal["contract"]["seat"]
    return SheetRow(deal, declarer, deal["tricks"][side(declarer)])

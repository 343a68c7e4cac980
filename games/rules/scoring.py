"""The points of a deal, and whether the match is over and how."""

from collections.abc import Sequence
from typing import Literal, TypedDict

from games.rules.ruleset import Options, Ruleset

TRICKS = 13
ResultKind = Literal["target", "round-cap", "draw", "no-result"]


class Result(TypedDict):
    """How a match ended. `advances` is `winner`, in a draw the side that gained in the last counted round."""

    kind: ResultKind
    winner: int | None
    advances: int | None


def points(
    ruleset: Ruleset, bid: int, tricks: int, *, doubled: int = 1, double_defenders: bool = False
) -> tuple[int, int]:
    """The points of the bidding side and of the defenders, when the bidding side bid `bid` and took `tricks`.

    `doubled` (1, 2 or 4) multiplies the bidding side, made or failed; the defenders where `double_defenders`.
    """
    bidders, defenders = _plain_points(ruleset, bid, tricks)
    return bidders * doubled, defenders * (doubled if double_defenders else 1)


def _plain_points(ruleset: Ruleset, bid: int, tricks: int) -> tuple[int, int]:
    scale = ruleset.scale
    if tricks < bid:
        if bid == TRICKS:
            return scale.thirteen_failed, (TRICKS - tricks) * scale.thirteen_failed_defenders_factor
        return -bid, TRICKS - tricks
    if bid == TRICKS:
        return scale.thirteen_made, 0
    if tricks == TRICKS and scale.slam is not None:
        return scale.slam, 0
    return (tricks if scale.made_scores_tricks else bid), 0


def no_result() -> Result:
    """How a dead table ends: nobody wins, whatever the score."""
    return {"kind": "no-result", "winner": None, "advances": None}


def outcome(
    target: int, options: Options, changes: Sequence[Sequence[int]], score: Sequence[int]
) -> Result | None:
    """How the match stands decided after a counted round, or None while it goes on.

    `changes` holds [side 0, side 1] of each counted round, the last one included in `score`. The target goes
    before the cap; sides level at the target play on.
    """
    leader = None if score[0] == score[1] else int(score[1] > score[0])
    if leader is not None and score[leader] >= target:
        return {"kind": "target", "winner": leader, "advances": leader}
    if options.round_cap is None or len(changes) < options.round_cap:
        return None
    if leader is not None:
        return {"kind": "round-cap", "winner": leader, "advances": leader}
    return {"kind": "draw", "winner": None, "advances": int(changes[-1][1] > 0)}

"""What a finished table means for its pairing, as an item of the log."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from games.models import Deal, ResultKind, Table
from games.queries import Played
from tournaments.formats.adjudicate import Outcome
from tournaments.formats.adjudicate import adjudicate as adjudicate_outcome
from tournaments.formats.event import print_item
from tournaments.formats.results import Kind, Pairing
from tournaments.models import PairingTable, Tournament
from tournaments.queries import stage_settings
from tournaments.services.refusals import Refused

Item = dict[str, Any]


def result_item(row: PairingTable, pairing: Pairing, played: Mapping[int, Played]) -> Item:
    """The log item that a finished table means for its pairing. `played`: what was counted there, by table.

    Raises: PlanError `malformed` where the table's facts contradict each other.
    """
    table, figures = row.table, played.get(row.table_id)
    if table.result_kind == ResultKind.RESIGNED and table.winner is not None:
        return _resigned(row, pairing, table.winner, figures)
    timed = figures if row.limited_at is not None and not table.result_kind else None
    facts = outcome(table) if timed is None else outcome_in_time(table, timed)
    verdict = adjudicate_outcome(
        facts,
        pairing=pairing.id,
        sides=(row.sides[0], row.sides[1]),
        dead_tables=pairing.dead_tables,
    )
    item = print_item(verdict.item) | _figures(figures)
    if timed is None:
        return item
    time = {"minutes": row.tournament.limit_minutes, "rounds": timed.counted}
    return item | {"cause": "time", "time": time}


def _resigned(row: PairingTable, pairing: Pairing, winner: int, figures: Played | None) -> Item:
    """Who resigns gives up this match: the pairing, unless it is best of several."""
    about = {"pairing": pairing.id, "sides": list(row.sides), "cause": "resigned"}
    if not is_best_of(row.tournament, pairing.id):
        return {"type": "forfeit", "side": 1 - winner} | about
    return conceded(row.tournament, winner, row.table.score) | about | _figures(figures)


def conceded(tournament: Tournament, winner: int, score: Sequence[int] = (0, 0)) -> Item:
    """One match of a pairing, given up: the other side has the points that it lacked to the target."""
    points = list(score)
    points[winner] = max(points[winner], tournament.target, points[1 - winner] + 1)
    return {"type": "result", "kind": "target", "score": points}


def check_reached(tournament: Tournament, fact: Mapping[str, Any]) -> None:
    """Raises: Refused `below-target` where the target is said to be reached, and neither side has so many points."""
    points = fact.get("score") or ()
    if fact.get("kind") == "target" and all(p is not None and p < tournament.target for p in points):
        raise Refused("below-target", target=tournament.target)


def is_best_of(tournament: Tournament, pairing: str) -> bool:
    """Whether more matches than one decide the pairing."""
    return bool(stage_settings(tournament, pairing).get("best_of", 1) > 1)


def outcome(table: Table) -> Outcome:
    """A finished table's facts. One that was closed unplayed is a dead table too: nobody was there."""
    kind = cast(Kind, table.result_kind or ResultKind.NO_RESULT.value)
    return Outcome(kind, (table.score[0], table.score[1]), table.winner, table.advances)


def outcome_in_time(table: Table, played: Played) -> Outcome:
    """What a match that was ended by its time limit comes to: as if the round cap had been reached then.

    Without a counted round, or level where no side ever gained, it is a dead table.
    """
    first, second = played.score
    if first != second:
        return Outcome("round-cap", played.score, 0 if first > second else 1)
    gainer = played.gained if played.gained is not None else _last_gainer(table)
    if not played.counted or gainer is None:
        return Outcome("no-result", played.score)
    return Outcome("draw", played.score, last_gainer=gainer)


def _last_gainer(table: Table) -> int | None:
    """Who won the last counted round that anybody won."""
    deals = Deal.objects.filter(table=table, finished=True, change__isnull=False).order_by("-index")
    for change in filter(None, deals.values_list("change", flat=True)):
        best = 0 if change[0] > change[1] else 1
        if change[best] > max(0, change[1 - best]):
            return best
    return None


def _figures(played: Played | None) -> Item:
    """Deals won and contracts made, by side, for tie-breaks."""
    if played is None or not played.counted:
        return {}
    return {"deals": list(played.deals_won), "contracts": list(played.contracts_made)}

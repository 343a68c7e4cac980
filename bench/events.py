"""Tournaments as values, for the bench: made, seeded and played out by the pure formats, without a database."""

from collections.abc import Iterator
from time import perf_counter
from typing import Any

from tournaments.formats.entrants import Entrant
from tournaments.formats.notation import read_settings
from tournaments.formats.plan import Tournament, plan
from tournaments.formats.results import Item, Pairing, Result

ROUNDS_OF_A_LATE_SWISS = 5


def entrants(count: int) -> list[Entrant]:
    return [Entrant(f"e{number}", "", number) for number in range(1, count + 1)]


def won(pairing: Pairing) -> Result:
    """The side with a name that sums up higher wins: fixed, and no matter of seeds alone."""
    first, second = pairing.sides
    assert first is not None
    assert second is not None
    better = 0 if (hash_of(first), first) > (hash_of(second), second) else 1
    score = (31, 12) if better == 0 else (12, 31)
    return Result(pairing.id, "target", score, sides=(first, second))


def hash_of(entrant: str) -> int:
    return int(entrant[1:]) * 2_654_435_761 % 4_294_967_296


def played_out(tournament: Tournament) -> Iterator[Result]:
    """Every result until nothing is ready any more, each added as it comes."""
    while ready := [pairing for pairing in tournament.plan().pairings if pairing.status == "ready"]:
        for pairing in ready:
            result = won(pairing)
            tournament.add(result)
            yield result


def elimination(settings: dict[str, Any], count: int) -> dict[str, float]:
    """Seconds to make an elimination and to play it out result by result, and to fold its whole log at once."""
    read, field = read_settings(settings), entrants(count)
    began = perf_counter()
    tournament = Tournament(read, field)
    made = perf_counter() - began
    began = perf_counter()
    log: list[Item] = list(played_out(tournament))
    played = perf_counter() - began
    folded = min(timed_fold(read, field, log) for _ in range(3))
    return {"made_s": made, "played_s": played, "folded_s": folded, "matches": len(log)}


def timed_fold(settings: Any, field: list[Entrant], log: list[Item]) -> float:
    began = perf_counter()
    assert plan(settings, field, log).finished
    return perf_counter() - began


def swiss_round(count: int) -> tuple[float, list[tuple[str, str]], Tournament]:
    """Seconds to pair a late Swiss round, its pairs, and the tournament with that round made."""
    rounds = ROUNDS_OF_A_LATE_SWISS
    settings = read_settings({"format": "swiss", "rounds": rounds + 1, "seed": 7})
    tournament = Tournament(settings, entrants(count))
    for _ in range(rounds):
        ready = [pairing for pairing in tournament.plan().pairings if pairing.status == "ready"]
        for pairing in ready[:-1]:
            tournament.add(won(pairing))
        began = perf_counter()
        # The last result makes the round: all that pairing costs lies here.
        tournament.add(won(ready[-1]))
        made_plan = tournament.plan()
        seconds = perf_counter() - began
    made = [pairing for pairing in made_plan.pairings if pairing.status == "ready"]
    return seconds, [(pairing.sides[0] or "", pairing.sides[1] or "") for pairing in made], tournament


def told(tournament: Tournament) -> tuple[list[list[tuple[str, str]]], dict[str, int]]:
    """Who has met whom so far, and everybody's points: what another program needs to pair the last round."""
    made = tournament.plan()
    met = [
        (p.sides[0], p.sides[1]) for p in made.pairings if p.status == "done" and p.sides[0] and p.sides[1]
    ]
    return [met], {standing.entrant: standing.points for standing in made.standings}  # type: ignore[list-item]

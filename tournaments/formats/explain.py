"""What people ask about a table and its rounds, answered with what the plan was computed from."""

from collections.abc import Iterable, Sequence, Set

from tournaments.formats.plan import Tournament
from tournaments.formats.results import Pairing
from tournaments.formats.scored import Scored
from tournaments.formats.tiebreaks import Term, Value


def terms(tournament: Tournament, entrant: str, value: Value, stage: int = 0) -> tuple[Term, ...]:
    """What adds up to an entrant's `points`, or to the value of a tie-break: opponent, pairing, number.

    Args:
        tournament: the log folded.
        entrant: whose value.
        value: `points` or a tie-break, listed or not.
        stage: from 1 in a tournament in stages, else 0; pairings are then named as the plan names them.

    Returns:
        In the order of the pairings; none in an elimination, or for who is not in that stage.
    """
    part = tournament.part(stage)
    found: Sequence[Term] = part.terms(value, entrant) if isinstance(part, Scored) else ()
    if not stage:
        return tuple(found)
    return tuple(term._replace(pairing=term.pairing and f"{stage}:{term.pairing}") for term in found)


def forbidden_meetings(pairings: Iterable[Pairing], forbidden: Set[frozenset[str]]) -> tuple[str, ...]:
    """The pairings of two who should not have met: none where it could be avoided."""
    return tuple(pairing.id for pairing in pairings if frozenset(_both(pairing)) in forbidden)


def rematches(pairings: Sequence[Pairing]) -> dict[str, str]:
    """The pairings of a Swiss whose two had been paired before, each with the last of those before.

    There are none while a round can be paired without.
    """
    last: dict[frozenset[str], str] = {}
    found: dict[str, str] = {}
    for pairing in pairings:
        both = frozenset(_both(pairing))
        if len(both) == 2 and both in last:
            found[pairing.id] = last[both]
        last[both] = pairing.id
    return found


def _both(pairing: Pairing) -> list[str]:
    return [side for side in pairing.sides if side is not None]

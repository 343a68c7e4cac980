"""Who stands where."""

from collections.abc import Collection, Sequence

from tournaments.formats.bracket import Node
from tournaments.formats.results import Pairing, Standing
from tournaments.formats.spots import OPEN


def elimination_standings(
    seeded: Sequence[str], nodes: Sequence[Node], pairings: Sequence[Pairing], gone: Collection[str]
) -> tuple[Standing, ...]:
    """Ranks by where each went out; equals share one, in seed order. Everyone still in has rank 1.

    Where one goes out is the latest pairing one stands in: the loser of the final is second, those of the
    semi-finals third, of the quarter-finals fifth, however the others fare. `P3` parts third from fourth;
    until it is decided, those who play it are still in.

    Args:
        seeded: entrant ids, best seed first.
        nodes: the bracket.
        pairings: as they stand, in the order of `nodes`.
        gone: entrants who have left.
    """
    if not nodes:
        return tuple(Standing(entrant, 1, still_in=entrant not in gone) for entrant in seeded)
    champion = _champion(pairings)
    playing = {side for pairing in pairings if pairing.status in OPEN for side in pairing.sides}
    still_in = {entrant for entrant in (*playing, champion) if entrant not in gone}
    ranks = _ranks(nodes, pairings, champion)
    standings = [
        Standing(entrant, 1 if entrant in still_in else ranks[entrant], still_in=entrant in still_in)
        for entrant in seeded
    ]
    return tuple(sorted(standings, key=lambda standing: standing.rank))


def _ranks(nodes: Sequence[Node], pairings: Sequence[Pairing], champion: str | None) -> dict[str, int]:
    """The rank of who goes out, or would, in the latest pairing one stands in; the champion's is 1."""
    ranks: dict[str, int] = {}
    for node, pairing in zip(nodes, pairings, strict=True):
        if pairing.id != "P3":
            ranks |= {side: node.out_rank for side in pairing.sides if side is not None}
    if champion is not None:
        ranks[champion] = 1
    third = next((pairing.winner for pairing in pairings if pairing.id == "P3"), None)
    if third is None:
        return ranks
    return {entrant: 4 if rank == 3 and entrant != third else rank for entrant, rank in ranks.items()}


def _champion(pairings: Sequence[Pairing]) -> str | None:
    """Who won the last pairing; a second grand final that is not needed leaves it to the first."""
    *_, final = (pairing for pairing in pairings if pairing.id != "P3" and not _not_needed(pairing))
    return final.winner


def _not_needed(pairing: Pairing) -> bool:
    return pairing.id == "GF2" and pairing.status == "void"

"""Where the seeds stand in a bracket."""

from collections import deque
from collections.abc import Sequence, Set

Forbidden = Set[frozenset[str]]


def bracket_order(size: int) -> list[int]:
    """The seeds of a bracket of `size` (a power of two) from top to bottom: 1 8 4 5 2 7 3 6 for eight.

    Whoever keeps to the seeding, the best meet as late as they can.
    """
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [seed for better in order for seed in (better, total - better)]
    return order


def first_round(seeded: Sequence[str], forbidden: Forbidden = frozenset()) -> list[tuple[str, str | None]]:
    """The first round, top to bottom, better seed first; None is a bye, and byes fall to the top seeds.

    Args:
        seeded: two or more entrant ids, best first.
        forbidden: pairs that should not meet; see `avoid`.
    """
    size = 1 << (len(seeded) - 1).bit_length()
    order = bracket_order(size)
    tops = [seed for seed in order[::2] if size + 1 - seed <= len(seeded)]
    opponents = avoid(seeded, {seed: size + 1 - seed for seed in tops}, forbidden)
    return [
        (seeded[seed - 1], seeded[opponents[seed] - 1] if seed in opponents else None) for seed in order[::2]
    ]


def avoid(seeded: Sequence[str], opponents: dict[int, int], forbidden: Forbidden) -> dict[int, int]:
    """Better seed to worse seed, with as few forbidden meetings as exchanges among the worse seeds allow.

    Each meeting that must go is dissolved by the shortest chain of exchanges, near seeds before far ones; who
    has a bye keeps it, and what no chain dissolves is left.
    """
    clashing = [top for top in sorted(opponents) if _clash(seeded, top, opponents[top], forbidden)]
    settled = {top: opponent for top, opponent in opponents.items() if top not in clashing}
    free = {opponents[top] for top in clashing}
    for top in clashing:
        chain = _exchange(seeded, settled, free, (top, opponents[top]), forbidden)
        settled.update(chain)
        free -= {opponent for _, opponent in chain}
    unparted = [top for top in clashing if top not in settled]
    return settled | dict(zip(unparted, sorted(free), strict=True))


def _clash(seeded: Sequence[str], first: int, second: int, forbidden: Forbidden) -> bool:
    return frozenset((seeded[first - 1], seeded[second - 1])) in forbidden


def _exchange(
    seeded: Sequence[str],
    settled: dict[int, int],
    free: set[int],
    start: tuple[int, int],
    forbidden: Forbidden,
) -> list[tuple[int, int]]:
    """New (seed, opponent) pairs that settle the start without a clash; empty if there are none."""
    holder = {opponent: top for top, opponent in settled.items()}
    came_from: dict[int, int] = {}
    queue = deque([start])
    while queue:
        top, lost = queue.popleft()
        for opponent in sorted({*holder, *free}, key=lambda other: (abs(other - lost), other)):
            if opponent == lost or opponent in came_from or _clash(seeded, top, opponent, forbidden):
                continue
            came_from[opponent] = top
            if opponent in free:
                return _unwind(came_from, settled, opponent)
            queue.append((holder[opponent], opponent))
    return []


def _unwind(came_from: dict[int, int], settled: dict[int, int], last: int) -> list[tuple[int, int]]:
    chain = [(came_from[last], last)]
    while chain[-1][0] in settled:
        opponent = settled[chain[-1][0]]
        chain.append((came_from[opponent], opponent))
    return chain

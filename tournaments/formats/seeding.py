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
    has a bye keeps it, and where no chain exists the meeting stays.
    """
    chosen = dict(opponents)
    for top in sorted(opponents):
        if _clash(seeded, top, chosen[top], forbidden):
            chosen.update(_exchange(seeded, chosen, top, forbidden))
    return chosen


def _clash(seeded: Sequence[str], first: int, second: int, forbidden: Forbidden) -> bool:
    return frozenset((seeded[first - 1], seeded[second - 1])) in forbidden


def _exchange(
    seeded: Sequence[str], chosen: dict[int, int], start: int, forbidden: Forbidden
) -> list[tuple[int, int]]:
    """New (seed, opponent) pairs: `start` gets an allowed opponent, its old one is handed on; or none."""
    holder = {opponent: seed for seed, opponent in chosen.items()}
    came_from: dict[int, int] = {}
    queue = deque([start])
    while queue:
        seed = queue.popleft()
        for opponent in sorted(holder, key=lambda other: (abs(other - chosen[seed]), other)):
            if opponent == chosen[seed] or opponent in came_from or _clash(seeded, seed, opponent, forbidden):
                continue
            came_from[opponent] = seed
            if opponent == chosen[start]:
                return _unwind(came_from, chosen, opponent, start)
            queue.append(holder[opponent])
    return []


def _unwind(
    came_from: dict[int, int], chosen: dict[int, int], last: int, start: int
) -> list[tuple[int, int]]:
    changes = [(came_from[last], last)]
    while changes[-1][0] != start:
        opponent = chosen[changes[-1][0]]
        changes.append((came_from[opponent], opponent))
    return changes

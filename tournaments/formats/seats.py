"""Which seats of a first round are kept when the entrants of a stage change."""

from collections.abc import Iterable, Sequence

from tournaments.formats.bracket import FirstRound
from tournaments.formats.ledger import Stand

Seat = str | None


def hold(first: FirstRound, stands: Iterable[Stand], seeded: Sequence[str]) -> FirstRound:
    """The first round with the seats below every pairing that stands as they were when it was let stand.

    Those who would have come to sit there take, best seed first, the seats left empty elsewhere by those who
    sit there still. So nobody has two seats; who finds none does not play.
    """
    kept = {place: seat for stand in stands for place, seat in _seats_of(stand)}
    sitting = {entrant for entrant in kept.values() if entrant is not None}
    drawn = {place: seat for place, seat in _places(first) if place not in kept}
    elsewhere = {entrant for entrant in drawn.values() if entrant is not None}
    newcomers = iter([entrant for entrant in seeded if entrant not in sitting | elsewhere])
    filled = {place: next(newcomers, None) if seat in sitting else seat for place, seat in drawn.items()}
    return [_pair(n, kept | filled) for n in range(len(first))]


def seated(first: FirstRound) -> list[str]:
    """Everyone who has a seat, from top to bottom."""
    return [seat for pair in first for seat in pair if seat is not None]


def _places(first: FirstRound) -> Iterable[tuple[tuple[int, int], Seat]]:
    return [((n, side), seat) for n, pair in enumerate(first) for side, seat in enumerate(pair)]


def _seats_of(stand: Stand) -> Iterable[tuple[tuple[int, int], Seat]]:
    """By the number in the name: `R1.3` and `W1.3` are the third pairing of the first round."""
    return [
        ((int(pairing.split(".")[1]) - 1, side), seat if isinstance(seat, str) else None)
        for pairing, slots in stand.seats.items()
        for side, seat in enumerate(slots)
    ]


def _pair(n: int, seats: dict[tuple[int, int], Seat]) -> tuple[Seat, Seat]:
    first, second = seats[n, 0], seats[n, 1]
    return (second, None) if first is None else (first, second)

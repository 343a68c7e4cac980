"""What the rounds of a Swiss leave behind for the pairing of the next."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

from tournaments.formats.records import Record
from tournaments.formats.results import Pairing
from tournaments.formats.swiss_round import PRIME, Contender, Meeting


class History:
    """Meetings, byes and unplayed wins by entrant, read from the pairings as they stand."""

    def __init__(self, records: Iterable[Record]) -> None:
        self._met: dict[str, dict[str, Meeting]] = defaultdict(dict)
        self._byes: dict[str, list[int]] = defaultdict(list)
        self._unplayed_wins: set[str] = set()
        for record in records:
            self._count(record.line, record.met)

    def contender(self, entrant: str, points: int, floated: int, lot: int) -> Contender:
        """The entrant as the next round's pairing sees them."""
        return Contender(
            entrant,
            points,
            self._met.get(entrant, {}),
            tuple(self._byes.get(entrant, ())),
            entrant in self._unplayed_wins,
            floated,
            lot,
        )

    def _count(self, line: Pairing, played: bool) -> None:
        first, second = line.sides
        if first is None or second is None:
            self._byes[first or second or ""].append(line.round)
            return
        if line.decided_by in ("walkover", "forfeit") and line.winner is not None:
            self._unplayed_wins.add(line.winner)
        before = self._met[first].get(second)
        times, ever = (1, played) if before is None else (before.times + 1, before.played or played)
        self._met[first][second] = self._met[second][first] = Meeting(times, line.round, ever)


def floats(pairs: Sequence[tuple[str, str]], bye: str | None, points: Mapping[str, int]) -> dict[str, int]:
    """Who meets more points (1, up) or fewer (-1, down); a bye is down."""
    found = {} if bye is None else {bye: -1}
    for first, second in pairs:
        apart = points.get(second, 0) - points.get(first, 0)
        if apart:
            found |= {first: 1 if apart > 0 else -1, second: -1 if apart > 0 else 1}
    return found


def round_lot(seed: int, round_: int, entrant: str) -> int:
    """What parts equals in the pairing of a round: from the seed, the round and the entrant alone."""
    return 1 + int.from_bytes(sha256(f"{seed}|{round_}|{entrant}".encode()).digest()[:8]) % (PRIME - 1)

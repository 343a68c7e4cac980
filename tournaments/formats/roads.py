"""The ways through a bracket: what a pairing feeds, what lies behind it, and who is kept to one way."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from tournaments.formats.bracket import Empty, Feeder, Node, Takes
from tournaments.formats.fixed import Fixed
from tournaments.formats.ledger import Slots, Stand
from tournaments.formats.spots import Spot, taken


class Roads(Fixed):
    """A bracket's pairings by what feeds them, once and for all."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = {node.id: node for node in nodes}
        self.fed: dict[str, list[str]] = {node.id: [] for node in nodes}
        self.goes: dict[tuple[str, Takes], str] = {}
        for node in nodes:
            for source in node.sources:
                if isinstance(source, Feeder):
                    self.fed[source.pairing].append(node.id)
                    self.goes[source.pairing, source.takes] = node.id

    def below(self, pairing: str) -> set[str]:
        """Every pairing this one feeds, directly or through others."""
        below: set[str] = set()
        queue = [pairing]
        for feeder in queue:
            queue += [fed for fed in self.fed[feeder] if fed not in below]
            below.update(self.fed[feeder])
        return below

    def seats(self, pairing: str) -> dict[str, Slots]:
        """The first-round sides a pairing's sides came from, as they are in this bracket."""
        seats: dict[str, Slots] = {}
        queue = [pairing]
        for above in queue:
            first, second = self.nodes[above].sources
            if not isinstance(first, Feeder) and not isinstance(second, Feeder):
                seats[above] = (first, second)
            queue += [source.pairing for source in (first, second) if isinstance(source, Feeder)]
        return seats


class Held:
    """Whom a correction let stand in a pairing comes nowhere else but on the way to it.

    Where winner and loser go on in different pairings, one who stands behind the other way changes places
    with the opponent; who finds both ways barred comes to neither.
    """

    def __init__(self, roads: Roads, stands: Iterable[Stand]) -> None:
        self._roads = roads
        self._where: dict[str, list[str]] = defaultdict(list)
        for stand in stands:
            for slot in stand.slots:
                if isinstance(slot, str):
                    self._where[slot].append(stand.pairing)

    def __bool__(self) -> bool:
        return bool(self._where)

    def taken(self, spot: Spot, takes: Takes) -> str | Empty:
        """Who comes out of a pairing to a further one, or why nobody does."""
        comes = taken(spot, takes)
        if takes not in ("winner", "loser"):
            return comes
        other = taken(spot, "loser" if takes == "winner" else "winner")
        if not (self._barred(spot, comes, takes) or self._barred(spot, other, _OTHER[takes])):
            return comes
        return Empty.OUT if other is Empty.BYE or self._barred(spot, other, takes) else other

    def _barred(self, spot: Spot, entrant: str | Empty, takes: Takes) -> bool:
        """Whether the entrant stands behind this pairing, and not on this way out of it."""
        feeder = spot.pairing.id
        way = self._roads.goes.get((feeder, takes))
        if not isinstance(entrant, str) or way is None or entrant not in self._where:
            return False
        behind = self._roads.below(feeder)
        further = {way} | self._roads.below(way)
        return any(pairing in behind and pairing not in further for pairing in self._where[entrant])


_OTHER: dict[Takes, Takes] = {"winner": "loser", "loser": "winner"}

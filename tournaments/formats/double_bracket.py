"""The shape of a double elimination: who loses in W goes on in L, and the last of both meet."""

from dataclasses import replace

from tournaments.formats.bracket import Empty, Feeder, FirstRound, Node, Source, winners


def double_elimination(first: FirstRound, reset: bool) -> tuple[Node, ...]:
    """All of W, all of L, `GF1` and with `reset` `GF2`; every feeder before what it feeds.

    Pairings of L that nobody can ever reach are left out.

    Args:
        first: the first round from top to bottom (`seeding.first_round`); its length is a power of two.
        reset: whether who comes undefeated to the grand final has to lose twice.
    """
    if not first:
        return ()
    upper = winners(first, "W")
    lower = _Lower(first)
    rounds = upper[-1].round
    ranks = _where_losers_go(lower.nodes)
    return (
        *(replace(node, out_rank=ranks.get(node.id, 2)) for node in upper),
        *lower.nodes,
        *_grand_final(rounds, lower.last, reset),
    )


def crossed(round_: int, n: int, rounds: int) -> int:
    """Which pairing of W's `round_` its loser comes from who drops into L beside the n-th; both from 1.

    Losers of the first two rounds that drop start half a bracket from where they played, those of the next
    a quarter, and so on in turn (0, 1/2, 1/4, 3/4, 1/8, 5/8 …: the turn read backwards as binary digits). Two who
    have met meet again when L has shrunk to where their ways join: so as late as can be for every two rounds.
    """
    places = 1 << (rounds - round_)
    offset, digits = 0, round_ - 1
    while places > 1:
        places //= 2
        offset += places * (digits % 2)
        digits //= 2
    return ((n - 1) ^ offset) + 1


class _Lower:
    """The bracket of those who have lost once, built round by round. `last`: who comes out of it."""

    def __init__(self, first: FirstRound) -> None:
        self.nodes: list[Node] = []
        self._rounds = len(first).bit_length()
        self._lost: list[Source] = [
            Empty.BYE if None in pair else Feeder(f"W1.{n}", "loser") for n, pair in enumerate(first, 1)
        ]
        self.last = self._play()

    def _play(self) -> Source:
        """With one pairing in W there is nothing to play: its loser comes to the grand final."""
        coming = self._lost
        for dropping in range(2, self._rounds + 1):
            coming = self._round(2 * dropping - 3, coming[::2], coming[1::2])
            places = range(1, len(coming) + 1)
            lost: list[Source] = [
                Feeder(f"W{dropping}.{crossed(dropping, n, self._rounds)}", "loser") for n in places
            ]
            coming = self._round(2 * dropping - 2, lost, coming)
        return coming[0]

    def _round(self, round_: int, first: list[Source], second: list[Source]) -> list[Source]:
        """The pairings of one round, and who comes out of each."""
        count = len(first)
        rank = 3 * count + 1 if round_ % 2 else 2 * count + 1
        return [
            self._pairing(f"L{round_}.{n}", round_, pair, rank)
            for n, pair in enumerate(zip(first, second, strict=True), 1)
        ]

    def _pairing(self, id_: str, round_: int, pair: tuple[Source, Source], rank: int) -> Source:
        if pair == (Empty.BYE, Empty.BYE):
            return Empty.BYE
        self.nodes.append(Node(id_, round_, pair, rank))
        return Feeder(id_, "winner")


def _grand_final(rounds: int, challenger: Source, reset: bool) -> list[Node]:
    first = Node("GF1", rounds + 1, (Feeder(f"W{rounds}.1", "winner"), challenger), 2)
    again = (Feeder("GF1", "first again"), Feeder("GF1", "second again"))
    return [first, Node("GF2", rounds + 2, again, 2)] if reset else [first]


def _where_losers_go(nodes: list[Node]) -> dict[str, int]:
    """The rank of those who lose in W and then do not come to L, by their pairing in W."""
    return {
        source.pairing: node.out_rank
        for node in nodes
        for source in node.sources
        if isinstance(source, Feeder) and source.takes == "loser"
    }

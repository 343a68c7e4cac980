"""The cheapest way to pair a field off: a maximum-weight matching, with costs of several degrees."""

from collections.abc import Sequence

import rustworkx

HEAVIEST = 2**120  # The matching counts in 128 bits, and doubles.

Pair = tuple[int, int]


def cheapest(count: int, pairs: Sequence[Pair], costs: Sequence[Sequence[int]]) -> list[Pair]:
    """As many pairs as there can be; of all such the one whose first costs add up to least, then the second …

    Each pair has the lower number first; pairs are in the order of it. Where the costs differ enough for only
    one matching to be the cheapest, the result depends on nothing else. Costs that no longer fit into a weight
    are left out, the least important first.

    Args:
        count: how many are to be paired, numbered from 0.
        pairs: who may meet.
        costs: what each of these pairs costs, the most important first; all whole and not negative.
    """
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(count))
    weights = _weights(count // 2, len(pairs), costs)
    graph.add_edges_from([(a, b, -weight) for (a, b), weight in zip(pairs, weights, strict=True)])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in found)


def _weights(most: int, count: int, costs: Sequence[Sequence[int]]) -> list[int]:
    """One of each cost weighs more than all that is less important can add up to in `most` pairs."""
    weights, heaviest = [0] * count, 1
    for degree in costs:
        size = max(degree, default=0) * most + 1
        heaviest *= size
        if heaviest > HEAVIEST:
            break
        if size > 1:
            weights = [weight * size + cost for weight, cost in zip(weights, degree, strict=True)]
    return weights

"""The cheapest way to pair a field off: a maximum-weight matching, with costs of several degrees."""

from collections.abc import Iterable, Sequence
from math import prod
from typing import NamedTuple

import rustworkx

HEAVIEST = 2**120  # The matching counts in 128 bits, and doubles.


class Edge(NamedTuple):
    """Two who may meet, by number, and what it costs: the most important cost first, whole and not negative."""

    first: int
    second: int
    costs: tuple[int, ...]


def cheapest(count: int, edges: Sequence[Edge]) -> list[tuple[int, int]]:
    """As many pairs as there can be; of all such the one whose first costs add up to least, then the second …

    Each pair has the lower number first; pairs are in the order of it. Where the costs differ enough for only
    one matching to be the cheapest, the result depends on nothing else. Costs that no longer fit into a weight
    are left out, the least important first.
    """
    units = _units(count // 2, edges)
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(count))
    graph.add_edges_from([(edge.first, edge.second, -_weight(edge.costs, units)) for edge in edges])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in found)


def _units(pairs: int, edges: Sequence[Edge]) -> list[int]:
    """What one of each cost weighs: more than all that is less important can add up to."""
    most = [max(costs) for costs in zip(*(edge.costs for edge in edges), strict=True)]
    sizes = [greatest * pairs + 1 for greatest in most]
    while prod(sizes) > HEAVIEST:
        sizes.pop()
    return [prod(sizes[degree + 1 :]) for degree in range(len(sizes))]


def _weight(costs: Iterable[int], units: Iterable[int]) -> int:
    return sum([cost * unit for cost, unit in zip(costs, units, strict=False)])

"""Depth-first search written once more, as plainly as possible, to compare with."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence

import networkx as nx


def forest(graph: nx.Graph, order: Sequence[object]) -> tuple[object, ...]:
    """The parents that a search gives which restarts in the order of the nodes and breaks ties by ``order``."""
    parents: dict[object, object] = {}

    def visit(node: object, parent: object) -> None:
        parents[node] = parent
        for head in order:
            if head not in parents and graph.has_edge(node, head):
                visit(head, node)

    for root in graph.nodes:
        if root not in parents:
            visit(root, root)
    return tuple(parents[node] for node in graph.nodes)


def forests(graph: nx.Graph) -> Counter[tuple[object, ...]]:
    """How many of the n! orders give each forest."""
    return Counter(forest(graph, order) for order in itertools.permutations(graph.nodes))


def every_array(n: int) -> Iterable[tuple[int, ...]]:
    """All n^n arrays of parents."""
    return itertools.product(range(n), repeat=n)

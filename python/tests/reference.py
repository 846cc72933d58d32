"""Depth-first search written once more, as plainly as possible, to compare with; and which graphs each algorithm takes."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence

import networkx as nx

import tiebreak

STARTS = ("bellman-ford", "bfs", "dijkstra", "dag-shortest-paths", "prim")
"""The algorithms that start somewhere."""


def start(algorithm: str, source: object) -> dict[str, object]:
    """The argument that says where an algorithm starts, if it does."""
    return {"source": source} if algorithm in STARTS else {}


def fitting(graph: nx.Graph, algorithm: str) -> nx.Graph:
    """An undirected graph as the algorithm takes it: along the order of the nodes where there must be no cycle."""
    if algorithm != "dag-shortest-paths":
        return graph
    place = {node: index for index, node in enumerate(graph.nodes)}
    digraph = nx.DiGraph()
    digraph.add_nodes_from(graph.nodes)
    for one, other, facts in graph.edges(data=True):
        ends = (one, other) if place[one] < place[other] else (other, one)
        digraph.add_edge(*ends, **facts)
    return digraph


def has_model(algorithm: str, model: str) -> bool:
    """Whether the algorithm has a built-in ``"executor"`` or ``"network"``."""
    graph, where = fitting(nx.path_graph(2), algorithm), start(algorithm, 0)
    try:
        if model == "executor":
            tiebreak.draw(graph, algorithm, **where)
        else:
            tiebreak.solve(graph, algorithm, 1, model=model, **where)
    except ValueError as error:
        assert str(error).startswith(f"there is no built-in {model} of {algorithm}"), error
        return False
    return True


PARENTS = tuple(algorithm for algorithm in tiebreak.ALGORITHMS if tiebreak.FORMS[algorithm] == "parents")
"""The algorithms that take any graph (or an acyclic one) and answer with parents."""
EXECUTED = tuple(algorithm for algorithm in PARENTS if has_model(algorithm, "executor"))
NETWORKED = tuple(algorithm for algorithm in PARENTS if has_model(algorithm, "network"))


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

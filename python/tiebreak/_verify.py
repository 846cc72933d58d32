"""Verdicts: is a candidate one of the solutions, and if not, why?"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, Union

import numpy as np
import numpy.typing as npt

from . import _native
from ._graph import Graph, GraphLike, as_graph, integers, source_of

Parents: TypeAlias = Union[npt.ArrayLike, Mapping[Any, Any]]
"""One parent for each vertex (a root is its own), or a dictionary from node to parent."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """True for a solution; otherwise the vertex, the rule that it breaks, and the edges that prove it."""

    valid: bool
    vertex: Any = None
    """The vertex at which the rule is broken, as the graph calls it."""
    rule: str | None = None
    """The rule's name, such as ``"sibling-order"``."""
    words: str | None = None
    """The rule in words."""
    edges: tuple[tuple[Any, Any], ...] = ()
    """Edges (tail, head) that prove it."""
    path: tuple[Any, ...] = ()
    """The vertices of a path that proves it: one that is shorter than the candidate's."""

    def __bool__(self) -> bool:
        return self.valid

    def __str__(self) -> str:
        if self.valid:
            return "valid"
        see = ", ".join(f"{tail!r} -> {head!r}" for tail, head in self.edges)
        shorter = " -> ".join(map(repr, self.path))
        return (
            f"vertex {self.vertex!r} breaks the rule that {self.words}"
            + (f" (see {see})" if see else "")
            + (f"; a shorter path: {shorter}" if shorter else "")
        )


def verify(
    graph: GraphLike,
    parents: Parents,
    algorithm: str,
    *,
    source: Hashable | None = None,
    weight: str | None = "weight",
    weakly: bool = False,
) -> Verdict:
    """Whether ``parents`` is a solution: exactly when some run of the algorithm produces it.

    :param graph: a networkx graph, an adjacency matrix or a :class:`Graph`.
    :param parents: one parent for each vertex, a root being its own; or a dictionary from node to parent, in which
        roots may be missing (as in ``networkx.dfs_predecessors``).
    :param algorithm: one of ``tiebreak.ALGORITHMS``.
    :param source: where shortest paths start, or the root of a spanning tree.
    :param weight: the edge attribute with the weights; ``None`` takes each edge as 1.
    :param weakly: the weaker check behind the tables of the paper, which accepts more; for the paper's algorithms only.

    >>> import networkx as nx
    >>> square = nx.cycle_graph(["a", "b", "c", "d"])
    >>> bool(verify(square, {"b": "a", "c": "b", "d": "c"}, "dfs"))
    True
    >>> verdict = verify(square, {"b": "a", "c": "b", "d": "a"}, "dfs")
    >>> bool(verdict), verdict.rule, verdict.edges
    (False, 'sibling-order', (('c', 'd'), ('d', 'c')))
    """
    graph = as_graph(graph, algorithm, weight)
    row = _parent_row(graph, parents)
    return _verdicts(graph, row[np.newaxis], algorithm, source, weakly)[0]


def verify_all(
    graph: GraphLike,
    candidates: npt.ArrayLike,
    algorithm: str,
    *,
    source: Hashable | None = None,
    weight: str | None = "weight",
    weakly: bool = False,
) -> list[Verdict]:
    """As :func:`verify` for the rows of an array [k, n], such as :func:`extract` gives.

    >>> triangle = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    >>> [verdict.valid for verdict in verify_all(triangle, [[0, 0, 1], [0, 2, 0], [0, 0, 0]], "dfs")]
    [True, True, False]
    """
    graph = as_graph(graph, algorithm, weight)
    rows = integers(candidates, "candidates")
    if rows.ndim != 2 or rows.shape[1] != graph.n:
        raise ValueError(f"candidates of shape {rows.shape} do not fit a graph of {graph.n} vertices: [k, {graph.n}]")
    return _verdicts(graph, rows, algorithm, source, weakly)


def _verdicts(
    graph: Graph, rows: npt.NDArray[np.int64], algorithm: str, source: Hashable | None, weakly: bool
) -> list[Verdict]:
    broken = _native.verify(graph._handle, algorithm, source_of(graph, algorithm, source), rows, weakly)
    return [_verdict(graph, one) for one in broken]


def _verdict(graph: Graph, broken: tuple[int, str, str, list[tuple[int, int]], list[int]] | None) -> Verdict:
    if broken is None:
        return Verdict(True)
    vertex, rule, words, edges, path = broken
    named = tuple((graph.nodes[tail], graph.nodes[head]) for tail, head in edges)
    return Verdict(False, graph.nodes[vertex], rule, words, named, tuple(graph.nodes[vertex] for vertex in path))


def _parent_row(graph: Graph, parents: Parents) -> npt.NDArray[np.int64]:
    if isinstance(parents, Mapping):
        row = np.arange(graph.n, dtype=np.int64)
        for node, parent in parents.items():
            row[graph.index(node)] = graph.index(node if parent is None else parent)
        return row
    row = integers(parents, "parents")
    if row.shape != (graph.n,):
        raise ValueError(f"parents of shape {row.shape} do not fit a graph of {graph.n} vertices")
    return row

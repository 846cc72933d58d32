"""Verdicts: is a candidate one of the solutions, and if not, why?"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, Union, overload

import numpy as np
import numpy.typing as npt

from . import _native
from ._batch import Batch, Cases, cases_of
from ._graph import Graph, GraphLike, integers

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
    cases = cases_of(graph, algorithm, source, weight)
    if cases.graphs is None or not cases.single:
        raise ValueError("verify is for one graph; verify_all takes a batch")
    row = _parent_row(cases.graphs[0], parents)
    return _verdicts(cases, [row[np.newaxis]], weakly)[0][0]


class Verdicts(Sequence["list[Verdict]"]):
    """The verdicts on the candidates of a batch: a list for each graph, and :attr:`valid` for all of them.

    >>> verdicts = verify_all([[[0, 1], [1, 0]]] * 2, [[[0, 0], [0, 1]], [[0, 0], [1, 1]]], "dfs")
    >>> verdicts
    Verdicts(2 graphs, 2 of 4 candidates valid)
    >>> verdicts.valid
    array([[ True, False],
           [ True, False]])
    """

    def __init__(self, verdicts: list[list[Verdict]]) -> None:
        self._verdicts = verdicts

    @property
    def valid(self) -> npt.NDArray[np.bool_]:
        """Whether each candidate is a solution, [batch, k]. (Graphs with different numbers of candidates do not stack.)"""
        rows = [[verdict.valid for verdict in verdicts] for verdicts in self._verdicts]
        if len({len(row) for row in rows}) > 1:
            raise ValueError("the graphs have different numbers of candidates")
        return np.array(rows, np.bool_)

    @overload
    def __getitem__(self, index: int) -> list[Verdict]: ...
    @overload
    def __getitem__(self, index: slice) -> Verdicts: ...
    def __getitem__(self, index: int | slice) -> list[Verdict] | Verdicts:
        return Verdicts(self._verdicts[index]) if isinstance(index, slice) else self._verdicts[index]

    def __len__(self) -> int:
        return len(self._verdicts)

    def __iter__(self) -> Iterator[list[Verdict]]:
        return iter(self._verdicts)

    def __repr__(self) -> str:
        all_of_them = [verdict for verdicts in self._verdicts for verdict in verdicts]
        valid = sum(verdict.valid for verdict in all_of_them)
        return f"Verdicts({len(self)} graphs, {valid} of {len(all_of_them)} candidates valid)"


@overload
def verify_all(  # type: ignore[overload-overlap]
    graph: GraphLike,
    candidates: npt.ArrayLike,
    algorithm: str,
    *,
    source: Hashable | None = None,
    weight: str | None = "weight",
    weakly: bool = False,
) -> list[Verdict]: ...
@overload
def verify_all(
    graph: Batch | Iterable[GraphLike],
    candidates: npt.ArrayLike | Iterable[npt.ArrayLike],
    algorithm: str | None = None,
    *,
    source: Any = None,
    weight: str | None = "weight",
    weakly: bool = False,
) -> Verdicts: ...
def verify_all(
    graph: Any,
    candidates: Any,
    algorithm: str | None = None,
    *,
    source: Any = None,
    weight: str | None = "weight",
    weakly: bool = False,
) -> list[Verdict] | Verdicts:
    """As :func:`verify` for the rows of an array [k, n], such as :func:`extract` gives.

    For a batch of graphs candidates are [batch, k, n], or a list of arrays [k, n], and the result is :class:`Verdicts`.

    >>> triangle = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    >>> [verdict.valid for verdict in verify_all(triangle, [[0, 0, 1], [0, 2, 0], [0, 0, 0]], "dfs")]
    [True, True, False]
    """
    cases = cases_of(graph, algorithm, source, weight)
    if cases.single:
        assert cases.graphs is not None
        rows, n = integers(candidates, "candidates"), cases.graphs[0].n
        if rows.ndim < 2 or rows.shape[1] != n:
            raise ValueError(f"candidates of shape {rows.shape} do not fit a graph of {n} vertices: [k, {n}]")
        return _verdicts(cases, [rows], weakly)[0]
    listed = [integers(rows, "candidates") for rows in candidates]
    return Verdicts(_verdicts(cases, listed, weakly))


def _verdicts(cases: Cases, candidates: list[npt.NDArray[np.int64]], weakly: bool) -> list[list[Verdict]]:
    broken = _native.verify(cases.native, cases.algorithm, candidates, weakly)
    return [[_verdict(cases.nodes(index), one) for one in of_graph] for index, of_graph in enumerate(broken)]


def _verdict(nodes: Sequence[Any], broken: tuple[int, str, str, list[tuple[int, int]], list[int]] | None) -> Verdict:
    if broken is None:
        return Verdict(True)
    vertex, rule, words, edges, path = broken
    named = tuple((nodes[tail], nodes[head]) for tail, head in edges)
    return Verdict(False, nodes[vertex], rule, words, named, tuple(nodes[vertex] for vertex in path))


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

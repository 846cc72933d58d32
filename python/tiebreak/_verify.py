"""Verdicts: is a candidate one of the solutions, and if not, why?"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, Union, overload

import numpy as np
import numpy.typing as npt

from . import _native
from ._batch import Batch, Cases, Graphs, cases_of
from ._graph import FORMS, Graph, GraphLike, integers, is_networkx

Parents: TypeAlias = Union[npt.ArrayLike, Mapping[Any, Any]]
"""One parent for each vertex (a root is its own), or a dictionary from node to parent."""

_ONE_PARENT = ("one-parent-each", "there is one parent for each vertex")

Answer: TypeAlias = Union[Parents, Iterable[Any], Any]
"""An answer as people write it: parents, an order of the nodes, chosen edges (pairs of nodes, or a graph of networkx), or names of items."""


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
    """The vertices of a path that proves it: one that is shorter than the candidate's, or along which a matching grows."""
    items: tuple[Any, ...] = ()
    """Items that cannot be chosen together."""
    exchange: tuple[Any, Any] | None = None
    """What is put in (an edge or an item) and what is taken out for it, if anything, to make the candidate better."""
    better: tuple[Any, ...] = ()
    """The items of a better set."""
    path_words: str = ""
    """What the path is, in words."""

    def __bool__(self) -> bool:
        return self.valid

    def __str__(self) -> str:
        if self.valid:
            return "valid"
        see = ", ".join([*(f"{tail!r} -> {head!r}" for tail, head in self.edges), *map(repr, self.items)])
        words = "it" if self.vertex is None else f"vertex {self.vertex!r}"
        words += f" breaks the rule that {self.words}" + (f" (see {see})" if see else "")
        if self.path:
            words += f"; {self.path_words}: {' -> '.join(map(repr, self.path))}"
        if self.exchange is not None:
            put_in, take_out = self.exchange
            words += f"; with {put_in!r} it is better" if take_out is None else f"; {put_in!r} instead of {take_out!r} is better"
        return words + (f"; better: {', '.join(map(repr, self.better))}" if self.better else "")


def verify(
    graph: Graphs,
    answer: Answer,
    algorithm: str,
    *,
    source: Hashable | None = None,
    weight: str | None = "weight",
    weakly: bool = False,
) -> Verdict:
    """Whether an answer is a solution: exactly when some run of the algorithm produces it.

    :param graph: a networkx graph, an adjacency matrix or a :class:`Graph`; for algorithms about items what :class:`Items` is made of.
    :param answer: one parent for each vertex, a root being its own; or a dictionary from node to parent, in which
        roots may be missing (as in ``networkx.dfs_predecessors``); or a tree or forest as a graph of networkx (as ``networkx.dfs_tree`` and
        ``Solution.to_networkx`` give), whose edges lead from parents to children, or, without directions, away from the source.
        Orders are lists of all nodes, chosen edges pairs of nodes (or a graph of networkx, or a dictionary as ``networkx.bipartite.hopcroft_karp_matching`` gives), chosen items a list of names.
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
    >>> print(verify([("paint", 1, 5), ("sand", 1, 4), ("varnish", 2, 3)], ["sand", "varnish"], "task-scheduling"))
    it breaks the rule that no other tasks that can all be done in time weigh more; 'paint' instead of 'sand' is better
    """
    cases = cases_of(graph, algorithm, source, weight)
    if cases.graphs is None or not cases.single:
        raise ValueError("verify is for one graph; verify_all takes a batch")
    one = cases.graphs[0]
    if FORMS.get(cases.algorithm, "parents") == "parents":
        if is_networkx(answer):
            edges = _away_from(answer, source)
            answer = {}
            for parent, child in edges:
                if child in answer:
                    return Verdict(False, child, *_ONE_PARENT, edges=((answer[child], child), (parent, child)))
                answer[child] = parent
        return _verdicts(cases, [_parent_row(one, answer)[np.newaxis]], weakly)[0][0]
    if weakly:
        raise ValueError(f"the paper has no weaker check of {cases.algorithm}")
    written = _written(one, answer, FORMS[cases.algorithm])
    return _verdict(one.nodes, _native.verify_written(one._handle, cases.algorithm, None, written))


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
    """As :func:`verify` for the rows of an array [k, n], such as :func:`extract` gives: parents, an order, or 1 for a chosen item and 0 for others; of
    chosen edges [k, n, n].

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


def _verdict(nodes: Sequence[Any], broken: _native.Broken | None) -> Verdict:
    if broken is None:
        return Verdict(True)

    def named(vertices: Iterable[int]) -> tuple[Any, ...]:
        return tuple(nodes[vertex] for vertex in vertices)

    def part(numbers: list[int]) -> Any:
        return nodes[numbers[0]] if len(numbers) == 1 else named(numbers)

    vertex, exchange = broken["vertex"], broken["exchange"]
    return Verdict(
        False,
        None if vertex is None else nodes[vertex],
        broken["rule"],
        broken["words"],
        tuple((nodes[tail], nodes[head]) for tail, head in broken["edges"]),
        named(broken["path"]),
        named(broken["items"]),
        None if exchange is None else (part(exchange[0]), None if exchange[1] is None else part(exchange[1])),
        named(broken["better"]),
        broken["path_words"],
    )


def _written(graph: Graph, answer: Any, form: str) -> list[list[int]]:
    """An order, chosen edges or chosen items by the numbers of their vertices."""
    if form == "edges":
        if isinstance(answer, Mapping):
            # Both partners of a couple name the other.
            pairs: Iterable[Any] = {frozenset(pair): pair for pair in answer.items()}.values()
        else:
            pairs = answer.edges if is_networkx(answer) else answer
        return [[graph.index(end) for end in _pair(one)] for one in pairs]
    names = np.flatnonzero(answer) if isinstance(answer, np.ndarray) and answer.dtype == np.bool_ else answer
    if isinstance(names, np.ndarray):
        return [[int(place)] for place in integers(names, "the answer")]
    return [[graph.index(name)] for name in names]


def _pair(edge: Any) -> tuple[Any, Any]:
    ends = tuple(edge)
    if len(ends) != 2:
        raise ValueError(f"{edge!r} is not an edge: two ends are needed")
    return ends


def _away_from(tree: Any, source: Hashable | None) -> list[tuple[Any, Any]]:
    """The edges of a tree of networkx from parents to children; those without a direction are followed from the source."""
    edges = [(tail, head) for tail, head in tree.edges() if tail != head]
    if tree.is_directed():
        return edges
    if source is None:
        raise ValueError("the edges of a forest lead from a parent to its child: give a networkx.DiGraph")
    followed: dict[frozenset[Any], tuple[Any, Any]] = {}
    met, waiting = {source}, [source] if source in tree else []
    while waiting:
        node = waiting.pop()
        for other in tree[node]:
            if other != node:
                followed.setdefault(frozenset((node, other)), (node, other))
            if other not in met:
                met.add(other)
                waiting.append(other)
    return [followed.get(frozenset(edge), edge) for edge in edges]


def _parent_row(graph: Graph, parents: Any) -> npt.NDArray[np.int64]:
    if isinstance(parents, Mapping):
        row = np.arange(graph.n, dtype=np.int64)
        for node, parent in parents.items():
            row[graph.index(node)] = graph.index(node if parent is None else parent)
        return row
    row = integers(parents, "parents")
    if row.shape != (graph.n,):
        raise ValueError(f"parents of shape {row.shape} do not fit a graph of {graph.n} vertices")
    return row

"""Several distinct, verified solutions of one's own graph."""

from __future__ import annotations

import html
import os
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from . import _native
from ._batch import instance_of
from ._graph import FORMS, Graph, GraphLike, canonical, needed, number_of, seed_of, source_of
from ._items import Items, ItemsLike
from ._show import MAX_DRAWN, drawing, frame, table


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Solution:
    """One solution, accepted by the exact verifier."""

    answer: npt.NDArray[np.int64]
    """Parents, one for each vertex (a root is its own); an order of the vertices; chosen edges [m, 2]; or for each item 1 or 0."""
    form: str
    """Which of these it is: ``"parents"``, ``"order"``, ``"edges"`` or ``"items"``."""
    source: str
    """Where it came from, such as ``"executor"``."""
    graph: Graph

    @property
    def parents(self) -> npt.NDArray[np.int64]:
        """One parent for each vertex; a root is its own."""
        self._is("parents")
        return self.answer

    @property
    def order(self) -> list[Any]:
        """The nodes from first to last, by name."""
        self._is("order")
        return [self.graph.nodes[vertex] for vertex in self.answer.tolist()]

    @property
    def selected(self) -> list[Any]:
        """The chosen items, by name."""
        self._is("items")
        return [self.graph.nodes[item] for item in np.flatnonzero(self.answer).tolist()]

    def _is(self, form: str) -> None:
        if self.form != form:
            raise AttributeError(f"this solution is of the form {self.form!r}, not {form!r}; see .answer")

    @property
    def by_node(self) -> dict[Any, Any]:
        """The parents as a dictionary from each node to its parent."""
        return self.graph.by_node(self.parents)

    @property
    def edges(self) -> list[tuple[Any, Any]]:
        """Its edges, by the names of their ends: those of the tree, from parent to child; the chosen ones; from one vertex of an
        order to the next."""
        nodes = self.graph.nodes
        return [(nodes[tail], nodes[head]) for tail, head in self._edges()]

    def _edges(self) -> list[tuple[int, int]]:
        answer: list[Any] = self.answer.tolist()
        if self.form == "parents":
            return [(parent, child) for child, parent in enumerate(answer) if parent != child]
        if self.form == "edges":
            return [(tail, head) for tail, head in answer]
        return list(zip(answer, answer[1:])) if self.form == "order" else []

    def to_networkx(self) -> Any:
        """The solution as a graph of networkx, on all nodes: a forest from parents to children, or the chosen edges.

        >>> import networkx as nx
        >>> sorted(solve(nx.path_graph(3), "dfs")[0].to_networkx().edges)
        [(0, 1), (1, 2)]
        """
        networkx, whole = needed("networkx"), self.graph.to_networkx()
        directed = self.form != "edges" or self.graph.is_directed
        part = networkx.DiGraph() if directed else networkx.Graph()
        part.add_nodes_from(self.graph.nodes)
        for tail, head in self.edges:
            # Weights of the graph, where it has this edge; an order also goes where there is none.
            part.add_edge(tail, head, **(whole.get_edge_data(tail, head) or {}))
        return part

    def __repr__(self) -> str:
        shown = self.answer.tolist() if self.answer.size <= 20 else f"{len(self.answer)} numbers"
        return f"Solution({shown}, {self.form}, {self.source!r})"

    def _repr_html_(self) -> str:
        caption = f"{self.form}, from: {self.source}"
        if isinstance(self.graph, Items):
            columns = self.graph.numbers
            rows = zip(self.graph.nodes, *columns.values(), ("✓" if chosen else "" for chosen in self.answer), strict=True)
            return table([self.graph.algorithm, *columns, "chosen"], list(rows)[:MAX_DRAWN], caption)
        edges = ((tail, head) for tail, head in self.graph.edges.tolist())
        return drawing(self.graph.nodes, edges, self._edges(), caption, self.graph.is_directed, self.form != "edges")


@dataclass(frozen=True, slots=True)
class Tally:
    """What became of the candidates of one source."""

    source: str
    draws: int
    kept: int
    repeated: int
    rejected: dict[str, int]
    """How many were refused, by the name of the rule that they break (or ``"demand"``)."""


@dataclass(frozen=True, slots=True)
class Diversity:
    """How little the chosen solutions share: the mean over pairs of 2 |E ∩ F| / (|E| + |F|)."""

    shared: float
    as_drawn: float
    """The same for as many solutions as they were drawn."""
    pool: int
    """The number of solutions that were chosen from."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Solutions:
    """The solutions that were found, to be indexed and gone through, and what is known about all others."""

    solutions: tuple[Solution, ...]
    count: int | None
    """How many solutions meet the demands, where it is known exactly."""
    at_least: int | None
    """A proved lower bound, where only that is known."""
    count_words: str
    """``"58,212"``, ``"more than 10^9"`` or ``"an unknown number"``."""
    impossible: str | None
    """The proved reason why no solution meets the demands; ``None`` if some was found or it is not proved."""
    shared_edges: tuple[tuple[Any, Any], ...]
    """The edges (of trees from parent to child) that all solutions have in common."""
    varying_edges: tuple[tuple[Any, Any], ...]
    """The edges that some solutions have and others have not."""
    shared_items: tuple[Any, ...]
    """The items that all solutions have in common."""
    varying_items: tuple[Any, ...]
    """The items that some solutions have and others have not."""
    edges_about_every: bool
    """Whether the four above speak of every solution there is, or only of those found."""
    tallies: tuple[Tally, ...]
    diversity: Diversity | None
    notes: tuple[str, ...]
    """Why a model was not used, why there are fewer than wanted."""

    @property
    def parents(self) -> npt.NDArray[np.int64]:
        """All solutions as an array [k, n]."""
        rows = [solution.parents for solution in self.solutions]
        return np.stack(rows) if rows else np.empty((0, 0), np.int64)

    @overload
    def __getitem__(self, index: int) -> Solution: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Solution, ...]: ...
    def __getitem__(self, index: int | slice) -> Solution | tuple[Solution, ...]:
        return self.solutions[index]

    def __len__(self) -> int:
        return len(self.solutions)

    def __iter__(self) -> Iterator[Solution]:
        return iter(self.solutions)

    def __str__(self) -> str:
        return self.impossible or f"{len(self)} of {self.count_words} solutions"

    def __repr__(self) -> str:
        return f"<{self}>"

    def to_frame(self) -> Any:
        """One row a solution, as a DataFrame of pandas: a column for each vertex, by name, with its parent; for each place of an order with its vertex;
        for each edge or item with whether it is chosen."""
        if not self.solutions:
            return frame([], [])
        graph, form = self[0].graph, self[0].form
        if form == "parents":
            return frame([list(one.by_node.values()) for one in self], [str(node) for node in graph.nodes])
        if form == "order":
            return frame([one.order for one in self], [str(place + 1) for place in range(graph.n)])
        if form == "items":
            return frame([one.answer.astype(bool).tolist() for one in self], [str(node) for node in graph.nodes])
        edges = [(tail, head) for tail, head in graph.edges.tolist()]
        chosen = [set(one._edges()) | {(head, tail) for tail, head in one._edges()} for one in self]
        names = [f"{graph.nodes[tail]} – {graph.nodes[head]}" for tail, head in edges]
        return frame([[edge in of for edge in edges] for of in chosen], names)

    def _repr_html_(self) -> str:
        shown = "".join(solution._repr_html_() for solution in self.solutions[:6])
        more = f"<p>and {len(self) - 6} more</p>" if len(self) > 6 else ""
        return f'<p>{html.escape(str(self))}</p><div style="display:flex;flex-wrap:wrap">{shown}</div>{more}'


def solve(
    graph: GraphLike | ItemsLike,
    algorithm: str,
    k: int = 10,
    *,
    source: Hashable | None = None,
    seed: int = 0,
    model: str | os.PathLike[str] = "executor",
    only_model: bool = False,
    exact: bool = False,
    diverse: bool = False,
    avoid: Iterable[Any] = (),
    require: Iterable[Any] = (),
    before: Iterable[tuple[Hashable, Hashable]] = (),
    weight: str | None = "weight",
) -> Solutions:
    """Up to ``k`` distinct solutions of a graph (or of a table of items), each verified, with their number where it can be known.

    :param model: where candidates come from first: the built-in ``"executor"`` or ``"network"``, the ``"classical"``
        algorithm with random ties, or the file of a trained model.
    :param only_model: never fall back to the classical algorithm; the tallies say how often the model was right.
    :param exact: enumerate instead of drawing.
    :param diverse: choose solutions that share few edges.
    :param avoid: edges that no solution may have, in an undirected graph in neither direction; or names of items.
    :param require: edges or items that each solution must have. Where no solution can, the result is empty and says why
        (``impossible``).
    :param before: pairs of nodes of which the first has to come somewhere before the second in each order.

    >>> import networkx as nx
    >>> roads = nx.Graph()
    >>> roads.add_weighted_edges_from([("home", "shop", 0.1), ("shop", "work", 0.2), ("home", "work", 0.3)])
    >>> ways = solve(roads, "bellman-ford", source="home")
    >>> print(ways)
    2 of 2 solutions
    >>> ways.shared_edges, ways.varying_edges
    ((('home', 'shop'),), (('home', 'work'), ('shop', 'work')))
    >>> [way.by_node["work"] for way in solve(roads, "bellman-ford", source="home", avoid=[("home", "work")])]
    ['shop']
    >>> print(solve(roads, "bellman-ford", source="home", avoid=[("home", "shop")]))
    no solution avoids 'home' -> 'shop': every solution has it
    >>> days = solve([("paint", 1, 5), ("sand", 1, 5), ("varnish", 2, 3)], "task-scheduling")
    >>> [day.selected for day in days], days.shared_items
    ([['paint', 'varnish'], ['sand', 'varnish']], ('varnish',))
    >>> [way.order for way in solve(nx.DiGraph([("socks", "shoes"), ("trousers", "shoes")]), "topological-sort", exact=True)]
    [['socks', 'trousers', 'shoes'], ['trousers', 'socks', 'shoes']]
    """
    algorithm = canonical(algorithm)
    graph = instance_of(graph, algorithm, weight)
    found = _native.solve(
        graph._handle,
        algorithm,
        source_of(graph, algorithm, source),
        {
            "k": number_of("k", k, graph.n),
            "seed": seed_of(seed),
            "model": os.fspath(model),
            "only_model": only_model,
            "exact": exact,
            "diverse": diverse,
            "avoid": _demands(graph, algorithm, avoid),
            "require": _demands(graph, algorithm, require),
            "before": _pairs(graph, algorithm, before),
        },
    )
    return _solutions(graph, algorithm, found)


def _demands(graph: Graph, algorithm: str, demands: Iterable[Any]) -> list[list[int]]:
    """Edges by their ends, or items, by number."""
    listed, form = list(demands), FORMS.get(algorithm)
    if form == "order" and listed:
        raise ValueError(f"{listed[0]!r}: an order has no edges of its own; ask with before=[(earlier, later)]")
    if form == "items":
        return [[graph.index(item)] for item in listed]
    return [[graph.index(tail), graph.index(head)] for tail, head in listed]


def _pairs(graph: Graph, algorithm: str, before: Iterable[tuple[Hashable, Hashable]]) -> list[tuple[int, int]]:
    pairs = [(graph.index(earlier), graph.index(later)) for earlier, later in before]
    if pairs and FORMS.get(algorithm) != "order":
        raise ValueError("before: only orders have earlier and later nodes")
    return pairs


def _solutions(graph: Graph, algorithm: str, found: _native.Solved) -> Solutions:
    pairs = zip(found["answers"], found["sources"], strict=True)
    return Solutions(
        solutions=tuple(Solution(answer, FORMS[algorithm], source, graph) for answer, source in pairs),
        count=_number(found["count"]),
        at_least=_number(found["at_least"]),
        count_words=found["count_words"],
        impossible=found["impossible"],
        shared_edges=_edges(graph, found["shared"]),
        varying_edges=_edges(graph, found["varying"]),
        shared_items=_items(graph, found["shared"]),
        varying_items=_items(graph, found["varying"]),
        edges_about_every=found["about_every"],
        tallies=tuple(
            Tally(source, draws, kept, repeated, {rule: times for rule, _, times in rejected})
            for source, draws, kept, repeated, rejected in found["tallies"]
        ),
        diversity=None if found["diversity"] is None else Diversity(*found["diversity"]),
        notes=tuple(found["notes"]),
    )


def _number(digits: bytes | None) -> int | None:
    return None if digits is None else int.from_bytes(digits, "little")


def _edges(graph: Graph, parts: list[list[int]]) -> tuple[tuple[Any, Any], ...]:
    return tuple((graph.nodes[part[0]], graph.nodes[part[1]]) for part in parts if len(part) == 2)


def _items(graph: Graph, parts: list[list[int]]) -> tuple[Any, ...]:
    return tuple(graph.nodes[part[0]] for part in parts if len(part) == 1)

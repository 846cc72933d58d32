"""Several distinct, verified solutions of one's own graph."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from . import _native
from ._graph import Graph, GraphLike, as_graph, number_of, seed_of, source_of


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """One solution, accepted by the exact verifier."""

    parents: npt.NDArray[np.int64]
    """One parent for each vertex; a root is its own."""
    by_node: dict[Any, Any]
    """The same as a dictionary from each node to its parent."""
    source: str
    """Where it came from, such as ``"executor"``."""


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


@dataclass(frozen=True, slots=True, eq=False)
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
    """The tree edges (parent, child) that all solutions have in common."""
    varying_edges: tuple[tuple[Any, Any], ...]
    """The tree edges that some solutions have and others have not."""
    edges_about_every: bool
    """Whether the two above speak of every solution there is, or only of those found."""
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


def solve(
    graph: GraphLike,
    algorithm: str,
    k: int = 10,
    *,
    source: Hashable | None = None,
    seed: int = 0,
    model: str | os.PathLike[str] = "executor",
    only_model: bool = False,
    exact: bool = False,
    diverse: bool = False,
    avoid: Iterable[tuple[Hashable, Hashable]] = (),
    require: Iterable[tuple[Hashable, Hashable]] = (),
    weight: str | None = "weight",
) -> Solutions:
    """Up to ``k`` distinct solutions of a graph, each verified, with their number where it can be known.

    :param model: where candidates come from first: the built-in ``"executor"`` or ``"network"``, the ``"classical"``
        algorithm with random ties, or the file of a trained model.
    :param only_model: never fall back to the classical algorithm; the tallies say how often the model was right.
    :param exact: enumerate instead of drawing.
    :param diverse: choose solutions that share few edges.
    :param avoid: edges that no solution may have; in an undirected graph in neither direction.
    :param require: edges that each solution must have. Where no solution can, the result is empty and says why
        (``impossible``).

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
    """
    graph = as_graph(graph, algorithm, weight)
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
            "avoid": [(graph.index(tail), graph.index(head)) for tail, head in avoid],
            "require": [(graph.index(tail), graph.index(head)) for tail, head in require],
        },
    )
    return _solutions(graph, found)


def _solutions(graph: Graph, found: _native.Solved) -> Solutions:
    pairs = zip(found["parents"], found["sources"], strict=True)
    return Solutions(
        solutions=tuple(Solution(parents, graph.by_node(parents), source) for parents, source in pairs),
        count=_number(found["count"]),
        at_least=_number(found["at_least"]),
        count_words=found["count_words"],
        impossible=found["impossible"],
        shared_edges=_named(graph, found["shared"]),
        varying_edges=_named(graph, found["varying"]),
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


def _named(graph: Graph, edges: list[tuple[int, int]]) -> tuple[tuple[Any, Any], ...]:
    return tuple((graph.nodes[parent], graph.nodes[child]) for parent, child in edges)

"""Candidates, runs, distributions and counts of one graph."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _native
from ._graph import GraphLike, _aligned, as_graph, number_of, seed_of, source_of

Ties = Literal["one-order", "free"]
"""One order of the vertices decides every tie of a run (the paper's way), or each tie is decided on its own."""


def extract(
    graph: GraphLike,
    *,
    algorithm: str,
    extractor: str,
    probabilities: npt.ArrayLike | None = None,
    logits: npt.ArrayLike | None = None,
    draws: int = 5,
    seed: int = 0,
    index: int = 0,
    source: Hashable | None = None,
    weight: str | None = "weight",
) -> npt.NDArray[np.int64]:
    """Candidates drawn from a model's matrix [n, n], as an array [draws, n] of parents.

    Row = child, column = parent. Say what the numbers are: ``probabilities=`` (a row that does not sum to one is divided by
    its sum; a row of zeros makes every vertex equally likely) or ``logits=`` (a softmax is taken of each row).

    :param extractor: ``"argmax"`` or ``"random"``; for depth-first search ``"upwards"`` and ``"alt-upwards"``, for shortest
        paths ``"beam"`` and ``"greedy"``, for spanning trees ``"grow"``. The paper's spelling (``"AltUpwards"``) is understood, too.
    :param index: the place of the matrix in its batch: each has random numbers of its own.

    >>> triangle = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    >>> P = distribution(triangle, "dfs", exact=True)
    >>> extract(triangle, probabilities=P, algorithm="dfs", extractor="AltUpwards", draws=3)
    array([[0, 2, 0],
           [0, 0, 0],
           [0, 0, 1]])
    """
    graph = as_graph(graph, algorithm, weight)
    matrix, is_logits = one_matrix(probabilities, logits)
    return _native.extract(
        graph._handle,
        algorithm,
        source_of(graph, algorithm, source),
        floats(matrix),
        is_logits,
        extractor,
        number_of("draws", draws, graph.n),
        seed_of(seed),
        seed_of(index),
    )


def distribution(
    graph: GraphLike,
    algorithm: str,
    *,
    runs: int = 20,
    exact: bool = False,
    ties: Ties = "one-order",
    seed: int = 0,
    source: Hashable | None = None,
    weight: str | None = "weight",
) -> npt.NDArray[np.float64]:
    """How often each vertex (column) is the parent of each other (row): of ``runs`` runs, or exactly.

    :raises Intractable: where the exact distribution is out of reach, with the reason.

    >>> distribution([[0, 1, 1], [1, 0, 1], [1, 1, 0]], "dfs", exact=True, ties="free")
    array([[1. , 0. , 0. ],
           [0.5, 0. , 0.5],
           [0.5, 0.5, 0. ]])
    """
    graph = as_graph(graph, algorithm, weight)
    wanted = number_of("runs", runs, graph.n)
    if wanted == 0:
        raise ValueError("runs is 0, but a distribution needs at least one")
    return _native.distribution(
        graph._handle, algorithm, source_of(graph, algorithm, source), exact, wanted, ties, seed_of(seed)
    )


def runs(
    graph: GraphLike,
    algorithm: str,
    k: int = 1,
    *,
    ties: Ties = "one-order",
    seed: int = 0,
    source: Hashable | None = None,
    weight: str | None = "weight",
) -> npt.NDArray[np.int64]:
    """Solutions of ``k`` runs of the classical algorithm with random ties, as an array [k, n] of parents.

    >>> runs([[0, 1, 1], [1, 0, 1], [1, 1, 0]], "dfs", 2, seed=1)
    array([[0, 2, 0],
           [0, 0, 1]])
    """
    graph = as_graph(graph, algorithm, weight)
    wanted = number_of("k", k, graph.n)
    return _native.runs(graph._handle, algorithm, source_of(graph, algorithm, source), wanted, ties, seed_of(seed))


def draw(
    graph: GraphLike,
    algorithm: str,
    k: int = 1,
    *,
    seed: int = 0,
    source: Hashable | None = None,
    weight: str | None = "weight",
) -> npt.NDArray[np.int64]:
    """Solutions of the built-in executor, a learnt model of the algorithm where there is one, as an array [k, n] of parents.

    It is given its ties as random priorities and carries a certificate that each draw is valid, on every graph.

    >>> solutions = draw([[0, 1, 1], [1, 0, 1], [1, 1, 0]], "dfs", 2)
    >>> solutions.shape
    (2, 3)
    """
    graph = as_graph(graph, algorithm, weight)
    wanted = number_of("k", k, graph.n)
    return _native.draw(graph._handle, algorithm, source_of(graph, algorithm, source), wanted, seed_of(seed))


def count(
    graph: GraphLike, algorithm: str, *, source: Hashable | None = None, weight: str | None = "weight"
) -> int:
    """The exact number of solutions.

    :raises Intractable: where counting is out of reach, with the reason. Shortest-path trees can always be counted.

    >>> import networkx as nx
    >>> count(nx.complete_graph(10), "dfs")
    362880
    >>> count(nx.grid_2d_graph(20, 20), "bellman-ford", source=(0, 0)) == 2 ** 361
    True
    """
    graph = as_graph(graph, algorithm, weight)
    return int.from_bytes(_native.count(graph._handle, algorithm, source_of(graph, algorithm, source)), "little")


def one_matrix(probabilities: Any, logits: Any) -> tuple[Any, bool]:
    """The one that was given, and whether it is logits."""
    if (probabilities is None) == (logits is None):
        raise ValueError("give either probabilities= or logits=, so that the numbers are read as they are meant")
    return (logits, True) if probabilities is None else (probabilities, False)


def floats(matrix: npt.ArrayLike) -> npt.NDArray[np.floating[Any]]:
    """A model's numbers as float32 or float64, without a copy where they are."""
    array = np.asarray(matrix)
    if array.dtype.kind in "biu":
        array = array.astype(np.float64)
    elif array.dtype.kind == "f" or array.dtype.name == "bfloat16":
        array = array.astype(np.float64 if array.dtype.itemsize >= 8 else np.float32, copy=False)
    else:
        raise ValueError(f"a matrix of {array.dtype} has no real numbers")
    return _aligned(array)

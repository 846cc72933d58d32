"""Candidates, runs, distributions and counts of a graph, or of a batch of graphs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from . import _native
from ._batch import Batch, Cases, Graphs, Ties, as_numpy, cases_of
from ._graph import FORMS, GraphLike, _aligned, number_of, seed_of


def extract(
    graph: Graphs,
    *,
    extractor: str,
    algorithm: str | None = None,
    probabilities: npt.ArrayLike | Iterable[npt.ArrayLike] | None = None,
    logits: npt.ArrayLike | Iterable[npt.ArrayLike] | None = None,
    draws: int = 5,
    seed: int = 0,
    index: int = 0,
    source: Any = None,
    weight: str | None = "weight",
) -> Any:
    """Candidates drawn from a model's matrix [n, n], as an array [draws, n] of parents; from a batch of them [batch, draws, n].

    Row = child, column = parent. Say what the numbers are: ``probabilities=`` (a row that does not sum to one is divided by
    its sum; a row of zeros makes every vertex equally likely) or ``logits=`` (a softmax is taken of each row).

    :param graph: a graph, or a batch of them; where sizes differ, the result is a list of arrays.
    :param extractor: ``"argmax"`` or ``"random"``; for depth-first search ``"upwards"`` and ``"alt-upwards"``, for shortest
        paths ``"beam"`` and ``"greedy"``, for spanning trees ``"grow"``. The paper's spelling (``"AltUpwards"``) is understood, too.
    :param index: the place of the (first) matrix in a larger batch: each has random numbers of its own.

    >>> triangle = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    >>> P = distribution(triangle, "dfs", exact=True)
    >>> extract(triangle, probabilities=P, algorithm="dfs", extractor="AltUpwards", draws=3)
    array([[0, 2, 0],
           [0, 0, 0],
           [0, 0, 1]])
    """
    cases = cases_of(graph, algorithm, source, weight)
    arrays, is_logits = arrays_of(cases, probabilities, logits)
    drawn = _native.extract(
        cases.native,
        cases.algorithm,
        arrays,
        is_logits,
        extractor,
        number_of("draws", draws, cases.n),
        seed_of(seed),
        seed_of(index),
    )
    return drawn[0] if cases.single else drawn


def distribution(
    graph: Graphs,
    algorithm: str | None = None,
    *,
    runs: int = 20,
    exact: bool = False,
    ties: Ties = "one-order",
    seed: int = 0,
    source: Any = None,
    weight: str | None = "weight",
) -> Any:
    """How often each vertex (column) is the parent of each other (row): of ``runs`` runs, or exactly.

    :param graph: a graph, or a batch of them, whose distributions are then stacked [batch, n, n] (a list where sizes differ).
    :raises Intractable: where the exact distribution is out of reach, with the reason.

    >>> distribution([[0, 1, 1], [1, 0, 1], [1, 1, 0]], "dfs", exact=True, ties="free")
    array([[1. , 0. , 0. ],
           [0.5, 0. , 0.5],
           [0.5, 0.5, 0. ]])
    """
    cases = cases_of(graph, algorithm, source, weight)
    wanted = number_of("runs", runs, cases.n)
    if wanted == 0:
        raise ValueError("runs is 0, but a distribution needs at least one")
    found = _native.distribution(cases.native, cases.algorithm, exact, wanted, ties, seed_of(seed))
    return found[0] if cases.single else found


def runs(
    graph: Graphs,
    algorithm: str | None = None,
    k: int = 1,
    *,
    ties: Ties = "one-order",
    seed: int = 0,
    source: Any = None,
    weight: str | None = "weight",
) -> Any:
    """Solutions of ``k`` runs of the classical algorithm with random ties, as an array [k, n] of parents; of a batch [batch, k, n].

    >>> runs([[0, 1, 1], [1, 0, 1], [1, 1, 0]], "dfs", 2, seed=1)
    array([[0, 2, 0],
           [0, 0, 1]])
    """
    cases = cases_of(graph, algorithm, source, weight)
    found = _native.runs(cases.native, cases.algorithm, number_of("k", k, cases.n), ties, seed_of(seed))
    return found[0] if cases.single else found


def draw(
    graph: Graphs,
    algorithm: str | None = None,
    k: int = 1,
    *,
    seed: int = 0,
    source: Any = None,
    weight: str | None = "weight",
) -> Any:
    """Solutions of the built-in executor, a learnt model of the algorithm where there is one: an array [k, n] of parents.

    It is given its ties as random priorities and carries a certificate that each draw is valid, on every graph.

    >>> solutions = draw([[0, 1, 1], [1, 0, 1], [1, 1, 0]], "dfs", 2)
    >>> solutions.shape
    (2, 3)
    """
    cases = cases_of(graph, algorithm, source, weight)
    found = _native.draw(cases.native, cases.algorithm, number_of("k", k, cases.n), seed_of(seed))
    return found[0] if cases.single else found


@overload
def count(  # type: ignore[overload-overlap]
    graph: GraphLike, algorithm: str, *, source: Hashable | None = None, weight: str | None = "weight"
) -> int: ...
@overload
def count(
    graph: Batch | Iterable[GraphLike],
    algorithm: str | None = None,
    *,
    source: Any = None,
    weight: str | None = "weight",
) -> list[int | None]: ...
def count(
    graph: Any, algorithm: str | None = None, *, source: Any = None, weight: str | None = "weight"
) -> int | list[int | None]:
    """The exact number of solutions; of a batch a list of them, with ``None`` where it is out of reach.

    :raises Intractable: where counting one graph is out of reach, with the reason. Shortest-path trees can always be counted.

    >>> import networkx as nx
    >>> count(nx.complete_graph(10), "dfs")
    362880
    >>> count(nx.grid_2d_graph(20, 20), "bellman-ford", source=(0, 0)) == 2 ** 361
    True
    >>> count([nx.complete_graph(n) for n in range(1, 6)], "dfs")
    [1, 1, 2, 6, 24]
    """
    cases = cases_of(graph, algorithm, source, weight)
    found = _native.count(cases.native, cases.algorithm)
    if cases.single and found[0][0] is None:
        raise _native.Intractable(found[0][1])
    numbers = [None if digits is None else int.from_bytes(digits, "little") for digits, _ in found]
    return numbers[0] if cases.single else numbers  # type: ignore[return-value]


def arrays_of(cases: Cases, probabilities: Any, logits: Any) -> tuple[list[npt.NDArray[np.floating[Any]]], bool]:
    """A model's array for each instance, and whether it has logits."""
    matrices, is_logits = one_matrix(as_numpy(probabilities), as_numpy(logits))
    one = 1 if FORMS[cases.algorithm] == "items" else 2
    if cases.single and np.ndim(matrices) <= one:
        return [floats(matrices)], is_logits
    listed = [floats(matrix) for matrix in matrices]
    if len(listed) != len(cases.native):
        raise ValueError(f"there are {len(cases.native)} graphs, but {len(listed)} matrices")
    return listed, is_logits


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

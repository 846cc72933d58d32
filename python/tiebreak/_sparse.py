"""Batches as lists of edges, which graph libraries prefer to matrices.

Answers of the form "parents" become a number for each edge: how likely its tail is the parent of its head. A root is its own parent, so
each vertex has an edge to itself beside the graph's own. Of the form "edges" it is how likely the edge is chosen.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._batch import Batch
from ._graph import FORMS


class EdgeList(NamedTuple):
    """One instance of a batch as a list of edges."""

    n: int
    ends: npt.NDArray[np.int64]
    """[2, m]: tails and heads; last the edge of each vertex to itself."""
    weights: npt.NDArray[np.float32]
    """[m]: 1 in a graph without weights, 0 from a vertex to itself."""
    target: npt.NDArray[np.float32]
    """[m]: how likely the tail is the parent of the head, or the edge is chosen."""
    pos: npt.NDArray[np.float32]
    source: npt.NDArray[np.float32]
    """[n]: 1 at the source, if there is one."""


def edge_lists(batch: Batch) -> Iterator[EdgeList]:
    """The instances of a batch."""
    if batch.marginals.shape[1:] != batch.adjacency.shape[1:]:
        raise ValueError(f"answers of {batch.algorithm} are of the form {FORMS[batch.algorithm]!r}, not numbers of edges")
    loops = np.arange(batch.n)
    for index in range(len(batch)):
        tails, heads = np.nonzero(batch.adjacency[index] & ~np.eye(batch.n, dtype=bool))
        tails, heads = np.concatenate([tails, loops]), np.concatenate([heads, loops])
        matrix = batch.adjacency[index].astype(np.float32) if batch.weights is None else batch.weights[index]
        source = np.zeros(batch.n, np.float32)
        if batch.source is not None:
            source[batch.source[index]] = 1.0
        yield EdgeList(
            batch.n,
            np.stack([tails, heads]).astype(np.int64),
            matrix[tails, heads].astype(np.float32),
            batch.marginals[index][heads, tails].astype(np.float32),
            (loops / batch.n).astype(np.float32),
            source,
        )


def dense_rows(n: int, ends: npt.NDArray[np.int64], values: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
    """Numbers of edges as a matrix [n, n] for :func:`tiebreak.score`: row = child, column = parent, 0 where there is no edge."""
    matrix = np.zeros((n, n))
    matrix[ends[1], ends[0]] = values
    return matrix

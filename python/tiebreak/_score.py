"""Scores for the parent matrices of anybody's model."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native
from ._draws import floats, one_matrix
from ._graph import Graph, GraphLike, as_graph, is_networkx, number_of, seed_of, source_of


@dataclass(frozen=True, slots=True)
class Score:
    """What the draws from a model's matrices are worth; each figure is a mean over graphs."""

    algorithm: str
    extractor: str
    graphs: int
    draws: int
    seed: int
    valid: float
    """The share of draws that are solutions, by the exact verifier."""
    weak_valid: float | None
    """The same by the weaker check behind the tables of the paper; ``None`` for algorithms that have none."""
    unique: float
    """Distinct draws, as a share of all."""
    unique_valid: float
    """Distinct valid draws, as a share of all."""
    accuracy: float
    """The share of graphs whose first draw is valid."""
    coverage: float | None
    """Distinct valid draws, as a share of all solutions, over the graphs whose solutions could be counted."""
    edge_reuse: float | None
    """The mean share of tree edges that two draws of a graph have in common; ``None`` for fewer than two draws."""
    counted: int
    """The number of graphs whose solutions could be counted."""

    def __str__(self) -> str:
        figures = ("valid", "weak_valid", "unique", "unique_valid", "accuracy", "coverage", "edge_reuse")
        shown = ((name, getattr(self, name)) for name in figures)
        lines = [f"{self.algorithm}, {self.extractor}: {self.graphs} graphs, {self.draws} draws each, seed {self.seed}"]
        lines += [f"  {name:<13}{'-' if value is None else format(value, '.3f')}" for name, value in shown]
        return "\n".join(lines)


def score(
    graphs: GraphLike | Iterable[GraphLike],
    *,
    algorithm: str,
    extractor: str,
    probabilities: npt.ArrayLike | Iterable[npt.ArrayLike] | None = None,
    logits: npt.ArrayLike | Iterable[npt.ArrayLike] | None = None,
    draws: int = 5,
    seed: int = 0,
    sources: Hashable | Sequence[Hashable] | npt.NDArray[Any] | None = None,
    weight: str | None = "weight",
    coverage: bool = True,
) -> Score:
    """Draws candidates from a model's parent matrices, verifies each and returns plain figures.

    :param graphs: networkx graphs, or adjacency matrices [B, n, n]; sizes may differ in a list. One graph is a batch of one.
    :param probabilities: the model's matrices [B, n, n], row = child, column = parent; a list where sizes differ.
    :param logits: the same before the softmax. Exactly one of the two is given.
    :param extractor: how candidates are drawn, see :func:`extract`.
    :param sources: where shortest paths start: one for all graphs or one for each; an array of one-hot rows [B, n] works, too.
    :param coverage: count the solutions of each graph, for ``coverage``. Takes time where there are many vertices.

    The figures depend on the arguments alone, not on the number of threads.

    >>> import networkx as nx, tiebreak
    >>> batch = [nx.gnp_random_graph(5, 0.5, seed=seed, directed=True) for seed in range(32)]
    >>> uniform = [np.full((5, 5), 0.2) for _ in batch]
    >>> exact = [tiebreak.distribution(graph, "dfs", exact=True) for graph in batch]
    >>> score(batch, probabilities=uniform, algorithm="dfs", extractor="AltUpwards").valid
    0.00625
    >>> score(batch, probabilities=exact, algorithm="dfs", extractor="AltUpwards").valid
    0.59375
    """
    matrices, is_logits = one_matrix(_numpy(probabilities), _numpy(logits))
    converted, single = _graphs(_numpy(graphs), algorithm, weight)
    listed = [matrices] if single and np.ndim(matrices) == 2 else list(matrices)
    if len(listed) != len(converted):
        raise ValueError(f"there are {len(converted)} graphs, but {len(listed)} matrices")
    starts = _sources(converted, algorithm, _numpy(sources), single)
    cases = [
        (graph._handle, start, floats(matrix)) for graph, start, matrix in zip(converted, starts, listed, strict=True)
    ]
    largest = max((graph.n for graph in converted), default=0)
    wanted, checked_seed = number_of("draws", draws, largest), seed_of(seed)
    if not cases or wanted == 0:
        raise ValueError(f"there is nothing to score: {len(cases)} graphs, {wanted} draws")
    figures = _native.score(cases, algorithm, is_logits, extractor, wanted, checked_seed, coverage)
    return Score(algorithm=algorithm, draws=wanted, seed=checked_seed, **figures)


def _numpy(data: Any) -> Any:
    """Arrays of JAX and tensors of PyTorch as what they are to numpy, whole batches at once; anything else as it is."""
    return np.asarray(data) if hasattr(data, "__array__") else data


def _graphs(graphs: Any, algorithm: str, weight: str | None) -> tuple[list[Graph], bool]:
    """The graphs of a batch, and whether it was only one."""
    if isinstance(graphs, Graph) or is_networkx(graphs) or getattr(graphs, "ndim", 3) == 2:
        return [as_graph(graphs, algorithm, weight)], True
    converted = []
    for index, graph in enumerate(graphs):
        try:
            converted.append(as_graph(graph, algorithm, weight))
        except ValueError as error:
            raise ValueError(f"graph {index}: {error}") from None
    return converted, False


def _sources(graphs: list[Graph], algorithm: str, sources: Any, single: bool) -> list[int | None]:
    """The source of each graph."""
    if isinstance(sources, np.ndarray) and sources.ndim == 2:
        sources = _from_one_hot(sources)
    if isinstance(sources, np.ndarray) and sources.ndim == 0:
        sources = sources.item()
    is_list = isinstance(sources, (list, np.ndarray)) and not single
    given = list(sources) if is_list else [sources] * len(graphs)
    if len(given) != len(graphs):
        raise ValueError(f"there are {len(graphs)} graphs, but {len(given)} sources")
    found = []
    for index, (graph, source) in enumerate(zip(graphs, given, strict=True)):
        try:
            found.append(source_of(graph, algorithm, source))
        except ValueError as error:
            raise ValueError(f"graph {index}: {error}") from None
    return found


def _from_one_hot(rows: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    is_one_hot = np.logical_and((rows != 0).sum(axis=1) == 1, (rows == 1).sum(axis=1) == 1)
    if not is_one_hot.all():
        raise ValueError(f"row {int(np.argmin(is_one_hot))} of the sources is not one-hot")
    return np.asarray(rows.argmax(axis=1), np.int64)

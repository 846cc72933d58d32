"""Scores for the parent matrices of anybody's model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native
from ._batch import Graphs, cases_of
from ._draws import arrays_of
from ._graph import number_of, seed_of
from ._show import frame, table

METRICS = ("valid", "weak_valid", "unique", "unique_valid", "accuracy", "coverage", "edge_reuse")


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
    """Distinct valid draws, as a share of all solutions, over the graphs whose solutions could be counted; ``None`` unless asked for."""
    edge_reuse: float | None
    """The mean share of tree edges that two draws of a graph have in common; ``None`` for fewer than two draws."""
    counted: int
    """The number of graphs whose solutions could be counted."""
    by_graph: dict[str, npt.NDArray[np.float64]] = field(repr=False, compare=False)
    """Each metric for each graph; not a number where a graph has none."""

    @property
    def standard_errors(self) -> dict[str, float | None]:
        """The standard error of each mean over graphs; ``None`` for what fewer than two graphs have."""
        errors: dict[str, float | None] = {}
        for name in METRICS:
            known = self.by_graph[name][~np.isnan(self.by_graph[name])]
            errors[name] = float(known.std(ddof=1) / np.sqrt(len(known))) if len(known) > 1 else None
        return errors

    def to_frame(self) -> Any:
        """Metrics and their standard errors as a DataFrame of pandas, one row a metric.

        >>> import tiebreak
        >>> batch = tiebreak.generate("dfs", 5, 32)
        >>> score(batch, probabilities=batch.marginals, extractor="AltUpwards").to_frame().loc["valid"].round(3).tolist()
        [0.525, 0.064]
        """
        errors = self.standard_errors
        rows = {name: (getattr(self, name), errors[name]) for name in METRICS}
        return frame(list(rows.values()), ["mean", "standard_error"], index=list(rows))

    def _title(self) -> str:
        return f"{self.algorithm}, {self.extractor}: {self.graphs} graphs, {self.draws} draws each, seed {self.seed}"

    def __str__(self) -> str:
        errors = self.standard_errors
        lines = [self._title()]
        for name in METRICS:
            value, error = getattr(self, name), errors[name]
            shown = "-" if value is None else format(value, ".3f")
            lines.append(f"  {name:<13}{shown}" + ("" if error is None else f" ± {error:.3f}"))
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        errors = self.standard_errors
        rows = []
        for name in METRICS:
            value, error = getattr(self, name), errors[name]
            rows.append([name, "–" if value is None else f"{value:.3f}", "" if error is None else f"± {error:.3f}"])
        return table(["metric", "mean", "standard error"], rows, self._title())


def score(
    graphs: Graphs,
    *,
    extractor: str,
    algorithm: str | None = None,
    probabilities: npt.ArrayLike | Iterable[npt.ArrayLike] | None = None,
    logits: npt.ArrayLike | Iterable[npt.ArrayLike] | None = None,
    draws: int = 5,
    seed: int = 0,
    sources: Any = None,
    weight: str | None = "weight",
    coverage: bool = False,
) -> Score:
    """Draws candidates from a model's parent matrices, verifies each and returns plain figures.

    :param graphs: a :class:`Batch`, networkx graphs, or adjacency matrices [batch, n, n]; sizes may differ in a list. One graph is a batch of one.
    :param algorithm: which one; a :class:`Batch` says so itself.
    :param probabilities: the model's matrices [batch, n, n], row = child, column = parent; a list where sizes differ.
    :param logits: the same before the softmax. Exactly one of the two is given.
    :param extractor: how candidates are drawn, see :func:`extract`.
    :param sources: where shortest paths start: one for all graphs or one for each; an array of one-hot rows [batch, n] works, too.
    :param coverage: count the solutions of each graph, for ``coverage``. Takes time where there are many vertices: each count is
        given up after 100,000 states.

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
    cases = cases_of(graphs, algorithm, sources, weight)
    arrays, is_logits = arrays_of(cases, probabilities, logits)
    wanted, checked_seed = number_of("draws", draws, cases.n), seed_of(seed)
    if not len(cases.native) or wanted == 0:
        raise ValueError(f"there is nothing to score: {len(cases.native)} graphs, {wanted} draws")
    figures = _native.score(
        cases.native, cases.algorithm, arrays, is_logits, extractor, wanted, checked_seed, coverage
    )
    return Score(algorithm=cases.algorithm, draws=wanted, seed=checked_seed, **figures)

"""Beside dm-clrs: our batches as ``Feedback`` for its networks, and its samples under our verifiers.

dm-clrs' samplers give one solution for each graph. Where a graph has several, :func:`feedback` gives the share of each parent instead, or one
solution drawn at random. (Its own Bellman-Ford sampler draws real weights, with which each graph has one shortest-path tree only: there is nothing
to choose there.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ._batch import Batch
from ._draws import runs
from ._graph import ALGORITHM_FACTS, Graph, canonical, needed
from ._verify import Verdicts, verify_all

_CLRS_NAMES: dict[str, str] = {
    name: next((other for other in facts["others"] if "_" in other), name) for name, facts in ALGORITHM_FACTS.items()
}


def clrs_name(algorithm: str) -> str:
    """dm-clrs' name of an algorithm.

    >>> clrs_name("prim"), clrs_name("bellman-ford"), clrs_name("dfs")
    ('mst_prim', 'bellman_ford', 'dfs')
    """
    return _CLRS_NAMES.get(canonical(algorithm), algorithm)


def feedback(
    batch: Batch,
    *,
    targets: Literal["distribution", "solution"] = "distribution",
    seed: int = 0,
    unit: float | None = None,
) -> Any:
    """A batch as ``clrs.Feedback``, ready for ``BaselineModel.feedback`` (without hints).

    Inputs are those of dm-clrs' spec: ``pos``, ``s``, ``A`` (weights) and ``adj``. A spec's first hint is there to say for how many
    steps the network runs, and has no content: train with ``encode_hints=False, decode_hints=False``.

    :param targets: ``"distribution"`` gives parents as a distribution [batch, n, n]. Its type is ``categorical``, of which dm-clrs' loss is the cross-entropy,
        summed over all vertices and divided by the number of those whose parent is certain. ``"solution"`` gives one random
        solution, [batch, n], as dm-clrs' samplers do.
    :param unit: weights are shown as multiples of this; without it as our networks see them, 3 for the weights 1, 2 and 3. (A third is no exact number, so
        ties are lost on the way back by :func:`from_feedback`; they are kept with ``unit=1``.)
    """
    clrs = needed("clrs", "dm-clrs")
    spec = _spec(clrs, batch.algorithm)
    if "pi" not in spec:
        raise ValueError(f"answers of {batch.algorithm} are not parents")
    values = _inputs(batch, unit or (3.0 if batch.preset == "text" else 1.0))
    inputs = [
        clrs.DataPoint(name, where, kind, values[name])
        for name, (stage, where, kind) in spec.items()
        if stage == clrs.Stage.INPUT
    ]
    lengths = np.array(batch._native.rounds(batch.algorithm), np.float32) + 1
    hint, where, kind = next(
        (name, where, kind)
        for name, (stage, where, kind) in spec.items()
        if stage == clrs.Stage.HINT and where == clrs.Location.NODE and kind == clrs.Type.POINTER
    )
    steps = clrs.DataPoint(hint, where, kind, np.zeros((int(lengths.max()), len(batch), batch.n), np.int64))
    if targets == "distribution":
        wanted = clrs.DataPoint("pi", clrs.Location.NODE, clrs.Type.CATEGORICAL, batch.marginals.astype(np.float32))
    else:
        wanted = clrs.DataPoint("pi", clrs.Location.NODE, clrs.Type.POINTER, runs(batch, k=1, seed=seed)[:, 0])
    # The package does not export the tuples themselves; its samplers' module has them.
    samplers = needed("clrs._src.samplers", "dm-clrs")
    features = samplers.Features(inputs=inputs, hints=[steps], lengths=lengths)
    return samplers.Feedback(features=features, outputs=[wanted])


def _spec(clrs: Any, algorithm: str) -> Any:
    specs, name = needed("clrs._src.specs", "dm-clrs").SPECS, clrs_name(algorithm)
    if name not in specs:
        raise ValueError(f"dm-clrs has no algorithm {name!r}")
    return specs[name]


def _inputs(batch: Batch, unit: float) -> dict[str, npt.NDArray[np.float32]]:
    matrix = batch.adjacency if batch.weights is None else batch.weights / unit
    values = {
        "pos": batch.pos.astype(np.float32),
        "A": matrix.astype(np.float32),
        "adj": (batch.adjacency | np.eye(batch.n, dtype=bool)).astype(np.float32),
    }
    if batch.source is not None:
        values["s"] = np.eye(batch.n, dtype=np.float32)[batch.source]
    return values


@dataclass(frozen=True, eq=False, repr=False)
class Samples:
    """Samples of dm-clrs: graphs, sources, and one answer for each."""

    algorithm: str
    graphs: list[Graph]
    sources: list[int] | None
    answers: npt.NDArray[np.int64]
    """[batch, n]: the parents that the samples name as the right ones."""

    def verify(self, answers: npt.ArrayLike | None = None) -> Verdicts:
        """The exact verdicts on the samples' own answers, or on others: [batch, n], or [batch, k, n]."""
        given = self.answers if answers is None else np.asarray(answers)
        rows = given[:, np.newaxis] if given.ndim == 2 else given
        return verify_all(self.graphs, list(rows), self.algorithm, source=self.sources)

    def __len__(self) -> int:
        return len(self.graphs)

    def __repr__(self) -> str:
        return f"Samples({self.algorithm!r}, {len(self)} graphs)"


def from_feedback(feedback: Any, algorithm: str) -> Samples:
    """dm-clrs' samples as graphs and answers of ours: ``from_feedback(fb, "dfs").verify().valid.mean()``.

    :param algorithm: which one; a ``Feedback`` does not say.
    """
    inputs = {point.name: np.asarray(point.data) for point in feedback.features.inputs}
    outputs = {point.name: np.asarray(point.data) for point in feedback.outputs}
    if "pi" not in outputs:
        raise ValueError(f"the outputs are {', '.join(outputs)}; there are no parents ('pi') among them")
    facts = ALGORITHM_FACTS.get(canonical(algorithm))
    weighted = facts is None or facts["uses_weights"]
    # dm-clrs marks each vertex's edge to itself in adj; weights are in A.
    matrices = inputs["A"] if weighted else inputs["A"] != 0
    graphs = [Graph(matrix) for matrix in matrices]
    sources = inputs["s"].argmax(axis=-1).tolist() if "s" in inputs else None
    parents = outputs["pi"]
    answers = parents.argmax(axis=-1) if parents.ndim == 3 else parents
    return Samples(canonical(algorithm), graphs, sources, answers.astype(np.int64))

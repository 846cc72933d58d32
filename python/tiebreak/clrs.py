"""Beside dm-clrs: our batches as ``Feedback`` for its networks, and its samples under our verifiers.

dm-clrs' samplers give one solution for each graph. Where a graph has several, :func:`feedback` gives the share of each choice instead, or one
solution drawn at random. (Its own Bellman-Ford sampler draws real weights, with which each graph has one shortest-path tree only: there is nothing
to choose there.)

| form | dm-clrs' outputs |
|---|---|
| parents | ``pi`` |
| edges | ``in_mst`` |
| items | ``selected`` |
| order | ``topo``, each vertex's next one (the last is its own), and ``topo_head``, the first |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ._batch import Batch
from ._draws import runs
from ._graph import ALGORITHM_FACTS, FORMS, Graph, canonical, needed
from ._items import Items
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

_OUTPUTS = {"parents": "pi", "edges": "in_mst", "items": "selected"}
"""dm-clrs' output for each form but orders, which have two."""

_COLUMNS = {"d": "deadline", "w": "weight", "s": "start", "f": "finish"}
"""dm-clrs' names of the numbers of items, and ours."""


def feedback(
    batch: Batch,
    *,
    targets: Literal["distribution", "solution"] = "distribution",
    seed: int = 0,
    unit: float | None = None,
) -> Any:
    """A batch as ``clrs.Feedback``, ready for ``BaselineModel.feedback`` (without hints).

    Inputs are those of dm-clrs' spec: ``pos``, ``s``, ``A`` (weights) and ``adj``, or the numbers of items. A spec's first hint is there to say for how many
    steps the network runs, and has no content: train with ``encode_hints=False, decode_hints=False``.

    :param targets: ``"distribution"`` gives the share of each choice: of a pointer (parents, the next in an order) as a distribution [batch, n, n] of type
        ``categorical``, of which dm-clrs' loss is the cross-entropy, summed over all vertices and divided by the number of those whose choice is certain; of
        chosen edges and items as a mask of probabilities, of which its loss is the binary cross-entropy. ``"solution"`` gives one random solution in the shapes
        of dm-clrs' samplers.
    :param unit: weights are shown as multiples of this; without it as our networks see them, 3 for the weights 1, 2 and 3. (A third is no exact number, so
        ties are lost on the way back by :func:`from_feedback`; they are kept with ``unit=1``.)
    """
    clrs = needed("clrs", "dm-clrs")
    spec = _spec(batch.algorithm)
    values = _inputs(batch, unit or (3.0 if batch.preset == "text" else 1.0))
    answers = _shares(batch) if targets == "distribution" else _one_solution(batch, seed)
    foreign = [name for name, (stage, *_) in spec.items() if stage != clrs.Stage.HINT and name not in {**values, **answers}]
    if foreign:
        raise ValueError(f"dm-clrs' {clrs_name(batch.algorithm)} has {', '.join(map(repr, foreign))}, which our {batch.algorithm} has not")

    def points(wanted: Any, numbers: dict[str, npt.NDArray[Any]]) -> list[Any]:
        return [
            clrs.DataPoint(name, where, _type_of(clrs, kind, numbers[name], where), numbers[name])
            for name, (stage, where, kind) in spec.items()
            if stage == wanted
        ]

    lengths = np.array(batch._native.rounds(batch.algorithm), np.float32) + 1
    hint, where, kind = next(
        (name, where, kind)
        for name, (stage, where, kind) in spec.items()
        if stage == clrs.Stage.HINT and where == clrs.Location.NODE and kind == clrs.Type.POINTER
    )
    steps = clrs.DataPoint(hint, where, kind, np.zeros((int(lengths.max()), len(batch), batch.n), np.int64))
    # The package does not export the tuples themselves; its samplers' module has them.
    samplers = needed("clrs._src.samplers", "dm-clrs")
    features = samplers.Features(inputs=points(clrs.Stage.INPUT, values), hints=[steps], lengths=lengths)
    return samplers.Feedback(features=features, outputs=points(clrs.Stage.OUTPUT, answers))


def _spec(algorithm: str) -> Any:
    specs, name = needed("clrs._src.specs", "dm-clrs").SPECS, clrs_name(algorithm)
    if name not in specs:
        raise ValueError(f"dm-clrs has no algorithm {name!r}")
    return specs[name]


def _type_of(clrs: Any, kind: Any, values: npt.NDArray[Any], where: Any) -> Any:
    """The spec's type; a pointer of which the shares are given is categorical."""
    is_shares = kind == clrs.Type.POINTER and where == clrs.Location.NODE and values.ndim == 3
    return clrs.Type.CATEGORICAL if is_shares else kind


def _inputs(batch: Batch, unit: float) -> dict[str, npt.NDArray[np.float32]]:
    values = {"pos": batch.pos.astype(np.float32)}
    if batch.items is not None:
        numbers = {short: batch.items[name] for short, name in _COLUMNS.items() if name in batch.items}
        return values | {short: (of / unit if short == "w" else of).astype(np.float32) for short, of in numbers.items()}
    matrix = batch.adjacency if batch.weights is None else batch.weights / unit
    values["A"] = matrix.astype(np.float32)
    values["adj"] = (batch.adjacency | np.eye(batch.n, dtype=bool)).astype(np.float32)
    if batch.source is not None:
        values["s"] = np.eye(batch.n, dtype=np.float32)[batch.source]
    return values


def _shares(batch: Batch) -> dict[str, npt.NDArray[Any]]:
    """How often each choice is made, by dm-clrs' names of outputs."""
    shares, form = batch.marginals.astype(np.float32), FORMS[batch.algorithm]
    if form == "order":
        return {"topo": shares[:, :-1], "topo_head": shares[:, -1]}
    return {_OUTPUTS[form]: shares}


def _one_solution(batch: Batch, seed: int) -> dict[str, npt.NDArray[Any]]:
    """A random solution, by dm-clrs' names of outputs."""
    drawn, form = runs(batch, k=1, seed=seed)[:, 0], FORMS[batch.algorithm]
    if form == "order":
        following = np.concatenate([drawn[:, 1:], drawn[:, -1:]], axis=1)
        topo = np.empty_like(drawn)
        np.put_along_axis(topo, drawn, following, axis=1)
        return {"topo": topo, "topo_head": np.eye(batch.n, dtype=np.float32)[drawn[:, 0]]}
    return {_OUTPUTS[form]: drawn if form == "parents" else drawn.astype(np.float32)}


@dataclass(frozen=True, eq=False, repr=False)
class Samples:
    """Samples of dm-clrs: graphs (or tables of items), sources, and one answer for each."""

    algorithm: str
    graphs: list[Graph]
    sources: list[int] | None
    answers: npt.NDArray[np.int64]
    """What the samples name as the right answers, [batch, n]: parents, orders, or 1 for a chosen item; of chosen edges [batch, n, n]."""

    def verify(self, answers: npt.ArrayLike | None = None) -> Verdicts:
        """The exact verdicts on the samples' own answers, or on others: as many, or k of them for each graph, [batch, k, …]."""
        given = self.answers if answers is None else np.asarray(answers)
        rows = given[:, np.newaxis] if given.ndim == self.answers.ndim else given
        return verify_all(self.graphs, list(rows), self.algorithm, source=self.sources)

    def __len__(self) -> int:
        return len(self.graphs)

    def __repr__(self) -> str:
        return f"Samples({self.algorithm!r}, {len(self)} graphs)"


def from_feedback(feedback: Any, algorithm: str) -> Samples:
    """dm-clrs' samples as graphs and answers of ours: ``from_feedback(fb, "dfs").verify().valid.mean()``.

    :param algorithm: which one; a ``Feedback`` does not say.
    """
    name = canonical(algorithm)
    if name not in FORMS:
        raise ValueError(f"there is no algorithm {algorithm!r}")
    inputs = {point.name: np.asarray(point.data) for point in feedback.features.inputs}
    outputs = {point.name: np.asarray(point.data) for point in feedback.outputs}
    answers = _answers(outputs, name)
    facts = ALGORITHM_FACTS[name]
    if facts["items"] is not None:
        columns = [short for short, column in _COLUMNS.items() if column in dict(facts["items"][1])]
        tables = zip(*(inputs[short].tolist() for short in columns), strict=True)
        items: list[Graph] = [Items(list(zip(*table, strict=True)), name) for table in tables]
        return Samples(name, items, None, answers)
    # dm-clrs marks each vertex's edge to itself in adj; weights are in A.
    matrices = inputs["A"] if facts["uses_weights"] else inputs["A"] != 0
    sources = inputs["s"].argmax(axis=-1).tolist() if facts["needs_source"] else None
    return Samples(name, [Graph(matrix) for matrix in matrices], sources, answers)


def _answers(outputs: dict[str, npt.NDArray[Any]], algorithm: str) -> npt.NDArray[np.int64]:
    form = FORMS[algorithm]
    wanted = ("topo", "topo_head") if form == "order" else (_OUTPUTS[form],)
    missing = [name for name in wanted if name not in outputs]
    if missing:
        raise ValueError(f"the outputs are {', '.join(outputs)}; there is no {missing[0]!r} among them, which answers of {algorithm} have")
    found = outputs[wanted[0]]
    if form in ("edges", "items"):
        return (found > 0.5).astype(np.int64)
    choices = (found.argmax(axis=-1) if found.ndim == 3 else found).astype(np.int64)
    if form == "parents":
        return choices
    order = [outputs["topo_head"].argmax(axis=-1)]
    while len(order) < choices.shape[1]:
        order.append(np.take_along_axis(choices, order[-1][:, np.newaxis], axis=1)[:, 0])
    return np.stack(order, axis=1)

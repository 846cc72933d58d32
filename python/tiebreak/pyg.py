"""Beside PyTorch and PyTorch Geometric: batches as ``Data``, ``Data`` as graphs, a stream as an ``IterableDataset``.

The names of attributes are those of SALSA-CLRS: ``edge_index``, ``weights``, ``pos``, ``s``. The target is a number for each edge, how likely
its tail is the parent of its head; a root is its own parent, so each vertex has an edge to itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ._batch import Batch
from ._graph import Graph, needed
from ._sparse import dense_rows, edge_lists
from ._stream import Stream

torch = needed("torch")


def to_pyg(batch: Batch) -> list[Any]:
    """The instances of a batch as ``torch_geometric.data.Data``: ``edge_index``, ``weights``, ``pos``, ``s`` (the source), and the ``target``."""
    data = needed("torch_geometric.data", "torch_geometric")
    return [
        data.Data(
            edge_index=torch.from_numpy(one.ends),
            weights=torch.from_numpy(one.weights),
            target=torch.from_numpy(one.target),
            pos=torch.from_numpy(one.pos),
            s=torch.from_numpy(one.source),
            num_nodes=one.n,
        )
        for one in edge_lists(batch)
    ]


def from_pyg(data: Any, *, weight: str | None = None) -> Graph:
    """The graph of a ``Data``, of ours or of SALSA-CLRS; edges of a vertex to itself play no part.

    :param weight: the attribute with the weights; without it ``weights``, ``edge_weight`` or ``edge_attr``, if there is one.
    """
    ends = data.edge_index.detach().cpu().numpy()
    proper = ends[0] != ends[1]
    names = ("weights", "edge_weight", "edge_attr") if weight is None else (weight,)
    found = next((name for name in names if getattr(data, name, None) is not None), None)
    if weight is not None and found is None:
        there = ", ".join(repr(name) for name in data.keys())
        raise ValueError(f"the data have no {weight!r}; there are {there}")
    weights = None
    if found is not None:
        values = getattr(data, found).detach().cpu().numpy().reshape(len(ends[0]), -1)
        if values.shape[1] != 1:
            raise ValueError(f"{found} has {values.shape[1]} numbers for each edge; a weight is one")
        weights = values[proper, 0]
    return Graph.from_edges(ends.T[proper], n=data.num_nodes, weights=weights)


def source_of(data: Any) -> int | None:
    """The source that a ``Data`` marks in ``s``, if it does."""
    marked = getattr(data, "s", None)
    if marked is None or not bool((marked != 0).any()):
        return None
    return int(marked.detach().cpu().numpy().argmax())


def to_matrix(data: Any, values: Any) -> npt.NDArray[np.float64]:
    """A model's number for each edge as a matrix [n, n] for :func:`tiebreak.score`."""
    return dense_rows(data.num_nodes, data.edge_index.detach().cpu().numpy(), values.detach().cpu().numpy())


class StreamDataset(torch.utils.data.IterableDataset):  # type: ignore[misc, name-defined]
    """A :class:`tiebreak.Stream` for a ``DataLoader`` (with ``batch_size=None``: batches come whole).

    Workers share the batches: worker w of W gives numbers w, w + W, … of the stream.

    :param transform: what to make of a batch; without it, a dictionary of tensors ``adjacency``, ``weights``, ``source`` and ``marginals`` (those
        that the algorithm has).
    :param length: how many batches; without it, no end.
    """

    def __init__(
        self, stream: Stream, transform: Callable[[Batch], Any] | None = None, length: int | None = None
    ) -> None:
        self.stream, self.transform, self.length = stream, transform or tensors, length

    def __iter__(self) -> Iterator[Any]:
        worker = torch.utils.data.get_worker_info()
        place, workers = (0, 1) if worker is None else (worker.id, worker.num_workers)
        own = Stream.__new__(Stream)
        own.__dict__.update(self.stream.__getstate__())
        own.index, own.step = self.stream.index + place * self.stream.step, self.stream.step * workers
        end = None if self.length is None else self.stream.index + self.length * self.stream.step
        while end is None or own.index < end:
            yield self.transform(next(own))


def tensors(batch: Batch) -> dict[str, Any]:
    """The arrays of a batch as tensors that share their memory."""
    arrays = {name: getattr(batch, name) for name in ("adjacency", "weights", "source", "marginals")}
    return {name: torch.from_numpy(array) for name, array in arrays.items() if array is not None}

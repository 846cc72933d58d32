"""Beside jraph: batches as ``GraphsTuple``, and back to graphs."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._batch import Batch
from ._graph import Graph, needed
from ._sparse import edge_lists


def to_jraph(batch: Batch) -> Any:
    """The instances of a batch as one ``jraph.GraphsTuple``.

    ``nodes`` have ``pos`` and ``source``, ``edges`` have ``weights`` and the ``target``: how likely the tail is the parent of the head. A root is its
    own parent, so each vertex has an edge to itself.
    """
    jraph = needed("jraph")
    listed = list(edge_lists(batch))
    offsets = np.arange(len(listed)) * batch.n
    ends = [one.ends + offset for one, offset in zip(listed, offsets, strict=True)]
    senders, receivers = np.concatenate(ends, axis=1) if ends else np.zeros((2, 0), np.int64)
    return jraph.GraphsTuple(
        nodes={
            "pos": np.concatenate([one.pos for one in listed]),
            "source": np.concatenate([one.source for one in listed]),
        },
        edges={
            "weights": np.concatenate([one.weights for one in listed]),
            "target": np.concatenate([one.target for one in listed]),
        },
        senders=senders.astype(np.int32),
        receivers=receivers.astype(np.int32),
        n_node=np.full(len(listed), batch.n, np.int32),
        n_edge=np.array([one.ends.shape[1] for one in listed], np.int32),
        globals=None,
    )


def from_jraph(graphs: Any, *, weight: str | None = "weights") -> list[Graph]:
    """The graphs of a ``GraphsTuple``; edges of a vertex to itself play no part.

    :param weight: the key of ``edges`` that has the weights; ``None`` takes each edge as 1.
    """
    edges = graphs.edges if isinstance(graphs.edges, dict) else {}
    if weight is not None and weight not in edges:
        raise ValueError(f"edges have no {weight!r}; there are {', '.join(map(repr, edges)) or 'none'}")
    found, node, edge = [], 0, 0
    for nodes, count in zip(np.asarray(graphs.n_node).tolist(), np.asarray(graphs.n_edge).tolist(), strict=True):
        span = slice(edge, edge + count)
        ends = np.stack([np.asarray(graphs.senders)[span], np.asarray(graphs.receivers)[span]], axis=1) - node
        proper = ends[:, 0] != ends[:, 1]
        weights = None if weight is None else np.asarray(edges[weight])[span][proper]
        found.append(Graph.from_edges(ends[proper], n=nodes, weights=weights))
        node, edge = node + nodes, edge + count
    return found

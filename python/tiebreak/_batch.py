"""Random instances in batches, as stacked arrays, and whatever else functions take as a batch of graphs."""

from __future__ import annotations

import operator
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, NamedTuple, TypeAlias, Union

import numpy as np
import numpy.typing as npt

from . import _native
from ._graph import FORMS, Graph, GraphLike, as_graph, canonical, is_networkx, is_sparse, seed_of, source_of
from ._items import Items, ItemsLike, are_several

Ties = Literal["one-order", "free"]
"""One order of the vertices decides every tie of a run (the paper's way), or each tie is decided on its own."""

Preset = Literal["text", "authors"]
"""Random graphs as the paper's text describes them, or as the code behind its tables drew them."""


@dataclass(frozen=True, eq=False, repr=False)
class Batch:
    """Random instances of one size, with the marginals of their solutions, as stacked arrays.

    Functions that take graphs take a batch as it is, with its sources, its weights and its random streams: what is drawn from it
    is what the command line draws. They go by how it was made, not by what became of its arrays since.
    """

    algorithm: str
    adjacency: npt.NDArray[np.bool_]
    """[batch, n, n]: row = tail, column = head."""
    weights: npt.NDArray[np.float64] | None
    """[batch, n, n], 0 where there is no edge; ``None`` for algorithms that use none."""
    source: npt.NDArray[np.int64] | None
    """[batch]: where each instance starts; ``None`` for algorithms without a source."""
    items: dict[str, npt.NDArray[np.float64]] | None
    """Where instances are tables of items, such as tasks: each of their numbers by name, [batch, n]."""
    marginals: npt.NDArray[np.float64]
    """What to learn. For parents [batch, n, n]: row = child, column = parent; for orders [batch, n + 1, n]: row = vertex, column = the next one, the last
    row who is first; for edges [batch, n, n] and items [batch, n]: the probability of being chosen."""
    n: int
    p: float
    seed: int
    start: int
    """The index of the first instance under the seed."""
    runs: int
    exact: bool
    ties: Ties
    preset: Preset
    _made: list[_native.NativeBatch] = field(default_factory=list, compare=False)

    def __len__(self) -> int:
        return len(self.adjacency)

    def __repr__(self) -> str:
        how = "exact" if self.exact else f"runs={self.runs}"
        return (
            f"Batch({self.algorithm!r}, n={self.n}, batch={len(self)}, p={self.p:g}, seed={self.seed}, "
            f"start={self.start}, {how})"
        )

    def __getstate__(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self) if each.name != "_made"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in {**state, "_made": []}.items():
            object.__setattr__(self, name, value)

    def graph(self, index: int) -> Graph:
        """One of the graphs, or of the tables of items.

        >>> generate("bellman-ford", 4, 8).graph(3)
        Graph(n=4, edges=8, weighted)
        """
        place = range(len(self))[index]
        if self.items is not None:
            return Items({name: column[place].tolist() for name, column in self.items.items()}, self.algorithm)
        matrix = self.adjacency if self.weights is None else self.weights
        return Graph(matrix[place])

    @property
    def pos(self) -> npt.NDArray[np.float64]:
        """[batch, n]: positions i/n, which tell vertices apart, as dm-clrs shows them to its networks."""
        return np.broadcast_to(np.arange(self.n) / self.n, (len(self), self.n)).copy()

    @property
    def _native(self) -> _native.NativeBatch:
        """The instances; a batch that was pickled makes them again."""
        if not self._made:
            self._made.append(_native.NativeBatch.random(_wanted(self, len(self))))
        return self._made[0]


def _wanted(batch: Any, size: int, threads: int | None = None) -> _native.WantedBatch:
    return {
        "algorithm": batch.algorithm,
        "n": batch.n,
        "p": batch.p,
        "preset": batch.preset,
        "exact": batch.exact,
        "runs": batch.runs,
        "ties": batch.ties,
        "seed": batch.seed,
        "start": batch.start,
        "batch": size,
        "threads": threads,
    }


class _Recipe(NamedTuple):
    algorithm: str
    n: int
    p: float
    preset: Preset
    exact: bool
    runs: int
    ties: Ties
    seed: int
    start: int


def generate(
    algorithm: str,
    n: int,
    batch: int = 32,
    *,
    p: float = 0.5,
    seed: int = 0,
    start: int = 0,
    runs: int = 20,
    exact: bool = False,
    ties: Ties = "one-order",
    preset: Preset = "text",
    threads: int | None = None,
) -> Batch:
    """Random instances with the marginals of their solutions: those of ``tiebreak generate`` with the same seed, to the bit.

    :param n: the number of vertices of each.
    :param p: the probability of an edge.
    :param start: the index of the first instance, so that a data set can be generated in parts.
    :param runs: how many runs of the algorithm with random ties the marginals are the shares of.
    :param exact: the marginals of infinitely many runs instead. Where ``ties="one-order"`` that is possible for small n only.
    :param threads: at most so many; without it, all cores. The result does not depend on it.
    :raises Intractable: where exact marginals are out of reach, with the reason.

    >>> batch = generate("bellman-ford", 16, 100, seed=1)
    >>> batch
    Batch('bellman-ford', n=16, batch=100, p=0.5, seed=1, start=0, runs=20)
    >>> batch.adjacency.shape, batch.weights.shape, batch.source.shape, batch.marginals.shape
    ((100, 16, 16), (100, 16, 16), (100,), (100, 16, 16))
    """
    recipe = _Recipe(
        canonical(algorithm), _whole("n", n), float(p), preset, bool(exact), _whole("runs", runs), ties,
        seed_of(seed), _whole("start", start),
    )
    native, arrays = _native.generate(_wanted(recipe, _whole("batch", batch), threads))
    # A frozen dataclass sets its fields one by one, which takes as long as generating two graphs.
    made = object.__new__(Batch)
    made.__dict__.update(recipe._asdict(), **arrays, _made=[native])
    return made


def _whole(what: str, number: int) -> int:
    whole = operator.index(number)
    if not 0 <= whole < 2**63:
        raise ValueError(f"{what} is {whole}")
    return whole


Graphs: TypeAlias = Union[GraphLike, ItemsLike, Batch, Iterable[GraphLike], Iterable[ItemsLike]]
"""One graph, or a batch: a :class:`Batch`, adjacency matrices [batch, n, n], or a list of graphs, whose sizes may differ. For algorithms about
items the same of tables: :class:`Items`, or an array [batch, n, columns]."""


class Cases(NamedTuple):
    """The instances that a function was called with."""

    native: _native.NativeBatch
    algorithm: str
    graphs: list[Graph] | None
    """``None`` for a :class:`Batch`, whose vertices are numbers."""
    single: bool
    n: int
    """The number of vertices of the largest."""

    def nodes(self, index: int) -> Sequence[Any]:
        """The names of the vertices of one of them."""
        return range(self.n) if self.graphs is None else self.graphs[index].nodes


def cases_of(graphs: Any, algorithm: str | None, source: Any, weight: str | None) -> Cases:
    """The instances, each with its source, and the algorithm by our name for it."""
    if isinstance(graphs, Batch):
        if source is not None:
            raise ValueError("a Batch has its sources with it")
        name = graphs.algorithm if algorithm is None else canonical(algorithm)
        return Cases(graphs._native, name, None, False, graphs.n)
    if algorithm is None:
        raise ValueError("which algorithm? Only a Batch says so itself")
    name = canonical(algorithm)
    if FORMS.get(name) == "items":
        data = np.asarray(graphs) if is_array(graphs) else graphs
        single = not are_several(data)
    else:
        data = as_numpy(graphs)
        single = not is_batch(data)
    listed = _converted([data] if single else list(data), name, weight, single)
    starts = _starts(listed, name, as_numpy(source), single)
    native = _native.NativeBatch([graph._handle for graph in listed], starts, single)
    return Cases(native, name, listed, single, max((graph.n for graph in listed), default=0))


def is_batch(data: Any) -> bool:
    """Whether it is several graphs: adjacency matrices [batch, n, n], or a list of graphs."""
    if isinstance(data, Graph) or is_networkx(data) or is_sparse(data):
        return False
    if isinstance(data, np.ndarray):
        return data.ndim == 3
    if not isinstance(data, (list, tuple)):
        return True
    return not data or isinstance(data[0], Graph) or is_networkx(data[0]) or is_sparse(data[0]) or np.ndim(data[0]) == 2


def as_numpy(data: Any) -> Any:
    """Arrays of JAX and tensors of PyTorch as what they are to numpy, whole batches at once; anything else as it is."""
    if is_sparse(data) or is_networkx(data):
        return data
    return np.asarray(data) if hasattr(data, "__array__") else data


def is_array(data: Any) -> bool:
    """Whether it is an array of numpy, JAX or PyTorch; a DataFrame is more than that."""
    return hasattr(data, "__array__") and not hasattr(data, "keys")


def instance_of(data: Any, algorithm: str, weight: str | None = "weight") -> Graph:
    """What an algorithm takes: a graph, or items."""
    if FORMS.get(algorithm) == "items":
        return Items(data, algorithm)
    if isinstance(data, Items):
        raise ValueError(f"{algorithm} takes graphs; these are items for {data.algorithm}")
    return as_graph(data, algorithm, weight)


def _converted(graphs: list[Any], algorithm: str, weight: str | None, single: bool) -> list[Graph]:
    converted = []
    for index, graph in enumerate(graphs):
        try:
            converted.append(instance_of(graph, algorithm, weight))
        except ValueError as error:
            raise error if single else ValueError(f"graph {index}: {error}") from None
    return converted


def _starts(graphs: list[Graph], algorithm: str, sources: Any, single: bool) -> list[int | None]:
    """The source of each graph: one for all, one for each, or one-hot rows."""
    if isinstance(sources, np.ndarray) and sources.ndim == 2:
        sources = _from_one_hot(sources)
    if isinstance(sources, np.ndarray) and sources.ndim == 0:
        sources = sources.item()
    is_list = isinstance(sources, (list, np.ndarray)) and not single
    given: list[Hashable | None] = list(sources) if is_list else [sources] * len(graphs)
    if len(given) != len(graphs):
        raise ValueError(f"there are {len(graphs)} graphs, but {len(given)} sources")
    found = []
    for index, (graph, source) in enumerate(zip(graphs, given, strict=True)):
        try:
            found.append(source_of(graph, algorithm, source))
        except ValueError as error:
            raise error if single else ValueError(f"graph {index}: {error}") from None
    return found


def _from_one_hot(rows: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    is_one_hot = np.logical_and((rows != 0).sum(axis=1) == 1, (rows == 1).sum(axis=1) == 1)
    if not is_one_hot.all():
        raise ValueError(f"row {int(np.argmin(is_one_hot))} of the sources is not one-hot")
    return np.asarray(rows.argmax(axis=1), np.int64)

"""Graphs from networkx, adjacency matrices and edge arrays, with exact weights."""

from __future__ import annotations

import decimal
import importlib
import operator
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeGuard, Union

import numpy as np
import numpy.typing as npt

from . import _native


class NetworkxGraph(Protocol):
    """What is used of a ``networkx.Graph`` or ``networkx.DiGraph``; networkx itself is not needed."""

    def is_directed(self) -> bool: ...
    def is_multigraph(self) -> bool: ...
    @property
    def nodes(self) -> Any: ...
    @property
    def edges(self) -> Any: ...


class SparseMatrix(Protocol):
    """What is used of a sparse matrix of scipy; scipy itself is not needed."""

    shape: tuple[int, ...]

    def tocoo(self) -> Any: ...


GraphLike: TypeAlias = Union["Graph", NetworkxGraph, SparseMatrix, npt.ArrayLike]
"""A :class:`Graph`, a networkx graph, or an adjacency matrix (row = tail, 0 = no edge), dense or a sparse one of scipy."""

ALGORITHM_FACTS: dict[str, _native.Facts] = {facts["name"]: facts for facts in _native.algorithms()}
"""What is known of each algorithm; one that is unknown is refused later, by name."""

FORMS: dict[str, str] = {name: facts["form"] for name, facts in ALGORITHM_FACTS.items()}
"""What the answers of each algorithm look like: ``"parents"``, ``"edges"``, ``"order"`` or ``"items"``."""

_SPELLINGS: dict[str, str] = {other: name for name, facts in ALGORITHM_FACTS.items() for other in facts["others"]}


def canonical(algorithm: str) -> str:
    """Our name of an algorithm; dm-clrs' spelling (``"mst_prim"``) is understood, too."""
    return _SPELLINGS.get(algorithm, algorithm)


class Graph:
    """A graph with exact weights, converted once and used often.

    Every function takes a networkx graph or an adjacency matrix as it is; make a ``Graph`` of it when it is used many
    times, or when there is only a list of edges (:meth:`from_edges`).

    *networkx*: the nodes keep their names and their order (depth-first search restarts at the first unvisited node);
    an undirected edge goes both ways; weights are the edge attribute ``weight`` (``weight=None``: all are 1).
    Multigraphs are refused.

    *Adjacency matrix*: any real dtype; row = tail, column = head, 0 = no edge, an entry = the weight unless it is a
    boolean. The diagonal plays no part. Of a sparse matrix of scipy every stored entry is an edge, one of weight 0, too.

    Weights are exact decimals: ints and :class:`decimal.Decimal` as they are, floats as the shortest decimal that reads
    back as them, so that 0.1 + 0.2 ties with 0.3.

    >>> graph = Graph([[0, 0.1, 0.3], [0, 0, 0.2], [0, 0, 0]])
    >>> graph
    Graph(n=3, edges=3, weighted)
    >>> import tiebreak
    >>> tiebreak.count(graph, "bellman-ford", source=0)  # 0 -> 2, or 0 -> 1 -> 2
    2
    """

    __slots__ = ("_handle", "_index", "nodes")

    _handle: _native.NativeGraph
    nodes: Sequence[Any]
    """The vertices by index: networkx' nodes, or the numbers from 0."""
    _index: Mapping[Any, int] | None

    def __init__(self, data: GraphLike, *, weight: str | None = "weight") -> None:
        if isinstance(data, Graph):
            self._set(data._handle, data.nodes, data._index)
        elif is_networkx(data):
            self._read_networkx(data, weight)
        elif is_sparse(data):
            self._read_sparse(data, weight)
        else:
            matrix = _aligned(np.asarray(data))
            if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
                raise ValueError(f"an array of shape {matrix.shape} is not an adjacency matrix: [n, n] is needed")
            native = _native.NativeGraph.from_adjacency(matrix, weight is not None)
            self._set(native, range(native.n), None)

    def _set(self, native: _native.NativeGraph, nodes: Sequence[Any], index: Mapping[Any, int] | None) -> None:
        self._handle, self.nodes, self._index = native, nodes, index

    def _read_networkx(self, data: NetworkxGraph, weight: str | None) -> None:
        if data.is_multigraph():
            raise ValueError(
                "a multigraph may have several edges between two nodes; make it a Graph or a DiGraph first, "
                "with the edges that are meant"
            )
        nodes = list(data.nodes)
        index = {node: position for position, node in enumerate(nodes)}
        edges = list(data.edges(data=weight)) if weight is not None else [(*ends, None) for ends in data.edges]
        weights = _weights_of_edges(edges, weight, data)
        native = _native.NativeGraph.from_edges(
            len(nodes),
            np.fromiter((index[tail] for tail, _, _ in edges), np.int64, len(edges)),
            np.fromiter((index[head] for _, head, _ in edges), np.int64, len(edges)),
            weights,
            data.is_directed(),
            nodes,
        )
        self._set(native, nodes, index)

    def _read_sparse(self, data: Any, weight: str | None) -> None:
        if len(data.shape) != 2 or data.shape[0] != data.shape[1]:
            raise ValueError(f"a sparse matrix of shape {data.shape} is not an adjacency matrix: [n, n] is needed")
        entries = data.tocoo()
        off_diagonal = entries.row != entries.col
        ends = np.stack([entries.row, entries.col], axis=1)[off_diagonal]
        values = entries.data[off_diagonal]
        weights = None if weight is None or values.dtype.kind == "b" else values
        graph = Graph.from_edges(ends, n=data.shape[0], weights=weights)
        self._set(graph._handle, graph.nodes, graph._index)

    @classmethod
    def from_pandas(
        cls,
        frame: Any,
        *,
        source: str = "source",
        target: str = "target",
        weight: str | None = "weight",
        directed: bool = True,
    ) -> Graph:
        """The graph of a DataFrame with an edge in each row; its vertices keep the names they have there.

        :param weight: the column with the weights; ``None`` takes each edge as 1.

        >>> import pandas as pd
        >>> roads = pd.DataFrame({"from": ["a", "b"], "to": ["b", "c"], "km": [1.5, 2.0]})
        >>> graph = Graph.from_pandas(roads, source="from", target="to", weight="km", directed=False)
        >>> graph.nodes, graph
        (['a', 'b', 'c'], Graph(n=3, edges=4, weighted))
        """
        for column in [source, target, *([] if weight is None else [weight])]:
            if column not in frame.columns:
                there = ", ".join(repr(name) for name in frame.columns)
                raise ValueError(f"there is no column {column!r}; there are {there}")
        ends, nodes = _numbered(frame, source, target)
        weights = None
        if weight is not None:
            weights = _exact_weights(
                frame[weight].to_numpy(), lambda row: f"edge {nodes[ends[row, 0]]!r} -> {nodes[ends[row, 1]]!r}"
            )
        return named(nodes, ends, weights, directed)

    @classmethod
    def from_edges(
        cls,
        edges: npt.ArrayLike | Iterable[Sequence[Any]],
        *,
        n: int | None = None,
        weights: Iterable[object] | None = None,
        directed: bool = True,
    ) -> Graph:
        """A graph of edges ``(tail, head)`` or ``(tail, head, weight)``; of vertex numbers as well as an integer array of shape [m, 2].

        :param edges: ends are numbers from 0, or names of any kind, whose vertices then stand in the order in which they appear.
        :param n: the number of vertices, where ends are numbers; without it, one more than the largest end.
        :param weights: one for each edge, where ``edges`` has none.
        :param directed: ``False`` takes each edge both ways.

        >>> Graph.from_edges([(0, 1), (1, 2)], weights=["0.5", 2], directed=False)
        Graph(n=3, edges=4, weighted)
        >>> Graph.from_edges([("home", "shop", 0.5), ("shop", "work", 2)]).nodes
        ['home', 'shop', 'work']
        """
        pairs: Any = edges
        if not isinstance(pairs, np.ndarray):
            pairs, weights = _parted(list(pairs), weights)
            if _have_names(pairs):
                if n is not None:
                    raise ValueError("n is for vertices that are numbers; names are counted")
                nodes = list(dict.fromkeys(end for pair in pairs for end in pair))
                index = {node: place for place, node in enumerate(nodes)}
                numbered = np.array([(index[tail], index[head]) for tail, head in pairs], np.int64)
                return named(nodes, numbered, _weights_for(weights, len(numbered)), directed)
        ends = integers(np.asarray(pairs).reshape(0, 2) if np.size(pairs) == 0 else pairs, "edges")
        if ends.ndim != 2 or ends.shape[1] != 2:
            raise ValueError(f"an array of shape {ends.shape} is not a list of edges: [m, 2] is needed")
        if n is None:
            n = int(ends.max(initial=-1)) + 1
        exact = _weights_for(weights, len(ends))
        native = _native.NativeGraph.from_edges(_size(n), ends[:, 0], ends[:, 1], exact, directed, None)
        graph = cls.__new__(cls)
        graph._set(native, range(native.n), None)
        return graph

    @property
    def n(self) -> int:
        """The number of vertices."""
        return self._handle.n

    @property
    def edge_count(self) -> int:
        """The number of directed edges: an undirected one counts twice."""
        return self._handle.edge_count

    @property
    def is_weighted(self) -> bool:
        """Whether the edges have weights of their own; without them, each is 1 long."""
        return self._handle.is_weighted

    @property
    def is_directed(self) -> bool:
        """Whether an edge goes one way only; the graph of a matrix always is."""
        return self._handle.is_directed

    @property
    def edges(self) -> npt.NDArray[np.int64]:
        """The ends of all edges, [m, 2]; an undirected one is there once."""
        return self._handle.edges()[0]

    @property
    def weights(self) -> list[decimal.Decimal] | None:
        """The exact weight of each of the :attr:`edges`; ``None`` when they have none of their own."""
        texts = self._handle.edges()[1]
        return None if texts is None else [decimal.Decimal(text) for text in texts]

    def to_networkx(self) -> Any:
        """The graph as networkx has it, with its names, and weights as :class:`decimal.Decimal`.

        >>> Graph.from_edges([(0, 1), (1, 2)], weights=[1, 0.5], directed=False).to_networkx().edges(data="weight")
        EdgeDataView([(0, 1, Decimal('1')), (1, 2, Decimal('0.5'))])
        """
        networkx = needed("networkx")
        graph = networkx.DiGraph() if self.is_directed else networkx.Graph()
        graph.add_nodes_from(self.nodes)
        ends = ((self.nodes[tail], self.nodes[head]) for tail, head in self.edges.tolist())
        if self.weights is None:
            graph.add_edges_from(ends)
        else:
            graph.add_weighted_edges_from((*pair, weight) for pair, weight in zip(ends, self.weights, strict=True))
        return graph

    def __reduce__(self) -> tuple[Any, ...]:
        edges, weights = self._handle.edges()
        nodes = None if self._index is None else list(self.nodes)
        return _unpickled, (self.n, edges, weights, self.is_directed, nodes)

    def by_node(self, parents: npt.ArrayLike) -> dict[Any, Any]:
        """A parent array as a dictionary from each node to its parent; a root is its own.

        >>> import networkx as nx
        >>> Graph(nx.path_graph(["a", "b", "c"])).by_node([0, 0, 1])
        {'a': 'a', 'b': 'a', 'c': 'b'}
        """
        array = integers(parents, "parents")
        if array.shape != (self.n,):
            raise ValueError(f"parents of shape {array.shape} do not fit a graph of {self.n} vertices")
        if self.n and not 0 <= array.min() <= array.max() < self.n:
            raise ValueError(f"a parent is not one of the {self.n} vertices")
        return {node: self.nodes[parent] for node, parent in zip(self.nodes, array.tolist(), strict=True)}

    def index(self, node: Hashable) -> int:
        """The index of a node.

        >>> Graph([[0, 1], [0, 0]]).index(1)
        1
        """
        try:
            index = operator.index(node) if self._index is None else self._index[node]  # type: ignore[arg-type]
        except (KeyError, TypeError):
            raise ValueError(f"{node!r} is not a vertex of the graph") from None
        if not 0 <= index < self.n:
            raise ValueError(f"{node!r} is not a vertex of the graph, which has {self.n}")
        return index

    def __repr__(self) -> str:
        weighted = ", weighted" if self.is_weighted else ""
        return f"Graph(n={self.n}, edges={self.edge_count}{weighted})"


ExactWeights: TypeAlias = Union[npt.NDArray[np.int64], npt.NDArray[np.float64], list[str]]
"""Numbers of an array, each taken as the decimal that it is written as, or texts of decimals."""


def _unpickled(
    n: int, edges: npt.NDArray[np.int64], weights: list[str] | None, directed: bool, nodes: list[Any] | None
) -> Graph:
    if nodes is not None:
        return named(nodes, edges, weights, directed)
    return Graph.from_edges(edges, n=n, weights=weights, directed=directed)


def named(nodes: list[Any], ends: npt.NDArray[np.int64], weights: ExactWeights | None, directed: bool) -> Graph:
    """A graph whose vertices have names."""
    native = _native.NativeGraph.from_edges(len(nodes), ends[:, 0], ends[:, 1], weights, directed, nodes)
    graph = Graph.__new__(Graph)
    graph._set(native, nodes, {node: place for place, node in enumerate(nodes)})
    return graph


def _parted(edges: list[Any], weights: Iterable[object] | None) -> tuple[list[Any], Iterable[object] | None]:
    """Edges without the weights that may stand in their third place, and the weights."""
    lengths = {len(edge) if hasattr(edge, "__len__") and not isinstance(edge, str) else 0 for edge in edges}
    if 3 not in lengths:
        return edges, weights
    if lengths != {3}:
        raise ValueError("some edges have a weight, (tail, head, weight), and others have none")
    if weights is not None:
        raise ValueError("weights are given twice: with the edges, and by weights=")
    return [(tail, head) for tail, head, _ in edges], [weight for _, _, weight in edges]


def _have_names(edges: list[Any]) -> bool:
    """Whether ends are names of vertices: pairs that are not all of whole numbers. (True and False are names, too.)"""
    if not edges or any(isinstance(edge, str) or not hasattr(edge, "__len__") or len(edge) != 2 for edge in edges):
        return False
    numbers = (int, np.integer, float, np.floating)  # floats are no names: they are refused as numbers
    return not all(isinstance(end, numbers) and not isinstance(end, bool) for edge in edges for end in edge)


def _numbered(frame: Any, source: str, target: str) -> tuple[npt.NDArray[np.int64], list[Any]]:
    """The ends of the edges of a DataFrame as numbers, [m, 2], and the names of the vertices in the order in which they appear, row by row."""
    pandas = needed("pandas")
    codes, names = pandas.factorize(pandas.concat([frame[source], frame[target]], ignore_index=True))
    rows = codes.reshape(2, -1).T
    if rows.size and rows.min() < 0:
        row, column = np.argwhere(rows < 0)[0].tolist()
        raise ValueError(f"row {row} has no {(source, target)[column]!r}")
    numbers, order = pandas.factorize(rows.ravel())
    return numbers.reshape(-1, 2).astype(np.int64, copy=False), names.take(order).tolist()


def _weights_for(weights: Iterable[object] | None, edges: int) -> ExactWeights | None:
    """As many weights as there are edges, exactly."""
    if weights is None:
        return None
    exact = _exact_weights(weights, lambda place: f"edge {place}")
    if len(exact) != edges:
        raise ValueError(f"there are {len(exact)} weights for {edges} edges")
    return exact


def _exact_weights(weights: Iterable[object], where: Callable[[int], str]) -> ExactWeights:
    """Weights as Rust reads them exactly: without a copy where they are an array of int64 or float64."""
    if isinstance(weights, np.ndarray) and weights.ndim == 1:
        if weights.dtype.kind == "i":
            return _aligned(weights.astype(np.int64, copy=False))
        if weights.dtype.kind == "f" and weights.dtype.itemsize == 8:
            return _aligned(weights)
    return [_exact(weight, where(place)) for place, weight in enumerate(weights)]


def needed(module: str, package: str | None = None) -> Any:
    """A module that only some functions need, or an error that says how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"this needs {module}: pip install {package or module}") from error


def is_sparse(data: object) -> TypeGuard[SparseMatrix]:
    """Whether it is a sparse matrix of scipy, or looks like one."""
    return hasattr(data, "tocoo") and hasattr(data, "shape")


def is_networkx(data: object) -> TypeGuard[NetworkxGraph]:
    """Whether it is a graph of networkx, or looks like one."""
    return hasattr(data, "is_multigraph") and hasattr(data, "edges")


def as_graph(data: GraphLike, algorithm: str, weight: str | None = "weight") -> Graph:
    """The graph for an algorithm; weights are read only where it uses them, a symmetric matrix is undirected where it has to be."""
    facts = ALGORITHM_FACTS.get(algorithm)
    graph = data if isinstance(data, Graph) else Graph(data, weight=weight if facts is None or facts["uses_weights"] else None)
    if facts is None or not facts["undirected"] or facts["form"] != "edges" or not graph.is_directed:
        return graph
    both_ways = Graph.__new__(Graph)
    both_ways._set(graph._handle.undirected(algorithm), graph.nodes, graph._index)
    return both_ways


def source_of(graph: Graph, algorithm: str, source: Hashable | None) -> int | None:
    """The index of the source, where the algorithm has one."""
    if source is None:
        return None
    facts = ALGORITHM_FACTS.get(algorithm)
    if facts is not None and not facts["needs_source"]:
        raise ValueError(f"{algorithm} has no source, but {source!r} was given")
    return graph.index(source)


def integers(values: npt.ArrayLike, what: str) -> npt.NDArray[np.int64]:
    """An array of whole numbers, without a copy where it is one of int64 already."""
    array = np.asarray(values)
    if array.size == 0:
        return array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise ValueError(f"{what} must be whole numbers, not {array.dtype}")
    if array.dtype.kind == "u" and array.max() > np.iinfo(np.int64).max:
        raise ValueError(f"{what}: {array.max()} is too large")
    return _aligned(array.astype(np.int64, copy=False))


def seed_of(seed: int) -> int:
    """A seed, checked."""
    number = operator.index(seed)
    if not 0 <= number < 2**64:
        raise ValueError(f"the seed {number} is not between 0 and 2**64 - 1")
    return number


def number_of(what: str, number: int, n: int) -> int:
    """How many candidates of ``n`` vertices are wanted, checked against what memory holds."""
    count = operator.index(number)
    if count < 0:
        raise ValueError(f"{what} is {count}, but cannot be negative")
    if count * max(n, 1) > 2**30:
        raise ValueError(f"{what} is {count}: with {n} vertices that is more than 2**30 parents")
    return count


def _size(n: int) -> int:
    size = operator.index(n)
    if not 0 <= size < 2**32:
        raise ValueError(f"a graph of {size} vertices is not possible")
    return size


def _aligned(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array in the machine's own byte order and alignment; a copy only where it is not."""
    native = array.dtype.newbyteorder("=")
    return np.require(array, native, requirements="A")


def _weights_of_edges(
    edges: list[tuple[Any, Any, object]], weight: str | None, data: NetworkxGraph
) -> list[str] | None:
    """The exact weights of networkx' edges; ``None`` when no edge has any."""
    without = next(((tail, head) for tail, head, value in edges if value is None), None)
    if without is None and edges:
        return [_exact(value, f"edge {tail!r} -> {head!r}") for tail, head, value in edges]
    if any(value is not None for _, _, value in edges):
        raise ValueError(
            f"edge {without!r} has no {weight!r}, but others have; give it one, or weight=None to take each edge as 1"
        )
    if edges and weight not in (None, "weight"):
        there = sorted({str(name) for *_, attributes in data.edges(data=True) for name in attributes})
        found = ", ".join(map(repr, there)) if there else "none"
        raise ValueError(f"no edge has a {weight!r}; the attributes of edges are: {found}")
    return None


def _exact(value: object, where: str) -> str:
    """A weight as the text of an exact decimal."""
    if isinstance(value, (int, np.integer, np.bool_)):
        return str(int(value))
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, (np.floating, decimal.Decimal, str)):
        return str(value)
    raise ValueError(f"{where}: the weight {value!r} is neither an int, a float nor a Decimal")

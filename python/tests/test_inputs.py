"""Graphs and candidates as they come, and wrong ones, refused by name."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import tiebreak
from tiebreak._draws import floats
from tiebreak._graph import integers


def roads(weight: object) -> nx.Graph:
    graph = nx.Graph()
    graph.add_edge("a", "b", weight=1)
    graph.add_edge("b", "c", weight=weight)
    return graph


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (-2, "the cycle 'b' -> 'c' -> 'b' has length -4: with a negative cycle within reach no path is the shortest"),
        (float("nan"), "edge 'b' -> 'c': the weight 'nan' is not a finite decimal number"),
        (float("inf"), "edge 'b' -> 'c': the weight 'inf' is not a finite"),
        (Decimal("sNaN"), "edge 'b' -> 'c': the weight 'sNaN' is not a finite"),
        (Fraction(1, 3), r"edge 'b' -> 'c': the weight Fraction\(1, 3\) is neither an int"),
        ([1], r"edge 'b' -> 'c': the weight \[1\] is neither"),
        (10**40, "edge 'b' -> 'c': the weight .* has too many digits"),
    ],
)
def test_a_wrong_weight_is_named(weight: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tiebreak.count(roads(weight), "bellman-ford", source="a")
    assert tiebreak.count(roads(weight), "dfs") == 1


@pytest.mark.parametrize("weight", [0, 2, 2.0, np.float32(2), np.int8(2), Decimal("2.00"), True, np.float64(0.1), 1e-7])
def test_a_weight_may_be_any_exact_decimal(weight: object) -> None:
    assert tiebreak.count(roads(weight), "bellman-ford", source="a") == 1


def test_what_an_algorithm_cannot_take_is_named() -> None:
    with pytest.raises(ValueError, match="edge 'b' -> 'c' has weight -2, but dijkstra needs weights that are not negative"):
        tiebreak.count(roads(-2), "dijkstra", source="a")
    assert tiebreak.count(roads(-2), "prim", source="a") == 1
    with pytest.raises(ValueError, match="dag-shortest-paths needs a graph without cycles, but here is one: 'b' -> 'c' -> 'b'"):
        tiebreak.count(roads(2), "dag_shortest_paths", source="a")
    with pytest.raises(ValueError, match="prim needs an undirected graph, but edge 'a' -> 'b' has no equal edge back"):
        tiebreak.count(nx.DiGraph([("a", "b")]), "prim", source="a")
    assert tiebreak.count([[0, 1, 1], [1, 0, 1], [1, 1, 0]], "prim", source=0) == 3, "a symmetric matrix is undirected"


def test_a_verdict_shows_the_shorter_path() -> None:
    square = nx.cycle_graph(["a", "b", "c", "d"])
    nx.set_edge_attributes(square, 1, "weight")
    verdict = tiebreak.verify(square, {"b": "a", "c": "b", "d": "c"}, "bellman-ford", source="a")
    assert (verdict.rule, verdict.edges, verdict.path) == ("edge-is-tight", (("c", "d"),), ("a", "d"))
    assert str(verdict).endswith("(see 'c' -> 'd'); a shorter path: 'a' -> 'd'")
    square.edges["a", "d"]["weight"] = 2
    verdict = tiebreak.verify(square, {"b": "a", "c": "b", "d": "a"}, "mst_prim", source="a")
    assert (verdict.vertex, verdict.rule, verdict.path) == ("d", "no-lighter-edge", ())
    assert [set(edge) for edge in verdict.edges] == [{"c", "d"}, {"a", "d"}]


def test_an_undirected_edge_may_be_demanded_from_either_end() -> None:
    square = nx.cycle_graph(["a", "b", "c", "d"])
    for graph, names in ((square, "cb"), (nx.to_numpy_array(square), (2, 1))):
        source = names[0]
        for demand, expected in (("require", 3), ("avoid", 1)):
            solved = tiebreak.solve(graph, "prim", source=source, **{demand: [names]})  # type: ignore[arg-type]
            assert (len(solved), solved.count) == (expected, expected)


def test_weights_are_all_there_or_not_at_all() -> None:
    graph = roads(2)
    graph.add_edge("c", "d")
    with pytest.raises(ValueError, match=r"edge \('c', 'd'\) has no 'weight', but others have"):
        tiebreak.Graph(graph)
    assert not tiebreak.Graph(graph, weight=None).is_weighted
    with pytest.raises(ValueError, match="no edge has a .length.; the attributes of edges are: .weight."):
        tiebreak.Graph(roads(2), weight="length")
    nx.set_edge_attributes(graph, 3, "length")
    assert tiebreak.Graph(graph, weight="length").is_weighted


@pytest.mark.parametrize("kind", [nx.MultiGraph, nx.MultiDiGraph])
def test_a_multigraph_is_refused(kind: type[nx.Graph]) -> None:
    with pytest.raises(ValueError, match="a multigraph may have several edges"):
        tiebreak.Graph(kind([(0, 1), (0, 1)]))


def test_nodes_keep_their_names_and_their_order() -> None:
    graph = nx.DiGraph([((2, "x"), "y"), ("y", 7.5)])
    converted = tiebreak.Graph(graph)
    assert list(converted.nodes) == [(2, "x"), "y", 7.5]
    assert converted.index("y") == 1
    solution = tiebreak.solve(graph, "dfs", 1)[0]
    assert solution.by_node == {(2, "x"): (2, "x"), "y": (2, "x"), 7.5: "y"}
    assert solution.parents.tolist() == [0, 0, 1]


def test_a_verdict_speaks_of_nodes() -> None:
    graph = nx.cycle_graph(["a", "b", "c", "d"])
    verdict = tiebreak.verify(graph, {"b": "a", "d": "a", "c": "b"}, "dfs")
    assert not verdict and verdict.vertex == "b" and verdict.rule == "sibling-order"
    assert set(verdict.edges) == {("c", "d"), ("d", "c")}
    assert "siblings can be visited in an order" in str(verdict.words) and "'c' -> 'd'" in str(verdict)
    verdict = tiebreak.verify(graph, {"c": "a"}, "dfs")
    assert (verdict.vertex, verdict.rule, verdict.edges) == ("c", "parent-is-neighbour", (("a", "c"),))
    assert str(tiebreak.verify(graph, [0, 0, 1, 2], "dfs")) == "valid"


@pytest.mark.parametrize(
    ("parents", "message"),
    [
        ([0, 0], r"parents of shape \(2,\) do not fit a graph of 3 vertices"),
        ([0, 0, 3], "the parent of vertex 2 is 3, but there are 3 vertices"),
        ([0, -9999, 1], "the parent of vertex 1 is -9999, but there are 3 vertices"),
        ([0.0, 0.0, 1.0], "parents must be whole numbers, not float64"),
        (np.array([0, 0, 2**63], np.uint64), "9223372036854775808 is too large"),
        ({5: 0}, "5 is not a vertex of the graph"),
        ({"x": 0}, "'x' is not a vertex of the graph"),
        ({0: 9}, "9 is not a vertex of the graph"),
    ],
)
def test_parents_that_cannot_be_are_an_error(parents: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tiebreak.verify(np.ones((3, 3)), parents, "dfs")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.ones((2, 3)), r"an array of shape \(2, 3\) is not an adjacency matrix"),
        (np.ones(3), r"shape \(3,\) is not an adjacency"),
        ([[0, np.nan], [0, 0]], r"entry \[0, 1\]: 'NaN' is not a finite decimal number; 0 means that there is no edge"),
        ([[0, 1], [np.inf, 0]], r"entry \[1, 0\]: 'inf' is not a finite"),
        ([[0, 1j], [0, 0]], "an array of complex128"),
        ([["a", "b"], ["c", "d"]], "an array of .*U1"),
    ],
)
def test_a_matrix_that_is_no_graph_is_an_error(matrix: object, message: str) -> None:
    for algorithm in ("dfs", "bellman-ford"):
        with pytest.raises(ValueError, match=message):
            tiebreak.count(matrix, algorithm, source=0 if algorithm != "dfs" else None)  # type: ignore[arg-type]


def test_edges_that_are_no_graph_are_an_error() -> None:
    from_edges = tiebreak.Graph.from_edges
    with pytest.raises(ValueError, match="edge 1 is 1 -> 5, but there are 3 vertices"):
        from_edges([(0, 1), (1, 5)], n=3)
    with pytest.raises(ValueError, match="edge 0 is -1 -> 0"):
        from_edges([(-1, 0)])
    with pytest.raises(ValueError, match="edge 0 -> 1 is given twice"):
        from_edges([(0, 1), (0, 1)])
    with pytest.raises(ValueError, match="edge 0 -> 1 is given twice"):
        from_edges([(0, 1), (1, 0)], directed=False)
    with pytest.raises(ValueError, match="1 weights for 2 edges"):
        from_edges([(0, 1), (1, 0)], weights=[1])
    with pytest.raises(ValueError, match="edge 1: the weight None is neither"):
        from_edges([(0, 1), (1, 0)], weights=[1, None])
    with pytest.raises(ValueError, match="the weight 1000.* is too large for exact path lengths"):
        from_edges([(0, 1), (1, 0)], weights=[1e-30, 1e29])
    with pytest.raises(ValueError, match=r"shape \(2, 3\) is not a list of edges"):
        from_edges(np.array([(0, 1, 2), (1, 0, 2)]))
    with pytest.raises(ValueError, match="a graph of -1 vertices is not possible"):
        from_edges([], n=-1)
    assert from_edges([], n=3).n == 3
    assert from_edges(np.empty((0, 2), np.int32)).n == 0


def test_arrays_are_taken_as_they_lie() -> None:
    """No copy of what has a fitting type, whatever its layout; and all layouts are read alike."""
    matrix = np.random.default_rng(0).random((6, 6))
    layouts = [matrix, matrix.T, matrix[::-1, ::-1], np.asfortranarray(matrix), matrix[::2, ::2]]
    for layout in layouts + [layout.astype(np.float32) for layout in layouts]:
        assert np.shares_memory(floats(layout), layout)
        size = len(layout)
        arguments = {"algorithm": "dfs", "extractor": "upwards", "draws": 4}
        complete = np.ones((size, size), bool)
        drawn = tiebreak.extract(complete, probabilities=layout, **arguments)  # type: ignore[arg-type]
        copied = tiebreak.extract(complete, probabilities=np.ascontiguousarray(layout), **arguments)  # type: ignore[arg-type]
        assert np.array_equal(drawn, copied)
        assert layout.flags.writeable
    parents = np.arange(12)[::2]
    assert np.shares_memory(integers(parents, "parents"), parents)


def test_unusual_memory_is_read_all_the_same() -> None:
    matrix = np.random.default_rng(1).random((5, 5)).astype(np.float32)
    swapped = matrix.astype(">f4")
    misaligned = np.frombuffer(b"x" + matrix.tobytes(), np.uint8)[1:].view(np.float32).reshape(5, 5)
    locked = matrix.copy()
    locked.flags.writeable = False
    arguments = {"algorithm": "dfs", "extractor": "alt-upwards", "draws": 8}
    expected = tiebreak.extract(np.ones((5, 5)), probabilities=matrix, **arguments)  # type: ignore[arg-type]
    for form in (swapped, misaligned, locked, matrix.astype(np.float64), matrix.tolist()):
        assert np.array_equal(tiebreak.extract(np.ones((5, 5)), probabilities=form, **arguments), expected)  # type: ignore[arg-type]
    halves = matrix.astype(np.float16)
    assert tiebreak.extract(np.ones((5, 5)), probabilities=halves, **arguments).shape == (8, 5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a matrix of complex64 has no real numbers"):
        tiebreak.extract(np.ones((5, 5)), probabilities=matrix.astype(np.complex64), **arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tiebreak.count([[0]], "sort"), "'sort' is not an algorithm; there are 'dfs', 'dfs-any-restart'"),
        (lambda: tiebreak.count([[0]], "bellman-ford"), "bellman-ford needs a source"),
        (lambda: tiebreak.count([[0]], "bellman-ford", source=1), "1 is not a vertex of the graph, which has 1"),
        (lambda: tiebreak.count([[0]], "bellman-ford", source=-1), "-1 is not a vertex"),
        (lambda: tiebreak.count([[0]], "bellman-ford", source="a"), "'a' is not a vertex"),
        (lambda: tiebreak.count(nx.path_graph(2), "bellman-ford", source=[1]), r"\[1\] is not a vertex"),
        (lambda: tiebreak.count([[0]], "dfs", source=0), "dfs has no source, but 0 was given"),
        (lambda: tiebreak.runs([[0]], "dfs", -1), "k is -1, but cannot be negative"),
        (lambda: tiebreak.runs([[0]], "dfs", 2**40), "more than 2\\*\\*30 parents"),
        (lambda: tiebreak.runs([[0]], "dfs", seed=-1), "the seed -1 is not between"),
        (lambda: tiebreak.runs([[0]], "dfs", seed=2**64), "the seed 18446744073709551616 is not between"),
        (lambda: tiebreak.runs([[0]], "dfs", ties="x"), "'x' is not a way to break ties; there are 'one-order', 'free'"),
        (lambda: tiebreak.distribution([[0]], "dfs", runs=0), "a distribution needs at least one"),
        (
            lambda: tiebreak.extract([[0]], probabilities=[[1]], algorithm="dfs", extractor="beam"),
            "'beam' is not an extractor of dfs; there are 'argmax'",
        ),
        (
            lambda: tiebreak.extract([[0]], probabilities=[1.0], algorithm="dfs", extractor="argmax"),
            r"the matrix has shape \[1\], but the graph has 1 vertices",
        ),
    ],
)
def test_a_wrong_argument_is_named(call: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()  # type: ignore[operator]


@pytest.mark.parametrize("algorithm", ["dfs", "dfs-any-restart"])
def test_nothing_is_a_graph_too(algorithm: str) -> None:
    nothing = np.zeros((0, 0))
    assert tiebreak.count(nothing, algorithm) == 1
    assert tiebreak.verify(nothing, [], algorithm)
    assert tiebreak.draw(nothing, algorithm, 3).shape == (3, 0)
    assert tiebreak.runs(nothing, algorithm, 3).shape == (3, 0)
    assert tiebreak.distribution(nothing, algorithm).shape == (0, 0)
    assert tiebreak.distribution(nothing, algorithm, exact=True, ties="free").shape == (0, 0)
    assert len(tiebreak.solve(nothing, algorithm)) == 1
    for extractor in tiebreak.EXTRACTORS[algorithm]:
        drawn = tiebreak.extract(nothing, probabilities=nothing, algorithm=algorithm, extractor=extractor)
        assert drawn.shape == (5, 0)
        assert tiebreak.score(nothing, probabilities=nothing, algorithm=algorithm, extractor=extractor).valid == 1
    with pytest.raises(ValueError, match="0 is not a vertex"):
        tiebreak.count(nothing, "bellman-ford", source=0)


def test_edges_may_have_names_and_weights() -> None:
    edges = [("home", "shop", 0.1), ("shop", "work", Decimal("0.2")), ("home", "work", "0.3")]
    graph = tiebreak.Graph.from_edges(edges, directed=False)
    assert graph.nodes == ["home", "shop", "work"] and graph.weights == [Decimal("0.1"), Decimal("0.3"), Decimal("0.2")]
    assert tiebreak.count(graph, "dijkstra", source="home") == 2
    numbered = tiebreak.Graph.from_edges([(0, 1, 0.1), (1, 2, 0.2), (0, 2, 0.3)], n=4, directed=False)
    assert (numbered.n, numbered.weights) == (4, graph.weights)
    assert tiebreak.Graph.from_edges((pair for pair in [("a", "b"), ("b", "c")])).nodes == ["a", "b", "c"]
    for wrong, given, message in [
        ([("a", "b", 1), ("b", "c")], {}, "some edges have a weight"),
        ([("a", "b", 1)], {"weights": [2]}, "weights are given twice"),
        ([("a", "b")], {"n": 3}, "names are counted"),
        ([("a", "b", [1])], {}, r"edge 0: the weight \[1\] is neither"),
        ([(0, 1.5)], {}, "must be whole numbers"),
        (["ab"], {}, "must be whole numbers"),
        ([(0, 1, 2, 3)], {}, r"an array of shape \(1, 4\)"),
    ]:
        with pytest.raises(ValueError, match=message):
            tiebreak.Graph.from_edges(wrong, **given)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_float_of_any_width_is_the_decimal_that_it_is_written_as(dtype: type[np.floating[Any]]) -> None:
    tails, heads, weights = np.array([0, 1, 0]), np.array([1, 2, 2]), np.array([0.1, 0.2, 0.3], dtype)
    exact = [Decimal("0.1"), Decimal("0.3"), Decimal("0.2")]
    frame = pd.DataFrame({"source": tails, "target": heads, "weight": weights})
    assert tiebreak.from_pandas(frame).weights == exact
    assert tiebreak.Graph.from_edges(np.stack([tails, heads], 1), weights=weights).weights == exact
    if dtype != np.float16:  # scipy has no sparse matrices of float16
        assert tiebreak.Graph(scipy.sparse.coo_array((weights, (tails, heads)), shape=(3, 3))).weights == exact


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.uint64, ">i4", ">f8"])
def test_whole_numbers_of_any_type_are_weights(dtype: Any) -> None:
    graph = tiebreak.Graph.from_edges([(0, 1), (1, 2)], weights=np.array([3, 100], dtype))
    assert graph.weights == [3, 100]
    largest = tiebreak.Graph.from_edges([(0, 1)], weights=np.array([2**63 + 1], np.uint64))
    assert largest.weights == [2**63 + 1]
    with pytest.raises(ValueError, match="edge 1 -> 2: the weight 'NaN' is not a finite"):
        tiebreak.Graph.from_edges([(0, 1), (1, 2)], weights=np.array([1, np.nan]))


def test_rows_of_a_frame_keep_their_names_and_a_missing_end_is_an_error() -> None:
    frame = pd.DataFrame({"source": ["d", "b", "d"], "target": ["b", "a", "c"], "weight": [1, 2, 3]})
    graph = tiebreak.from_pandas(frame)
    assert graph.nodes == ["d", "b", "a", "c"] and graph.edges.tolist() == [[0, 1], [0, 3], [1, 2]]
    assert tiebreak.from_pandas(frame.astype({"source": "category", "target": "category"})).nodes == graph.nodes
    assert tiebreak.from_pandas(frame.iloc[:0]).n == 0
    frame.loc[1, "target"] = None
    with pytest.raises(ValueError, match="row 1 has no 'target'"):
        tiebreak.from_pandas(frame)

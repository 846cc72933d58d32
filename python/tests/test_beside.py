"""Beside networkx, pandas and scipy."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

import tiebreak


def test_a_solution_is_a_graph_of_networkx() -> None:
    roads = nx.Graph()
    roads.add_weighted_edges_from([("home", "shop", 0.1), ("shop", "work", 0.2), ("home", "work", 0.3)])
    for way in tiebreak.solve(roads, "bellman-ford", source="home"):
        tree = way.to_networkx()
        assert nx.is_arborescence(tree) and set(tree.nodes) == set(roads.nodes)
        assert [float(weight) for *_, weight in tree.edges(data="weight")] == [
            roads.edges[ends]["weight"] for ends in tree.edges
        ]
        assert list(tree.edges) == list(nx.DiGraph(way.edges).edges)
        assert "<svg" in way._repr_html_() and "home" in way._repr_html_()
        assert nx.get_node_attributes(tree, "x") == {}
    solved = tiebreak.solve(roads, "bellman-ford", source="home")
    assert "2 of 2 solutions" in solved._repr_html_() and repr(solved) == "<2 of 2 solutions>"


def test_names_are_text_in_drawings() -> None:
    graph = nx.Graph([("<script>", "b")])
    assert "<script>" not in tiebreak.solve(graph, "dfs")._repr_html_()
    large = tiebreak.solve(nx.path_graph(100), "dfs")[0]
    assert "too many to draw" in large._repr_html_()


def test_graphs_go_to_networkx_and_back() -> None:
    for graph in (nx.gnp_random_graph(7, 0.4, seed=2), nx.gnp_random_graph(7, 0.4, seed=2, directed=True)):
        there = tiebreak.Graph(graph).to_networkx()
        assert there.is_directed() == graph.is_directed() and nx.utils.graphs_equal(there, graph)


def test_edges_of_a_frame() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"from": ["a", "b", "a"], "to": ["b", "c", "c"], "km": [0.1, 0.2, 0.3]})
    graph = tiebreak.from_pandas(frame, source="from", target="to", weight="km")
    assert tiebreak.count(graph, "bellman-ford", source="a") == 2
    assert tiebreak.solve(graph, "bellman-ford", source="a").to_frame().columns.tolist() == ["a", "b", "c"]
    with pytest.raises(ValueError, match="there is no column 'weight'; there are 'from', 'to', 'km'"):
        tiebreak.from_pandas(frame, source="from", target="to")


def test_sparse_matrices_are_graphs() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    batch = tiebreak.generate("bellman-ford", 8, 4)
    assert batch.weights is not None
    for kind in (sparse.csr_array, sparse.coo_matrix, sparse.csc_array):
        for weights in batch.weights:
            expected = tiebreak.count(weights, "bellman-ford", source=0)
            assert tiebreak.count(kind(weights), "bellman-ford", source=0) == expected
    several = [sparse.csr_array(weights) for weights in batch.weights]
    assert tiebreak.count(several, "bellman-ford", source=0) == tiebreak.count(batch.weights, "bellman-ford", source=0)
    with pytest.raises(ValueError, match="sparse matrix of shape"):
        tiebreak.count(sparse.csr_array(np.ones((2, 3))), "dfs")


def test_a_weight_that_is_not_there_is_an_error_that_lists_what_is() -> None:
    graph = nx.Graph()
    graph.add_edge("a", "b", length=2, lanes=1)
    with pytest.raises(ValueError, match="no edge has a 'km'; the attributes of edges are: 'lanes', 'length'"):
        tiebreak.count(graph, "bellman-ford", source="a", weight="km")
    assert tiebreak.count(graph, "bellman-ford", source="a", weight="length") == 1


def test_scores_have_values_of_each_graph_and_standard_errors() -> None:
    batch = tiebreak.generate("dfs", 6, 20)
    score = tiebreak.score(batch, probabilities=batch.marginals, extractor="upwards", coverage=True)
    values = score.by_graph["valid"]
    assert values.shape == (20,) and values.mean() == pytest.approx(score.valid)
    assert score.standard_errors["valid"] == pytest.approx(values.std(ddof=1) / np.sqrt(20))
    assert np.isnan(score.by_graph["coverage"]).sum() == 20 - score.counted
    assert "<table>" in score._repr_html_() and "±" in str(score)
    assert tiebreak.score(batch, probabilities=batch.marginals, extractor="upwards").coverage is None
    pytest.importorskip("pandas")
    assert score.to_frame().loc["valid", "mean"] == score.valid


def test_the_package_has_a_version() -> None:
    assert tiebreak.__version__.count(".") == 2


def test_trees_of_networkx_are_answers() -> None:
    directed = nx.DiGraph([("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "a"), ("d", "e")])
    for algorithm in ("dfs", "bfs", "dijkstra"):
        source = None if algorithm == "dfs" else "a"
        for solution in tiebreak.solve(directed, algorithm, 5, source=source):
            assert tiebreak.verify(directed, solution.to_networkx(), algorithm, source=source)
    assert tiebreak.verify(directed, nx.bfs_tree(directed, "a"), "bfs", source="a")
    assert tiebreak.verify(directed, nx.dfs_tree(directed, "a"), "dfs")
    assert not tiebreak.verify(directed, nx.dfs_tree(directed, "a"), "bfs", source="b")
    # Two parents, and none where there should be one.
    verdict = tiebreak.verify(directed, nx.DiGraph([("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "e")]), "bfs", source="a")
    assert (verdict.vertex, verdict.rule, verdict.edges) == ("d", "one-parent-each", (("b", "d"), ("c", "d")))
    assert tiebreak.verify(directed, nx.DiGraph([("a", "b")]), "bfs", source="a").rule == "reachable-has-parent"


def test_trees_without_directions_lead_away_from_the_source() -> None:
    for seed in range(50):
        graph = nx.gnp_random_graph(8, 0.4, seed=seed)
        for tail, head in graph.edges:
            graph.edges[tail, head]["weight"] = 1 + (tail * head + seed) % 3
        tree = nx.minimum_spanning_tree(graph)
        connected = nx.node_connected_component(graph, 5)
        verdict = tiebreak.verify(graph, tree.subgraph(connected), "prim", source=5)
        assert verdict, (seed, str(verdict))
    square = nx.cycle_graph(4)
    verdict = tiebreak.verify(square, square, "bfs", source=0)
    assert not verdict and verdict.rule == "one-parent-each"
    with pytest.raises(ValueError, match="from a parent to its child"):
        tiebreak.verify(square, nx.path_graph(4), "dfs")

"""Spanning forests, matchings and orders on the graphs of networkx, against its own answers and against every candidate."""

from __future__ import annotations

import itertools
import random

import networkx as nx
import numpy as np
import pytest
import reference

import tiebreak

ATLAS = [graph for graph in nx.graph_atlas_g() if 0 < len(graph) <= 6]
BIPARTITE = [graph for graph in nx.graph_atlas_g()[1:] if nx.is_bipartite(graph)]


def weighted(graph: nx.Graph, seed: int) -> nx.Graph:
    coins, copy = random.Random(seed), graph.copy()
    for ends in copy.edges:
        copy.edges[ends]["weight"] = coins.randint(1, 3)
    return copy


def spanning_forests(graph: nx.Graph) -> set[frozenset[frozenset[int]]]:
    """Every spanning forest of least weight, by networkx."""
    parts: list[list[frozenset[frozenset[int]]]] = []
    for nodes in nx.connected_components(graph):
        if len(nodes) == 1:
            continue
        trees = list(nx.SpanningTreeIterator(graph.subgraph(nodes)))
        least = min(tree.size(weight="weight") for tree in trees)
        best = [tree for tree in trees if tree.size(weight="weight") == least]
        parts.append([frozenset(map(frozenset, tree.edges)) for tree in best])
    return {frozenset().union(*forest) for forest in itertools.product(*parts)}


def test_spanning_forests_are_those_of_networkx() -> None:
    for seed, graph in enumerate(ATLAS):
        graph = weighted(graph, seed)
        expected = spanning_forests(graph) if len(graph) <= 5 else None
        solved = tiebreak.solve(graph, "mst_kruskal", 2000, exact=True)
        if expected is not None:
            assert {frozenset(map(frozenset, one.edges)) for one in solved} == expected, graph.edges(data=True)
            assert tiebreak.count(graph, "kruskal") == len(expected) == solved.count
        tree = list(nx.minimum_spanning_edges(graph, data=False))
        assert tiebreak.verify(graph, tree, "kruskal"), graph.edges(data=True)
        least = nx.minimum_spanning_tree(graph).size(weight="weight")
        assert all(one.to_networkx().size(weight="weight") == least for one in solved[:5]), graph.edges(data=True)


def test_matchings_are_as_large_as_those_of_networkx() -> None:
    for graph in BIPARTITE:
        size = len(nx.max_weight_matching(graph, maxcardinality=True))
        of_size = [
            frozenset(map(frozenset, edges))
            for edges in itertools.combinations(graph.edges, size)
            if len(set(itertools.chain(*edges))) == 2 * size
        ]
        solved = tiebreak.solve(graph, "matching", 1000, exact=True)
        assert {frozenset(map(frozenset, one.edges)) for one in solved} == set(of_size), graph.edges
        assert tiebreak.count(graph, "matching") == len(of_size), graph.edges
        for one in solved[:3]:
            assert nx.is_maximal_matching(graph, set(one.edges)), graph.edges
        assert tiebreak.verify(graph, nx.max_weight_matching(graph, maxcardinality=True), "matching"), graph.edges
        maximal = nx.maximal_matching(graph)
        assert bool(tiebreak.verify(graph, maximal, "matching")) == (len(maximal) == size), graph.edges
        if nx.is_connected(graph):
            partners = nx.bipartite.hopcroft_karp_matching(graph)
            assert tiebreak.verify(graph, partners, "matching"), (graph.edges, partners)


def test_orders_are_all_those_of_networkx() -> None:
    for graph in ATLAS:
        digraph = reference.fitting(graph, "dag-shortest-paths")
        expected = {tuple(order) for order in nx.all_topological_sorts(digraph)}
        assert tiebreak.count(digraph, "topological-sort") == len(expected), digraph.edges
        if len(expected) > 150:
            continue
        solved = tiebreak.solve(digraph, "topological_sort", 150, exact=True)
        assert {tuple(one.order) for one in solved} == expected, digraph.edges
        every = list(itertools.permutations(digraph.nodes)) if len(digraph) <= 4 else list(expected)
        verdicts = tiebreak.verify_all(digraph, every, "topological-sort")
        assert {order for order, verdict in zip(every, verdicts, strict=True) if verdict} == expected, digraph.edges


def test_names_and_demands() -> None:
    dressing = nx.DiGraph([("socks", "shoes"), ("trousers", "shoes"), ("trousers", "belt")])
    every = tiebreak.solve(dressing, "topological-sort", 100, exact=True)
    late = tiebreak.solve(dressing, "topological-sort", 100, exact=True, before=[("belt", "socks")])
    assert {tuple(one.order) for one in late} == {
        tuple(one.order) for one in every if one.order.index("belt") < one.order.index("socks")
    }
    impossible = tiebreak.solve(dressing, "topological-sort", before=[("shoes", "socks")])
    assert impossible.impossible == "no solution has 'shoes' before 'socks'"
    with pytest.raises(ValueError, match=r"an order has no edges of its own; ask with before=\[\(earlier, later\)\]"):
        tiebreak.solve(dressing, "topological-sort", avoid=[("socks", "shoes")])
    verdict = tiebreak.verify(dressing, ["shoes", "socks", "trousers", "belt"], "topological-sort")
    assert verdict.rule == "edges-go-forward" and verdict.edges[0][1] == "shoes"
    assert tiebreak.verify(dressing, ["socks", "trousers"], "topological-sort").rule == "every-vertex-once"
    with pytest.raises(ValueError, match="'hat' is not a vertex"):
        tiebreak.verify(dressing, ["hat"], "topological-sort")
    with pytest.raises(ValueError, match="topological-sort needs a graph without cycles, but here is one"):
        tiebreak.count(nx.DiGraph([("a", "b"), ("b", "a")]), "topological-sort")

    work = nx.Graph([("ann", "paint"), ("ann", "sand"), ("bob", "paint")])
    verdict = tiebreak.verify(work, [("ann", "paint")], "matching")
    assert verdict.rule == "no-augmenting-path" and set(verdict.path) == {"ann", "bob", "paint", "sand"}
    assert "chosen and other edges change places along" in str(verdict)
    assert [set(map(frozenset, one.edges)) for one in tiebreak.solve(work, "matching")] == [
        {frozenset({"ann", "sand"}), frozenset({"bob", "paint"})}
    ]
    refused = tiebreak.solve(work, "matching", require=[("paint", "ann")])
    assert refused.impossible == "no solution has 'paint' -> 'ann'"
    with pytest.raises(ValueError, match="odd|bipartite"):
        tiebreak.count(nx.cycle_graph(3), "matching")

    roads = nx.cycle_graph(["a", "b", "c", "d"])
    nx.set_edge_attributes(roads, 1, "weight")
    roads.edges["a", "d"]["weight"] = 2
    verdict = tiebreak.verify(roads, [("a", "b"), ("b", "c"), ("a", "d")], "kruskal")
    assert verdict.exchange is not None and set(verdict.exchange[0]) == {"c", "d"} and set(verdict.exchange[1]) == {"a", "d"}
    assert tiebreak.verify(roads, [("a", "c")], "kruskal").rule == "chosen-is-edge"
    assert tiebreak.verify(roads, nx.minimum_spanning_tree(roads), "kruskal")
    with pytest.raises(ValueError, match="is not an edge: two ends are needed"):
        tiebreak.verify(roads, [("a", "b", "c")], "kruskal")


def test_a_symmetric_matrix_is_undirected() -> None:
    square = nx.cycle_graph(4)
    matrix = nx.to_numpy_array(square)
    for form in (matrix, nx.to_scipy_sparse_array(square), tiebreak.Graph(matrix), square.to_directed()):
        assert tiebreak.count(form, "kruskal") == 4 and tiebreak.count(form, "matching") == 2
    matrix[0, 1] = 2.0
    with pytest.raises(ValueError, match="kruskal needs an undirected graph, but edge 0 -> 1 has no equal edge back"):
        tiebreak.count(matrix, "kruskal")


@pytest.mark.parametrize("algorithm", ["kruskal", "matching", "topological-sort"])
def test_batches_of_every_form_go_through_everything(algorithm: str) -> None:
    batch = tiebreak.generate(algorithm, 6, 10, seed=2)
    counts = tiebreak.count(batch)
    runs = tiebreak.runs(batch, k=3)
    assert tiebreak.verify_all(batch, runs).valid.all()
    graphs = [batch.graph(index) for index in range(10)]
    assert tiebreak.count(graphs, algorithm) == counts
    for extractor in tiebreak.EXTRACTORS[algorithm]:
        drawn = tiebreak.extract(batch, probabilities=batch.marginals, extractor=extractor, draws=3)
        assert drawn.shape == runs.shape
        score = tiebreak.score(batch, probabilities=batch.marginals, extractor=extractor, draws=3, coverage=True)
        assert score.counted == 10 and 0.0 <= score.unique_valid <= score.valid <= 1.0
    solved = tiebreak.solve(graphs[0], algorithm, 1000, exact=True)
    assert len(solved) == counts[0] == len(solved.to_frame())
    assert "<svg" in solved[0]._repr_html_()
    assert ("marker-end" in solved[0]._repr_html_()) == (algorithm == "topological-sort")
    marginals = np.mean([tiebreak.runs(batch, k=1, seed=seed)[:, 0] for seed in range(40)], axis=0)
    if algorithm != "topological-sort":
        np.testing.assert_allclose(marginals.mean(axis=0), batch.marginals.mean(axis=0), atol=0.15)

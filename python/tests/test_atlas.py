"""Every binding against networkx and against plain Python, on the atlas of all 1,253 graphs with up to seven nodes."""

from __future__ import annotations

import math
import random
from decimal import Decimal

import networkx as nx
import numpy as np
import pytest
import reference

import tiebreak

ATLAS = nx.graph_atlas_g()
SMALL = [graph for graph in ATLAS if 0 < len(graph) <= 5]


def oriented(graph: nx.Graph, seed: int) -> nx.DiGraph:
    """A digraph in which each edge goes one way, the other, or both."""
    coins = random.Random(seed)
    digraph = nx.DiGraph()
    digraph.add_nodes_from(graph.nodes)
    for ends in graph.edges:
        ways = coins.choice([[ends], [ends[::-1]], [ends, ends[::-1]]])
        digraph.add_edges_from(ways)
    return digraph


DIRECTED = [oriented(graph, seed) for seed, graph in enumerate(ATLAS)]


def weighted(graph: nx.Graph, seed: int) -> nx.Graph:
    """The graph with weights 1, 2 or 3."""
    coins = random.Random(seed)
    copy = graph.copy()
    for tail, head in copy.edges:
        copy.edges[tail, head]["weight"] = coins.randint(1, 3)
    return copy


def shortest_path_trees(graph: nx.Graph, source: int) -> int:
    """Their number by networkx: the product of the numbers of predecessors."""
    predecessors, _ = nx.dijkstra_predecessor_and_distance(graph, source)
    return math.prod(max(len(of), 1) for of in predecessors.values())


def test_the_atlas_is_whole() -> None:
    assert len(ATLAS) == 1253


@pytest.mark.parametrize("graphs", [ATLAS, DIRECTED], ids=["graphs", "digraphs"])
def test_a_depth_first_search_of_networkx_is_a_solution(graphs: list[nx.Graph]) -> None:
    for graph in graphs:
        predecessors = nx.dfs_predecessors(graph)
        assert tiebreak.verify(graph, predecessors, "dfs"), graph.edges
        assert tiebreak.verify(graph, predecessors, "dfs-any-restart"), graph.edges


def test_a_depth_first_tree_from_any_node_is_a_solution_with_any_restarts() -> None:
    for graph in (graph for graph in ATLAS if len(graph) > 0 and nx.is_connected(graph)):
        for root in graph.nodes:
            tree = nx.dfs_tree(graph, root)
            parents = {child: parent for parent, child in tree.edges}
            assert tiebreak.verify(graph, parents, "dfs-any-restart"), (graph.edges, root)
            verdict = tiebreak.verify(graph, parents, "dfs")
            assert bool(verdict) == (root == next(iter(graph.nodes))), (graph.edges, root, str(verdict))


def test_a_breadth_first_tree_is_a_solution_only_if_it_is_a_depth_first_one() -> None:
    refused = 0
    for graph in SMALL:
        solutions = set(reference.forests(graph))
        trees = [nx.bfs_tree(graph, part) for part in (min(nodes) for nodes in nx.connected_components(graph))]
        parents = {child: parent for tree in trees for parent, child in tree.edges}
        expected = tuple(parents.get(node, node) for node in graph.nodes) in solutions
        assert bool(tiebreak.verify(graph, parents, "dfs")) == expected, graph.edges
        refused += not expected
    assert refused > 0


@pytest.mark.parametrize("directed", [False, True])
def test_solutions_are_what_some_order_gives(directed: bool) -> None:
    for seed, graph in enumerate(SMALL):
        if directed:
            graph = oriented(graph, seed)
        found = reference.forests(graph)
        assert tiebreak.count(graph, "dfs") == len(found), graph.edges
        solved = tiebreak.solve(graph, "dfs", 1000, exact=True)
        assert {tuple(solution.by_node.values()) for solution in solved} == set(found), graph.edges
        if len(graph) <= 4:
            candidates = list(reference.every_array(len(graph)))
            verdicts = tiebreak.verify_all(graph, candidates, "dfs")
            accepted = {candidate for candidate, verdict in zip(candidates, verdicts, strict=True) if verdict}
            assert accepted == set(found), graph.edges


def test_the_exact_distribution_is_the_mean_over_all_orders() -> None:
    for seed, graph in enumerate(SMALL):
        graph = oriented(graph, seed)
        expected = np.zeros((len(graph), len(graph)))
        for parents, orders in reference.forests(graph).items():
            expected[np.arange(len(graph)), parents] += orders
        expected /= math.factorial(len(graph))
        np.testing.assert_allclose(tiebreak.distribution(graph, "dfs", exact=True), expected, atol=1e-12)


@pytest.mark.parametrize("directed", [False, True])
def test_shortest_path_trees_are_counted_as_networkx_counts_predecessors(directed: bool) -> None:
    for seed, graph in enumerate(ATLAS):
        graph = weighted(oriented(graph, seed) if directed else graph, seed)
        for source in graph.nodes:
            expected = shortest_path_trees(graph, source)
            assert tiebreak.count(graph, "bellman-ford", source=source) == expected, (graph.edges(data=True), source)


def tight_parents(graph: nx.Graph, source: int) -> int:
    """The number of ways to give each node but the source a parent on one of its shortest paths."""
    lengths = nx.single_source_bellman_ford_path_length(graph, source)
    arcs = [(tail, head, facts["weight"]) for tail, head, facts in nx.DiGraph(graph).edges(data=True)]
    of = {node: 0 for node in lengths if node != source}
    for tail, head, weight in arcs:
        if head in of and tail in lengths and lengths[tail] + weight == lengths[head]:
            of[head] += 1
    return math.prod(of.values())


def test_every_algorithm_of_shortest_paths_counts_the_same_trees() -> None:
    for seed, graph in enumerate(ATLAS[1:]):
        graph, edges = weighted(graph, seed), nx.Graph(graph.edges)
        edges.add_nodes_from(graph.nodes)
        nx.set_edge_attributes(edges, 1, "weight")
        for source in graph.nodes:
            expected = tight_parents(graph, source)
            assert tiebreak.count(graph, "dijkstra", source=source) == expected, (graph.edges(data=True), source)
            assert tiebreak.count(graph, "bfs", source=source) == tight_parents(edges, source), (graph.edges, source)


def test_weights_of_any_sign_are_counted_where_there_is_no_cycle() -> None:
    for seed, graph in enumerate(ATLAS[1:]):
        coins = random.Random(seed)
        digraph = reference.fitting(graph, "dag-shortest-paths")
        for ends in digraph.edges:
            digraph.edges[ends]["weight"] = coins.randint(-2, 2)
        source = coins.choice(list(digraph.nodes))
        expected = tight_parents(digraph, source)
        for algorithm in ("dag-shortest-paths", "dag_shortest_paths", "bellman-ford"):
            assert tiebreak.count(digraph, algorithm, source=source) == expected, digraph.edges(data=True)


def test_spanning_trees_are_counted_as_networkx_lists_them() -> None:
    for seed, graph in enumerate(SMALL):
        graph = weighted(graph, seed)
        for source in graph.nodes:
            part = graph.subgraph(nx.node_connected_component(graph, source))
            totals = [tree.size(weight="weight") for tree in nx.SpanningTreeIterator(part)] if len(part) > 1 else [0]
            expected = totals.count(min(totals))
            assert tiebreak.count(graph, "prim", source=source) == expected, (graph.edges(data=True), source)
            solved = tiebreak.solve(graph, "mst_prim", 1000, source=source)
            assert (len(solved), solved.count) == (expected, expected), (graph.edges(data=True), source)


def test_tenths_are_counted_as_whole_numbers_are() -> None:
    """As floats 0.1 + 0.2 is not 0.3; as weights it is."""
    kinds = [lambda weight: weight / 10, lambda weight: Decimal(weight) / 10, lambda weight: np.float32(weight / 10)]
    for seed, graph in enumerate(ATLAS[1:]):
        graph = weighted(graph, seed)
        expected = tiebreak.count(graph, "bellman-ford", source=0)
        tenths = graph.copy()
        for tail, head, weight in graph.edges(data="weight"):
            tenths.edges[tail, head]["weight"] = kinds[seed % 3](weight)
        assert tiebreak.count(tenths, "bellman-ford", source=0) == expected, tenths.edges(data=True)


def test_a_shortest_path_tree_of_networkx_is_a_solution() -> None:
    for seed, graph in enumerate(ATLAS[1:]):
        graph = weighted(graph, seed)
        predecessors, _ = nx.bellman_ford_predecessor_and_distance(graph, 0)
        parents = {node: of[-1] for node, of in predecessors.items() if of}
        assert tiebreak.verify(graph, parents, "bellman-ford", source=0), graph.edges(data=True)


@pytest.mark.parametrize("algorithm", reference.PARENTS)
def test_whatever_is_drawn_or_run_is_a_solution(algorithm: str) -> None:
    any_digraph = algorithm not in ("dag-shortest-paths", "prim")
    start = reference.start(algorithm, 0)
    for seed, graph in enumerate(DIRECTED if any_digraph else ATLAS):
        if start and len(graph) == 0:
            continue
        graph = tiebreak.Graph(weighted(reference.fitting(graph, algorithm), seed))
        drawn = [
            tiebreak.runs(graph, algorithm, 2, seed=seed, **start),
            tiebreak.runs(graph, algorithm, 2, ties="free", seed=seed, **start),
        ]
        if algorithm in reference.EXECUTED:
            drawn.append(tiebreak.draw(graph, algorithm, 2, seed=seed, **start))
        verdicts = tiebreak.verify_all(graph, np.concatenate(drawn), algorithm, **start)
        assert all(verdicts), (seed, [str(verdict) for verdict in verdicts])


def test_the_forms_of_a_graph_are_one_graph() -> None:
    for seed, digraph in enumerate(DIRECTED[1:]):
        digraph = weighted(digraph, seed)
        matrix = nx.to_numpy_array(digraph)
        edges = list(digraph.edges(data="weight"))
        ends, weights = [(tail, head) for tail, head, _ in edges], [weight for *_, weight in edges]
        forms = [
            digraph,
            matrix,
            np.asfortranarray(matrix.astype(np.float32)),
            matrix.astype(np.int8),
            tiebreak.Graph.from_edges(ends, n=len(digraph), weights=weights),
        ]
        for algorithm in ("dfs", "bellman-ford", "bellman_ford", "dijkstra", "bfs"):
            start = reference.start(algorithm.replace("_", "-"), 0)
            counts = {tiebreak.count(form, algorithm, **start) for form in forms}
            assert len(counts) == 1, (algorithm, edges)
            runs = [tiebreak.runs(form, algorithm, 3, seed=seed, **start) for form in forms]
            assert all(np.array_equal(run, runs[0]) for run in runs), (algorithm, edges)

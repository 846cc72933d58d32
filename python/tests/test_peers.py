"""Thousands of random graphs: our answers are right by scipy and networkx, theirs are right by our verifiers."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import networkx as nx
import numpy as np
import numpy.typing as npt
import scipy.sparse as sparse
from scipy.sparse import csgraph

import tiebreak

Matrix = npt.NDArray[np.int64]


def matrices(count: int, seed: int, *, symmetric: bool = False, acyclic: bool = False) -> Iterator[Matrix]:
    """Random graphs of 1 to 24 vertices, from sparse to dense, with weights 1, 2 and 3 (so that there are ties)."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n, p = int(rng.integers(1, 25)), float(rng.choice([0.05, 0.15, 0.3, 0.6]))
        matrix = rng.integers(1, 4, (n, n)) * (rng.random((n, n)) < p)
        np.fill_diagonal(matrix, 0)
        if symmetric or acyclic:
            matrix = np.triu(matrix)
        if acyclic:
            order = rng.permutation(n)
            matrix = matrix[np.ix_(order, order)]
        yield matrix + matrix.T if symmetric else matrix


def along(matrix: Matrix, parents: Matrix, source: int) -> npt.NDArray[np.float64]:
    """The length of the path from the source that parents describe; infinite where they do not lead to it."""
    lengths = np.full(len(parents), np.inf)
    for vertex in range(len(parents)):
        at, length = vertex, 0
        while parents[at] != at:
            at, length = parents[at], length + matrix[parents[at], at]
        lengths[vertex] = length if at == source else np.inf
    return lengths


def own_roots(predecessors: Matrix) -> Matrix:
    """scipy's predecessors as parents: a root is its own."""
    return np.where(predecessors < 0, np.arange(len(predecessors)), predecessors).astype(np.int64)


def test_shortest_paths() -> None:
    graphs = list(matrices(1500, 1))
    sources = [seed % len(matrix) for seed, matrix in enumerate(graphs)]
    counts = tiebreak.count(graphs, "dijkstra", source=sources)
    theirs, lengths = [], []
    for matrix, source in zip(graphs, sources, strict=True):
        found, predecessors = csgraph.dijkstra(sparse.csr_array(matrix), indices=source, return_predecessors=True)
        theirs.append(own_roots(predecessors)[np.newaxis])
        lengths.append(found)
    for algorithm in ("dijkstra", "bellman-ford"):
        assert tiebreak.verify_all(graphs, theirs, algorithm, source=sources).valid.all()
        ours = tiebreak.runs(graphs, algorithm, 2, source=sources)
        drawn = tiebreak.draw(graphs, algorithm, 1, source=sources)
        for matrix, source, found, runs, draws in zip(graphs, sources, lengths, ours, drawn, strict=True):
            assert all(np.array_equal(along(matrix, parents, source), found) for parents in (*runs, *draws))
    for matrix, source, count in zip(graphs[:500], sources, counts, strict=False):
        predecessors, _ = nx.dijkstra_predecessor_and_distance(nx.DiGraph(matrix), source)
        assert count == math.prod(max(len(of), 1) for of in predecessors.values())


def test_hops_and_acyclic_graphs() -> None:
    graphs = list(matrices(800, 2))
    sources = [0] * len(graphs)
    ours = tiebreak.runs([matrix != 0 for matrix in graphs], "bfs", 2, source=sources)
    for matrix, runs in zip(graphs, ours, strict=True):
        hops = csgraph.shortest_path(sparse.csr_array(matrix), unweighted=True, indices=0)
        assert all(np.array_equal(along(np.minimum(matrix, 1), parents, 0), hops) for parents in runs)
    graphs = [matrix * np.random.default_rng(seed).choice([-1, 1], matrix.shape) for seed, matrix in enumerate(matrices(800, 3, acyclic=True))]
    ours = tiebreak.runs(graphs, "dag-shortest-paths", 2, source=sources)
    for matrix, runs in zip(graphs, ours, strict=True):
        lengths = csgraph.bellman_ford(sparse.csr_array(matrix), indices=0)
        assert all(np.array_equal(along(matrix, parents, 0), lengths) for parents in runs)


def test_depth_first_search() -> None:
    graphs = [nx.DiGraph(matrix) for matrix in matrices(800, 4)]
    for graph in graphs:
        assert tiebreak.verify(graph, nx.dfs_predecessors(graph), "dfs")
    ours = tiebreak.runs(graphs, "dfs", 1)
    for graph, (parents,) in zip(graphs, ours, strict=True):
        forest = nx.DiGraph((parent, child) for child, parent in enumerate(parents) if parent != child)
        forest.add_nodes_from(graph.nodes)
        # networkx restarts where we do, and follows the forest's own edges first: then it has to find the same forest.
        ordered = nx.DiGraph()
        ordered.add_nodes_from(graph.nodes)
        ordered.add_edges_from(forest.edges)
        assert nx.is_branching(ordered) or not ordered.edges
        assert {frozenset(part) for part in nx.weakly_connected_components(ordered)} == _trees(graph)


def _trees(graph: nx.DiGraph) -> set[frozenset[int]]:
    """What each restart of a depth-first search reaches: the same whatever the ties."""
    seen: set[int] = set()
    trees = set()
    for root in graph.nodes:
        if root not in seen:
            new = ({root} | nx.descendants(graph.subgraph(set(graph.nodes) - seen), root)) - seen
            trees.add(frozenset(new))
            seen |= new
    return trees


def test_spanning_trees() -> None:
    graphs = list(matrices(1500, 5, symmetric=True))
    theirs = []
    for matrix in graphs:
        tree = csgraph.minimum_spanning_tree(sparse.csr_array(matrix)).toarray() != 0
        theirs.append((tree | tree.T).astype(np.int64)[np.newaxis])
    assert tiebreak.verify_all(graphs, theirs, "kruskal").valid.all()
    ours = tiebreak.runs(graphs, "kruskal", 2)
    for matrix, tree, runs in zip(graphs, theirs, ours, strict=True):
        assert {int((matrix * run).sum()) for run in runs} == {int((matrix * tree[0]).sum())}
    rooted = tiebreak.runs(graphs, "prim", 1, source=[0] * len(graphs))
    for matrix, (parents,) in zip(graphs, rooted, strict=True):
        _, part = csgraph.connected_components(sparse.csr_array(matrix))
        inside = part == part[0]
        least = csgraph.minimum_spanning_tree(sparse.csr_array(matrix[np.ix_(inside, inside)])).sum()
        assert sum(matrix[parent, child] for child, parent in enumerate(parents)) == least


def test_matchings() -> None:
    rng = np.random.default_rng(6)
    graphs, theirs, sizes, smaller = [], [], [], []
    for _ in range(1500):
        left, right = (int(number) for number in rng.integers(1, 11, 2))
        block = (rng.random((left, right)) < rng.choice([0.1, 0.2, 0.4])).astype(np.int64)
        matrix = np.zeros((left + right, left + right), np.int64)
        matrix[:left, left:] = block
        partner = csgraph.maximum_bipartite_matching(sparse.csr_array(block), perm_type="column")
        chosen = np.zeros_like(matrix)
        for one, other in enumerate(partner):
            if other >= 0:
                chosen[one, left + other] = chosen[left + other, one] = 1
        graphs.append(matrix + matrix.T)
        theirs.append(chosen[np.newaxis])
        sizes.append(int((partner >= 0).sum()))
        fewer = chosen.copy()
        if sizes[-1]:
            one, other = np.argwhere(chosen)[0]
            fewer[one, other] = fewer[other, one] = 0
        smaller.append(fewer[np.newaxis])
    assert tiebreak.verify_all(graphs, theirs, "matching").valid.all()
    wrong = tiebreak.verify_all(graphs, smaller, "matching").valid[:, 0]
    assert np.array_equal(wrong, np.array(sizes) == 0)
    for runs, size in zip(tiebreak.runs(graphs, "matching", 2), sizes, strict=True):
        assert {int(run.sum()) for run in runs} == {2 * size}
        assert (runs.sum(axis=1) <= 1).all()


def test_orders() -> None:
    graphs = list(matrices(1500, 7, acyclic=True))
    theirs = [np.array([list(nx.topological_sort(nx.DiGraph(matrix)))]) for matrix in graphs]
    assert tiebreak.verify_all(graphs, theirs, "topological-sort").valid.all()
    for matrix, runs in zip(graphs, tiebreak.runs(graphs, "topological-sort", 3), strict=True):
        tails, heads = np.nonzero(matrix)
        for order in runs:
            place = np.argsort(order)
            assert sorted(order) == list(range(len(matrix))) and (place[tails] < place[heads]).all()
    coins = random.Random(8)
    backwards, with_edges = [], [matrix for matrix in graphs if matrix.any()]
    for matrix in with_edges:
        order = list(nx.topological_sort(nx.DiGraph(matrix)))
        tail, head = coins.choice(np.argwhere(matrix).tolist())
        one, other = order.index(tail), order.index(head)
        order[one], order[other] = order[other], order[one]
        backwards.append(np.array([order]))
    assert not tiebreak.verify_all(with_edges, backwards, "topological-sort").valid.any()

"""Everything pickles, and works in processes (forked and spawned) and threads."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import pickle
from decimal import Decimal

import networkx as nx
import numpy as np
import pytest

import tiebreak


def grid() -> nx.Graph:
    graph = nx.grid_2d_graph(3, 3)
    nx.set_edge_attributes(graph, Decimal("0.10"), "weight")
    return graph


def test_graphs_keep_names_weights_and_direction() -> None:
    for graph, source in [
        (tiebreak.Graph(grid()), (0, 0)),
        (tiebreak.Graph([[0, 2.5], [0, 0]]), 0),
        (tiebreak.Graph(nx.DiGraph([("a", "b")])), "a"),
        (tiebreak.Graph.from_edges([], n=3), 0),
    ]:
        other = pickle.loads(pickle.dumps(graph))
        assert repr(other) == repr(graph) and list(other.nodes) == list(graph.nodes)
        assert other.weights == graph.weights and np.array_equal(other.edges, graph.edges)
        assert other.is_directed == graph.is_directed
        assert tiebreak.count(other, "bellman-ford", source=source) == tiebreak.count(
            graph, "bellman-ford", source=source
        )


def test_results_pickle() -> None:
    graph = grid()
    solved = tiebreak.solve(graph, "bellman-ford", 3, source=(0, 0))
    batch = tiebreak.generate("dfs", 5, 4)
    results = [
        solved,
        solved[0],
        tiebreak.verify([[0, 1], [1, 0]], [0, 1], "dfs"),
        tiebreak.verify_all(batch, tiebreak.runs(batch, k=2)),
        tiebreak.score(batch, probabilities=batch.marginals, extractor="argmax"),
        tiebreak.evaluate("dfs", 5, graphs=2, draws=2),
        tiebreak.Executor("dfs"),
        tiebreak.Executor("dfs").log,
        tiebreak.load("dfs"),
        tiebreak.Stream("dfs", 4),
        batch,
    ]
    for result in results:
        assert repr(pickle.loads(pickle.dumps(result))) == repr(result)
        assert len(repr(result)) < 400, result


def work(stream: tiebreak.Stream) -> tuple[bytes, int, float]:
    """What a worker does: everything that has threads of its own."""
    batch = next(stream)
    score = tiebreak.score(batch, probabilities=batch.marginals, extractor="upwards")
    predicted = tiebreak.load("dfs").predict(batch)
    return predicted.tobytes(), sum(number or 0 for number in tiebreak.count(batch)), score.valid


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes(method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} here")
    stream = tiebreak.Stream("dfs", [5, 6], batch=4, seed=1)
    # Threads run here before the fork, and must not be missed there.
    expected = [work(tiebreak.Stream("dfs", [5, 6], batch=4, seed=1, start=start)) for start in range(3)]
    next(stream)
    context = multiprocessing.get_context(method)
    streams = [tiebreak.Stream("dfs", [5, 6], batch=4, seed=1, start=start) for start in range(3)]
    with context.Pool(2) as pool:
        assert pool.map(work, streams) == expected
    stream.index = 0
    if method == "fork":
        with context.Pool(1) as pool:
            assert pool.map(work, [stream]) == expected[:1]


def test_threads() -> None:
    expected = [work(tiebreak.Stream("dfs", [5, 6], batch=4, seed=1, start=start)) for start in range(4)]
    streams = [tiebreak.Stream("dfs", [5, 6], batch=4, seed=1, start=start) for start in range(4)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, streams)) == expected

"""Batches: the same bits as the command line, whole batches as one graph after the other, streams that can be resumed."""

from __future__ import annotations

import copy
import itertools
import json
import os
import pickle
import subprocess
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import tiebreak

TOOL = os.environ.get("TIEBREAK")
SMALL = {"n": 7, "batch": 6, "seed": 3}


def tool(*arguments: object) -> str:
    """The output of the command line."""
    if TOOL is None:
        pytest.skip("TIEBREAK does not name the command line's binary")
    return subprocess.run([TOOL, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("algorithm", tiebreak.ALGORITHMS)
@pytest.mark.parametrize("preset", ["text", "authors"])
def test_batches_are_those_of_the_command_line(algorithm: str, preset: str) -> None:
    output = tool(
        "generate", "--algorithm", algorithm, "--size", 7, "--graphs", 6, "--seed", 3, "--preset", preset, "--p", 0.4
    )
    lines = [json.loads(line) for line in output.splitlines()]
    batch = tiebreak.generate(algorithm, 7, 6, seed=3, preset=preset, p=0.4)
    assert len(lines) == len(batch) == 6
    for index, line in enumerate(lines):
        both_ways = line.get("undirected", False)
        adjacency, weights = np.zeros((7, 7), bool), np.zeros((7, 7))
        for tail, head, *weight in line.get("edges", []):
            for ends in [(tail, head), (head, tail)] if both_ways else [(tail, head)]:
                adjacency[ends] = True
                weights[ends] = float(weight[0]) if weight else 0.0
        assert np.array_equal(batch.adjacency[index], adjacency)
        if batch.weights is not None:
            assert np.array_equal(batch.weights[index], weights)
        if batch.source is not None:
            assert batch.source[index] == line["source"]
        if tiebreak.FORMS[algorithm] == "parents":
            assert np.array_equal(batch.marginals[index], np.array(line["distribution"]))


@pytest.mark.parametrize("algorithm", tiebreak.ALGORITHMS)
def test_a_batch_is_its_instances_one_after_the_other(algorithm: str) -> None:
    batch = tiebreak.generate(algorithm, **SMALL)
    parts = [tiebreak.generate(algorithm, 7, 2, seed=3, start=start, threads=1) for start in (0, 2, 4)]
    for name in ("adjacency", "weights", "source", "marginals"):
        whole = getattr(batch, name)
        if whole is not None:
            assert np.array_equal(whole, np.concatenate([getattr(part, name) for part in parts]))
    assert np.array_equal(tiebreak.distribution(batch, seed=3), batch.marginals)
    assert batch.marginals.dtype == np.float64 and batch.marginals.flags.c_contiguous
    assert batch.marginals.base is None or batch.marginals.flags.writeable


@pytest.mark.parametrize(("n", "size"), [(16, 40), (64, 40), (200, 3)])
@pytest.mark.parametrize("algorithm", ["bellman-ford", "dfs", "kruskal"])
def test_threads_change_nothing(algorithm: str, n: int, size: int) -> None:
    alone = tiebreak.generate(algorithm, n, size, seed=5, threads=1)
    for threads in (2, 5, None):
        batch = tiebreak.generate(algorithm, n, size, seed=5, threads=threads)
        for name in ("adjacency", "weights", "source", "marginals"):
            assert np.array_equal(getattr(batch, name), getattr(alone, name)), (name, threads)
    assert np.array_equal(tiebreak.distribution(batch, seed=5), alone.marginals)


def test_exact_marginals_are_those_of_single_graphs() -> None:
    batch = tiebreak.generate("bellman-ford", 6, 5, exact=True, ties="free")
    assert batch.weights is not None and batch.source is not None
    for index in range(5):
        alone = tiebreak.distribution(
            batch.weights[index], "bellman-ford", exact=True, ties="free", source=int(batch.source[index])
        )
        np.testing.assert_allclose(batch.marginals[index], alone, atol=1e-12)


@pytest.mark.parametrize("algorithm", ["dfs", "bellman-ford", "bfs", "mst_prim"])
def test_functions_of_batches_are_those_of_single_graphs(algorithm: str) -> None:
    made = tiebreak.generate(algorithm, **SMALL)
    matrices = made.adjacency if made.weights is None else made.weights
    sources = None if made.source is None else made.source
    start = [{} if sources is None else {"source": int(sources[index])} for index in range(6)]
    several = {} if sources is None else {"source": sources}
    counts = [tiebreak.count(matrix, algorithm, **where) for matrix, where in zip(matrices, start, strict=True)]
    assert tiebreak.count(matrices, algorithm, **several) == tiebreak.count(made) == counts
    extractor = tiebreak.EXTRACTORS[made.algorithm][-1]
    drawn = tiebreak.extract(
        matrices, probabilities=made.marginals, algorithm=algorithm, extractor=extractor, draws=4, **several
    )
    assert drawn.shape[:2] == (6, 4)
    verdicts = tiebreak.verify_all(matrices, drawn, algorithm, **several)
    for index in range(6):
        alone = tiebreak.extract(
            matrices[index],
            probabilities=made.marginals[index],
            algorithm=algorithm,
            extractor=extractor,
            draws=4,
            index=index,
            **start[index],
        )
        assert np.array_equal(alone, drawn[index])
        one = tiebreak.verify_all(matrices[index], drawn[index], algorithm, **start[index])
        assert [verdict.valid for verdict in one] == verdicts.valid[index].tolist()
        assert [str(verdict) for verdict in one] == [str(verdict) for verdict in verdicts[index]]


def test_sizes_may_differ() -> None:
    graphs = [nx.cycle_graph(n) for n in (3, 5, 4)]
    marginals = tiebreak.distribution(graphs, "dfs")
    assert [matrix.shape for matrix in marginals] == [(3, 3), (5, 5), (4, 4)]
    drawn = tiebreak.extract(graphs, probabilities=marginals, algorithm="dfs", extractor="upwards", draws=2)
    verdicts = tiebreak.verify_all(graphs, drawn, "dfs")
    assert verdicts.valid.shape == (3, 2) and len(verdicts[1:]) == 2
    assert tiebreak.count(graphs, "dfs") == [2, 2, 2]
    assert tiebreak.count([], "dfs") == []


def test_out_of_reach_is_none_in_a_batch_and_an_error_alone() -> None:
    large = nx.gnp_random_graph(70, 0.5, seed=0, directed=True)
    assert tiebreak.count([nx.path_graph(3), large], "dfs") == [1, None]
    with pytest.raises(tiebreak.Intractable):
        tiebreak.count(large, "dfs")


def test_a_score_of_a_batch_is_that_of_the_command_line() -> None:
    output = tool("evaluate", "--json", "--algorithm", "dfs", "--size", 7, "--graphs", 6, "--extractor", "alt-upwards")
    (row,) = (json.loads(line) for line in output.splitlines())
    batch = tiebreak.generate("dfs", 7, 6)
    score = tiebreak.score(batch, probabilities=batch.marginals, extractor="alt-upwards", coverage=True)
    for name in ("valid", "weak_valid", "unique", "unique_valid", "accuracy", "coverage", "edge_reuse", "counted"):
        assert getattr(score, name) == row[name], name


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"n": 0}, "n is 0"),
        ({"n": 30_000}, "1 to 20000"),
        ({"p": 1.5}, "p is 1.5"),
        ({"runs": 0}, "runs is 0"),
        ({"batch": 2**40}, "do not fit"),
        ({"batch": -1}, "batch is -1"),
        ({"ties": "never"}, "'never' is not a way to break ties"),
        ({"preset": "mine"}, "'mine' is not a preset"),
        ({"algorithm": "quicksort"}, "'quicksort' is not an algorithm"),
        ({"seed": -1}, "seed"),
    ],
)
def test_wrong_batches_are_refused(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tiebreak.generate(**{"algorithm": "dfs", "n": 4, "batch": 2, **wrong})  # type: ignore[arg-type]


def test_streams_cycle_through_sizes_and_densities_and_can_be_resumed() -> None:
    settings = {"sizes": [4, 6], "p": [0.3, 0.7], "batch": 3, "seed": 5}
    stream = tiebreak.Stream("bellman-ford", **settings)  # type: ignore[arg-type]
    first = list(itertools.islice(stream, 9))
    assert [(batch.n, batch.p, batch.start) for batch in first[:5]] == [
        (4, 0.3, 0), (6, 0.3, 0), (4, 0.7, 0), (6, 0.7, 0), (4, 0.3, 3),
    ]  # fmt: skip
    for place, batch in enumerate(first):
        assert np.array_equal(batch.marginals, stream[place].marginals)
    resumed = tiebreak.Stream("bellman-ford", start=7, prefetch=1, threads=1, **settings)  # type: ignore[arg-type]
    assert np.array_equal(next(resumed).adjacency, first[7].adjacency)
    plain = tiebreak.Stream("bellman-ford", start=7, prefetch=0, **settings)  # type: ignore[arg-type]
    assert np.array_equal(next(plain).adjacency, first[7].adjacency)
    again = pickle.loads(pickle.dumps(stream))
    assert again.index == 9
    assert np.array_equal(next(again).marginals, next(stream).marginals)
    workers = [tiebreak.Stream("bellman-ford", start=worker, step=2, **settings) for worker in (0, 1)]  # type: ignore[arg-type]
    shared = [next(workers[place % 2]) for place in range(4)]
    assert all(np.array_equal(one.marginals, other.marginals) for one, other in zip(shared, first))
    stream.index = 2
    assert np.array_equal(next(stream).marginals, first[2].marginals)
    stream.close()
    assert np.array_equal(next(stream).marginals, first[3].marginals)
    with pytest.raises(ValueError, match="at least one size"):
        tiebreak.Stream("dfs", sizes=[])


def test_an_error_in_a_stream_reaches_its_reader() -> None:
    stream = tiebreak.Stream("dfs", 40, batch=1, exact=True)
    with pytest.raises(tiebreak.Intractable):
        next(stream)


def test_batches_are_copied_and_pickled_with_what_they_know() -> None:
    batch = tiebreak.generate("prim", **SMALL)
    for other in (pickle.loads(pickle.dumps(batch)), copy.deepcopy(batch)):
        assert np.array_equal(other.marginals, batch.marginals) and repr(other) == repr(batch)
        assert tiebreak.count(other) == tiebreak.count(batch)
    assert "n=7" in repr(batch) and len(repr(batch)) < 100


def test_generated_files_and_batches_agree(tmp_path: Path) -> None:
    tool("generate", "--algorithm", "dfs", "--size", 5, "--graphs", 4, "--out", tmp_path / "x.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    batch = tiebreak.generate("dfs", 5, 4)
    assert np.array_equal(batch.marginals, np.array([line["distribution"] for line in lines]))


@pytest.mark.parametrize("algorithm", [name for name, form in tiebreak.FORMS.items() if form == "items"])
def test_tables_of_items_have_their_numbers(algorithm: str) -> None:
    batch = tiebreak.generate(algorithm, 6, 4)
    assert batch.items and all(column.shape == (4, 6) for column in batch.items.values())
    assert batch.marginals.shape == (4, 6) and not batch.adjacency.any()
    assert tiebreak.verify_all(batch, tiebreak.runs(batch, k=3)).valid.all()

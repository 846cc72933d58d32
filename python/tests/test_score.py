"""Scores of a model's matrices."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import tiebreak

BATCH = [nx.gnp_random_graph(6, 0.5, seed=seed, directed=True) for seed in range(12)]
ADJACENCY = np.stack([nx.to_numpy_array(graph) for graph in BATCH])
EXACT = np.stack([tiebreak.distribution(graph, "dfs", exact=True) for graph in BATCH])


def score(graphs: object = ADJACENCY, **changes: object) -> tiebreak.Score:
    arguments = {"probabilities": EXACT, "algorithm": "dfs", "extractor": "AltUpwards"} | changes
    return tiebreak.score(graphs, **arguments)  # type: ignore[arg-type]


def by_hand(extractor: str, draws: int, seed: int) -> dict[str, float]:
    """The figures from their definitions."""
    rows: list[dict[str, float]] = []
    for index, (graph, matrix) in enumerate(zip(BATCH, EXACT, strict=True)):
        drawn = tiebreak.extract(
            graph, probabilities=matrix, algorithm="dfs", extractor=extractor, draws=draws, seed=seed, index=index
        )
        valid = [bool(verdict) for verdict in tiebreak.verify_all(graph, drawn, "dfs")]
        weak = [bool(verdict) for verdict in tiebreak.verify_all(graph, drawn, "dfs", weakly=True)]
        solutions = {tuple(row) for row, is_valid in zip(drawn.tolist(), valid, strict=True) if is_valid}
        trees = [{(parent, child) for child, parent in enumerate(row) if parent != child} for row in drawn.tolist()]
        reuse = [
            2 * len(one & two) / (len(one) + len(two)) if one or two else 1.0
            for place, one in enumerate(trees)
            for two in trees[:place]
        ]
        rows.append(
            {
                "valid": np.mean(valid),
                "weak_valid": np.mean(weak),
                "unique": len({tuple(row) for row in drawn.tolist()}) / draws,
                "unique_valid": len(solutions) / draws,
                "accuracy": valid[0],
                "coverage": len(solutions) / tiebreak.count(graph, "dfs"),
                "edge_reuse": np.mean(reuse),
            }
        )
    return {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}


@pytest.mark.parametrize("extractor", tiebreak.EXTRACTORS["dfs"])
def test_figures_are_what_their_definitions_say(extractor: str) -> None:
    figures = asdict(score(extractor=extractor, draws=4, seed=3, coverage=True))
    for name, expected in by_hand(extractor, 4, 3).items():
        assert figures[name] == pytest.approx(expected), name
    assert figures["counted"] == figures["graphs"] == len(BATCH)


def test_the_form_of_a_batch_makes_no_difference() -> None:
    expected = score()
    assert score(BATCH) == expected
    assert score([tiebreak.Graph(graph) for graph in BATCH], probabilities=list(EXACT)) == expected
    assert score(ADJACENCY.astype(bool), probabilities=np.asfortranarray(EXACT)) == expected
    assert score(extractor="alt-upwards") == expected


def test_one_graph_is_a_batch_of_one() -> None:
    assert score(BATCH[0], probabilities=EXACT[0]) == score(BATCH[:1], probabilities=EXACT[:1])
    assert score(ADJACENCY[0], probabilities=EXACT[0]) == score(BATCH[:1], probabilities=EXACT[:1])


def test_logits_are_probabilities_after_a_softmax() -> None:
    with np.errstate(divide="ignore"):
        logits = np.log(EXACT) + np.arange(6)[:, np.newaxis]
    assert np.isneginf(logits).any()
    assert score(probabilities=None, logits=logits).valid == pytest.approx(score().valid)
    drawn = [
        tiebreak.extract(BATCH[0], algorithm="dfs", extractor="argmax", **matrix)
        for matrix in ({"logits": logits[0]}, {"logits": logits[0].astype(np.float32)}, {"probabilities": EXACT[0]})
    ]
    assert np.array_equal(drawn[0], drawn[1]) and np.array_equal(drawn[0], drawn[2])


def test_the_scale_is_said_and_never_guessed() -> None:
    for changes in ({"logits": EXACT}, {"probabilities": None}):
        with pytest.raises(ValueError, match="either probabilities= or logits="):
            score(**changes)


def test_sizes_may_differ_in_a_batch() -> None:
    graphs = [nx.path_graph(2, create_using=nx.DiGraph), nx.complete_graph(4), nx.empty_graph(1)]
    matrices = [tiebreak.distribution(graph, "dfs", exact=True) for graph in graphs]
    assert score(graphs, probabilities=matrices, draws=1).graphs == 3


def test_sources_are_indices_names_or_one_hot_rows() -> None:
    graphs = [nx.path_graph(["a", "b", "c"]), nx.path_graph(["c", "a", "b"])]
    matrices = np.full((2, 3, 3), 1 / 3)
    arguments = {"probabilities": matrices, "algorithm": "bellman-ford", "extractor": "beam", "draws": 20}
    by_name = tiebreak.score(graphs, sources=["a", "a"], **arguments)
    assert tiebreak.score(graphs, sources="a", **arguments) == by_name
    plain = np.stack([nx.to_numpy_array(graph) for graph in graphs])
    assert tiebreak.score(plain, sources=[0, 1], **arguments) == by_name
    assert tiebreak.score(plain, sources=np.array([0, 1]), **arguments) == by_name
    assert tiebreak.score(plain, sources=np.eye(3)[[0, 1]], **arguments) == by_name
    with pytest.raises(ValueError, match="row 1 of the sources is not one-hot"):
        tiebreak.score(plain, sources=np.array([[1, 0, 0], [1, 1, 0]]), **arguments)
    with pytest.raises(ValueError, match="graph 1: 'd' is not a vertex"):
        tiebreak.score(graphs, sources=["a", "d"], **arguments)


class Tensor:
    """What JAX and PyTorch give numpy to hold on to."""

    def __init__(self, values: object) -> None:
        self.values = np.asarray(values)

    def __array__(self, dtype: object = None, copy: bool | None = None) -> np.ndarray:
        return self.values

    def __eq__(self, other: object) -> bool:
        raise TypeError("a tensor compares entry by entry")

    __hash__ = None  # type: ignore[assignment]


def test_tensors_of_others_are_arrays() -> None:
    assert score(Tensor(ADJACENCY), probabilities=Tensor(EXACT)) == score()
    assert score([Tensor(one) for one in ADJACENCY], probabilities=[Tensor(one) for one in EXACT]) == score()
    arguments = {"algorithm": "bellman-ford", "extractor": "greedy"}
    shown = {"probabilities": Tensor(EXACT)} | arguments
    expected = tiebreak.score(ADJACENCY, probabilities=EXACT, sources=[1] * 12, **arguments)
    for sources in (np.eye(6)[[1] * 12], np.full(12, 1), np.int64(1)):
        assert tiebreak.score(Tensor(ADJACENCY), sources=Tensor(sources), **shown) == expected


def test_wrong_numbers_are_named_with_their_place() -> None:
    wrong = EXACT.astype(np.float32)
    wrong[7, 2, 4] = np.nan
    with pytest.raises(ValueError, match=r"graph 7: entry \[2, 4\] is NaN"):
        score(probabilities=wrong)
    with pytest.raises(ValueError, match=r"graph 7: entry \[2, 4\] is NaN"):
        score(probabilities=None, logits=wrong)
    wrong[7, 2, 4] = -0.5
    with pytest.raises(ValueError, match=r"graph 7: entry \[2, 4\] is -0.5"):
        score(probabilities=wrong)
    with pytest.raises(ValueError, match="every logit of row 3 is -inf"):
        logits = np.zeros((12, 6, 6))
        logits[1, 3] = -np.inf
        score(probabilities=None, logits=logits)
    with pytest.raises(ValueError, match="12 graphs, but 11 matrices"):
        score(probabilities=EXACT[1:])
    with pytest.raises(ValueError, match=r"graph 0: the matrix has shape \[5, 5\], but the graph has 6 vertices"):
        score(probabilities=EXACT[:, 1:, 1:])


def test_coverage_is_left_out_where_it_is_not_wanted_or_not_to_be_had() -> None:
    assert score(coverage=False).coverage is None
    large = nx.gnp_random_graph(40, 0.5, seed=0, directed=True)
    figures = tiebreak.score(large, probabilities=np.ones((40, 40)), algorithm="dfs", extractor="random", draws=1)
    assert (figures.coverage, figures.counted, figures.edge_reuse) == (None, 0, None)


def test_figures_do_not_depend_on_threads() -> None:
    program = (
        "import tiebreak, numpy as np, networkx as nx\n"
        "graphs = [nx.gnp_random_graph(8, 0.4, seed=i, directed=True) for i in range(40)]\n"
        "matrices = np.random.default_rng(0).random((40, 8, 8))\n"
        "print(tiebreak.score(graphs, probabilities=matrices, algorithm='dfs', extractor='upwards', draws=7))\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"RAYON_NUM_THREADS": threads},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for threads in ("1", "2", "5")
    }
    assert len(outputs) == 1 and "40 graphs, 7 draws each" in outputs.pop()


def in_child(queue: multiprocessing.Queue[float]) -> None:
    queue.put(score().valid)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_can_score() -> None:
    """As the workers of a data loader do; threads of the parent do not live on in them."""
    expected = score().valid
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=in_child, args=(queue,))
    child.start()
    assert queue.get() == expected
    child.join()


@pytest.mark.skipif("TIEBREAK" not in os.environ, reason="TIEBREAK is not set to the command-line tool")
def test_draws_are_those_of_the_command_line(tmp_path: Path) -> None:
    np.savez(tmp_path / "model.npz", probabilities=EXACT, adjacency=ADJACENCY)
    command = [os.environ["TIEBREAK"], "extract", "-a", "dfs", "model.npz", "--draws", "3", "--seed", "5"]
    lines = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout.splitlines()
    cases = [json.loads(line) for line in lines]
    assert len(cases) == len(BATCH) * len(tiebreak.EXTRACTORS["dfs"]) * 3
    for case in cases:
        index = case["sample"]
        drawn = tiebreak.extract(
            BATCH[index],
            probabilities=EXACT[index],
            algorithm="dfs",
            extractor=case["extractor"],
            draws=3,
            seed=5,
            index=index,
        )
        assert drawn[case["draw"]].tolist() == case["parents"]
        assert bool(tiebreak.verify(BATCH[index], case["parents"], "dfs")) == case["valid"]

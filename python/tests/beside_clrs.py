"""Beside dm-clrs, jraph and TensorBoard: too large for every check, so a script of its own.

    pip install tiebreak dm-clrs jraph tensorboard pytest
    pytest -s python/tests/beside_clrs.py

What is not installed is left out, and pytest says so.
"""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

import tiebreak

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_samples_of_dm_clrs_are_solutions_by_our_verifiers() -> None:
    clrs = pytest.importorskip("clrs")
    from tiebreak.clrs import clrs_name, from_feedback

    for algorithm in ("dfs", "bfs", "bellman-ford", "dijkstra", "dag-shortest-paths", "prim"):
        sampler, _ = clrs.build_sampler(clrs_name(algorithm), num_samples=32, length=9, seed=1)
        samples = from_feedback(sampler.next(32), algorithm)
        share = samples.verify().valid.mean()
        counts = tiebreak.count(samples.graphs, algorithm, source=samples.sources)
        print(f"{algorithm}: {share:.3f} of dm-clrs' samples are solutions, which number {np.mean(counts):.1f} in the mean")
        assert share == 1.0


def test_real_weights_have_one_solution() -> None:
    clrs = pytest.importorskip("clrs")
    from tiebreak.clrs import from_feedback

    sampler, _ = clrs.build_sampler("bellman_ford", num_samples=64, length=16, seed=2)
    samples = from_feedback(sampler.next(64), "bellman_ford")
    assert tiebreak.count(samples.graphs, "bellman_ford", source=samples.sources) == [1] * 64


@pytest.mark.parametrize("targets", ["distribution", "solution"])
@pytest.mark.parametrize("algorithm", ["dfs", "bellman-ford", "bfs"])
def test_our_batches_fit_the_specs_of_dm_clrs(algorithm: str, targets: str) -> None:
    clrs = pytest.importorskip("clrs")
    from tiebreak.clrs import clrs_name, feedback, from_feedback

    batch = tiebreak.generate(algorithm, 7, 5, seed=2)
    ours = feedback(batch, targets=targets, unit=1)  # type: ignore[arg-type]
    sampler, spec = clrs.build_sampler(clrs_name(algorithm), num_samples=5, length=7, seed=0)
    theirs = sampler.next(5)
    wanted = {point.name: (point.location, point.type_, point.data.shape) for point in theirs.features.inputs}
    assert {point.name: (point.location, point.type_, point.data.shape) for point in ours.features.inputs} == wanted
    if targets == "solution":
        assert from_feedback(ours, algorithm).verify().valid.all()
        assert ours.outputs[0].data.shape == theirs.outputs[0].data.shape
    else:
        assert np.allclose(ours.outputs[0].data.sum(axis=-1), 1.0)


def test_the_network_of_dm_clrs_learns_from_our_stream(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("clrs")
    example = runpy.run_path(str(EXAMPLES / "train_dm_clrs.py"))
    example["main"]("dfs", 100)
    output = capsys.readouterr().out
    with capsys.disabled():
        print(output)
    losses = [float(line.rsplit(" ", 1)[1]) for line in output.splitlines() if line.startswith("step")]
    assert losses[-1] < 0.8 * losses[0]


def test_batches_become_graphs_of_jraph_and_come_back() -> None:
    pytest.importorskip("jraph")
    from tiebreak.jraph import from_jraph, to_jraph

    batch = tiebreak.generate("bellman-ford", 7, 5)
    together = to_jraph(batch)
    assert together.n_node.tolist() == [7] * 5 and together.n_edge.sum() == len(together.senders)
    graphs = from_jraph(together)
    assert batch.source is not None
    counts = tiebreak.count(graphs, "bellman-ford", source=batch.source)
    assert counts == tiebreak.count(batch)
    with pytest.raises(ValueError, match="edges have no 'km'; there are 'weights', 'target'"):
        from_jraph(together, weight="km")


def test_tensorboard_reads_the_log_of_a_training(tmp_path: Path) -> None:
    events = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    small = {"steps": 6, "hidden": 8, "batch": 2, "sizes": [4], "validate_every": 3, "validation_graphs": 2}
    tiebreak.train("dfs", tmp_path / "run", tensorboard=tmp_path / "events", **small)
    log = tiebreak.read_log(tmp_path / "run")
    found = events.EventAccumulator(str(tmp_path / "events"))
    found.Reload()
    assert set(found.Tags()["scalars"]) == {"loss", "validation", "difference", "graphs_per_second"}
    for name in ("loss", "validation", "difference"):
        scalars = found.Scalars(name)
        assert [scalar.step for scalar in scalars] == log["step"].tolist()
        np.testing.assert_allclose([scalar.value for scalar in scalars], log[name], rtol=1e-6)

"""Beside dm-clrs, jraph and TensorBoard: too large for every check, so a script of its own.

    pip install tiebreak dm-clrs jraph tensorboard pytest
    pytest -s python/tests/beside_clrs.py

What is not installed is left out, and pytest says so.
"""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tiebreak

EXAMPLES = Path(__file__).parents[1] / "examples"


# dm-clrs' matching is a flow from a source to a sink, which our graphs do not have.
SHARED = [name for name in tiebreak.ALGORITHMS if name not in ("dfs-any-restart", "matching")]


def test_samples_of_dm_clrs_are_solutions_by_our_verifiers() -> None:
    clrs = pytest.importorskip("clrs")
    from tiebreak.clrs import clrs_name, from_feedback

    for algorithm in SHARED:
        sampler, _ = clrs.build_sampler(clrs_name(algorithm), num_samples=32, length=9, seed=1)
        samples = from_feedback(sampler.next(32), algorithm)
        verdicts = samples.verify()
        share = verdicts.valid.mean()
        counts = tiebreak.count(samples.graphs, algorithm, source=samples.sources)
        print(f"{algorithm}: {share:.3f} of dm-clrs' samples are solutions, which number {np.mean(counts):.1f} in the mean")
        if algorithm == "task-scheduling":
            # dm-clrs takes tasks by another rule: they can all be done in time, but others weigh more.
            assert {verdict.rule for (verdict,) in verdicts} <= {None, "greatest-weight"}
        else:
            assert share == 1.0


def test_real_weights_have_one_solution() -> None:
    clrs = pytest.importorskip("clrs")
    from tiebreak.clrs import from_feedback

    sampler, _ = clrs.build_sampler("bellman_ford", num_samples=64, length=16, seed=2)
    samples = from_feedback(sampler.next(64), "bellman_ford")
    assert tiebreak.count(samples.graphs, "bellman_ford", source=samples.sources) == [1] * 64


@pytest.mark.parametrize("algorithm", SHARED)
def test_our_batches_fit_the_specs_of_dm_clrs(algorithm: str) -> None:
    clrs = pytest.importorskip("clrs")
    from tiebreak.clrs import clrs_name, feedback, from_feedback

    batch = tiebreak.generate(algorithm, 7, 5, seed=2)
    sampler, _ = clrs.build_sampler(clrs_name(algorithm), num_samples=5, length=7, seed=0)
    theirs, solution, shares = sampler.next(5), feedback(batch, targets="solution", unit=1), feedback(batch)

    def described(points: Any) -> dict[str, Any]:
        return {point.name: (point.location, point.type_, point.data.shape) for point in points}

    for ours in (solution, shares):
        assert described(ours.features.inputs) == described(theirs.features.inputs)
    assert described(solution.outputs) == described(theirs.outputs)
    samples = from_feedback(solution, algorithm)
    assert samples.verify().valid.all()
    assert tiebreak.count(samples.graphs, algorithm, source=samples.sources) == tiebreak.count(batch)
    for point in shares.outputs:
        assert (point.data >= 0).all() and (point.data <= 1).all()
        if point.type_ in (clrs.Type.CATEGORICAL, clrs.Type.MASK_ONE):
            assert np.allclose(point.data.sum(axis=-1), 1.0)


def test_what_dm_clrs_means_otherwise_is_refused() -> None:
    pytest.importorskip("clrs")
    from tiebreak.clrs import feedback

    with pytest.raises(ValueError, match="dm-clrs' bipartite_matching has 's', 't', 'in_matching', which our matching has not"):
        feedback(tiebreak.generate("matching", 6, 2))
    with pytest.raises(ValueError, match="dm-clrs has no algorithm 'dfs_any_restart'"):
        feedback(tiebreak.generate("dfs-any-restart", 6, 2))


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

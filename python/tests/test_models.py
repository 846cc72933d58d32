"""Training, loading, predicting and evaluating: the same bits as the command line, and Ctrl-C that saves."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import tiebreak
from test_batches import TOOL, tool

SETTINGS = {
    "steps": 6,
    "hidden": 8,
    "batch": 2,
    "sizes": [4, 5],
    "validate_every": 3,
    "validation_graphs": 2,
    "learning_rate": 3e-3,
    "seed": 4,
}
CHANGES = [f"--set={'model.hidden' if key == 'hidden' else key}={value}" for key, value in SETTINGS.items()]


def files(run: Path) -> dict[str, bytes]:
    """What a run's directory holds, without the one thing that depends on the machine."""
    found = {path.name: path.read_bytes() for path in run.iterdir()}
    lines = [json.loads(line) for line in found.pop("log.jsonl").splitlines()]
    for line in lines:
        line.pop("graphs_per_second", None)
    return {**found, "log": json.dumps(lines).encode()}


@pytest.mark.parametrize("algorithm", ["dfs", "bellman_ford"])
def test_a_run_of_python_is_a_run_of_the_command_line(algorithm: str, tmp_path: Path) -> None:
    tool("train", "--algorithm", algorithm, "--out", tmp_path / "tool", *CHANGES)
    model = tiebreak.train(algorithm, tmp_path / "python", **SETTINGS)
    assert files(tmp_path / "tool") == files(tmp_path / "python")
    log = tiebreak.read_log(tmp_path / "tool")
    assert log["step"].tolist() == [3, 6] and log["loss"].dtype == np.float64 and len(log) == 2
    assert model.card["settings"]["model"]["hidden"] == 8 and model.path == str(tmp_path / "python")


def test_an_executor_of_python_is_one_of_the_command_line(tmp_path: Path) -> None:
    small = {"steps": 60, "graphs": 20, "hidden": 8}
    changes = [f"--set={key}={value}" for key, value in small.items()]
    tool("train", "--model", "executor", "--algorithm", "dfs", "--out", tmp_path / "tool", *changes)
    executor = tiebreak.train("dfs", tmp_path / "python", model="executor", **small)
    assert files(tmp_path / "tool") == files(tmp_path / "python")
    assert isinstance(executor, tiebreak.Executor) and len(executor.log) >= 1
    with pytest.raises(ValueError, match="already holds a run"):
        tiebreak.train("dfs", tmp_path / "python", model="executor", **small)


def test_what_python_predicts_the_command_line_predicts(tmp_path: Path) -> None:
    for algorithm in ("dfs", "bellman-ford"):
        tool("generate", "--algorithm", algorithm, "--size", 6, "--graphs", 3, "--out", tmp_path / "x.jsonl")
        lines = tool("predict", "--algorithm", algorithm, tmp_path / "x.jsonl").splitlines()
        expected = np.array([json.loads(line)["distribution"] for line in lines])
        batch = tiebreak.generate(algorithm, 6, 3)
        model = tiebreak.load(algorithm)
        assert np.array_equal(model.predict(batch), expected)
        assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(batch), expected)


@pytest.mark.parametrize("model", [None, "network", "executor"])
def test_evaluations_are_those_of_the_command_line(model: str | None) -> None:
    chosen = [] if model is None else ["--model", model]
    common = ["--algorithm", "dfs", "--size", 5, "--size", 8, "--graphs", 4, "--draws", 3, "--seed", 9]
    lines = [json.loads(line) for line in tool("evaluate", "--json", *common, *chosen).splitlines()]
    wanted = {None: "empirical", "network": "predicted", "executor": "executor"}[model]
    expected = [line for line in lines if line["distribution"] == wanted]
    rows = tiebreak.evaluate("dfs", [5, 8], model=model, graphs=4, draws=3, seed=9)
    assert len(rows) == len(expected) > 0
    for row, line in zip(rows, expected, strict=True):
        for name, value in line.items():
            if name != "model":
                assert getattr(row, name) == value, name


def test_results_become_frames_and_tables() -> None:
    pandas = pytest.importorskip("pandas")
    rows = tiebreak.load("dfs").evaluate(n=5, graphs=3, draws=2) + tiebreak.Executor("dfs").evaluate(5, graphs=3, draws=2)
    frame = rows.to_frame()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == len(rows) == len(tiebreak.EXTRACTORS["dfs"]) + 1
    assert frame["extractor"].tolist()[-1] == "priorities"
    assert "<table>" in rows._repr_html_() and "alt-upwards" in str(rows) and len(repr(rows)) < 40
    log = tiebreak.Executor("dfs").log
    assert log.to_frame()["step"].tolist() == log["step"].tolist()


def test_what_cannot_be_loaded_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no algorithm of that name"):
        tiebreak.load("quicksort")
    with pytest.raises(FileNotFoundError, match=r"neither best\.safetensors nor model\.safetensors"):
        tiebreak.load(tmp_path)
    (tmp_path / "broken.safetensors").write_bytes(b"no model")
    with pytest.raises(ValueError, match=r"broken\.safetensors"):
        tiebreak.load(tmp_path / "broken.safetensors", algorithm="dfs")
    with pytest.raises(ValueError, match="unknown field `stpes`"):
        tiebreak.train("dfs", tmp_path / "run", stpes=3)
    assert not (tmp_path / "run").exists()
    with pytest.raises(ValueError, match="resume=True needs out="):
        tiebreak.train("dfs", tmp_path / "run", resume=True)


# Whoever was started in the background of a shell ignores interrupts, and so would its children.
STOPPED = """
import sys, time, threading, signal, os
signal.signal(signal.SIGINT, signal.default_int_handler)
import networkx as nx, numpy as np
import tiebreak
folder = sys.argv[1]
{before}
began = None
def interrupt():
    global began
    time.sleep(1.0)
    began = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
try:
    {call}
except KeyboardInterrupt:
    print("stopped", time.monotonic() - began)
else:
    print("ended by itself")
"""

BATCH = 'batch = tiebreak.generate("dfs", 24, 400)'
CITY = """
city = nx.convert_node_labels_to_integers(nx.grid_2d_graph(20, 20, create_using=nx.DiGraph))
nx.set_edge_attributes(city, 1.5, "km")
trips = [nx.shortest_path(city, place % 20, 399 - place % 17) for place in range(300)]
"""

LONG = {
    "train": ("", 'tiebreak.train("dfs", folder + "/run", steps=10**6, hidden=16, batch=4, seed=4, validate_every=50)'),
    "a large step": ("", 'tiebreak.train("dfs", folder + "/run", steps=10, sizes=[32], batch=32, validation_graphs=2, validation_size=8)'),
    "executor": ("", 'tiebreak.train("dfs", folder + "/run", model="executor", steps=10**7, graphs=20_000)'),
    "generate": ("", 'tiebreak.generate("dfs", 2000, 100)'),
    "one order": ("", 'tiebreak.generate("dfs", 8, 100_000, exact=True)'),
    "exact": ("", 'tiebreak.generate("dfs", 24, 1000, exact=True, ties="free")'),
    "count": (
        "graphs = [nx.gnp_random_graph(30, 0.4, seed=seed, directed=True) for seed in range(200)]",
        'tiebreak.count(graphs, "dfs")',
    ),
    "extract": (BATCH, 'tiebreak.extract(batch, probabilities=batch.marginals, extractor="random", draws=10**5)'),
    "score": (BATCH, 'tiebreak.score(batch, probabilities=batch.marginals, extractor="upwards", coverage=True, draws=1000)'),
    "verify_all": (
        "matrix, rows = np.ones((1000, 1000)), np.zeros((200_000, 1000), np.int64)",
        'tiebreak.verify_all(matrix, rows, "dfs")',
    ),
    "evaluate": ("", 'tiebreak.load("dfs").evaluate(n=64, graphs=400)'),
    "solve": ("graph = nx.gnp_random_graph(300, 0.5, seed=1)", 'tiebreak.solve(graph, "dfs", 100_000)'),
    "learn": (CITY, 'tiebreak.learn(city, ["km"], trips, bootstrap=100_000)'),
    "stream": ('stream = tiebreak.Stream("dfs", 400, batch=400, runs=50)', "list(stream)"),
}


@pytest.mark.parametrize("what", LONG)
def test_a_long_call_stops_at_an_interrupt(what: str, tmp_path: Path) -> None:
    before, call = LONG[what]
    script = STOPPED.replace("{before}", before).replace("{call}", call)
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, timeout=600)
    assert done.stdout.startswith("stopped"), (done.stdout, done.stderr)
    print(what, done.stdout.split()[1])


def test_a_training_that_was_interrupted_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """Stopped at any moment and resumed, it ends at the bits of one that was never stopped."""
    settings = {**SETTINGS, "steps": 240, "validate_every": 20}
    tiebreak.train("dfs", tmp_path / "whole", **settings)
    arguments = ", ".join(f"{key}={value!r}" for key, value in settings.items())
    heard = "signal.signal(signal.SIGINT, signal.default_int_handler)"
    script = f"import tiebreak, signal, sys; {heard}; tiebreak.train('dfs', sys.argv[1], {arguments})"
    run = tmp_path / "stopped"
    child = subprocess.Popen([sys.executable, "-c", script, str(run)], stderr=subprocess.PIPE)
    while not (run / "log.jsonl").exists() or not (run / "log.jsonl").read_text():
        time.sleep(0.01)
        assert child.poll() is None
    child.send_signal(signal.SIGINT)
    _, error = child.communicate()
    if child.returncode == 0:
        pytest.skip("it was done before the interrupt came")
    assert b"KeyboardInterrupt" in error
    assert len(tiebreak.read_log(run)) < 12
    if TOOL is None:
        tiebreak.train(out=run, resume=True)
    else:
        tool("train", "--resume", run)
    assert files(tmp_path / "whole") == files(run)

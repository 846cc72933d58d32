"""The command line's files as numpy and Python read them: samples, exported models, event files."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest

import tiebreak
from test_batches import tool


@pytest.mark.parametrize("algorithm", tiebreak.ALGORITHMS)
def test_numpy_reads_samples_in_five_lines(algorithm: str, tmp_path: Path) -> None:
    numpy_files = pytest.importorskip("safetensors.numpy")
    path = tmp_path / "x.safetensors"
    tool("generate", "--algorithm", algorithm, "--size", 6, "--graphs", 5, "--preset", "authors", "--out", path)
    data = numpy_files.load_file(path)
    batch = tiebreak.generate(algorithm, 6, 5, preset="authors")
    assert np.array_equal(data["adjacency"], batch.adjacency)
    assert np.array_equal(data["marginals"], batch.marginals)
    if batch.weights is not None:
        assert np.array_equal(data["weights"] / 10.0 ** data["decimals"][:, None, None], batch.weights)
    if batch.source is not None:
        assert np.array_equal(data["source"], batch.source)


def test_samples_of_several_sizes_are_predicted_from(tmp_path: Path) -> None:
    """Files of either layout are what the next stage reads."""
    for sizes in ([5], [5, 7]):
        path = tmp_path / f"{len(sizes)}.safetensors"
        chosen = [part for size in sizes for part in ("--size", size)]
        tool("generate", "--algorithm", "dfs", *chosen, "--graphs", 3, "--out", path)
        lines = [json.loads(line) for line in tool("predict", "--algorithm", "dfs", path).splitlines()]
        expected = [matrix for size in sizes for matrix in tiebreak.load("dfs").predict(tiebreak.generate("dfs", size, 3))]
        assert all(np.array_equal(line["distribution"], matrix) for line, matrix in zip(lines, expected, strict=True))


@pytest.mark.parametrize("model", ["network", "executor"])
def test_an_exported_model_is_loaded_with_its_card(model: str, tmp_path: Path) -> None:
    folder = tmp_path / "exported"
    tool("export", "--algorithm", "dfs", "--model", model, "--hf", folder, "--size", 5, "--graphs", 4)
    assert sorted(path.name for path in folder.iterdir()) == ["README.md", "config.json", "model.safetensors"]
    config = json.loads((folder / "config.json").read_text())
    assert config["algorithm"] == "dfs" and config["model_type"] == f"tiebreak-{model}"
    loaded, batch = tiebreak.load(folder), tiebreak.generate("dfs", 5, 4)
    if model == "network":
        assert np.array_equal(loaded.predict(batch), tiebreak.load("dfs").predict(batch))
    else:
        assert np.array_equal(loaded.draw(batch, 3), tiebreak.Executor("dfs").draw(batch, 3))
    card = (folder / "README.md").read_text()
    for row in loaded.evaluate(n=5, graphs=4, draws=5):
        assert f"| 5 | 0.5 | text | {row.extractor} | {row.valid:.2f} | {row.unique_valid:.2f} |" in card
    with pytest.raises(Exception, match="status 2"):
        tool("export", "--algorithm", "dfs", "--model", model, "--hf", folder)


def test_the_log_is_written_as_events(tmp_path: Path) -> None:
    """A record a line, and one that names the version; TensorBoard itself reads them in ``beside_clrs.py``."""
    small = ["--set=steps=6", "--set=model.hidden=8", "--set=batch=2", "--set=sizes=[4]", "--set=validate_every=2"]
    tool("train", "--algorithm", "dfs", "--out", tmp_path / "run", "--tensorboard", tmp_path / "events", *small)
    (path,) = (tmp_path / "events").iterdir()
    rest, records = path.read_bytes(), 0
    while rest:
        (length,) = struct.unpack("<Q", rest[:8])
        rest, records = rest[16 + length :], records + 1
    assert records == 1 + len(tiebreak.read_log(tmp_path / "run")) == 4

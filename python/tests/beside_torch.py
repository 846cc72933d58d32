"""Beside PyTorch and PyTorch Geometric: too large for every check, so a script of its own. (Not in one process with dm-clrs: TensorFlow and
PyTorch do not always bear each other.)

    pip install tiebreak torch torch_geometric pytest
    pytest python/tests/beside_torch.py
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import tiebreak

NUMBERS_OF_EDGES = [name for name, form in tiebreak.FORMS.items() if form in ("parents", "edges")]


@pytest.mark.parametrize("algorithm", NUMBERS_OF_EDGES)
def test_batches_become_data_of_pyg_and_come_back(algorithm: str) -> None:
    pytest.importorskip("torch_geometric")
    from tiebreak.pyg import from_pyg, source_of, to_matrix, to_pyg

    batch = tiebreak.generate(algorithm, 8, 6, seed=1)
    data = to_pyg(batch)
    for index, one in enumerate(data):
        graph = from_pyg(one, weight=None if batch.weights is None else "weights")
        source = source_of(one)
        assert source == (None if batch.source is None else int(batch.source[index]))
        start = {} if source is None else {"source": source}
        matrix = batch.adjacency[index] if batch.weights is None else batch.weights[index]
        assert tiebreak.count(graph, algorithm, **start) == tiebreak.count(matrix, algorithm, **start)
        np.testing.assert_allclose(to_matrix(one, one.target), batch.marginals[index], atol=1e-7)
    with pytest.raises(ValueError, match="the data have no 'km'"):
        from_pyg(data[0], weight="km")
    from torch_geometric.loader import DataLoader

    together = next(iter(DataLoader(data, batch_size=6)))
    assert together.num_graphs == 6 and together.num_nodes == 48


def test_other_forms_are_refused_in_words() -> None:
    pytest.importorskip("torch_geometric")
    from tiebreak.pyg import to_pyg

    with pytest.raises(ValueError, match="answers of topological-sort are of the form 'order', not numbers of edges"):
        to_pyg(tiebreak.generate("topological-sort", 5, 2))


@pytest.mark.parametrize("workers", [0, 2])
def test_a_stream_is_a_dataset_of_pytorch(workers: int) -> None:
    torch = pytest.importorskip("torch")
    from tiebreak.pyg import StreamDataset

    stream = tiebreak.Stream("dfs", [4, 6], batch=3, seed=7)
    loader = torch.utils.data.DataLoader(StreamDataset(stream, length=6), batch_size=None, num_workers=workers)
    found = sorted(batch["marginals"].numpy().tobytes() for batch in loader)
    assert found == sorted(stream[place].marginals.tobytes() for place in range(6))
    endless = StreamDataset(stream)
    assert [len(batch["adjacency"]) for batch in itertools.islice(endless, 3)] == [3, 3, 3]

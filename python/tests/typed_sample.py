"""A small program that uses every function as typed; checked by ``mypy --strict``, and run by the tests."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import tiebreak


def main() -> dict[str, float]:
    """Scores a model that knows nothing."""
    adjacency: npt.NDArray[np.float32] = np.ones((4, 6, 6), np.float32)
    graph = tiebreak.Graph(adjacency[0])
    edges = tiebreak.Graph.from_edges([(0, 1), (1, 2)], weights=[1, 0.5], directed=False)
    logits: npt.NDArray[np.float32] = np.zeros((4, 6, 6), np.float32)

    number: int = tiebreak.count(edges, "bellman-ford", source=0)
    matrix: npt.NDArray[np.float64] = tiebreak.distribution(graph, "dfs", runs=20, ties="free", seed=1)
    drawn: npt.NDArray[np.int64] = tiebreak.extract(
        graph, probabilities=matrix, algorithm="dfs", extractor="alt-upwards", draws=3
    )
    executed: npt.NDArray[np.int64] = tiebreak.draw(graph, "dfs", 2)
    verdict: tiebreak.Verdict = tiebreak.verify(graph, drawn[0], "dfs")
    verdicts: list[tiebreak.Verdict] = tiebreak.verify_all(graph, executed, "dfs")
    solutions: tiebreak.Solutions = tiebreak.solve(graph, "dfs", 3, require=[(0, 1)])
    first: tiebreak.Solution = solutions[0]
    score: tiebreak.Score = tiebreak.score(adjacency, logits=logits, algorithm="dfs", extractor="AltUpwards", draws=5)
    batch: tiebreak.Batch = tiebreak.generate("bellman-ford", 6, 4, seed=1)
    stream: tiebreak.Stream = tiebreak.Stream("dfs", sizes=[4, 6], batch=2, start=1)
    counts: list[int | None] = tiebreak.count(batch)
    judged: tiebreak.Verdicts = tiebreak.verify_all(batch, tiebreak.runs(batch, k=3))
    rows: tiebreak.Rows = tiebreak.evaluate("dfs", 5, graphs=2, draws=2, extractors="argmax")
    row: tiebreak.Row = rows[0]
    assert next(stream).n == 6 and None not in counts and judged.valid.all() and row.size == 5
    assert number == 1 and all(verdicts) and first.by_node[1] == 0
    assert verdict.valid or verdict.rule is not None
    return {"valid": score.valid, "coverage": score.coverage or 0.0}


if __name__ == "__main__":
    print(main())

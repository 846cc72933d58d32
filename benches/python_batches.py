"""Batches of training data beside fair plain implementations: the same runs with one random order each, for the same graphs.

    pip install ./python                 # release mode
    python benches/python_batches.py

- Shortest paths, numpy: Bellman-Ford's distances by relaxing all pairs of all graphs of the batch at once until nothing changes; then for each of the 20 runs
  an order of the vertices for each graph, and for each vertex the first tight parent in it: again all graphs and pairs at once.
- Depth-first search, plain Python: lists of neighbours, recursion without recursion limits at these sizes, one shuffled order a run.

Both give parents of 20 runs and their shares, as ours. Times are medians over repetitions, one process, all cores for ours; processor time says the same where
others use the machine as well.
"""

from __future__ import annotations

import platform
import random
import statistics
import time
from collections.abc import Callable

import numpy as np

import tiebreak

RUNS, BATCH, REPEATS = 20, 32, 5


def seconds(work: Callable[[], object], repeats: int = REPEATS) -> tuple[float, float]:
    """The median time of some calls, after one that does not count: by the clock, and of all processors together."""
    work()
    times, processor_times = [], []
    for _ in range(repeats):
        began, processors_began = time.perf_counter(), time.process_time()
        work()
        times.append(time.perf_counter() - began)
        processor_times.append(time.process_time() - processors_began)
    return statistics.median(times), statistics.median(processor_times)


def numpy_shortest_paths(n: int, rng: np.random.Generator) -> np.ndarray:
    """Random graphs of the paper's text, and the shares of 20 runs, all graphs at once."""
    upper = np.triu(rng.random((BATCH, n, n)) < 0.5, 1)
    edges = upper | upper.transpose(0, 2, 1)
    drawn = np.triu(rng.integers(1, 4, (BATCH, n, n)), 1)
    weights = np.where(edges, drawn + drawn.transpose(0, 2, 1), 10**6)
    source = rng.integers(0, n, BATCH)
    distance = np.full((BATCH, n), 10**6)
    distance[np.arange(BATCH), source] = 0
    while True:
        shorter = np.minimum(distance, (distance[:, :, None] + weights).min(axis=1))
        if np.array_equal(shorter, distance):
            break
        distance = shorter
    tight = (distance[:, :, None] + weights == distance[:, None, :]) & edges  # [b, parent, child]
    alone = ~tight.any(axis=1)
    shares = np.zeros((BATCH, n, n))
    graphs, children = np.arange(BATCH)[:, None], np.arange(n)[None, :]
    for _ in range(RUNS):
        order = rng.random((BATCH, n)).argsort(axis=1)
        rank = order.argsort(axis=1)
        parents = np.where(tight, rank[:, :, None], n).argmin(axis=1)
        parents = np.where(alone, children, parents)
        shares[graphs, children, parents] += 1
    return shares / RUNS


def python_depth_first_search(n: int, coins: random.Random) -> list[list[list[float]]]:
    """Random directed graphs, and the shares of 20 searches each."""
    found = []
    for _ in range(BATCH):
        heads = [[head for head in range(n) if head != tail and coins.random() < 0.5] for tail in range(n)]
        shares = [[0.0] * n for _ in range(n)]
        for _ in range(RUNS):
            rank = list(range(n))
            coins.shuffle(rank)
            ordered = [sorted(of, key=rank.__getitem__) for of in heads]
            parent = [-1] * n
            for root in range(n):
                if parent[root] >= 0:
                    continue
                parent[root] = root
                stack = [iter(ordered[root])]
                path = [root]
                while stack:
                    for head in stack[-1]:
                        if parent[head] < 0:
                            parent[head] = path[-1]
                            path.append(head)
                            stack.append(iter(ordered[head]))
                            break
                    else:
                        stack.pop()
                        path.pop()
            for child in range(n):
                shares[child][parent[child]] += 1 / RUNS
        found.append(shares)
    return found


def main() -> None:
    """Prints a table in Markdown."""
    print(f"{platform.machine()}, Python {platform.python_version()}, numpy {np.__version__}, tiebreak {tiebreak.__version__}; "
          f"batch {BATCH}, {RUNS} runs, seed 0, median of {REPEATS}\n")  # fmt: skip
    print("| | n | plain | ours | times | processor time, plain | ours | times |\n|---|---|---|---|---|---|---|---|")
    for n in (16, 64):
        rng, coins = np.random.default_rng(0), random.Random(0)
        rows: list[tuple[str, str, Callable[[], object]]] = [
            ("shortest paths, numpy", "bellman-ford", lambda n=n, rng=rng: numpy_shortest_paths(n, rng)),
            ("depth-first search, Python", "dfs", lambda n=n, coins=coins: python_depth_first_search(n, coins)),
        ]
        for name, algorithm, plain in rows:
            both = zip(seconds(plain), seconds(lambda: tiebreak.generate(algorithm, n, BATCH), 50), strict=True)
            cells = [f"{1e3 * theirs:.2f} ms | {1e3 * ours:.3f} ms | {theirs / ours:.0f}" for theirs, ours in both]
            print(f"| {name} | {n} | {' | '.join(cells)} |")
    for algorithm in ("dfs", "bellman-ford"):
        began = time.perf_counter()
        tiebreak.generate(algorithm, 16, 100_000)
        print(f"\n100,000 graphs of {algorithm} at n = 16: {time.perf_counter() - began:.1f} s", end="")
    print()


if __name__ == "__main__":
    main()
